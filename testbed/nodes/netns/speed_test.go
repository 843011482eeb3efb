package netns

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkRing makes rings of 40 and of 400 nodes, as many links as nodes, and
// removes them: time to make the namespaces, to make the links, to remove all,
// and until the kernel has destroyed the last of them.
func BenchmarkRing(b *testing.B) {
	for _, nodes := range []int{40, 400} {
		b.Run(fmt.Sprint(nodes), func(b *testing.B) {
			witness := namespaces(b, "witness")[0]
			dir := b.TempDir()
			var paths []string
			for i := range nodes {
				path := filepath.Join(dir, fmt.Sprint(i))
				paths = append(paths, path)
				b.Cleanup(func() { RemoveNamespace(path) })
			}
			var make, connect, remove, destroy time.Duration
			for b.Loop() {
				start := time.Now()
				for _, path := range paths {
					if err := NewNamespace(path); err != nil {
						b.Fatal(err)
					}
				}
				made := time.Now()
				links := []Link{{A: at(paths[nodes-1], "witness", nil), B: at(witness, "p", nil), MTU: 9000}}
				for i := range nodes - 1 {
					links = append(links, Link{A: at(paths[i], "up", macA), B: at(paths[i+1], "down", macB), MTU: 9000})
				}
				if err := ConnectAll(b.Context(), links, nil); err != nil {
					b.Fatal(err)
				}
				connected := time.Now()
				for _, path := range paths {
					if err := RemoveNamespace(path); err != nil {
						b.Fatal(err)
					}
				}
				removed := time.Now()
				gone(b, witness)
				make += made.Sub(start)
				connect += connected.Sub(made)
				remove += removed.Sub(connected)
				destroy += time.Since(removed)
			}
			for name, spent := range map[string]time.Duration{"make": make, "connect": connect, "remove": remove,
				"destroy": destroy} {
				b.ReportMetric(spent.Seconds()*1e3/float64(b.N), name+"-ms")
			}
		})
	}
}
