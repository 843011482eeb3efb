//go:build linux && !mem

package main

import (
	"path/filepath"
	"testing"
)

// A name that a testbed cannot have is wrong usage for every command that takes one, and no file outside of the folder
// of testbeds is looked for.
func TestMisnamedTestbedsAreWrongUsage(t *testing.T) {
	s := newShell(t)
	t.Setenv("ROCELAB_RUN", filepath.Join(t.TempDir(), "run"))
	s.write("incast.yaml", "name: incast\ntopology: {kind: star, hosts: 4}\nalgorithm: dcqcn\n"+
		"traffic:\n  - {name: incast, kind: incast, size: 50KB}\n")
	for _, name := range []string{"../../etc", "/etc", "..", "A", "a b"} {
		for _, verb := range [][]string{
			{"run", "incast.yaml", "--on", "veth"},
			{"deploy", "incast.yaml"},
			{"inspect"},
			{"exec", "h0"},
			{"capture", "h0:0"},
			{"destroy"},
		} {
			args := append(verb, "--testbed", name)
			if verb[0] == "exec" {
				args = append(args, "--", "true")
			}
			s.run(2, args...)
			s.says(s.stderr, "is not a name for a testbed")
		}
	}
}
