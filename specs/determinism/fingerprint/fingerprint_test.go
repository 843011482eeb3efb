package fingerprint

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

var rewrite = flag.Bool("rewrite", false, "store the traces of all rows anew; only with ROCELAB_NIGHT=1")

var store = Store{
	Path:    "testdata/traces.txt",
	Rewrite: "ROCELAB_NIGHT=1 go test -timeout 60m ./specs/determinism/fingerprint -rewrite",
}

// Every shipped scenario, variant and algorithm has its line.
func TestEveryRowHasItsFingerprint(t *testing.T) {
	all, err := rows()
	if err != nil {
		t.Fatal(err)
	}
	_, stored, err := store.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if n := len(strings.Fields(stored[r.String()])); n != len(seeds) {
			t.Errorf("%s: %d traces, want one for each of seeds %v: run\n  %s", r, n, seeds, store.Rewrite)
		}
		delete(stored, r.String())
	}
	for _, gone := range slices.Sorted(maps.Keys(stored)) {
		t.Errorf("%s: no shipped scenario, variant or algorithm any more: run\n  %s", gone, store.Rewrite)
	}
}

// Traces equal the stored ones: at reduced sizes, and at night all. Tier: slow.
func TestFingerprints(t *testing.T) {
	tier.Slow(t)
	check(t, func(r row) bool { return r.reduced || tier.RunsNight() })
}

// check runs the rows that are wanted and compares their traces.
func check(t *testing.T, wanted func(row) bool) {
	t.Helper()
	if *rewrite && !tier.RunsNight() {
		t.Fatalf("-rewrite stores the traces of all rows: run\n  %s", store.Rewrite)
	}
	all, err := rows()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	now := map[string]string{}
	t.Run("rows", func(t *testing.T) {
		for _, r := range all {
			if !wanted(r) {
				continue
			}
			t.Run(strings.ReplaceAll(r.String(), " ", "_"), func(t *testing.T) {
				t.Parallel()
				var traces []string
				for _, seed := range seeds {
					trace, err := r.trace(t.Context(), seed)
					if err != nil {
						t.Fatal(err)
					}
					traces = append(traces, trace)
				}
				mu.Lock()
				defer mu.Unlock()
				now[r.String()] = strings.Join(traces, " ")
			})
		}
	})
	verify := store.Check
	if *rewrite && !t.Failed() {
		verify = store.Write
	}
	if err := verify(now); err != nil {
		t.Errorf("%v\n%s", err, firstFrame(t, all, now))
	}
}

// firstFrame is the first frame that differs in one of the rows that changed, a reduced one if there is one; "" if none
// did.
func firstFrame(t *testing.T, all []row, now map[string]string) string {
	t.Helper()
	_, stored, err := store.Read()
	if err != nil {
		t.Fatal(err)
	}
	changed, err := store.Changed(now)
	if err != nil {
		t.Fatal(err)
	}
	var chosen *row
	for i := range all {
		if r := &all[i]; slices.Contains(changed, r.String()) && (chosen == nil || r.reduced && !chosen.reduced) {
			chosen = r
		}
	}
	if chosen == nil {
		return ""
	}
	traces, was := strings.Fields(now[chosen.String()]), strings.Fields(stored[chosen.String()])
	for place, trace := range traces {
		if place < len(was) && trace != was[place] {
			b := Builder{Top: treeOf(t), Folder: t.TempDir()}
			return fmt.Sprintf("%s, seed %s: %s", chosen, seeds[place], b.FirstFrame(t.Context(), chosen.run(place, was)))
		}
	}
	return ""
}
