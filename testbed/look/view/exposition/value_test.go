package exposition_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/progressfile"
)

// source is where the samples of a family come from, and their unit there.
type source struct{ readings, unit string }

// sources is testdata/sources.txt.
func sources(t *testing.T) map[string]source {
	t.Helper()
	text, err := os.ReadFile("testdata/sources.txt")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]source{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); words[0] != "#" {
			list[words[0]] = source{words[1], strings.Join(words[2:], "")}
		}
	}
	return list
}

// scales are seconds, bytes a second or counts by unit.
var scales = map[string]float64{"": 1, "ms": 1e-3, "us": 1e-6, "Gb/s": 1e9 / 8, "GB/s": 1e9}

// sample splits a sample of a run: its family, the family's own label and the number.
var sample = regexp.MustCompile(`^([a-z_]+)\{run="[^}]*?algorithm="[^"]*"(?:,[a-z]+="([^"]*)")?\} (\S+)$`)

// agree checks that each sample has the value of its source, and that each value is exposed. No two values may be
// equal, so that samples that are exchanged are seen.
func agree(t *testing.T, text string, values map[string]float64) {
	t.Helper()
	by := map[float64]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if other, twice := by[values[name]]; twice {
			t.Fatalf("%s and %s are both %v: give them values of their own", name, other, values[name])
		}
		by[values[name]] = name
	}
	known, seen := sources(t), map[string]bool{}
	for line := range strings.Lines(text) {
		words := sample.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if words == nil || words[1] == "rocelab_verdict" { // its label is what it tells
			continue
		}
		from, is := known[words[1]]
		if !is {
			t.Errorf("%s is not in testdata/sources.txt", words[1])
			continue
		}
		want := 0.0
		for part := range strings.SplitSeq(strings.Replace(from.readings, "*", words[2], 1), "+") {
			if value, is := values[part]; is {
				want += value
			} else {
				t.Errorf("%s: nothing has %s", line, part)
			}
			seen[part] = true
		}
		want *= scales[from.unit]
		if got, err := strconv.ParseFloat(words[3], 64); err != nil || math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s %s of %s is %v, want %v", words[1], words[2], from.readings, got, want)
		}
	}
	for name := range values {
		if !seen[name] {
			t.Errorf("%s is not exposed", name)
		}
	}
}

// Every sample of a run that has ended has the value of its metric, its column or its instant.
func TestEverySampleOfAnEndedRun(t *testing.T) {
	files := everything()
	values := map[string]float64{"ended": 1, "model_us": 1415.5, "wall_ms": 2500}
	var summary struct{ Metrics map[string]float64 }
	if err := json.Unmarshal([]byte(files["pc4/summary.json"]), &summary); err != nil {
		t.Fatal(err)
	}
	maps.Copy(values, summary.Metrics)
	rows, err := csv.NewReader(strings.NewReader(files["pc4/flows.csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var flows bytes.Buffer // two of them
	flows.WriteString(strings.Join(rows[0], ",") + "\n")
	for _, scale := range []int{1, 1000} {
		var cells []string
		for i, column := range rows[0] {
			cells = append(cells, strconv.Itoa((10+i)*scale))
			values[column] += float64((10 + i) * scale)
		}
		flows.WriteString(strings.Join(cells, ",") + "\n")
	}
	files["pc4/flows.csv"] = flows.String()
	f := folders{}
	f.add("incast-1", files)
	agree(t, f.text(), values)
}

// Every sample of a run that goes on has the value of its last line.
func TestEverySampleOfARunThatGoesOn(t *testing.T) {
	last := going()
	last.Flows, last.QueueBytes = 9, 78
	f := folders{}
	f.add("incast-2.part", map[string]string{progressfile.File: line(t, last)})
	agree(t, f.text(), map[string]float64{
		"ended":          0,
		"model_us":       float64(last.Model) / 1e6,
		"until_us":       float64(last.Until) / 1e6,
		"wall_ms":        float64(last.Wall),
		"flows":          9,
		"completed":      1,
		"sent_bytes":     2000,
		"received_bytes": 1000,
		"marks":          5,
		"cnps":           4,
		"pauses":         3,
		"drops":          2,
		"queue_bytes":    78,
		"queue_s0:8":     77,
		"queue_s0:1":     7,
	})
}
