//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// The file systems that the folders of a case may be on.
const (
	underDisk    = "disk" // that of /tmp
	underTmpfs   = "tmpfs"
	underOverlay = "overlay" // as the root of a container is, of layers on two file systems
)

// mountUnder puts the case's folders on its file system, and returns their place.
func mountUnder(b *bed) (string, error) {
	at := filepath.Join(b.dir, "m")
	if b.Under == underDisk {
		return b.dir, nil
	}
	if err := os.Mkdir(at, 0o700); err != nil {
		return "", err
	}
	if b.Under == underTmpfs {
		return at, mountAt(b, "tmpfs", at, "size=512m,mode=700")
	}
	layers, lower := filepath.Join(b.dir, "layers"), filepath.Join(b.dir, "lower")
	for _, dir := range []string{layers, lower} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return "", err
		}
	}
	if err := mountAt(b, "tmpfs", layers, "size=512m,mode=700"); err != nil {
		return "", err
	}
	for _, dir := range []string{"upper", "work"} {
		if err := os.Mkdir(filepath.Join(layers, dir), 0o700); err != nil {
			return "", err
		}
	}
	return at, mountAt(b, "overlay", at, fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%[2]s/work,xino=off", lower,
		layers))
}

// mountAt mounts a file system of the case's own, to be unmounted before earlier ones.
func mountAt(b *bed, kind, at, options string) error {
	if err := unix.Mount("nemesis", at, kind, 0, options); err != nil {
		return fmt.Errorf("mount %s: %w", kind, err)
	}
	b.mounts = append([]string{at}, b.mounts...)
	return nil
}
