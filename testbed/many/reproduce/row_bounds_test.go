package reproduce

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/expr-lang/expr/vm"
)

// What a row may name is bounded, and so are the numbers that were printed. Red: without folderNames the first three,
// without the bounds of numbers the next four, without timeless the last two.
func TestRowsAreBounded(t *testing.T) {
	for _, c := range []struct{ old, with, says string }{
		{"row: X1", "row: ../X1", `mine.yaml:1:6: row is "../X1": allowed are 1 to 64 letters`},
		{"row: X1", "row: X1\nruns: /tmp/x", `mine.yaml:2:7: runs is "/tmp/x": allowed are`},
		{"row: X1", "row: " + strings.Repeat("n", 65), "allowed are 1 to 64 letters"},
		{"value: 3,", "value: NaN,", `value is "NaN": it must be a number`},
		{"value: 3,", "value: Inf,", `value is "Inf": it must be a number`},
		{"value: 3,", "value: .inf,", `value is ".inf": it must be a number`},
		{"tolerance: 0.1", "tolerance: -0.1", "tolerance is -0.1: allowed are 0 and more"},
		{"constant: of.rate", "constant: now().Unix() + of.rate", "unknown name now"},
		{`'median("wait, n=2") < 10'`, `'now() > date("2020-01-01")'`, "unknown name now"},
	} {
		t.Run(c.with[:min(len(c.with), 20)], func(t *testing.T) {
			_, err := readOwn(strings.Replace(ownRow, c.old, c.with, 1))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; must be %s", err, c.says)
			}
		})
	}
}

// Loops make a bounded number of figures, and so do lists. Red: without maxFigures.
func TestFiguresAreBounded(t *testing.T) {
	tens := "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
	text := strings.Replace(ownRow, "when: n < 3 or full", "when: n < 0", 1)
	loops := "n: " + tens + ", a: " + tens + ", b: " + tens + ", c: " + tens + ", "
	row, err := readOwn(strings.Replace(text, "n: [2, 4], ", loops, 1))
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

// A criterion ends as a figure does. Red: without counting in newExpression, when it takes an hour.
func TestCriteriaEnd(t *testing.T) {
	const text = "let a = 1..9000; sum(a, sum(a, sum(a, 1))) > 1"
	e, wrong := newExpression(text)
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

// A scenario in a row ends where its keys end, in a block and in braces, and its lines keep their numbers. Red:
// with all lines that are indented as part of it.
func TestScenariosAreCut(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a block", "row: X\nscenario:\n  name: x\n\n  # why\n  topology:\n    kind: star\ntitle: t\n",
			"\n\n  name: x\n\n  # why\n  topology:\n    kind: star\n"},
		{"a block before set", "compute:\n  scenario:\n    name: x\n# why\n    flow: [1,\n      2]\n  set: {a: 1}\n",
			"\n\n    name: x\n# why\n    flow: [1,\n      2]\n"},
		{"braces", "scenario: {name: x, a: {b: \"}\"}} # why\n", strings.Repeat(" ", 10) + "{name: x, a: {b: \"}\"}}\n"},
		{"braces of two lines", "row: X\nscenario: {name: x,\n  kind: 3}\ntitle: t\n",
			"\n" + strings.Repeat(" ", 10) + "{name: x,\n  kind: 3}\n"},
		{"braces before set", "compute: {scenario: {name: x}, set: {a: 1}}\n", strings.Repeat(" ", 20) + "{name: x}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRowReader(".", fstest.MapFS{}, "mine.yaml", []byte(c.text), nil)
			root := rowLanguage.ParseYAML(r.file, []byte(c.text), r.add)
			if len(r.errors) > 0 {
				t.Fatal(r.errors)
			}
			n := root.Child("scenario")
			if n == nil {
				n = root.Child("compute").Child("scenario")
			}
			if got := string(r.inline(n)); got != c.want {
				t.Errorf("%q, must be %q", got, c.want)
			}
		})
	}
}
