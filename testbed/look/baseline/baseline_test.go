package baseline

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
)

// held is a baseline of a variant, or several, with two seeds.
func held(variants ...string) *Baseline {
	b := &Baseline{folder: "good", runs: map[runOf]*runfolder.Summary{}, manifest: &result.Manifest{
		Digest:    "dd",
		Scenario:  "incast",
		Overrides: map[string]string{"switch.buffer": "8MB", "variants": "x"},
	}}
	number := func(value float64) json.RawMessage { return json.RawMessage(strconv.FormatFloat(value, 'f', -1, 64)) }
	for _, variant := range variants {
		for seed := uint64(1); seed <= 2; seed++ {
			b.manifest.Runs = append(b.manifest.Runs, result.RunID{Variant: variant, Seed: seed})
			b.runs[runOf{variant, seed}] = &runfolder.Summary{Metrics: map[string]json.RawMessage{
				"queue_max_bytes": number(1000 * float64(seed)), // a median of 1500
				"utilisation":     number(0.8),
				"drops":           number(0),
				"marks":           number(5),
				"jain":            json.RawMessage("null"),
				"feedback_us":     number(7),
			}}
		}
	}
	return b
}

// runs are two seeds of a variant, as good as the baseline.
func runs(variant string, change func(*result.Summary)) (list []*result.Summary) {
	for seed := uint64(1); seed <= 2; seed++ {
		s := &result.Summary{
			Variant:         variant,
			Seed:            seed,
			PortFigures:     result.PortFigures{QueueMaxBytes: 1000 * seed, Utilisation: 0.8},
			SignalFigures:   result.SignalFigures{Marks: 5},
			FairnessFigures: result.FairnessFigures{Jain: math.NaN()},
			ProximalFigures: result.ProximalFigures{Feedback: 7},
		}
		if change != nil {
			change(s)
		}
		list = append(list, s)
	}
	return list
}

// A metric that is worse than allowed is named with both values, and nothing else is.
func TestJudge(t *testing.T) {
	const named = "queue_max_bytes=10%"
	queue := func(factor uint64) func(*result.Summary) {
		return func(s *result.Summary) { s.QueueMaxBytes = s.QueueMaxBytes * factor / 100 }
	}
	for _, c := range []struct {
		name       string
		change     func(*result.Summary)
		tolerances string
		metrics    int
		says       string
	}{
		{"the same", nil, "", 4, ""},
		{"a longer queue", queue(101), "", 4,
			"a: queue_max_bytes is 1.515 KB, and was 1.500 KB (+1.0 %, allowed is nothing worse)"},
		{"at the tolerance", queue(110), named, 1, ""},
		{"beyond the tolerance", queue(111), named, 1,
			"a: queue_max_bytes is 1.665 KB, and was 1.500 KB (+11.0 %, allowed is +10 %)"},
		{"beyond that of all", queue(111), "5%", 4, "a: queue_max_bytes is 1.665 KB"},
		{"a name goes before all", queue(111), "5% queue_max_bytes=20%", 4, ""},
		{"a shorter queue", queue(50), "", 4, ""},
		{"less of what is good", func(s *result.Summary) { s.Utilisation = 0.72 }, "5%", 4,
			"a: utilisation is 0.7200, and was 0.8000 (-10.0 %, allowed is -5 %)"},
		{"more of what is good", func(s *result.Summary) { s.Utilisation = 0.9 }, "", 4, ""},
		{"from nothing", func(s *result.Summary) { s.Drops = 1 }, "100%", 4,
			"a: drops is 1, and was 0 (allowed is +100 %)"},
		{"what is neither good nor bad", func(s *result.Summary) { s.Marks = 500 }, "", 4, ""},
		{"one seed alone", func(s *result.Summary) {
			if s.Seed == 2 {
				s.QueueMaxBytes = 3000
			}
		}, named, 1, "a: queue_max_bytes is 2 KB, and was 1.500 KB (+33.3 %, allowed is +10 %)"},
		{"no longer measured", func(s *result.Summary) { s.Feedback = math.NaN() }, "", 3, ""},
		{"no longer measured, by name", func(s *result.Summary) { s.Feedback = math.NaN() }, "feedback_us=10%", 1,
			"a: feedback_us is not measured, and was 7 us (allowed is +10 %)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tolerances, err := ParseTolerances(strings.Fields(c.tolerances))
			if err != nil {
				t.Fatal(err)
			}
			j := held("a").Judge(runs("a", c.change), tolerances)
			lines := j.Lines()
			if j.Metrics != c.metrics || j.Failed() != (c.says != "") || len(lines) != 1+len(j.Worse) || len(j.Worse) > 1 {
				t.Errorf("%s: %d metrics, %q", c.name, j.Metrics, lines)
			} else if c.says != "" && !strings.HasPrefix(lines[1], c.says) {
				t.Errorf("%s: %q, want %q", c.name, lines[1], c.says)
			}
			if d := j.Document(); d.Failed != j.Failed() || len(d.Worse) != len(j.Worse) {
				t.Errorf("%s: %+v", c.name, d)
			}
		})
	}
}

// Variants are compared with those of their names, except a single one with a single one; variants and seeds that the
// baseline does not have are reported.
func TestJudgePairsRuns(t *testing.T) {
	everything := Tolerances{}
	if j := held("a").Judge(runs("b", nil), everything); j.Failed() || j.Metrics == 0 {
		t.Errorf("one alone: %q", j.Lines())
	}
	if j := held("a", "b").Judge(runs("c", nil), everything); !j.Failed() || j.Metrics != 0 {
		t.Errorf("another name: %q", j.Lines())
	}
	two := append(runs("a", nil), runs("c", nil)...)
	if j := held("a").Judge(two, everything); j.Failed() || len(j.Unknown) != 1 || j.Unknown[0] != "c" {
		t.Errorf("one more: %q", j.Lines())
	}
	if j := held("a").Judge(runs("a", func(s *result.Summary) { s.Seed += 10 }), everything); !j.Failed() {
		t.Errorf("other seeds: %q", j.Lines())
	}
}

// A baseline of another scenario is refused; other algorithms and seeds are its purpose.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		digest    string
		overrides map[string]string
		fits      bool
	}{
		{"dd", map[string]string{"switch.buffer": "8MB"}, true},
		{"dd", map[string]string{"switch.buffer": "8MB", "variants": "y", "seed": "4"}, true},
		{"dd", map[string]string{"switch.buffer": "8MB", "algorithm": "pc4", "traffic.algorithm": "hpcc"}, true},
		{"ee", map[string]string{"switch.buffer": "8MB"}, false},
		{"dd", nil, false},
		{"dd", map[string]string{"switch.buffer": "9MB"}, false},
		{"dd", map[string]string{"switch.buffer": "8MB", "variants.a.switch.buffer": "1MB"}, false},
	} {
		if err := held("a").Fits("x", c.digest, c.overrides); (err == nil) != c.fits {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Malformed tolerances are refused with the allowed form.
func TestParseTolerances(t *testing.T) {
	for text, says := range map[string]string{
		"5":                   "such as 5%",
		"-1%":                 "from 0%",
		"NaN%":                "from 0%",
		"queue_max_byte=5%":   "did you mean queue_max_bytes?",
		"marks=5%":            "none can be worse",
		"queue_max_bytes=abc": "such as 5%",
		"queue_max_bytes=":    "such as 5%",
		"1e9%":                "to 100000%",
		"":                    "such as 5%",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if _, err := ParseTolerances([]string{text}); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%q: %v", text, err)
			}
		})
	}
}

// A difference in digits that people are not shown is printed with all of them, and the edge of a bin with its sign.
func TestFiguresOfADifference(t *testing.T) {
	for _, c := range []struct {
		d    difference
		want string
	}{
		{difference{Metric: "rtt_mean_us", Was: 5.9951, Is: 43.028}, "rtt_mean_us is 43.03 us, and was 5.995 us ("},
		{difference{Metric: "fct_mean_us", Was: 14077.612, Is: 14077.613},
			"fct_mean_us is 14077.613 us, and was 14077.612 us ("},
		{difference{Metric: "queueing_p99_us", Was: 5, WasEdge: result.AtMost, Is: 60.42}, "is 60.42 us, and was \u2264 5"},
		{difference{Metric: "queue_p99_bytes", WasEdge: result.AtLeast, Is: 16384, IsEdge: result.AtLeast},
			"is \u2265 16.38 KB, and was < 8.192 KB ("},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			if got := c.d.String(); !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
