package veth

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzState takes any bytes for a testbed's record. An accepted record is consistent: each node is in a container and
// has a daemon.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"name":"t","ready":true,"daemons":"server","containers":[{"name":"s0","kind":"switch","sockets":["x"]}],
		"nodes":[{"name":"s0","kind":"switch","container":0,"participant":0,"interfaces":["p0"]}]}`))
	f.Add([]byte(`{"name":"t","daemons":"pool","containers":[],"nodes":[{"name":"s0","container":9,"participant":-1}]}`))
	f.Add([]byte(`null`))
	root := f.TempDir()
	f.Setenv("ROCELAB_RUN", root)
	if err := os.Mkdir(filepath.Join(root, "t"), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(filepath.Join(root, "t", stateFile), text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load("t")
		if err != nil {
			return
		}
		for i := range s.Nodes {
			_ = s.Containers[s.Nodes[i].Container]
		}
		s.Participants()
	})
}
