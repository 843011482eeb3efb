package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

// stage is a folder that holds what packages install, as below the root.
type stage struct{ dir string }

// entry is something that a package holds.
type entry struct {
	// path is below the root and begins without a slash: usr/bin/rocelab.
	path string
	// mode is the type of the entry and its rights, for files 0755 for programs and 0644 for others, with any umask.
	mode fs.FileMode
	// file is where its bytes are, and size how many.
	file string
	size int64
	// target is the target of a link.
	target string
}

// put stages a file.
func (s stage) put(path string, data []byte) error { return s.write(path, data, 0o644) }

func (s stage) write(path string, data []byte, mode fs.FileMode) error {
	to := filepath.Join(s.dir, path)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(to, data, mode); err != nil {
		return err
	}
	return os.Chmod(to, mode)
}

// copy stages a file of elsewhere; to is its path below the root.
func (s stage) copy(from, to string, mode fs.FileMode) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return s.write(to, data, mode)
}

// link stages a symbolic link.
func (s stage) link(target, path string) error {
	to := filepath.Join(s.dir, path)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.Symlink(target, to)
}

// entries returns the staged entries, folders before their content.
func (s stage) entries() ([]entry, error) {
	var list []entry
	err := filepath.WalkDir(s.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == s.dir {
			return err
		}
		path, err := filepath.Rel(s.dir, file)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e := entry{path: filepath.ToSlash(path), mode: info.Mode(), file: file}
		switch e.mode.Type() {
		case fs.ModeDir:
			e.mode = fs.ModeDir | 0o755
		case fs.ModeSymlink:
			e.mode = fs.ModeSymlink | 0o777
			e.target, err = os.Readlink(file)
		default:
			e.size = info.Size()
		}
		list = append(list, e)
		return err
	})
	return list, err
}
