package view

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// inside is the files below a folder, through an os.Root: what a symbolic link leads out of it
// is not there. A pipe or a device, whose reader would wait for ever, is refused.
type inside struct {
	root *os.Root
	// below is the path of the folder in the root, "." for the root itself.
	below string
}

// errOutside is a name that leaves the folder.
var errOutside = errors.New("leads out of the folder")

// path is a file's path in the root.
func (i inside) path(name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if i.below == "." {
		return name, nil
	}
	if name == "." {
		return i.below, nil
	}
	return i.below + "/" + name, nil
}

// Open implements fs.FS.
func (i inside) Open(name string) (fs.File, error) {
	if _, err := i.Stat(name); err != nil {
		return nil, err
	}
	path, err := i.path(name)
	if err != nil {
		return nil, err
	}
	// The file may be a pipe by now: its opening must not wait for a writer either.
	file, err := i.root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = checkKind(name, info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// checkKind refuses anything other than a file or a folder.
func checkKind(name string, info fs.FileInfo) error {
	if !info.IsDir() && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is a pipe or a device; expected a file", name)
	}
	return nil
}

// Stat implements fs.StatFS.
func (i inside) Stat(name string) (fs.FileInfo, error) {
	path, err := i.path(name)
	if err != nil {
		return nil, err
	}
	info, err := i.root.Stat(path)
	if err != nil {
		if there, missing := i.root.Lstat(path); missing == nil && there.Mode()&fs.ModeSymlink != 0 {
			return nil, fmt.Errorf("%s: a symbolic link that %w, or nowhere", name, errOutside)
		}
		return nil, err
	}
	if err := checkKind(name, info); err != nil {
		return nil, err
	}
	return info, nil
}

// ReadDir implements fs.ReadDirFS.
func (i inside) ReadDir(name string) ([]fs.DirEntry, error) {
	path, err := i.path(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(i.root.FS(), path)
}
