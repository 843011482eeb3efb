package topology

import (
	"fmt"
	"reflect"
	"testing"
)

// Each of the paths from a host to another is one of its own, of the shortest length;
// the first is Path.
func TestPathsByNumber(t *testing.T) {
	several := 0
	for name, g := range graphs(t) {
		routes := g.Route()
		for _, pair := range [][2]int{{0, len(g.Hosts) - 1}, {len(g.Hosts) - 1, 0}, {0, 1}} {
			t.Run(fmt.Sprint(pair), func(t *testing.T) {
				src, dst := pair[0], pair[1]
				first := routes.Path(src, dst)
				count := routes.Paths(src, dst)
				if (first == nil) != (count == 0) {
					t.Errorf("%s: %d paths from %d to %d, and the first is %v", name, count, src, dst, first)
				}
				seen := map[string]bool{}
				for i := range min(count, 200) {
					path, ports := routes.PathNumber(src, dst, i)
					if i == 0 && !reflect.DeepEqual(path, first) {
						t.Errorf("%s: path 0 from %d to %d is %v, want %v", name, src, dst, path, first)
					}
					if len(path) != len(first) || len(ports) != len(path)-1 {
						t.Errorf("%s: path %d from %d to %d has %d channels and %d ports, the first %d", name, i, src, dst,
							len(path), len(ports), len(first))
					}
					if key := fmt.Sprint(ports); seen[key] {
						t.Errorf("%s: path %d from %d to %d by ports %s is there twice", name, i, src, dst, key)
					} else {
						seen[key] = true
					}
				}
				if count > 1 {
					several++
				}
			})
		}
		if n := routes.Paths(0, 0); n != 0 {
			t.Errorf("%s: %d paths from a host to itself", name, n)
		}
	}
	if several == 0 {
		t.Error("no pair of hosts has more than one path")
	}
}
