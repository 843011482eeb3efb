package reproduce

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// ownRow is a row with everything that one may have, of which tests change lines.
const ownRow = `row: X1
title: A row
paper: {name: p, title: A paper}
scenario: {name: x, topology: {kind: star, hosts: 3}, algorithm: dcqcn, traffic: [{kind: incast, size: 1MB}]}
columns:
  keys: [algorithm]
  values:
    - {name: a, value: dcqcn}
    - {name: b, value: "{name: pc4}", beside: true}
  only: [a, b]
seeds: [1, 2]
quick: {about: less, seeds: [1], set: {traffic.0.size: 100KB}, variants: [v], grid: {topology.hosts: [3]}}
published:
  - {figure: "wait, n=2", value: 3, tolerance: 0.1, source: Table I}
let: {long: metric("queueing_max_us")}
lists:
  waits:
    - {name: "wait, n={n}{more}", unit: us, value: metric("queueing_mean_us") / n}
    - {name: "longest wait, n={n}{more}", unit: us, value: long}
figures:
  - for: {n: [2, 4], column: columns}
    with: {more: 'n == 2 ? "" : ", more"'}
    when: n < 3 or full
    runs: {topology.hosts: "{n + 1}"}
    figures: waits
  - for: {of: [{name: slow, rate: 2}, {name: fast, rate: 3}]}
    column: "{of.name}"
    figures:
      - {name: rate, constant: of.rate * 100}
  - name: packets
    value: |
      sum(rows("flows.csv", ["sent_packets"]),
        .sent_packets) + figure("wait, n=2", "a")
criteria:
  - {name: short, text: it is short, holds: 'median("wait, n=2") < 10'}
`

func readOwn(text string) (*Row, error) {
	folder := fstest.MapFS{"mine.yaml": {Data: []byte(text)}}
	row, _, err := ReadRow(".", folder, "mine.yaml", Measures{
		{Name: "settled", Value: func(*Run, Arguments) float64 { return 0 }},
		{Name: "table", Figures: func(*Results) []Figure { return nil }},
	})
	return row, err
}

// What is wrong with the file of a row is named at its line and column with what was meant, before anything runs.
// Tier: -short. Red: without the walk of naming, for metrics and columns.
func TestRowsAreRefused(t *testing.T) {
	if _, err := readOwn(ownRow); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, with, says string }{
		{"title: A row\n", "", "1:1: it lacks title"},
		{"title:", "titel:", `mine.yaml:2:1: there is no key "titel" (did you mean title?)`},
		{"only: [a, b]", "only: [a, c]", `10:9: there is no column "c" (a, b)`},
		{"seeds: [1, 2]", "seeds: [1, two]", `11:12: seed "two" is not a whole number`},
		{"about: less", "abuot: less", `there is no key "abuot" (did you mean about?)`},
		{"value: 3,", "value: three,", `value is "three": it must be a number`},
		{"queueing_mean_us", "queuing_mean_us", `there is no metric "queuing_mean_us" (did you mean queueing_mean_us?)`},
		{`metric("queueing_mean_us")`, `metric(more)`, "metric wants a name in quotes"},
		{"value: long}", "value: lung}", "unknown name lung"},
		{"n < 3", "m < 3", "23:11: unknown name m"},
		{"n < 3 or full", "n", "expected bool, but got float64"},
		{"{n + 1}", "{n + }", "unexpected token EOF"},
		{"{n + 1}", "{n + 1", "a { without its }"},
		{"figures: waits", "figures: waist", `25:14: there is no list of figures "waist" (did you mean waits?)`},
		{"- {name: \"longest wait", "- {figures: waits}\n    - {name: \"longest wait",
			"lists of figures are nested too deeply"},
		{"n: [2, 4]", "n: [2, four]", "the values of n must be all numbers, all texts, or all mappings with the same keys"},
		{"column: columns", "column: rows", `21:30: column is "rows"`},
		{`"flows.csv"`, `"flow.csv"`, `32:16: there is no file "flow.csv" of a run (did you mean flows.csv?)`},
		{`"sent_packets"`, `"sent_packet"`, `flows.csv has no column "sent_packet" (did you mean sent_packets?)`},
		{"constant: of.rate", "value: 1, constant: of.rate",
			"it must have a value, which is read from each run, or a constant"},
		{"of.rate", "of.size", "unknown field size"},
		{"        .sent_packets) +", "        .sent_packets) + measure(\"setled\") +",
			`there is no measure "setled" here (did you mean settled?)`},
		{"holds: 'median(", "holds: 'mediam(", "unknown name mediam"},
		{"  - name: packets\n", "  - {measure: tabel}\n  - name: packets\n",
			`there is no measure "tabel" here (did you mean table?)`},
		{"scenario: {", "scenario: nowhere.yaml #{", "4:11: scenario nowhere.yaml: file does not exist"},
		{"criteria:\n", "criterion:\n", "it lacks criteria"},
	} {
		if !strings.Contains(ownRow, c.old) {
			t.Fatalf("there is no %q", c.old)
		}
		_, err := readOwn(strings.Replace(ownRow, c.old, c.with, 1))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("with %q: %v; must be %s", c.with, err, c.says)
		}
	}
}

// sketchOf is what a row will measure of runs that are planned.
func sketchOf(t *testing.T, row *Row, runs ...*Run) (*Results, []string) {
	t.Helper()
	results := &Results{planned: true, runs: runs}
	for _, run := range runs {
		run.results = results
	}
	var names []string
	for _, f := range row.Measure(results) {
		names = append(names, fmt.Sprintf("%s/%s/%d", f.Column, f.Name, len(f.Values)))
	}
	return results, names
}

// Loops are nested in their order, a list stands where it is named, a figure without a column is measured in all, and
// runs that are not there are refused. Tier: -short. Red: with the loops of a group in another order.
func TestRowsMeasureInOrder(t *testing.T) {
	row, err := readOwn(ownRow)
	if err != nil {
		t.Fatal(err)
	}
	var runs []*Run
	for _, column := range []string{"a", "b"} {
		runs = append(runs, &Run{Column: column, Seed: 1, Keys: map[string]string{"topology.hosts": "3"}})
	}
	results, names := sketchOf(t, row, runs...)
	want := "a/wait, n=2/1 a/longest wait, n=2/1 b/wait, n=2/1 b/longest wait, n=2/1 slow/rate/1 fast/rate/1 " +
		"a/packets/1 b/packets/1"
	if got := strings.Join(names, " "); got != want || results.err != nil {
		t.Errorf("%v\n%s\nmust be\n%s", results.err, got, want)
	}
	results, _ = sketchOf(t, row, runs[0], &Run{Column: "b", Seed: 1, Keys: map[string]string{"topology.hosts": "9"}})
	if results.err == nil || !strings.Contains(results.err.Error(), `there is no run of column "b"`) {
		t.Errorf("%v: a run that is not there must be refused", results.err)
	}
}

// An expression ends: predicates within predicates by their steps, lists by their memory. Tier: -short, some
// milliseconds. Red: without counting, when the first one takes an hour.
func TestExpressionsEnd(t *testing.T) {
	for text, says := range map[string]string{
		"let a = 1..9000; sum(a, sum(a, sum(a, 1)))": "it looks at more than 5000000 elements",
		"sum(1..9000000, 1)":                         "memory budget exceeded",
		`len(repeat("x", 9000000))`:                  "memory budget exceeded",
	} {
		t.Run(text, func(t *testing.T) {
			value, wrong := vocabulary{}.number(text)
			if wrong == nil {
				_, wrong = value.run(&reading{figures: &Figures{missing: new([]string)}, steps: maxSteps - 1000})
			}
			if wrong == nil || !strings.Contains(wrong.Message, says) {
				t.Errorf("%s: %v; must be %s", text, wrong, says)
			}
		})
	}
}

// A criterion that names a figure which the row will not have is found before the runs; one that asks what there is, is
// left alone. Tier: -short. Red: without figureNames.
func TestCriteriaLackFigures(t *testing.T) {
	figures := Figures{list: []Figure{{Column: "a", Name: "wait, n=2"}, {Name: "rate"}}}
	for text, want := range map[string]string{
		`median("wait, n=2") < 1`:                                  "wait, n=2 in column b",
		`median("rate") < 1`:                                       "",
		`least("rat") < 1`:                                         "rat in column a;rat in column b",
		`max(medians("wait, n=*", "a")) < 1`:                       "",
		`max(medians("waits, n=*", "a")) < 1`:                      "waits, n=* in column a",
		`has("loss") and median("loss") < 1`:                       "",
		`all(["wait"], median(# + ", n=2", "a") < median("rate"))`: "",
	} {
		t.Run(text, func(t *testing.T) {
			e, wrong := newExpression(text)
			if wrong != nil {
				t.Fatal(wrong)
			}
			if got := strings.Join(e.lacks(figures, []string{"a", "b"}), ";"); got != want {
				t.Errorf("%s lacks %q, must be %q", text, got, want)
			}
		})
	}
}

// No text of a row panics, or is measured without end. Tier: -short for the seeds; .ci/fuzz for more.
func FuzzReadRow(f *testing.F) {
	f.Add(ownRow)
	for i, line := range strings.SplitAfter(ownRow, "\n") {
		f.Add(strings.Replace(ownRow, line, "", 1))
		if i%3 == 0 {
			f.Add(strings.Replace(ownRow, line, strings.Repeat(" ", i%7)+line, 1))
		}
	}
	for _, odd := range []string{"figures: 1", "figures: [1]", "figures: [{figures: []}]", "for: {}", "for: 3",
		"lists: 2\nfigures: a", "lists: {a: a}\nfigures: a", "columns: {keys: 1, values: {}}", "compute: {measure: 1}",
		"criteria: 1", "paper: 1", "published: {}", "quick: 1", "let: []", "figures: [{name: \"{}\", value: \"\"}]",
		"figures: [{for: {n: [{}]}, name: x, value: n}]", "figures: [{runs: 3, name: x, value: 1}]"} {
		f.Add("row: x\ntitle: x\nscenario: {}\n" + odd)
	}
	f.Fuzz(func(t *testing.T, text string) {
		row, err := readOwn(text)
		if err != nil || row.sketch == nil {
			return
		}
		row.sketch(&Results{planned: true, runs: []*Run{{Seed: 1}}})
	})
}
