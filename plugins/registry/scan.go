package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/rocelab/rocelab/plugins/process"
)

// Folders returns the folders in which to look for plugins: those given by
// flags, the folders in $ROCELAB_PLUGINS (separated as in $PATH), and the user's own,
// $XDG_DATA_HOME/rocelab/plugins or ~/.local/share/rocelab/plugins (XDG Base
// Directory Specification). Those that were not given by flags may be absent.
func Folders(flags []string) []string {
	optional := filepath.SplitList(os.Getenv("ROCELAB_PLUGINS"))
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		optional = append(optional, filepath.Join(data, "rocelab", "plugins"))
	} else if home, err := os.UserHomeDir(); err == nil {
		optional = append(optional, filepath.Join(home, ".local", "share", "rocelab", "plugins"))
	}
	folders := append([]string(nil), flags...)
	for _, f := range optional {
		if _, err := os.Stat(f); f != "" && err == nil {
			folders = append(folders, f)
		}
	}
	return folders
}

// scan asks all programs in the plugin folders who they are, the first time.
func (r *Registry) scan() error {
	r.scanned.once.Do(func() { r.scanned.programs, r.scanned.err = r.scanFolders() })
	return r.scanned.err
}

func (r *Registry) scanFolders() ([]program, error) {
	var paths []string
	seen := map[string]bool{}
	for _, folder := range r.config.Folders {
		found, err := executables(folder)
		if err != nil {
			return nil, fmt.Errorf("plugin folder %s: %w", folder, reason(err))
		}
		for _, path := range found {
			real, err := filepath.EvalSymlinks(path)
			if err != nil || seen[real] || filepath.Dir(path) == r.programDir {
				continue
			}
			seen[real] = true
			paths = append(paths, path)
		}
	}
	return r.probe(paths), nil
}

// reason is an error of the file system without the path, which the message
// has already.
func reason(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// executables returns the executable files of a folder, hidden ones left out,
// by absolute path.
func executables(folder string) (paths []string, err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && e.Name()[0] != '.' {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// probe asks programs who they are, a few at a time.
func (r *Registry) probe(paths []string) []program {
	programs := make([]program, len(paths))
	var wait sync.WaitGroup
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, path := range paths {
		wait.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			options := r.config.Process
			options.Log = ""
			d, err := process.Probe(path, options)
			programs[i] = program{Entry{d, path}, err}
		})
	}
	wait.Wait()
	return programs
}

const shippedPrefix = "cc-"

var namePattern = regexp.MustCompile(`^[a-z0-9-]+$`)

// shipped returns the program of an algorithm beside the running program, ""
// if there is none. A name that is none leads nowhere: it comes from a scenario
// and becomes part of a path.
func (r *Registry) shipped(name string) string {
	if !namePattern.MatchString(name) {
		return ""
	}
	path := filepath.Join(r.programDir, shippedPrefix+name)
	if info, err := os.Stat(path); r.programDir == "" || err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return ""
	}
	return path
}

// shippedOnly returns the programs beside the running one whose algorithms are
// not built in.
func (r *Registry) shippedOnly() (paths []string) {
	if r.programDir == "" {
		return nil
	}
	found, _ := executables(r.programDir) // none in a folder that cannot be read
	for _, path := range found {
		if name, ok := strings.CutPrefix(filepath.Base(path), shippedPrefix); ok && r.builtin(name) == nil {
			paths = append(paths, path)
		}
	}
	return paths
}
