package image

import (
	"archive/tar"
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// tools are the programs of the machine.
var tools = []string{"busybox", "ip", "rdma", "ibv_devinfo", "ib_write_bw", "ib_send_bw", "ib_read_bw", "ib_write_lat",
	"ib_send_lat", "ib_read_lat", "rping", "rocelab-peer"}

// others are the files that the tools read while they run, by patterns of path.Match: how rdma-core finds the driver of
// soft-RoCE, and the library that a thread needs to be cancelled.
var others = []string{"etc/libibverbs.d/rxe.driver", "usr/lib/*/libibverbs/librxe-rdmav*.so",
	"usr/lib/*/libgcc_s.so.1"}

// file is a file of a package, or a symbolic link if it has a target.
type file struct {
	content []byte
	target  string
	mode    int64
}

// tree holds files by their path without a slash before it, in folders below usr
// where Debian has merged the others into it.
type tree map[string]file

// merged is a path with /bin, /sbin, /lib and /lib64 below usr.
func merged(name string) string {
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	switch top, _, _ := strings.Cut(name, "/"); top {
	case "bin", "sbin", "lib", "lib64":
		return "usr/" + name
	}
	return name
}

// unpack adds the files of a package that a machine may need.
func (t tree) unpack(ctx context.Context, deb string) error {
	c := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", deb)
	var complaint bytes.Buffer
	c.Stderr = &complaint
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	err = t.read(out)
	if err != nil {
		c.Process.Kill() // it may wait for somebody to read
	}
	if waited := c.Wait(); err == nil && waited != nil {
		err = fmt.Errorf("%w: %s", waited, &complaint)
	}
	if err != nil {
		return fmt.Errorf("package %s: %w", path.Base(deb), err)
	}
	return nil
}

func (t tree) read(archive io.Reader) error {
	entries := tar.NewReader(archive)
	for {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, archive) // the padding, or dpkg-deb fails at writing it
			return err
		}
		if err != nil {
			return err
		}
		name := merged(entry.Name)
		if !mayBeNeeded(name) {
			continue
		}
		switch entry.Typeflag {
		case tar.TypeReg:
			content, err := io.ReadAll(entries)
			if err != nil {
				return err
			}
			t[name] = file{content: content, mode: entry.Mode}
		case tar.TypeSymlink:
			t[name] = file{target: entry.Linkname, mode: 0o777}
		}
	}
}

// mayBeNeeded keeps large files that are surely not needed out of memory.
func mayBeNeeded(name string) bool {
	prefixes := []string{"usr/bin/", "usr/sbin/", "usr/lib/", "usr/lib64/", "boot/vmlinuz", "etc/libibverbs.d/",
		"usr/include/infiniband/"}
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// assemble picks the kernel and the file system out of all files.
func (t tree) assemble(ctx context.Context) (kernel []byte, root tree, err error) {
	root = tree{
		"init": {content: initScript, mode: 0o755},
		"bin":  {target: "usr/bin", mode: 0o777}, "sbin": {target: "usr/sbin", mode: 0o777},
		"lib": {target: "usr/lib", mode: 0o777}, "lib64": {target: "usr/lib64", mode: 0o777},
	}
	kernels := t.match("boot/vmlinuz-*")
	if len(kernels) != 1 {
		return nil, nil, fmt.Errorf("%d kernels in the packages: %v", len(kernels), kernels)
	}
	release := strings.TrimPrefix(kernels[0], "boot/vmlinuz-")
	for _, tool := range tools {
		name := "usr/bin/" + tool
		if _, ok := t[name]; !ok {
			name = "usr/sbin/" + tool
		}
		if err := t.copy(root, name); err != nil {
			return nil, nil, err
		}
	}
	for _, pattern := range others {
		found := t.match(pattern)
		if len(found) == 0 {
			return nil, nil, fmt.Errorf("no package has %s", pattern)
		}
		for _, name := range found {
			if err := t.copy(root, name); err != nil {
				return nil, nil, err
			}
		}
	}
	if err := t.copyModules(ctx, root, release); err != nil {
		return nil, nil, err
	}
	return t[kernels[0]].content, root, nil
}

func (t tree) match(pattern string) (names []string) {
	for name := range t {
		if ok, _ := path.Match(pattern, name); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// copy copies a file to root, with what links lead to and the libraries that a
// program or a library needs.
func (t tree) copy(root tree, name string) error {
	if _, done := root[name]; done {
		return nil
	}
	f, ok := t[name]
	if !ok {
		return fmt.Errorf("no package has %s", name)
	}
	root[name] = f
	if f.target != "" {
		target := f.target
		if !path.IsAbs(target) {
			target = path.Join("/", path.Dir(name), target)
		}
		return t.copy(root, merged(target))
	}
	libraries, err := needs(f.content)
	if err != nil {
		return fmt.Errorf("libraries of %s: %w", name, err)
	}
	for _, library := range libraries {
		found := library // the loader has its whole path
		if !path.IsAbs(library) {
			found = "usr/lib/x86_64-linux-gnu/" + library
		}
		if err := t.copy(root, merged(found)); err != nil {
			return fmt.Errorf("for %s: %w", name, err)
		}
	}
	return nil
}

// needs lists the libraries that a program names, and its loader's path.
func needs(content []byte) ([]string, error) {
	if !bytes.HasPrefix(content, []byte(elf.ELFMAG)) {
		return nil, nil // a script, or a file of settings
	}
	f, err := elf.NewFile(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	libraries, err := f.ImportedLibraries()
	if err != nil {
		return nil, err
	}
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		loader, err := io.ReadAll(p.Open())
		if err != nil {
			return nil, err
		}
		libraries = append(libraries, string(bytes.TrimRight(loader, "\x00")))
	}
	return libraries, nil
}
