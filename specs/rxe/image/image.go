// Package image makes the image of a small virtual machine with the kernel's soft-RoCE: Debian's stock kernel and an
// initial file system in memory with the tools of rdma-core and perftest. It is made of Debian's packages, which are
// downloaded and unpacked; nothing is installed on this machine. That takes a minute, once: the result is kept in a
// folder until one of the packages has a new version.
package image

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// init is the machine's first program, see there.
//
//go:embed init.sh
var initScript []byte

// Image has the files that a machine boots.
type Image struct {
	Kernel    string   // path of a compressed kernel
	Initramfs string   // path of an archive (cpio) of the file system
	Packages  []string // of which they are made: file names, with versions
}

// UnavailableError names the program that this machine lacks to make an image, or to boot it.
type UnavailableError struct{ What string }

func (e *UnavailableError) Error() string { return e.What }

// programs are the programs that make and boot images, and the package of each.
var programs = []struct{ name, of string }{
	{"qemu-system-x86_64", "Debian's package qemu-system-x86"},
	{"apt-get", "Debian's package apt, and so Debian,"},
	{"dpkg-deb", "Debian's package dpkg"},
	{"xz", "Debian's package xz-utils"},
	{"gcc", "Debian's package gcc"},
}

// required returns an UnavailableError if this machine lacks a program.
func required() error {
	for _, p := range programs {
		if _, err := exec.LookPath(p.name); err != nil {
			return &UnavailableError{p.of + " is needed: there is no " + p.name}
		}
	}
	return nil
}

// Folder is where images are kept, if nothing else is asked for: rocelab/rxe in the
// user's cache folder.
func Folder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for images: %w", err)
	}
	return filepath.Join(cache, "rocelab", "rxe"), nil
}

// Prepare returns the image of the packages' versions of today, from the folder if it is there and else made into it.
// Slow steps are reported to progress. Several processes may prepare at a time; one that is killed leaves a folder that
// the next removes. An UnavailableError means that packages cannot be had.
func Prepare(ctx context.Context, folder string, progress func(string)) (Image, error) {
	image, err := prepare(ctx, folder, progress)
	if err != nil {
		return Image{}, fmt.Errorf("image of a machine with soft-RoCE, in %s: %w", folder, err)
	}
	return image, nil
}

func prepare(ctx context.Context, folder string, progress func(string)) (Image, error) {
	if err := required(); err != nil {
		return Image{}, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return Image{}, err
	}
	unlock, err := lock(filepath.Join(folder, "lock"), progress)
	if err != nil {
		return Image{}, err
	}
	defer unlock()
	work := filepath.Join(folder, "work") // of this process alone, by the lock
	if err := os.RemoveAll(work); err != nil {
		return Image{}, err
	}
	defer os.RemoveAll(work)
	if err := os.Mkdir(work, 0o755); err != nil {
		return Image{}, err
	}

	packages, err := resolve(ctx, work)
	if err != nil {
		return Image{}, err
	}
	made := filepath.Join(folder, key(packages))
	image := Image{
		Kernel:    filepath.Join(made, "vmlinuz"),
		Initramfs: filepath.Join(made, "initramfs.cpio"),
	}
	for _, p := range packages {
		image.Packages = append(image.Packages, p.file)
	}
	_, err = os.Stat(made)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return image, err
	}
	return image, makeInto(ctx, made, work, packages, progress)
}

// makeInto makes an image in the work folder, and gives it its name when it is whole.
func makeInto(ctx context.Context, made, work string, packages []debian, progress func(string)) error {
	progress(fmt.Sprintf("downloads %d packages, %d MB", len(packages), total(packages)/1e6))
	if err := download(ctx, work); err != nil {
		return err
	}
	progress("takes the packages apart")
	t := tree{}
	for _, p := range packages {
		if err := t.unpack(ctx, filepath.Join(work, "packages", p.file)); err != nil {
			return err
		}
	}
	if err := t.compile(ctx, work); err != nil {
		return err
	}
	kernel, root, err := t.assemble(ctx)
	if err != nil {
		return err
	}
	fresh := filepath.Join(work, "image")
	if err := os.Mkdir(fresh, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fresh, "vmlinuz"), kernel, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fresh, "initramfs.cpio"), root.archive(), 0o644); err != nil {
		return err
	}
	progress("keeps the image in " + made)
	return os.Rename(fresh, made)
}

// lock waits until no other process prepares.
func lock(path string, progress func(string)) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		progress("waits for another process that prepares an image")
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f.Close, nil
}
