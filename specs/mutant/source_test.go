package mutant

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/rocelab/rocelab/specs/tier"
)

const root = "../.."

// rules are the specs of which every sentence has a mutant; others hold rules of
// switches and NICs beside much else.
const rules = "./specs/rules"

var others = []string{"./specs/marking", "./specs/lossless", "./specs/recovery", "./specs/twodc"}

// sentences builds specs with an overlay, "" for none, runs those that the pattern
// selects and returns how each went. A program that cannot be built, or that dies,
// is an error.
func sentences(specs, folder, overlay, pattern string, more ...string) (map[string]types.SpecReport, error) {
	program, report := filepath.Join(folder, "specs.test"), filepath.Join(folder, "report.json")
	build := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-w", "-overlay="+overlay, "-o", program, specs)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	run := exec.Command(program, append([]string{"-ginkgo.focus=" + pattern, "-ginkgo.json-report=" + report,
		"-ginkgo.no-color"}, more...)...)
	run.Dir = folder
	out, failed := run.CombinedOutput()
	text, err := os.ReadFile(report)
	if err != nil {
		return nil, fmt.Errorf("%w: %w\n%s", failed, err, out)
	}
	var suites []types.Report
	if err := json.Unmarshal(text, &suites); err != nil {
		return nil, err
	}
	went := map[string]types.SpecReport{}
	for _, r := range suites[0].SpecReports {
		if r.LeafNodeType == types.NodeTypeIt && r.State != types.SpecStateSkipped {
			went[r.FullText()] = r
		}
	}
	return went, nil
}

// Each mutant applies to the source as it is now, and names a sentence; each
// sentence has a mutant.
func TestTableFitsTheTree(t *testing.T) {
	for _, s := range Sources {
		if _, err := s.Overlay(absolute(t), t.TempDir()); err != nil {
			t.Error(err)
		}
	}
	tier.Everyday(t) // it builds the rules to see their sentences
	known, err := foldersOfSentences()
	if err != nil {
		t.Fatal(err)
	}
	guarded := map[string]bool{}
	for _, s := range Sources {
		guarded[s.Rule] = true
		if known[s.Rule] == "" {
			t.Errorf("%s: no spec says %q", s.File, s.Rule)
		}
	}
	for sentence, place := range known {
		if place == rules && !guarded[sentence] {
			t.Errorf("%q has no mutant: nothing shows that it can fail", sentence)
		}
	}
}

// foldersOfSentences is which specs say each sentence. It builds them once.
var foldersOfSentences = sync.OnceValues(func() (map[string]string, error) {
	folder, err := os.MkdirTemp("", "rocelab-sentences-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	known := map[string]string{}
	for _, specs := range append(others, rules) {
		list, err := sentences(specs, folder, "", "", "-ginkgo.dry-run")
		if err != nil {
			return nil, err
		}
		for sentence := range list {
			known[sentence] = specs
		}
	}
	return known, nil
})

// Every mutant turns the sentence of its rule red; with ROCELAB_DRAW, each of the third that it draws.
func TestRulesCatchTheirMutants(t *testing.T) {
	tier.Slow(t) // it builds the rules once for each mutant
	top := absolute(t)
	known, err := foldersOfSentences()
	if err != nil {
		t.Fatal(err)
	}
	queue := make(chan Source)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		folder := t.TempDir()
		workers.Go(func() {
			for s := range queue {
				if err := s.caught(known[s.Rule], top, folder); err != nil {
					t.Errorf("%s: %q -> %q: %v", s.File, s.Old, s.New, err)
				}
			}
		})
	}
	tried, draw := 0, os.Getenv("ROCELAB_DRAW")
	for _, s := range Sources {
		if only := os.Getenv("ROCELAB_MUTANTS"); strings.Contains(s.File+" "+s.Rule, only) && s.drawn(draw) {
			tried++
			queue <- s
		}
	}
	close(queue)
	workers.Wait()
	t.Logf("tried %d of %d mutants", tried, len(Sources))
}

// drawn reports whether the mutant is of the third that a word draws, such as a commit's hash: commit after commit
// tries others. Without a word all are.
func (s *Source) drawn(word string) bool {
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%s\n%s\n%s\n%s", word, s.File, s.Old, s.New)
	return word == "" || hash.Sum64()%3 == 0
}

// A draw is a third, and other words draw others, so that each mutant has its turn. Tier: -short.
func TestDrawIsAThird(t *testing.T) {
	drawn := make([]int, len(Sources))
	for word := range 30 {
		some := 0
		for i := range Sources {
			if Sources[i].drawn(fmt.Sprint(word)) {
				drawn[i]++
				some++
			}
		}
		if some < len(Sources)/5 || some > len(Sources)/2 {
			t.Errorf("word %d draws %d of %d", word, some, len(Sources))
		}
	}
	if least := slices.Min(drawn); least == 0 {
		t.Error("one is never drawn")
	}
}

// caught returns nil if the rule, of those specs, is red under the mutant.
func (s *Source) caught(specs, top, folder string) error {
	overlay, err := s.Overlay(top, folder)
	if err != nil {
		return err
	}
	went, err := sentences(specs, folder, overlay, regexp.QuoteMeta(s.Rule)+"$")
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

func absolute(t *testing.T) string {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	return top
}
