package pack

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
)

// ownModule is the module of the programs that rocelab itself ships.
const ownModule = "github.com/rocelab/rocelab"

// isShipped reports whether an algorithm that ran is rocelab's own by its name.
func (c *Contents) isShipped(name string) bool {
	return slices.ContainsFunc(c.Shipped, func(about cc.Description) bool { return about.Name == name })
}

// processes are the algorithms that ran as programs, each program once.
func processes(manifest *result.Manifest) (list []result.Algorithm) {
	for _, run := range manifest.Runs {
		for _, a := range run.Algorithms {
			if a.Program != nil && !slices.ContainsFunc(list, func(other result.Algorithm) bool {
				return other.Name == a.Name && other.Program.SHA256 == a.Program.SHA256
			}) {
				list = append(list, a)
			}
		}
	}
	return list
}

// findPrograms looks for the programs that are not rocelab's own, by their digests. Nothing of
// them runs.
func (c *Contents) findPrograms() (programs []Program, files map[string]opener, err error) {
	files = map[string]opener{}
	for _, a := range processes(c.Manifest) {
		found, err := findProgram(a.Program.SHA256, c.Folders)
		if err != nil {
			return nil, nil, err
		}
		if c.isShipped(a.Name) && (found == "" || isOwn(found)) {
			continue
		}
		if found == "" {
			where := "--plugin-dir gives its folder"
			if len(c.Folders) > 0 {
				where = "looked in " + strings.Join(c.Folders, ", ")
			}
			return nil, nil, fmt.Errorf("the program of %s, with the SHA-256 %s, is not to be found: %s", a.Name,
				a.Program.SHA256, where)
		}
		home := path.Join(programsHome, a.Name)
		program := Program{Algorithm: a.Name, File: path.Join(home, filepath.Base(found)), SHA256: a.Program.SHA256}
		if slices.ContainsFunc(programs, func(other Program) bool { return other.Algorithm == a.Name }) {
			return nil, nil, fmt.Errorf("algorithm %s ran as two programs, and a pack has one of a name", a.Name)
		}
		programs = append(programs, program)
		files[program.File] = fileAt(found)
		for _, module := range a.Program.Files {
			at := filepath.Join(filepath.Dir(found), filepath.FromSlash(module.Name))
			if sum, err := sumOf(at); err != nil {
				return nil, nil, err
			} else if sum != module.SHA256 {
				return nil, nil, fmt.Errorf("%s of %s was changed since the run: its SHA-256 is %s, and was %s", at, a.Name, sum,
					module.SHA256)
			}
			files[path.Join(home, module.Name)] = fileAt(at)
		}
	}
	return programs, files, nil
}

// isOwn reports whether a program was built from rocelab's own source.
func isOwn(path string) bool {
	info, err := buildinfo.ReadFile(path)
	return err == nil && info.Main.Path == ownModule
}

// findProgram returns the file with that digest in one of the folders, "" for none.
func findProgram(digest string, folders []string) (string, error) {
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			at := filepath.Join(folder, e.Name())
			if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() {
				continue
			}
			if sum, err := sumOf(at); err == nil && sum == digest {
				return at, nil
			}
		}
	}
	return "", nil
}

// fileAt opens a file.
func fileAt(path string) opener { return func() (io.ReadCloser, error) { return os.Open(path) } }

// inFolder opens a file of a folder.
func inFolder(folder fs.FS, name string) opener {
	return func() (io.ReadCloser, error) { return folder.Open(name) }
}

// sumOf is the SHA-256 of a file.
func sumOf(path string) (_ string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// missing returns the algorithms whose programs are neither rocelab's own nor packed.
func (c *Contents) missing(packed []Program) (names []string) {
	for _, a := range processes(c.Manifest) {
		if !c.isShipped(a.Name) && !slices.Contains(names, a.Name) &&
			!slices.ContainsFunc(packed, func(p Program) bool { return p.Algorithm == a.Name }) {
			names = append(names, a.Name)
		}
	}
	return names
}
