package image

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"os/exec"
	"path"
	"strings"
)

// modules of the kernel that the machine loads: its devices, soft-RoCE, and those by which programs reach it. Their
// dependencies come along. Soft-RoCE asks for crc32 by that name, which is not among its dependencies.
var modules = []string{"virtio_pci", "virtio_console", "virtio_net", "crc32_generic", "rdma_rxe", "ib_uverbs",
	"rdma_ucm"}

// loads is the file of the machine that lists its modules, those first that others
// depend on.
const loads = "modules"

// copyModules copies the modules of a release to root, uncompressed, and lists them.
func (t tree) copyModules(ctx context.Context, root tree, release string) error {
	folder := "usr/lib/modules/" + release + "/"
	paths := map[string]string{} // by name
	for name := range t {
		base := strings.TrimSuffix(path.Base(name), ".xz")
		module, ok := strings.CutSuffix(base, ".ko")
		if ok && strings.HasPrefix(name, folder) {
			paths[strings.ReplaceAll(module, "-", "_")] = name
		}
	}
	var order []string
	var add func(module string) error
	add = func(module string) error {
		name, ok := paths[module]
		to := loads + ".d/" + module + ".ko"
		if _, done := root[to]; done {
			return nil
		}
		if !ok {
			return fmt.Errorf("the kernel %s has no module %s", release, module)
		}
		content, err := uncompressed(ctx, t[name].content)
		if err != nil {
			return fmt.Errorf("module %s: %w", module, err)
		}
		root[to] = file{content: content, mode: 0o644}
		depends, err := dependencies(content)
		if err != nil {
			return fmt.Errorf("module %s: %w", module, err)
		}
		for _, d := range depends {
			if err := add(strings.ReplaceAll(d, "-", "_")); err != nil {
				return fmt.Errorf("for module %s: %w", module, err)
			}
		}
		order = append(order, "/"+to)
		return nil
	}
	for _, module := range modules {
		if err := add(module); err != nil {
			return err
		}
	}
	root[loads] = file{content: []byte(strings.Join(order, "\n") + "\n"), mode: 0o644}
	return nil
}

// uncompressed is a module as the kernel loads it; later releases of Debian
// compress theirs with xz.
func uncompressed(ctx context.Context, module []byte) ([]byte, error) {
	if !bytes.HasPrefix(module, []byte("\xfd7zXZ\x00")) {
		return module, nil
	}
	c := exec.CommandContext(ctx, "xz", "--decompress", "--stdout")
	c.Stdin = bytes.NewReader(module)
	return c.Output()
}

// dependencies reads the entry "depends" of a module: names with commas between.
func dependencies(module []byte) ([]string, error) {
	f, err := elf.NewFile(bytes.NewReader(module))
	if err != nil {
		return nil, err
	}
	section := f.Section(".modinfo")
	if section == nil {
		return nil, fmt.Errorf("it has no section .modinfo")
	}
	entries, err := section.Data()
	if err != nil {
		return nil, err
	}
	for entry := range bytes.SplitSeq(entries, []byte{0}) {
		if list, ok := bytes.CutPrefix(entry, []byte("depends=")); ok && len(list) > 0 {
			return strings.Split(string(list), ","), nil
		}
	}
	return nil, nil
}
