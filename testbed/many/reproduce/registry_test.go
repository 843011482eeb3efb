package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// claimed is a registry of rows X1 and X2, with lines that tests change.
const claimed = `date: 2026-11-27
rows:
  X1:
    size: large
    seeds: 5
  X2:
    size: large
    seeds: 2
claims:
  - id: X1 rate
    source: p
    place: section 1
    quote: the rate is 5
    number: 5
    grade: printed number
    row: X1
    criteria:
      - name: rate
        text: the rate is 5 and more
        holds: median("rate") >= 5
  - id: X1 more
    source: p
    place: section 2
    quote: it is 6
    also:
      - six it is
    grade: inequality
    row: X1
    criteria:
      - name: more
        text: the rate is 6 and more
        holds: |
          median("rate") > 1 and
          median("rate") >= 6
        miss:
          why: the port is slow
          control: rocelab run it
  - id: p curve
    source: p
    place: section 3
    quote: the curve is smooth
    grade: qualitative
    untestable: it has no numbers
  - id: X2 flows
    source: p
    place: section 4
    quote: all flows end
    grade: qualitative
    row: X2
    criteria:
      - name: flows
        text: all flows end
        holds: median("flows") == 3
apart:
  - id: X1, ours
    kind: invariant
    row: X1
    criteria:
      - name: ours
        text: the rate is above 0
        holds: median("rate") > 0
      - name: ours, too
        text: the rate is below 9
        holds: median("rate") < 9
`

// claimedRows are the rows of it: the quick form of X2 is smaller than the full one.
func claimedRows() []*Row {
	small := form{About: "small"}
	return []*Row{{ID: "X1", Title: "One", Paper: paper}, {ID: "X2", Title: "Two", Paper: paper, Quick: small}}
}

// claimedRecord has X1 with one seed, and X2 only in its quick form.
func claimedRecord() *Recorded {
	form := func(name string) *RecordedForm {
		return &RecordedForm{Seconds: 2, Figures: []Figure{{Name: name, Values: []float64{map[string]float64{
			"rate": 5, "flows": 3}[name]}}}}
	}
	return &Recorded{Rows: map[string]*RecordedRow{"X1": {Full: form("rate")}, "X2": {Quick: form("flows")}}}
}

func readClaimed(t *testing.T, text string) (*Registry, []*Row) {
	t.Helper()
	registry, err := ReadRegistry("claims.yaml", []byte(text), claimedRows())
	if err != nil {
		t.Fatal(err)
	}
	return registry, registry.With(claimedRows())
}

// A fault of a registry is refused at its line and column: a quote that is there twice, a name that an expression does
// not know, in a block too, a miss without evidence of its cause. Tier: -short. Red: without the call of quoted.
func TestRegistryIsRefused(t *testing.T) {
	for _, c := range []struct{ old, with, want string }{
		{"quote: it is 6", "quote: the rate  is 5", `24:12: entry "X1 rate" has this quote, too`},
		{"- six it is", "- all flows end", `entry "X1 more" has this quote, too`},
		{`holds: median("rate") >= 5`, `holds: medium("rate") >= 5`, "20:16: unknown name medium"},
		{`holds: median("rate") >= 5`, `holds: 'median("rate") >= rates'`, "20:35: unknown name rates"},
		{`          median("rate") >= 6`, `          median("rate") >= least`, "34:26: invalid operation: >="},
		{"control: rocelab run it", "in: full", "it must have a control, a command that shows the cause"},
		{"why: the port is slow", "why: ''", "it lacks why"},
		{"id: X1 more", "id: X1 rate", `another entry is called "X1 rate"`},
		{"name: ours, too", "name: ours", `another criterion of X1 is called "ours"`},
		{"source: p", "source: q", `source is "q": allowed are p`},
		{"grade: inequality", "grade: better", "allowed are printed number, inequality, qualitative"},
		{"row: X1\n", "row: X3\n", `there is no row "X3"`},
		{"untestable: it has no numbers", "note: it has no numbers", "or a reason why it is untestable"},
		{"place: section 3", "plaice: section 3", `there is no key "plaice" (did you mean place?)`},
		{"seeds: 5", "seeds: many", "seeds from 1 to 1000"},
		{"kind: invariant", "kind: claim", "allowed are control, invariant"},
		{"date: 2026-11-27\n", "", "it lacks date"},
	} {
		t.Run(fmt.Sprintf("%.50q", c.with), func(t *testing.T) {
			text := strings.Replace(claimed, c.old, c.with, 1)
			_, err := ReadRegistry("claims.yaml", []byte(text), claimedRows())
			if text == claimed || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.with, err, c.want)
			}
		})
	}
}

// The score counts only claims, each once: other entries, and a form smaller than the scored one, are not in it.
// Lacking seeds are reported. Tier: -short. Red: without the look at Counts in ScoreOf.
func TestScore(t *testing.T) {
	registry, rows := readClaimed(t, claimed)
	recorded := claimedRecord()
	standings := registry.Standings(rows, recorded)
	got := ScoreOf(standings, "")
	want := Score{
		Claims:     4,
		Met:        1,
		Missed:     1,
		Untestable: 1,
		Owed:       1,
		Thin:       2,
		Printed:    1,
		OfPrinted:  1,
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	var said []string
	for i := range standings {
		said = append(said, standings[i].Entry.ID+": "+standings[i].Said())
	}
	wanted := []string{"X1 rate: seeds 1 of 5", "X1 more: seeds 1 of 5", "p curve: it has no numbers",
		"X2 flows: a run at the published size; the quick form, a smoke test, has it met", "X1, ours: seeds 1 of 5"}
	if !slices.Equal(said, wanted) {
		t.Errorf("%q, want %q", said, wanted)
	}
	recorded.Rows["X2"].Full = recorded.Rows["X2"].Quick
	if n := ScoreOf(registry.Standings(rows, recorded), "p"); n.Met != 2 || n.Owed != 0 {
		t.Errorf("with the published size of X2: %+v", n)
	}
	registry, rows = readClaimed(t, claimed[:strings.Index(claimed, "        miss:")]+
		claimed[strings.Index(claimed, "  - id: p curve"):])
	if n := ScoreOf(registry.Standings(rows, recorded), ""); n.Unexplained != 1 || n.Missed != 1 {
		t.Errorf("a miss without a reason: %+v", n)
	}
}

// An entry's hash covers its fields, and not why it is missed. Tier: -short. Red: with `json:"-"` at Note.
func TestHash(t *testing.T) {
	hash := func(text string) string {
		registry, _ := readClaimed(t, text)
		return registry.Claims[1].Hash()
	}
	was := hash(claimed)
	for old, with := range map[string]string{
		"quote: it is 6": "quote: it is six", "section 2": "section 5", "- six it is": "- it is six",
		"grade: inequality": "grade: qualitative", `median("rate") >= 6`: `median("rate") >= 5`, "size: large": "size: small",
		"seeds: 5": "seeds: 3", "name: more": "name: most", "6 and more": "6 or more", "2026-11-27": "2026-11-28",
		"    grade: inequality": "    note: softened\n    grade: inequality",
	} {
		if got := hash(strings.Replace(claimed, old, with, 1)); got == was {
			t.Errorf("%s in place of %s has the same hash", with, old)
		}
	}
	if got := hash(strings.Replace(claimed, "the port is slow", "the port is quick", 1)); got != was {
		t.Error("another reason has another hash")
	}
}

// Criteria that differ from those of the judgement are red, unless the changelog lists the change; recording does not
// wash them. Tier: -short. Red: with Freeze setting all hashes.
func TestCriteriaAreFrozen(t *testing.T) {
	registry, rows := readClaimed(t, claimed)
	recorded := claimedRecord()
	if lines := registry.Check(rows, recorded, nil); len(lines) != 4 || !strings.Contains(lines[0], "is not frozen") {
		t.Errorf("before it is frozen: %q", lines)
	}
	recorded.FreezeAll(registry, nil)
	if lines := registry.Check(rows, recorded, nil); len(lines) > 0 {
		t.Errorf("as frozen: %q", lines)
	}
	was := registry.Claims[0].Hash()
	softer, rows := readClaimed(t, strings.Replace(claimed, `median("rate") >= 5`, `median("rate") >= 4`, 1))
	is := softer.Claims[0].Hash()
	recorded.FreezeAll(softer, nil)
	want := fmt.Sprintf("\"X1 rate\" was judged as `%s` in the full form of X1 and is `%s`", was, is)
	if lines := softer.Check(rows, recorded, nil); len(lines) != 1 || !strings.HasPrefix(lines[0], want) {
		t.Errorf("with another criterion: %q, want %s", lines, want)
	}
	told := fmt.Sprintf("## Unreleased\n\n### Criteria changed\n\n- X1 rate: `%s` -> `%s`: the text has 4\n\n### Fixed\n",
		was, is)
	for _, elsewhere := range []string{strings.Replace(told, "Criteria", "Criterions", 1),
		strings.Replace(told, "the text", "", 1), strings.Replace(told, was, is, 1)} {
		t.Run(fmt.Sprintf("%.50q", elsewhere), func(t *testing.T) {
			changes := ReadChanges([]byte(strings.Replace(elsewhere, " has 4", "", 1)))
			if lines := softer.Check(rows, recorded, changes); len(lines) != 1 {
				t.Errorf("%q tells of it: %q", elsewhere, lines)
			}
		})
	}
	changes := ReadChanges([]byte(told))
	if lines := softer.Check(rows, recorded, changes); len(lines) > 0 {
		t.Errorf("told: %q", lines)
	}
	recorded.FreezeAll(softer, changes)
	if lines := softer.Check(rows, recorded, nil); len(lines) > 0 {
		t.Errorf("told and recorded: %q", lines)
	}
	fewer, rows := readClaimed(t, strings.Replace(claimed[:strings.Index(claimed, "apart:")], `"rate") >= 5`,
		`"rate") >= 4`, 1))
	if lines := fewer.Check(rows, recorded, changes); len(lines) != 1 || !strings.Contains(lines[0], "and is `gone`") {
		t.Errorf("without an entry: %q", lines)
	}
}

// Rows never run at their size are owed first, then the costliest; a row that has all its seeds is not owed. Tier:
// -short. Red: with the comparison of seconds the other way.
func TestDebts(t *testing.T) {
	registry, rows := readClaimed(t, claimed)
	recorded := claimedRecord()
	debts := registry.Debts(rows, recorded)
	if len(debts) != 2 || debts[0].Row.ID != "X2" || !math.IsInf(debts[0].Seconds, 1) ||
		debts[1].Row.ID != "X1" || debts[1].Seconds != 8 || !slices.Equal(debts[1].Row.Full.Seeds, []uint64{1, 2, 3, 4, 5}) {
		t.Errorf("%+v", debts)
	}
	recorded.Rows["X1"].Full.Figures[0].Values = []float64{5, 5, 5, 5, 5}
	if debts := registry.Debts(rows, recorded); len(debts) != 1 {
		t.Errorf("%+v", debts)
	}
}
