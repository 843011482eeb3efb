package reproduce

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/expr-lang/expr/vm"
)

// What a row may name and make is bounded. Tier: -short, some milliseconds. Red: without folderNames the first three, without the
// bounds of numbers the next four, without timeless the next two, without maxFigures the last two.
func TestRowsAreBounded(t *testing.T) {
	long := strings.Repeat("n", 65)
	for _, c := range []struct{ old, with, says string }{
		{"row: X1", "row: ../X1", `mine.yaml:1:6: row is "../X1": allowed are 1 to 64 letters, digits, spaces and . _ - that`},
		{"row: X1", "row: X1\nruns: /tmp/x", `mine.yaml:2:7: runs is "/tmp/x": allowed are`},
		{"row: X1", "row: " + long, "allowed are 1 to 64 letters"},
		{"value: 3,", "value: NaN,", `value is "NaN": it must be a number`},
		{"value: 3,", "value: Inf,", `value is "Inf": it must be a number`},
		{"value: 3,", "value: .inf,", `value is ".inf": it must be a number`},
		{"tolerance: 0.1", "tolerance: -0.1", "tolerance is -0.1: allowed are 0 and more"},
		{"constant: of.rate", "constant: now().Unix() + of.rate", "unknown name now"},
		{`'median("wait, n=2") < 10'`, `'now() > date("2020-01-01")'`, "unknown name now"},
	} {
		if _, err := readOwn(strings.Replace(ownRow, c.old, c.with, 1)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("with %.40q: %v; must be %s", c.with, err, c.says)
		}
	}
	tens := "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
	text := strings.Replace(ownRow, "when: n < 3 or full", "when: n < 0", 1)
	row, err := readOwn(strings.Replace(text, "n: [2, 4], ", "n: "+tens+", a: "+tens+", b: "+tens+", c: "+tens+", ", 1))
	if err != nil {
		t.Fatal(err)
	}
	results, _ := sketchOf(t, row, &Run{Column: "a", Seed: 1, Keys: map[string]string{"topology.hosts": "3"}})
	const says = "mine.yaml:21:5: loops make more than 10000 figures"
	if results.err == nil || !strings.Contains(results.err.Error(), says) {
		t.Errorf("%v; must be %s", results.err, says)
	}
	r := newRowReader(".", fstest.MapFS{}, "mine.yaml", []byte(ownRow), nil)
	r.read = maxFigures - 4
	r.whole(rowLanguage.ParseYAML(r.file, []byte(ownRow), r.add), &Paper{})
	if got := r.errors.Error(); got !=
		"mine.yaml:29:9: figures, with those of lists, are more than 10000: allowed are up to that many" {
		t.Error(got)
	}
}

// A criterion ends as a figure does. Tier: -short, some milliseconds. Red: without counting in NewExpression, when it takes an hour.
func TestCriteriaEnd(t *testing.T) {
	const text = "let a = 1..9000; sum(a, sum(a, sum(a, 1))) > 1"
	e, wrong := NewExpression(text)
	if wrong != nil {
		t.Fatal(wrong)
	}
	names := environment(Figures{})
	names[step] = (&reading{steps: maxSteps - 1000}).step
	if _, err := (&vm.VM{MemoryBudget: maxMemory}).Run(e.program, names); err == nil ||
		!strings.Contains(err.Error(), "it looks at more than 5000000 elements") {
		t.Errorf("%s: %v", text, err)
	}
}

// A scenario ends where its keys do, in a block and in braces, and its lines are those of the file. Tier: -short. Red:
// with all lines that are indented as part of it.
func TestScenariosAreCut(t *testing.T) {
	for text, want := range map[string]string{
		"row: X\nscenario:\n  name: x\n\n  # why\n  topology:\n    kind: star\ntitle: t\n":    "\n\n  name: x\n\n  # why\n  topology:\n    kind: star\n",
		"compute:\n  scenario:\n    name: x\n# why\n    flow: [1,\n      2]\n  set: {a: 1}\n": "\n\n    name: x\n# why\n    flow: [1,\n      2]\n",
		"scenario: {name: x, a: {b: \"}\"}} # why\n":                                          "          {name: x, a: {b: \"}\"}}\n",
		"row: X\nscenario: {name: x,\n  kind: 3}\ntitle: t\n":                                 "\n          {name: x,\n  kind: 3}\n",
		"compute: {scenario: {name: x}, set: {a: 1}}\n":                                       "                    {name: x}\n",
	} {
		r := newRowReader(".", fstest.MapFS{}, "mine.yaml", []byte(text), nil)
		root := rowLanguage.ParseYAML(r.file, []byte(text), r.add)
		if len(r.errors) > 0 {
			t.Fatal(r.errors)
		}
		n := root.Child("scenario")
		if n == nil {
			n = root.Child("compute").Child("scenario")
		}
		if got := string(r.inline(n)); got != want {
			t.Errorf("%q\nhas %q\nmust be %q", text, got, want)
		}
	}
}
