package engine

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// historyOf are the histories of a run's nodes, in text.
func historyOf(e *Engine) string {
	var all []trace.History
	for i := range e.Nodes {
		all = append(all, e.History(i, e.Until))
	}
	return fmt.Sprint(all)
}

// A node's hash at an instant does not depend on the cuts of windows or on the assignment of nodes to workers. Tier:
// -short. Red if a node is not advanced up to the instant before its hash is recorded.
func TestWindowsNeverShowInAHistory(t *testing.T) {
	_, first := runRing(t, func(*Config) {})
	want := historyOf(first)
	luck := chance.New(1, "histories")
	cuts := map[string]func(unit.Time) unit.Duration{
		"L":      func(unit.Time) unit.Duration { return first.Lookahead },
		"L/7":    func(unit.Time) unit.Duration { return first.Lookahead / 7 },
		"random": func(unit.Time) unit.Duration { return 1 + unit.Duration(luck.Below(uint64(first.Lookahead))) },
	}
	for name, cut := range cuts {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 2, 4, 9} {
				so := enginetest.Windows{Cut: cut, AllWorkers: true}
				_, e := runRingSo(t, so, func(c *Config) { c.Workers, c.Codec = workers, workers == 2 })
				if got := historyOf(e); got != want {
					t.Errorf("windows cut at %s, %d workers: %s, want %s", name, workers, got, want)
				}
			}
		})
	}
}

// The hash at an instant is that of a run that ends there.
func TestAHistoryIsThatOfShorterRuns(t *testing.T) {
	_, whole := runRing(t, func(*Config) {})
	histories := make([]trace.History, len(whole.Nodes))
	changes := 0
	for i := range histories {
		histories[i] = whole.History(i, whole.Until)
		if n := len(histories[i].Hashes); n != 200 {
			t.Fatalf("%d instants in a run of %v", n, whole.Until)
		}
	}
	for at := 0; at < 200; at += 13 {
		_, e := runRing(t, func(c *Config) { c.Until = histories[0].At(at) })
		for i, hash := range e.Hashes() {
			if hash != histories[i].Hashes[at] {
				t.Errorf("node %d at %v: %016x, a run that ends there has %016x", i, histories[0].At(at),
					histories[i].Hashes[at], hash)
			}
			if at > 0 && hash != histories[i].Hashes[at-1] {
				changes++
			}
		}
	}
	if changes < 10 {
		t.Errorf("only %d hashes changed: the toy fabric is idle", changes)
	}
}
