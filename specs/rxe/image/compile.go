package image

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"

	"github.com/rocelab/rocelab/specs/rxe/peer"
)

// peerProgram is the far end of a connection to a NIC of ours, in the machine.
const peerProgram = "usr/bin/rocelab-peer"

// compile adds the program of package peer, compiled here against the library of the machine.
func (t tree) compile(ctx context.Context, work string) error {
	const library = "usr/lib/x86_64-linux-gnu/libibverbs.so.1"
	headers := t.match("usr/include/infiniband/*.h")
	lib, ok := t[library]
	if lib.target != "" {
		lib, ok = t[path.Join(path.Dir(library), lib.target)]
	}
	if !ok || len(headers) == 0 {
		return fmt.Errorf("no package has %s and headers for it", library)
	}
	folder := filepath.Join(work, "compile")
	if err := os.MkdirAll(filepath.Join(folder, "infiniband"), 0o755); err != nil {
		return err
	}
	source, shared := filepath.Join(folder, "rocelab-peer.c"), filepath.Join(folder, "libibverbs.so.1")
	files := map[string][]byte{source: peer.Source, shared: lib.content}
	for _, name := range headers {
		files[filepath.Join(folder, "infiniband", path.Base(name))] = t[name].content
	}
	for name, content := range files {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return err
		}
	}
	program := filepath.Join(folder, "rocelab-peer")
	c := exec.CommandContext(ctx, "gcc", "-O2", "-Wall", "-I", folder, "-o", program, source, shared,
		"-Wl,--allow-shlib-undefined") // what the library needs is in the machine
	var complaint bytes.Buffer
	c.Stderr = &complaint
	if err := c.Run(); err != nil {
		return fmt.Errorf("rocelab-peer does not compile: %w\n%s", err, &complaint)
	}
	content, err := os.ReadFile(program)
	t[peerProgram] = file{content: content, mode: 0o755}
	return err
}
