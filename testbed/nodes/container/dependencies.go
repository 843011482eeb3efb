package container

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// dependency is a file that a binary needs beside itself to run: its interpreter (the
// dynamic loader) or a shared library.
type dependency struct {
	source      string // where it is on the host
	destination string // where the loader looks for it inside
}

// libraryFolders are searched by the loaders of glibc and musl after the cache.
var libraryFolders = []string{"/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"}

// loaderCache is the file in which ldconfig records the folder of each library.
const loaderCache = "/etc/ld.so.cache"

// dependencies lists what the executable at path needs when it runs as inside: the
// interpreter and every library it is linked with, and those these are linked
// with. A statically linked executable needs nothing.
//
// The search follows ld.so(8) without LD_LIBRARY_PATH, which the container
// does not inherit.
func dependencies(path, inside string) ([]dependency, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, withoutPath(err)
	} else if !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return nil, errors.New("not an executable file: chmod +x, if it is a program")
	}
	f, err := openELF(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	interpreter, err := interpreterOf(f)
	if err != nil || interpreter == "" {
		return nil, err
	}
	l := loader{found: map[string]bool{interpreter: true}, machine: f.Machine, class: f.Class}
	l.needs = append(l.needs, dependency{interpreter, interpreter})
	if l.cache, err = os.ReadFile(loaderCache); err == nil {
		// With it the loader finds inside what it finds on the host.
		l.needs = append(l.needs, dependency{loaderCache, loaderCache})
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if err := l.follow(f, filepath.Dir(path), filepath.Dir(inside)); err != nil {
		return nil, err
	}
	return l.needs, nil
}

// loader walks the tree of libraries of one executable.
type loader struct {
	machine elf.Machine
	class   elf.Class
	cache   []byte
	found   map[string]bool // names and paths done
	needs   []dependency
}

// follow adds the libraries that f, in folder on the host and in inside in the
// container, is linked with.
func (l *loader) follow(f *elf.File, folder, inside string) error {
	names, err := f.ImportedLibraries()
	if err != nil {
		return fmt.Errorf("its dynamic section: %w", err)
	}
	var own []string
	for _, tag := range []elf.DynTag{elf.DT_RUNPATH, elf.DT_RPATH} {
		// A runpath takes the place of an rpath. An error means: has none.
		if own, _ = f.DynString(tag); len(own) > 0 {
			own = strings.Split(own[0], ":")
			break
		}
	}
	for _, name := range names {
		if l.found[name] {
			continue
		}
		l.found[name] = true
		if err := l.load(name, own, folder, inside); err != nil {
			return err
		}
	}
	return nil
}

// load finds one library, adds it and follows it.
func (l *loader) load(name string, own []string, folder, inside string) error {
	for _, c := range l.candidates(name, own, folder, inside) {
		f, err := elf.Open(c.source)
		if err != nil {
			continue
		}
		if f.Machine != l.machine || f.Class != l.class {
			f.Close()
			continue
		}
		if !l.found[c.destination] {
			l.found[c.destination] = true
			l.needs = append(l.needs, c)
		}
		err = l.follow(f, filepath.Dir(c.source), filepath.Dir(c.destination))
		f.Close()
		if err != nil {
			return fmt.Errorf("library %s: %w", c.source, err)
		}
		return nil
	}
	return fmt.Errorf("it is linked with %s, which is not among this host's libraries: install it, or link statically "+
		"(CGO_ENABLED=0)", name)
}

// candidates are the places where the loader looks for a library, in order.
func (l *loader) candidates(name string, own []string, folder, inside string) []dependency {
	if strings.Contains(name, "/") {
		return []dependency{{name, name}}
	}
	var places []dependency
	for _, dir := range own {
		on := func(origin string) string {
			dir := strings.ReplaceAll(dir, "${ORIGIN}", "$ORIGIN")
			return filepath.Join(strings.ReplaceAll(dir, "$ORIGIN", origin), name)
		}
		if c := (dependency{on(folder), on(inside)}); filepath.IsAbs(c.destination) {
			places = append(places, c)
		}
	}
	for _, path := range cachedPaths(l.cache, name) {
		places = append(places, dependency{path, path})
	}
	for _, dir := range libraryFolders {
		path := filepath.Join(dir, name)
		places = append(places, dependency{path, path})
	}
	return places
}

// cachedPaths looks a library up in the loader's cache: the paths under its name, without variants for particular
// processors, for which the loader needs only the plain one.
//
// Source: glibc, sysdeps/generic/dl-cache.h, struct cache_file_new.
func cachedPaths(cache []byte, name string) []string {
	const header, entry = 48, 24
	at := bytes.Index(cache, []byte("glibc-ld.so.cache1.1"))
	if at < 0 || len(cache)-at < header {
		return nil
	}
	cache = cache[at:] // an older table may come before; offsets count from here
	order := binary.NativeEndian
	text := func(offset uint32) string {
		if int64(offset) >= int64(len(cache)) {
			return ""
		}
		s, _, _ := bytes.Cut(cache[offset:], []byte{0})
		return string(s)
	}
	var paths []string
	for i := range int(order.Uint32(cache[20:])) {
		from := header + i*entry
		if from+entry > len(cache) {
			break
		}
		e := cache[from:]
		if order.Uint64(e[16:]) != 0 || text(order.Uint32(e[4:])) != name {
			continue
		}
		if path := text(order.Uint32(e[8:])); filepath.IsAbs(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// machines are the machines whose programs a host runs. If a program is for another machine, runc does not name that as
// the reason.
var machines = map[string][]elf.Machine{
	"amd64": {elf.EM_X86_64, elf.EM_386},
	"arm64": {elf.EM_AARCH64, elf.EM_ARM},
}

// openELF opens an executable, and reports plainly if the file is not one.
func openELF(path string) (*elf.File, error) {
	f, err := elf.Open(path)
	var format *elf.FormatError
	if errors.As(err, &format) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("not an ELF executable (%w)", err)
	}
	if err != nil {
		return nil, withoutPath(err)
	}
	if runs := machines[runtime.GOARCH]; runs != nil && !slices.Contains(runs, f.Machine) {
		f.Close()
		return nil, fmt.Errorf("built for %v, which this host (%s) does not run", f.Machine, runtime.GOARCH)
	}
	if f.Type != elf.ET_EXEC && f.Type != elf.ET_DYN {
		f.Close()
		return nil, fmt.Errorf("not an ELF executable but %v", f.Type)
	}
	return f, nil
}

// maxInterpreter is the longest path of an interpreter, as the kernel has it
// (PATH_MAX). A segment may claim any size of a file with holes.
const maxInterpreter = 4096

// interpreterOf is the path of the dynamic loader that a binary asks for; empty
// for one that is linked statically.
func interpreterOf(f *elf.File) (string, error) {
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		if p.Filesz > maxInterpreter {
			return "", fmt.Errorf("its interpreter is a path of %d B, allowed are %d", p.Filesz, maxInterpreter)
		}
		path, err := io.ReadAll(p.Open())
		if err != nil {
			return "", fmt.Errorf("its interpreter: %w", err)
		}
		return string(bytes.TrimRight(path, "\x00")), nil
	}
	return "", nil
}

// withoutPath is the cause of a file error without the path, which the caller names.
func withoutPath(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
