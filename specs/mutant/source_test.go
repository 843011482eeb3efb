package mutant

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/rocelab/rocelab/specs/mutant/schemata"
	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

// Each mutant applies to the source as it is now, and names a sentence; each
// sentence has a mutant.
func TestTableFitsTheTree(t *testing.T) {
	all := sources(t, "rules")
	for _, s := range slices.Concat(all, sources(t, "theory")) {
		if _, err := s.Overlay(absolute(t), t.TempDir()); err != nil {
			t.Error(err)
		}
	}
	tier.Everyday(t) // it builds the specs to see their sentences
	programs := t.TempDir()
	if err := schemata.Programs(absolute(t), programs, "", suites...); err != nil {
		t.Fatal(err)
	}
	known, err := places(programs, suites...)
	if err != nil {
		t.Fatal(err)
	}
	guarded := map[string]bool{}
	for _, s := range all {
		guarded[s.Rule] = true
		if known[s.Rule] == "" {
			t.Errorf("%s: no spec says %q", s.Path, s.Rule)
		}
	}
	for sentence, place := range known {
		if place == rules && !guarded[sentence] {
			t.Errorf("%q has no mutant: nothing shows that it can fail", sentence)
		}
	}
}

// sources are the mutants of a folder here.
func sources(t *testing.T, folder string) []Source {
	t.Helper()
	list, err := Sources(root, folder)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Every mutant turns the sentence of its rule red, which is green without. All are in one program a suite, except for
// those that schemata leaves to builds of their own.
func TestRulesCatchTheirMutants(t *testing.T) {
	tier.Slow(t) // it builds the specs with all mutants, runs a process for each, and builds some by themselves
	programs.DependOnTree(t)
	catch(t, sources(t, "rules"), suites...)
}

// Every mutant of the theory turns its row red. Tier: night.
func TestTheoryCatchesItsMutants(t *testing.T) {
	tier.Night(t) // each runs its scenario again
	programs.DependOnTree(t)
	catch(t, sources(t, "theory"), theory)
}

// catch wants the sentence of each mutant, in one of the suites, green without it and red with it.
func catch(t *testing.T, sources []Source, suites ...string) {
	t.Helper()
	var some []Source
	for _, s := range sources {
		if strings.Contains(s.Files[0].Name+" "+s.Rule+" "+filepath.Base(s.Path), os.Getenv("ROCELAB_MUTANTS")) {
			some = append(some, s)
		}
	}
	edits := make([]schemata.Edit, len(some))
	for i := range some {
		var err error
		if edits[i], err = some[i].Edit(root); err != nil {
			t.Fatal(err)
		}
	}
	top, programs := absolute(t), t.TempDir()
	alone, err := schemata.Build(top, programs, edits, suites...)
	if err != nil {
		t.Fatal(err)
	}
	known, err := places(programs, suites...)
	if err != nil {
		t.Fatal(err)
	}
	checkGreen(t, programs, known, some)

	order := make([]int, 0, len(some)) // what takes longest begins first
	for _, first := range []bool{true, false} {
		for i := range some {
			if (alone[i] != "") == first {
				order = append(order, i)
			}
		}
	}
	tried := make([]bool, len(some))
	inParallel(len(order), func(n int) {
		i := order[n]
		s := &some[i]
		if err := s.tried(top, programs, known[s.Rule], i+1, alone[i] != ""); err != nil {
			t.Errorf("%s: %v", s.Path, err)
		}
		tried[i] = true
	})
	for i, yes := range tried {
		if !yes {
			t.Errorf("%s was not tried", some[i].Path)
		}
	}
	t.Log(tally(tried, alone))
}

// tally describes the number of mutants tried, and how.
func tally(tried []bool, alone map[int]string) string {
	count, reasons := 0, map[string]int{}
	for i, yes := range tried {
		if yes {
			count++
		}
		if why := alone[i]; why != "" {
			reasons[why]++
		}
	}
	text := fmt.Sprintf("tried %d of %d: %d in one build a suite, %d builds of their own",
		count, len(tried), len(tried)-len(alone), len(alone))
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		text += fmt.Sprintf("\n%d: %s", reasons[why], why)
	}
	return text
}

// checkGreen holds the sentences of the mutants, in the programs that have all mutants, to be
// green while none acts.
func checkGreen(t *testing.T, programs string, known map[string]string, some []Source) {
	t.Helper()
	patterns := map[string][]string{}
	for _, s := range some {
		suite := known[s.Rule]
		if suite == "" {
			t.Fatalf("%s: no spec says %q", s.Path, s.Rule)
		}
		patterns[suite] = append(patterns[suite], regexp.QuoteMeta(s.Rule))
	}
	for suite, list := range patterns {
		went, err := sentences(programs, suite, programs, "("+strings.Join(list, "|")+")$", 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range some {
			if r, ok := went[s.Rule]; known[s.Rule] == suite && (!ok || r.State != types.SpecStatePassed) {
				t.Errorf("%q is %v without a mutant: %s", s.Rule, r.State, r.Failure.Message)
			}
		}
	}
}

// tried returns nil if the mutant turns its rule red: by that number in the programs, or in one built for it alone.
func (s *Source) tried(top, programs, suite string, number int, alone bool) error {
	folder, err := os.MkdirTemp("", "rocelab-mutant-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if !alone {
		return s.caught(programs, suite, folder, number)
	}
	overlay, err := s.Overlay(top, folder)
	if err != nil {
		return err
	}
	if err := schemata.Programs(top, folder, overlay, suite); err != nil {
		return err
	}
	return s.caught(folder, suite, folder, 0)
}

// caught returns nil if the rule is red in the suite's program with the mutant of that number.
func (s *Source) caught(programs, suite, folder string, number int) error {
	went, err := sentences(programs, suite, folder, regexp.QuoteMeta(s.Rule)+"$", number)
	if err != nil {
		return err
	}
	r, ok := went[s.Rule]
	switch {
	case !ok:
		return fmt.Errorf("no spec says %q", s.Rule)
	case r.State == types.SpecStatePassed:
		return fmt.Errorf("it lives: %q stays green", s.Rule)
	case r.State != types.SpecStateFailed:
		return fmt.Errorf("%q is %v, not red by an assertion: %s", s.Rule, r.State, r.Failure.Message)
	}
	return nil
}
