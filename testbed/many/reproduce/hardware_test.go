package reproduce

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
)

// recordText is a record with all that one may have.
const recordText = `record: M01
title: Two senders
source: {thread: a notebook, date: May 2026, devices: a switch}
frozen: 2026-11-27
scenario: scenarios/m01.yaml
figures:
  - {name: goodput, unit: Gb/s, hardware: 100, evidence: L, use: predicted, band: 2 %, ours: metric("goodput_gbps")}
  - {name: wait, unit: us, hardware: 300, evidence: T, use: fitted, band: 2 %, ours: figure("goodput") * 3}
fit:
  - {name: buffer, keys: {switch.buffer: [3MB, 4MB]}, on: [wait]}
`

// read reads one record with changes of its text.
func read(t *testing.T, changes ...string) (*HardwareRecords, error) {
	t.Helper()
	text := strings.NewReplacer(changes...).Replace(recordText)
	if len(changes) > 0 && text == recordText {
		t.Fatalf("%q changes nothing", changes)
	}
	return ReadHardware("mine", fstest.MapFS{
		"m01.yaml":           {Data: []byte(text)},
		"scenarios/m01.yaml": {Data: []byte("name: m01\n")},
	})
}

// A fault of a record is refused at its file, line and column. Red with any check of the reader left out. Tier: -short,
// as all of this file.
func TestWrongRecordsAreRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"title:", "titel:", `mine/m01.yaml:2:1: there is no key "titel"`},
		{"date: May 2026, ", "", "mine/m01.yaml:3:9: it lacks date"},
		{"m01.yaml", "m02.yaml", "mine/m01.yaml:5:11: scenario scenarios/m02.yaml: file does not exist"},
		{"evidence: L", "evidence: X", `mine/m01.yaml:7:58: evidence is "X": allowed are L, T, P, 2, A`},
		{"use: predicted", "use: guessed", `use is "guessed": allowed are fitted, predicted`},
		{"hardware: 100", "hardware: much", `hardware is "much": it must be a number`},
		{"2 %, ours: metric", "about 2, ours: metric", `"about 2" is not a band: allowed are "2 %"`},
		{`metric("goodput_gbps")`, `metrik("goodput_gbps")`, "mine/m01.yaml:7:94: unknown name metrik"},
		{"on: [wait]", "on: [goodput]", `no figure with use: fitted is called "goodput"`},
		{"on: [wait]", "on: []", `figure "wait" is fitted, and no fit is on it`},
		{"[3MB, 4MB]", "[3MB]", "switch.buffer wants a list of the values that are tried, two at least"},
		{", ours: metric(\"goodput_gbps\")", "", "it lacks ours, and the record does not name it as owed"},
		{"name: wait", "name: goodput", `another figure is called "goodput"`},
	} {
		t.Run(fmt.Sprintf("old=%s,new=%s", c.old, c.new), func(t *testing.T) {
			if _, err := read(t, c.old, c.new); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.new, err, c.want)
			}
		})
	}
	if _, err := ReadHardware("mine", fstest.MapFS{}); err == nil {
		t.Error("a folder without a record is taken")
	}
}

// A figure in its band is in, one outside is out, with its reason if there is one, and one that was fitted on counts
// neither way. Red if a band's end is outside it.
func TestFiguresAreInOrOut(t *testing.T) {
	for _, c := range []struct {
		ours float64
		want Place
	}{{100, inBand}, {102, inBand}, {98, inBand}, {102.01, outUnknown}, {97.99, outUnknown}} {
		t.Run(fmt.Sprintf("ours=%v", c.ours), func(t *testing.T) {
			records, err := read(t)
			if err != nil {
				t.Fatal(err)
			}
			recorded := &Recorded{Rows: map[string]*RecordedRow{"M01": {Quick: &RecordedForm{Figures: []Figure{
				{Name: "goodput", Values: []float64{c.ours}}, {Name: "wait", Values: []float64{1}},
			}}}}}
			lines := records.Recorded(recorded)
			if len(lines) != 2 || lines[0].Place != c.want || lines[1].Place != used {
				t.Errorf("%v: %+v, want %s", c.ours, lines, c.want)
			}
			if n := ScoreOfHardware(lines); n.Predicted != 1 || n.Fitted != 1 {
				t.Errorf("%+v", n)
			}
		})
	}
}

// The hash of a figure is of its band, of what hardware had and of the way ours is read, and not of the reason of a
// miss. Red with Note left out of the entry.
func TestBandsAreFrozen(t *testing.T) {
	hash := func(changes ...string) string {
		records, err := read(t, changes...)
		if err != nil {
			t.Fatal(err)
		}
		return records.Registry.Claims[0].Hash()
	}
	was := hash()
	for _, c := range [][2]string{
		{"2 %, ours: metric", "3 %, ours: metric"},
		{"hardware: 100", "hardware: 101"},
		{`metric("goodput_gbps")`, `metric("goodput_gbps") + 0`},
		{"evidence: L", "evidence: P"},
		{"use: predicted", "use: fitted"},
	} {
		changes := c[:]
		if strings.Contains(c[1], "fitted") {
			changes = append(changes, "on: [wait]", "on: [wait, goodput]")
		}
		if hash(changes...) == was {
			t.Errorf("%s has the hash of before", c[1])
		}
	}
	why := `ours: metric("goodput_gbps"), miss: {why: because, cause: unknown}`
	if hash(`ours: metric("goodput_gbps")`, why) != was {
		t.Error("the reason of a miss is frozen")
	}
}

// Bands are read as they are written.
func TestBands(t *testing.T) {
	for text, want := range map[string][2]float64{
		"2 %": {98, 102}, "0.2 points": {99.8, 100.2}, "factor 2": {50, 200}, "2.3 to 6.9": {2.3, 6.9}, "exact": {100, 100},
		"above 0": {0, math.Inf(1)},
	} {
		t.Run(text, func(t *testing.T) {
			b, err := newBand(text, 100)
			if err != nil || b.Low != want[0] || b.High != want[1] || b.String() != text {
				t.Errorf("%s: %+v (%v), want %v", text, b, err, want)
			}
		})
	}
	for _, text := range []string{"", "2", "two %", "6 to 2", "1.2.3 %", "factor"} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if b, err := newBand(text, 100); err == nil {
				t.Errorf("%q is read as %+v", text, b)
			}
		})
	}
}
