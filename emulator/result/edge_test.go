package result

import (
	"fmt"
	"math"
	"testing"
)

// A metric or column whose values are edges of bins is marked so in its output, and an exact value has no sign. Tier:
// -short, as all of this file.
func TestEdges(t *testing.T) {
	values := map[string]float64{"rtt_p99_us": 5, "rtt_max_us": 9, "queueing_p50_us": 7, "queueing_max_us": 7,
		"fct_p99_us": 3, "fct_max_us": 4, "queue_p99_bytes": 16384, "queue_p50_bytes": 0, "queue_max_bytes": 20000,
		"wait_p99_us": 2, "wait_max_us": 3, "depth_p99_bytes": 8192, "depth_max_bytes": 9000, "wait_mean_us": 1,
		"rtt_sample_p99_us": math.NaN()}
	of := func(name string) (float64, bool) { value, known := values[name]; return value, known }
	for name, want := range map[string]string{
		"rtt_p99_us": "\u2264 5 us", "queueing_p50_us": "7 us", "fct_p99_us": "3 us", "queue_max_bytes": "20 KB",
		"queue_p99_bytes": "\u2265 16.38 KB", "queue_p50_bytes": "< 8.192 KB", "rtt_sample_p99_us": "",
	} {
		t.Run(name, func(t *testing.T) {
			m, known := MetricOf(name)
			if got := m.EdgeOf(of).Text(m, values[name]); !known || got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		})
	}
	values["queue_max_bytes"] = 0
	if m, _ := MetricOf("queue_p50_bytes"); m.EdgeOf(of) != Exact {
		t.Error("the length of a queue that was always empty is exact")
	}
	for _, c := range []struct {
		file, column string
		want         Edge
	}{
		{"queues.csv", "wait_p99_us", AtMost}, {"queues.csv", "depth_p99_bytes", AtLeast},
		{"queues.csv", "wait_max_us", Exact}, {"queues.csv", "wait_mean_us", Exact},
		{"flows.csv", "rtt_p99_us", AtMost}, {"flows.csv", "wait_p99_us", Exact},
		{"queues.csv", "owd_p99_us", Exact}, {"flows.csv", "owd_p99_us", Exact}, // there is no such value here
	} {
		t.Run(fmt.Sprintf("file=%s,column=%s", c.file, c.column), func(t *testing.T) {
			if got := ColumnEdge(c.file, c.column, of); got != c.want {
				t.Errorf("%s of %s: %q, want %q", c.column, c.file, got, c.want)
			}
		})
	}
	values["wait_p99_us"] = 3
	if ColumnEdge("queues.csv", "wait_p99_us", of) != Exact {
		t.Error("the largest wait is exact")
	}
}
