package oracle

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// compare compares all metrics of a run with its frames, and returns the names of present ones that are not 0.
func compare(t *testing.T, s *seen) (told []string) {
	t.Helper()
	a := s.account()
	for i := range table {
		told = append(told, s.compareRow(t, &table[i], "", a)...)
	}
	for i := range s.plan.Collectives {
		job := *a
		job.iterations = a.jobs.iterate(s.plan.Collectives[i : i+1])
		for k := range table {
			if len(s.plan.Collectives) > 1 && slices.Contains(result.JobMetricNames(), table[k].metric) {
				told = append(told, s.compareRow(t, &table[k], s.plan.Collectives[i].Name+".", &job)...)
			}
		}
	}
	if s.summary.Endless != a.endless {
		t.Errorf("%d flows without a size, want %d", s.summary.Endless, a.endless)
	}
	if s.summary.Bottleneck != a.bottleneck {
		t.Errorf("bottleneck is %s, by its frames %s", s.summary.Bottleneck, a.bottleneck)
	}
	if _, basis := a.jain(a.flows); s.summary.JainBasis != basis {
		t.Errorf("jain is of %s, want %s", s.summary.JainBasis, basis)
	}
	return told
}

// compareRow holds a metric, whose name has a prefix if it is a job's, to its row, and returns it if it is not zero.
func (s *seen) compareRow(t *testing.T, r *row, prefix string, a *account) (told []string) {
	t.Helper()
	got, ok := s.summary.Value(prefix + r.metric)
	if !ok {
		t.Errorf("there is no metric %s%s", prefix, r.metric)
		return nil
	}
	if got != 0 && !math.IsNaN(got) {
		told = append(told, r.metric)
	}
	want := r.of(a)
	if r.most != nil && want < got && got <= r.most(a) {
		return told
	}
	if math.IsNaN(want) != math.IsNaN(got) || !math.IsNaN(want) && !r.within.holds(want, got) {
		t.Errorf("%s%s is %v, by its frames %v (%s; %s)", prefix, r.metric, got, want, r.how, r.within.name)
	}
	return told
}

// untold are the metrics that no fixed scenario makes, with the tests that do.
var untold = map[string]string{
	"drops_no_route":      "switchd",
	"drops_ttl":           "switchd",
	"drops_flood":         "switchd",
	"discards_unknown_qp": "nicd",
	"discards_wrong_peer": "nicd",
	"discards_acl":        "edge",
	"discards_link_local": "switchd",
	"discards_same_port":  "switchd",
	"deadlocks":           "specs/lossless",

	"outage_recovery_max_us":     "specs/verdicts",
	"outage_settled_us":          "specs/verdicts",
	"outage_lost_no_route_bytes": "specs/verdicts",
	"outage_flows":               "specs/verdicts",
	"outage_unrecovered_flows":   "specs/verdicts",
}

// The metrics of runs with all features equal their frames' evidence, and each is present in one of them.
func TestMetricsOfFixedScenarios(t *testing.T) {
	var told []string
	ran := 0
	for _, c := range fixed {
		t.Run(c.name, func(t *testing.T) {
			ran++
			told = append(told, compare(t, watch(t, plansOf(t, c.text)[0], mem.Options{}))...)
		})
	}
	t.Run("edges", func(t *testing.T) {
		told = append(told, compare(t, watchEdges(t, withEdges, 12*unit.Microsecond))...)
		compare(t, watchEdges(t, quiet, 40*unit.Microsecond))
	})
	for i := range table {
		name := table[i].metric
		if ran < len(fixed) {
			break // -run asks for one of them
		}
		if where := untold[name]; (where == "") != slices.Contains(told, name) {
			t.Errorf("%s: told by a fixed scenario %v, and by %q", name, slices.Contains(told, name), where)
		}
	}
}

// The metrics of random runs equal their frames' evidence. Tier: -short for the first, everyday for some, more at
// night.
func TestMetricsOfDrawnScenarios(t *testing.T) {
	first, seeds := uint64(0), uint64(60)
	switch {
	case testing.Short():
		seeds = 3
	case tier.RunsNight():
		seeds = 5000
	case tier.RunsSlow():
		seeds = 400
	}
	for seed := first; seed < seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			text := drawn(seed)
			if _, err := scenario.Parse("oracle.yaml", []byte(text), model.Checker(shipped.Find)); err != nil &&
				strings.Contains(err.Error(), "receiver ooo tracks ") { // of too little for its path
				text = strings.Replace(text, "receiver: ooo", "receiver: gbn", 1)
			}
			compare(t, watch(t, plansOf(t, text)[0], mem.Options{}))
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// Every metric has its row, in the order of the product, and few have another source than frames.
func TestEveryMetricHasARow(t *testing.T) {
	var names, others []string
	for i := range table {
		names = append(names, table[i].metric)
		if table[i].source != "" {
			others = append(others, table[i].metric)
		}
	}
	for _, name := range result.MetricNames() {
		if !slices.Contains(names, name) {
			t.Errorf("%s has no row in the table: work it out from frames, or name another source", name)
		}
	}
	if want := 17; len(others) != want {
		t.Errorf("%d rows have another source than frames, want %d: %v", len(others), want, others)
	}
}

// own are the numbers of the summary that are not metrics: compare checks Endless against the frames, the others name
// the run.
var own = []string{"Seed", "Models", "Trace", "Endless"}

// Every exported number of the summary is one that a metric, and so a row, reads.
func TestEveryNumberOfTheSummaryIsRead(t *testing.T) {
	random := chance.New(1, "numbers")
	var visit func(path string, v reflect.Value, summary *result.Summary)
	visit = func(path string, v reflect.Value, summary *result.Summary) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				f, place := v.Type().Field(i), path
				if !f.Anonymous { // the sections of the summary
					place += "." + f.Name
				}
				if f.IsExported() && !slices.Contains(own, f.Name) {
					visit(place, v.Field(i), summary)
				}
			}
		case reflect.Array:
			for i := range v.Len() {
				if path != ".ByReason" || i > 0 && !slices.Contains(injected, dropName(i)) {
					visit(fmt.Sprintf("%s[%d]", path, i), v.Index(i), summary)
				}
			}
		case reflect.Float64, reflect.Uint64, reflect.Int:
			value, read := 1+random.Below(1<<40), 0
			if v.Kind() == reflect.Float64 {
				v.SetFloat(float64(value))
			} else {
				v.Set(reflect.ValueOf(value).Convert(v.Type()))
			}
			for i := range table {
				if table[i].metric == "drops_congestion" {
					continue // a sum of numbers that have metrics of their own
				}
				if got, _ := summary.Value(table[i].metric); got == float64(value) {
					read++
				}
			}
			if read != 1 {
				t.Errorf("%d metrics are Summary%s, want one", read, path)
			}
		}
	}
	summary := new(result.Summary)
	visit("", reflect.ValueOf(summary).Elem(), summary)
}
