//go:build !mem

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/mutant"
	"github.com/rocelab/rocelab/specs/papers"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/reproduction"
)

// The list has every row; wrong words are refused with what was meant. Tier: -short.
func TestReproduceUsage(t *testing.T) {
	s := newShell(t)
	s.run(0, "reproduce")
	for _, row := range papers.All() {
		s.says(s.stdout, row.ID)
		s.says(s.stdout, row.Title)
	}
	s.run(0, "reproduce", "--format", "json")
	var list []struct{ ID string }
	if err := json.Unmarshal([]byte(s.stdout), &list); err != nil || len(list) != len(papers.All()) {
		t.Errorf("%d rows: %v", len(list), err)
	}
	for _, c := range []struct{ line, says string }{
		{"T22", `there is no row "T22" (did you mean T2?)`},
		{"nonsense", `there is no row "nonsense" (rocelab reproduce lists them)`},
		{"--paper art", `--paper "art": allowed are pc4, article, draft, thesis`},
		{"a10 --quick --full", "--quick and --full exclude each other"},
		{"a10 --mutants --full", "--mutants runs quick forms"},
		{"a10 --jobs -1", "--jobs -1: allowed are 0 and above"},
		{"a10 --on live", `--on "live": allowed are mem, veth`},
		{"a10 --on veth --jobs 2", "--on veth makes one run at a time"},
		{"a10 --format xml", "xml"},
		{"a10 --progress often", `--progress "often"`},
	} {
		s.run(2, append([]string{"reproduce"}, strings.Fields(c.line)...)...)
		s.says(s.stderr, c.says)
		if _, err := os.Stat("reproduction"); err == nil {
			t.Errorf("reproduce %s leaves a folder", c.line)
		}
	}
}

// A row is carried out once, recorded, held to the record, and drawn. Tier: everyday.
func TestReproduce(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.run(0, "reproduce", "a10", "--record", "kept", "--page", "pages/a10.html")
	s.says(s.stderr, "1 row, 25 runs to make")
	s.says(s.stdout, "A10  The queue in equilibrium follows Kmin")
	s.says(s.stdout, "met         P rising")
	want := s.stdout
	for _, file := range []string{"kept/reproduction.json", "kept/REPRODUCTION.md", "pages/a10.html"} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "mean queue, Kmin 50 KB") {
			t.Errorf("%s: %v", file, err)
		}
	}
	s.run(0, "reproduce", "A10")
	s.says(s.stderr, "1 row, 0 runs to make")
	if s.stdout != want {
		t.Errorf("the second time it says\n%s", s.stdout)
	}
	s.run(0, "reproduce", "A10", "--mutants")
	s.says(s.stdout, "seen: A10: Kmin is fixed at 400 KB: by rising, range")
	s.says(s.stdout, "1 fault: 1 seen, 0 survive")
}

// A fault is seen by the criterion that it is for, else it survives; criteria that no fault turns
// red are named. Tier: -short.
func TestFaultsAreJudged(t *testing.T) {
	document := func(a, b, c reproduction.Outcome) *reproduction.RowDocument {
		d := &reproduction.RowDocument{ID: "A10"}
		for i, outcome := range []reproduction.Outcome{a, b, c} {
			d.Criteria = append(d.Criteria, reproduction.CriterionDocument{
				Name:    string("abc"[i]),
				Grade:   reproduction.Pass,
				Outcome: outcome,
			})
		}
		return d
	}
	const met, missed = reproduction.Met, reproduction.Missed
	faults := []*mutant.Row{{Row: "A10", Fault: "first"}, {Row: "A10", Fault: "second", Criterion: "a"},
		{Row: "A10", Fault: "third"}}
	report, survived := judgeFaults(faults, map[string]*reproduction.RowDocument{"A10": document(met, met, met)},
		[]*reproduction.RowDocument{document(met, missed, met), document(met, missed, met), document(met, met, met)})
	var text strings.Builder
	if err := printFaults(&text, report); err != nil || !survived {
		t.Error(err, survived)
	}
	for _, want := range []string{"seen: A10: first: by b", "SURVIVES: A10: second: seen by b, and not by a",
		"SURVIVES: A10: third\n", "no fault turns red: A10: a, c", "3 faults: 1 seen, 2 survive"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, text.String())
		}
	}
}
