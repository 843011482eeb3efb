package mutant

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/mutant/schemata"
	"github.com/rocelab/rocelab/specs/tier"
)

// edgedPackages are the packages whose comparisons are held at their edges, as folders from the top of the module.
var edgedPackages = []string{
	"emulator/sonic",
	"nicd",
	"nicd/internal/clock",
	"switchd",
	"switchd/proximal",
	"wan",
}

// Every line of the ledger is a comparison of the tree, with a reason, and stands there once, in the order of the tree.
func TestLedgerFitsTheTree(t *testing.T) {
	all, err := schemata.Comparisons(root, edgedPackages...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d comparisons", len(all))
	place := map[string]int{}
	for i := range all {
		place[keyOf(&all[i])] = i
	}
	last := -1
	for _, line := range ledger(t) {
		i, ok := place[line.key]
		switch {
		case !reasons.MatchString(line.reason):
			t.Errorf("%q has the reason %q: allowed are equivalent: ..., chance: ... and open", line.key, line.reason)
		case !ok:
			t.Errorf("%q: no such comparison: remove the line, or give it the new text", line.key)
		case i <= last:
			t.Errorf("%q stands twice, or before one that is further up in the tree", line.key)
		default:
			last = i
		}
	}
}

// With the other edge each comparison turns a test of its own package red, in -short, or a sentence of specs/rules. The
// ledger has exactly the comparisons that do not. ROCELAB_MUTANTS selects some by a word in their files.
func TestEdgesAreHeld(t *testing.T) {
	tier.Night(t) // it builds test programs with all edges in, and runs processes for most: four minutes
	all, err := schemata.Comparisons(root, edgedPackages...)
	if err != nil {
		t.Fatal(err)
	}
	total := len(all)
	all = slices.DeleteFunc(all, func(c schemata.Comparison) bool {
		return !strings.Contains(c.File, os.Getenv("ROCELAB_MUTANTS"))
	})
	alive := make([]bool, len(all))
	for i := range alive {
		alive[i] = true
	}
	for _, pkg := range append(slices.Clone(edgedPackages), rules) {
		var some []schemata.Comparison
		var index []int
		for i := range all {
			if alive[i] && (pkg == rules || filepath.Dir(all[i].File) == pkg) {
				some, index = append(some, all[i]), append(index, i)
			}
		}
		if len(some) == 0 {
			continue
		}
		for _, i := range seen(t, some, "./"+strings.TrimPrefix(pkg, "./")) {
			alive[index[i]] = false
		}
	}
	known, lives := map[string]bool{}, 0
	for _, line := range ledger(t) {
		known[line.key] = true
	}
	for i := range all {
		key := keyOf(&all[i])
		switch {
		case alive[i] && !known[key]:
			t.Errorf("it lives, no test holds this edge:\n%s", key)
		case !alive[i] && known[key]:
			t.Errorf("a test holds this edge, remove it from the ledger:\n%s", key)
		}
		if alive[i] {
			lives++
		}
	}
	t.Logf("tried %d of %d: %d live with the other edge", len(all), total, lives)
}

// keyOf returns the ledger's name of a comparison.
func keyOf(c *schemata.Comparison) string {
	return fmt.Sprintf("%s\t%s\t%s\t%d", c.File, c.Function, c.Text, c.Nth)
}

// reasons is the form of the last column.
var reasons = regexp.MustCompile(`^(equivalent: .+|chance: .+|open)$`)

// ledgerLine is a comparison whose other edge no test sees.
type ledgerLine struct{ key, reason string }

func ledger(t *testing.T) (lines []ledgerLine) {
	t.Helper()
	text, err := os.ReadFile("testdata/edges.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		words := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
		if len(words) != 5 {
			t.Fatalf("%q: %d columns, wanted are file, function, comparison, which, reason", line, len(words))
		}
		lines = append(lines, ledgerLine{strings.Join(words[:4], "\t"), words[4]})
	}
	return lines
}
