package container

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// makeRoot builds the container's file system, in the mount namespace that this
// process was born into, and leaves the host's behind.
func (o *stageOrder) makeRoot() error {
	unix.Umask(0) // modes are those that are said
	defer unix.Umask(0o022)
	root := o.Root
	// From here on nothing that is mounted reaches the host.
	if err := mount("", "/", "", unix.MS_SLAVE|unix.MS_REC, ""); err != nil {
		return err
	}
	// The root folder is empty. A tmpfs that covers it takes the mount points
	// without a write to disk (several milliseconds on a busy ext4).
	if err := mount("tmpfs", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=1m"); err != nil {
		return err
	}
	for _, m := range o.Mounts {
		if err := makeMount(root, m); err != nil {
			return err
		}
	}
	if err := makeDevices(filepath.Join(root, "dev")); err != nil {
		return err
	}
	if err := pivot(root); err != nil {
		return err
	}
	for _, path := range o.Protected {
		if err := protect(path); err != nil {
			return err
		}
	}
	for _, path := range o.Masked {
		if err := mask(path); err != nil {
			return err
		}
	}
	if o.Readonly {
		if err := mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV,
			""); err != nil {
			return err
		}
	}
	if err := unix.Chdir(o.Cwd); err != nil {
		return fmt.Errorf("enter folder %s: %w", o.Cwd, err)
	}
	return nil
}

// mountFlags are the options of a mount that are bits; all others are text for
// the file system.
var mountFlags = map[string]uintptr{
	"bind":        unix.MS_BIND,
	"ro":          unix.MS_RDONLY,
	"nosuid":      unix.MS_NOSUID,
	"nodev":       unix.MS_NODEV,
	"noexec":      unix.MS_NOEXEC,
	"strictatime": unix.MS_STRICTATIME,
}

// makeMount makes one mount of the description, and the file or folder it covers.
func makeMount(root string, m mountSpec) error {
	var flags uintptr
	var data []string
	for _, option := range m.Options {
		if bit, known := mountFlags[option]; known {
			flags |= bit
		} else {
			data = append(data, option)
		}
	}
	target := filepath.Join(root, m.Destination)
	if err := makeTarget(m, target); err != nil {
		return fmt.Errorf("make mount point %s: %w", m.Destination, err)
	}
	if flags&unix.MS_BIND == 0 {
		return mount(m.Source, target, m.Type, flags, strings.Join(data, ","))
	}
	if err := mount(m.Source, target, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	// A bind takes its options in a second step (mount(2)).
	return mount("", target, "", flags|unix.MS_REMOUNT, "")
}

// makeTarget makes what a mount covers: a file for a file, else a folder.
func makeTarget(m mountSpec, target string) error {
	if m.Type == "bind" {
		if info, err := os.Stat(m.Source); err != nil {
			return err
		} else if !info.IsDir() {
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			f, err := os.OpenFile(target, os.O_CREATE|os.O_RDONLY, 0o644)
			if err != nil {
				return err
			}
			return f.Close()
		}
	}
	return os.MkdirAll(target, 0o755)
}

// makeDevices fills /dev with what every runtime supplies and a daemon without a
// terminal can use.
//
// Source: OCI runtime specification, config-linux.md, "Default Devices" and
// runtime-linux.md, "Dev symbolic links"; numbers from Linux, devices.txt.
func makeDevices(dev string) error {
	for _, d := range []struct {
		name  string
		minor uint32
	}{{"null", 3}, {"zero", 5}, {"full", 7}, {"random", 8}, {"urandom", 9}} {
		const memory = 1 // the major number of all of them
		if err := unix.Mknod(filepath.Join(dev, d.name), unix.S_IFCHR|0o666, int(unix.Mkdev(memory, d.minor))); err != nil {
			return fmt.Errorf("make /dev/%s: %w", d.name, err)
		}
	}
	for _, l := range [][2]string{
		{"/proc/self/fd", "fd"}, {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"}, {"/proc/self/fd/2", "stderr"},
	} {
		if err := os.Symlink(l[0], filepath.Join(dev, l[1])); err != nil {
			return err
		}
	}
	return nil
}

// pivot makes root the root of this mount namespace and lets go of the old one,
// which pivot_root stacks upon it (pivot_root(2), "pivot_root(".", ".")").
func pivot(root string) error {
	if err := unix.Chdir(root); err != nil {
		return fmt.Errorf("enter %s: %w", root, err)
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change the root to %s: %w", root, err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leave the old root: %w", err)
	}
	return unix.Chdir("/")
}

// protect makes a path read-only, if the kernel has it.
func protect(path string) error {
	err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, "")
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("make %s read-only: %w", path, err)
	}
	return mount("", path, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
}

// mask hides a path, if the kernel has it: a file under /dev/null, a folder
// under an empty read-only one.
func mask(path string) error {
	err := unix.Mount("/dev/null", path, "", unix.MS_BIND, "")
	if errors.Is(err, unix.ENOTDIR) {
		err = unix.Mount("tmpfs", path, "tmpfs", unix.MS_RDONLY, "")
	}
	if err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("mask %s: %w", path, err)
	}
	return nil
}

// mount is mount(2) with an error that names the paths.
func mount(source, target, kind string, flags uintptr, data string) error {
	if err := unix.Mount(source, target, kind, flags, data); err != nil {
		what := source
		if what == "" {
			what = fmt.Sprintf("options %#x", flags)
		}
		return fmt.Errorf("mount %s on %s: %w", what, target, err)
	}
	return nil
}
