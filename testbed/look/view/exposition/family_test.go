package exposition_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/view/exposition"
)

// everything is a run folder with a number in every metric and column.
func everything() map[string]string {
	metrics := map[string]float64{}
	for i, name := range result.MetricNames() {
		metrics[name] = float64(1000 + i)
	}
	text, _ := json.Marshal(map[string]any{"variant": "pc4", "algorithm": "pc4", "seed": 7, "metrics": metrics})
	files := ended()
	files["pc4/summary.json"] = string(text)
	files["pc4/flows.csv"] = "acked_bytes,received_bytes,rp_cnp_handled,np_ecn_marked_roce_packets,out_of_sequence," +
		"reordered_packets,duplicate_packets,naks_received,roce_slow_restart_cnps,roce_adp_retrans_to\n" +
		"1,2,3,4,5,6,7,8,9,10\n"
	return files
}

// Every metric of a summary is exposed, each under one name; a new one wants its line in table.go.
func TestEveryMetricIsExposed(t *testing.T) {
	exposed := func(files map[string]string) int {
		f := folders{}
		f.add("incast-1", files)
		samples := 0
		for line := range strings.Lines(f.text()) {
			if strings.HasPrefix(line, "rocelab_") {
				samples++
			}
		}
		return samples
	}
	all := exposed(everything())
	for _, name := range result.MetricNames() {
		files := everything()
		files["pc4/summary.json"] = strings.Replace(files["pc4/summary.json"], `"`+name+`":`, `"unheard_of":`, 1)
		if got := exposed(files); got != all-1 {
			t.Errorf("without %s there are %d samples less; expected 1 less", name, all-got)
		}
	}
}

// Names say type and unit, as Prometheus' documentation on naming has it.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range exposition.Families() {
		if seen[f.Name] {
			t.Errorf("%s is there twice", f.Name)
		}
		seen[f.Name] = true
		if got := strings.HasSuffix(f.Name, "_total"); got != (f.Type == exposition.Counter) {
			t.Errorf("%s is a %s", f.Name, f.Type)
		}
		if got := strings.HasPrefix(f.Name, "rocelab_"); got == (f.Type == exposition.Untyped) {
			t.Errorf("%s is %s", f.Name, f.Type)
		}
		if !f.While && !f.When {
			t.Errorf("%s is of no run", f.Name)
		}
	}
}
