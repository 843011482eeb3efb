package veth

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The longest folder that is allowed holds a testbed's sockets, and one more
// byte is refused with what would do.
func TestFolderMayBeAsLongAsSocketsAllow(t *testing.T) {
	const name = "long"
	for _, way := range []Daemons{PerNode, PerServer, Pool} {
		base := t.TempDir()
		most := longestSocket - len(filepath.Join("/", name, "control", "0.0")) // as long as any of so few
		if len(base)+1 >= most {
			t.Skipf("temporary files have long paths here: %s", base)
		}
		root := filepath.Join(base, strings.Repeat("r", most-len(base)-1))
		arranged := func(root string) *State {
			t.Setenv("ROCELAB_RUN", root)
			s := &State{Name: name, Daemons: way}
			if err := layout(servers(t), s); err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := arranged(root)
		if err := checkPaths(s); err != nil {
			t.Errorf("%s: %v", way, err)
		}
		if err := os.MkdirAll(s.path("control"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Containers {
			for _, path := range c.Sockets {
				l, err := listen(path)
				if err != nil {
					t.Fatalf("%s: %d B: %v", way, len(path), err)
				}
				l.Close()
			}
		}
		err := checkPaths(arranged(root + "r"))
		want := fmt.Sprintf("has a path of %d B: allowed are %d for testbed %s", most+1, most, name)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), root+"r") ||
			!strings.Contains(err.Error(), "ROCELAB_RUN") {
			t.Errorf("%s: %v, want %q", way, err, want)
		}
	}
}
