package sweep

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// Runs that differ in their seeds are one row, runs of other keys or variants are not; a median covers the runs that
// have the metric, and one run has no interval.
func TestCombinations(t *testing.T) {
	line := func(kmin, variant string, seed uint64, verdict, fct string) Line {
		l := Line{Keys: map[string]string{"kmin": kmin}, Variant: variant, Seed: seed, Verdict: verdict}
		if fct != "" {
			l.Metrics = map[string]json.Number{"fct_p99_us": json.Number(fct)}
		}
		return l
	}
	lines := []Line{
		line("1KB", "a", 1, "pass", "10"), line("2KB", "a", 1, "pass", "70"), line("1KB", "a", 2, "pass", "30"),
		line("1KB", "b", 1, "missing", ""), line("1KB", "a", 3, "fail", "20"), line("1KB", "a", 4, "missing", ""),
	}
	fct, _ := result.MetricOf("fct_p99_us")
	rows := SheetOverSeeds(OverSeeds(lines, []result.Metric{fct}), []string{"kmin"}, []result.Metric{fct})
	want := [][]string{
		{"kmin", "variant", "seeds", "verdicts", "fct_p99_us", "fct_p99_us_low", "fct_p99_us_high"},
		{"1KB", "a", "4", "1 fail, 1 missing, 2 pass", "20.000", "10.000", "30.000"},
		{"2KB", "a", "1", "1 pass", "70.000", "", ""},
		{"1KB", "b", "1", "1 missing", "", "", ""},
	}
	if fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", rows, want)
	}
	grid := GridOverSeeds(OverSeeds(lines, []result.Metric{fct}), []string{"kmin"}, []result.Metric{fct})
	if got := grid.Rows[0][4]; got.Text != "20 us" || got.Detail != "[10..30]" {
		t.Errorf("%+v", got)
	}
}
