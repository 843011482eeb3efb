package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/model"
)

// standIn is a program that notes its name in the file order and prints a text.
func standIn(t *testing.T, folder, name, printed string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	script := "#!/bin/sh\necho " + name + " >> " + filepath.Join(folder, "order") + "\ncat <<'E'\n" + printed + "\nE\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func printedRun(trace string) string {
	return `{"runs": [{"trace": "` + trace + `", "metrics": {"flows": 2000}}]}`
}

// Both programs run in turn, the first one last in every second round, after one run each of next to nothing.
func TestOrderIsReversed(t *testing.T) {
	folder := t.TempDir()
	this, other := standIn(t, folder, "this", printedRun("1")), standIn(t, folder, "other", printedRun("2"))
	arena, err := newArena(this, other, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := arena.Fight(t.Context(), Contest{Name: "mine", Hosts: 1}, 3, func(int, float64) {})
	if err != nil {
		t.Fatal(err)
	}
	order, err := os.ReadFile(filepath.Join(folder, "order"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(string(order)), " "); got != "this other this other other this this other" {
		t.Errorf("the programs ran in the order %s", got)
	}
	if m.This.Trace != "1" || m.Other.Trace != "2" || m.Same() || len(m.Ratios) != 3 || m.Faster() {
		t.Errorf("%+v", m)
	}
	if err := arena.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(arena.folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is left: %v", err)
	}
}

// One program is faster if the median of seven pairs is below 1 and at most one pair above.
func TestFaster(t *testing.T) {
	for _, c := range []struct {
		ratio        float64
		above, pairs int
		want         bool
	}{
		{.9, 0, 7, true},
		{.9, 1, 7, true},
		{.9, 2, 7, false},
		{.9, 2, 14, true},
		{.9, 0, 6, false},
		{1, 0, 7, false},
	} {
		t.Run(fmt.Sprintf("ratio=%v,above=%v,pairs=%v", c.ratio, c.above, c.pairs), func(t *testing.T) {
			m := Match{Ratio: c.ratio, Above: c.above, Ratios: make([]float64, c.pairs)}
			if m.Faster() != c.want {
				t.Errorf("%+v: faster %t", c, m.Faster())
			}
		})
	}
}

// A program that is none, that prints no run, or whose runs differ is named.
func TestProgramsThatAreNone(t *testing.T) {
	folder := t.TempDir()
	good := standIn(t, folder, "good", printedRun("1"))
	if _, err := newArena(good, filepath.Join(folder, "none"), 1); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("no program: %v", err)
	}
	for _, printed := range []string{"", "{}", `{"runs": []}`, `{"runs": [{}, {}]}`} {
		t.Run(fmt.Sprintf("%q", printed), func(t *testing.T) {
			arena, err := newArena(good, standIn(t, folder, "bad", printed), 1)
			if err != nil {
				t.Fatal(err)
			}
			_, err = arena.Fight(t.Context(), Contest{Name: "mine"}, 1, nil)
			if !errors.Is(err, errProgram) || !strings.Contains(err.Error(), "bad") {
				t.Errorf("printed %q: %v", printed, err)
			}
			arena.Close()
		})
	}
	var s Side
	if err := errors.Join(s.add(&ran{trace: "1"}, 1), s.add(&ran{trace: "2"}, 1)); err == nil {
		t.Error("two traces of one program are not seen")
	}
}

// Memory is reported per host and flow if they are many, and only the part above an almost empty run.
func TestMemoryOfParts(t *testing.T) {
	s := Side{Idle: 1000}
	if err := s.add(&ran{peak: 2001000, flows: 10}, 2000); err != nil {
		t.Fatal(err)
	}
	if s.PerHost != 1000 || s.PerFlow != 0 || s.Peak != 2001000 {
		t.Errorf("%+v", s)
	}
}

// The total of a program is read, and no figure of a function.
func TestReadTotal(t *testing.T) {
	file := "version: 1\nevents: Ir\n\nfn=(1) main\n7 900\ncalls=1 3\n7 123456\n\ntotals: 4711\n"
	if got, err := readTotal([]byte(file)); err != nil || got != 4711 {
		t.Errorf("%d, %v", got, err)
	}
	for _, bad := range []string{"", "fn=(1) main\n7 900\n", "totals: many\n"} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if got, err := readTotal([]byte(bad)); err == nil {
				t.Errorf("%q: %d", bad, got)
			}
		})
	}
}

// Without valgrind the message names it.
func TestCountWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var a arena
	if _, err := a.Count(t.Context(), Contest{}); !errors.Is(err, errValgrind) {
		t.Error(err)
	}
}

// Every case is a right scenario with its arguments, in its whole form and as it is counted, and has the hosts that it
// claims.
func TestContests(t *testing.T) {
	tier.Everyday(t)
	for _, c := range contests() {
		for _, more := range [][]string{nil, c.small, slices.Concat(c.small, c.empty)} {
			t.Run(fmt.Sprintf("%q", more), func(t *testing.T) {
				if more == nil && c.Hosts > 1024 || c.Name == "flows/1000000" && more == nil {
					return // takes long
				}
				overrides, variant := map[string]string{}, ""
				args := c.arguments(more...)
				for i := 0; i+1 < len(args); i += 2 {
					key, value, _ := strings.Cut(args[i+1], "=")
					switch args[i] {
					case "--set":
						if _, twice := overrides[key]; twice {
							t.Errorf("%s: %s is set twice", c.Name, key)
						}
						overrides[key] = value
					case "--variant":
						variant = args[i+1]
					}
				}
				s, err := scenario.Parse(c.Name, c.source, model.Checker(shipped.Find), scenario.WithOverrides(overrides),
					scenario.WithVariants([]string{variant}[:min(1, len(variant))]))
				if err != nil {
					t.Fatalf("%s %v: %v", c.Name, args, err)
				}
				plans, err := s.Plans()
				if err != nil || len(plans) != 1 {
					t.Fatalf("%s %v: %d plans, %v", c.Name, args, len(plans), err)
				}
				if got := int64(len(plans[0].NICs)); more == nil && got != c.Hosts {
					t.Errorf("%s has %d hosts, claims %d", c.Name, got, c.Hosts)
				}
			})
		}
	}
}

// A worker that is not busy is idle; a single worker never is.
func TestIdleShares(t *testing.T) {
	shares := idleShares([]time.Duration{3 * time.Second, time.Second}, 4*time.Second)
	if len(shares) != 2 || shares[0] != .25 || shares[1] != .75 {
		t.Error(shares)
	}
	if shares := idleShares([]time.Duration{time.Second}, time.Second); shares != nil {
		t.Error(shares)
	}
}

// A run with two workers knows how busy they were.
func TestIdleOfARun(t *testing.T) {
	s, err := scenario.Parse("mine", permutation, model.Checker(shipped.Find),
		scenario.WithOverrides(map[string]string{"topology.k": "4", "traffic.size": "10KB"}))
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	m := measurement{plan: plans[0], result: Result{Name: "mine", Workers: 2}}
	if err := m.run(context.Background(), shipped.Find); err != nil {
		t.Fatal(err)
	}
	if idle := m.result.Idle; len(idle) != 2 || idle[0] <= 0 || idle[0] >= 1 || idle[1] <= 0 || idle[1] > 1 {
		t.Errorf("idle shares %v", idle)
	}
}
