package report

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rocelab/rocelab/emulator/result"
)

// A name becomes words: the noun, then the statistic, without the unit; that of a job has the job first.
func TestLabels(t *testing.T) {
	for name, want := range map[string]string{
		"fct_p99_us":               "completion, p99",
		"queue_max_bytes":          "longest queue",
		"xoff_least_bytes":         "XOFF, least",
		"tx_bytes":                 "sent",
		"goodput_gbps":             "goodput",
		"job1.iteration_mean_us":   "job1: iteration, mean",
		"a.b.iteration_p50_us":     "a.b: iteration, median",
		"drops_no_buffer":          "drops: no buffer",
		"wait_share_spine":         "share of wait: spine",
		"lag_p99.9_us":             "lag, p99.9",
		"size_bytes":               "size",
		"node":                     "node",
		"something_that_is_unread": "something that is unread",
	} {
		t.Run(name, func(t *testing.T) {
			if got := label(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		})
	}
}

// The label of a metric is of that metric, and has letters, digits and signs only.
func TestLabelsOfMetricsDiffer(t *testing.T) {
	of := map[string]string{}
	for _, m := range result.Metrics() {
		text := label(m.Name)
		if other := of[text]; other != "" {
			t.Errorf("%s and %s are both %q", other, m.Name, text)
		}
		if of[text] = m.Name; strings.Contains(text, "_") || text == "" {
			t.Errorf("%s: %q", m.Name, text)
		}
	}
}

// Heads of columns and of rows that are metrics have words, and in their attributes the names that files have.
func TestHeadsAreWords(t *testing.T) {
	r := plain("a")
	r.metrics = map[string]float64{"fct_p99_us": 9, "goodput_gbps": 40}
	r.files["queues.csv"] = "node,port,peer,queue,treatment,frames,depth_max_bytes\ns0,1,h1,3,lossless,7,9000\n"
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	names := map[string]string{}
	each(root, func(n *html.Node) {
		if n.Data != "th" {
			return
		}
		if text := textOf(n); strings.Contains(text, "_") {
			t.Errorf("a head is %q", text)
		} else if name := attribute(n, "data-name"); name != "" {
			if names[name] = text; !strings.HasPrefix(attribute(n, "title"), name) {
				t.Errorf("%q has the title %q", text, attribute(n, "title"))
			}
		}
	})
	for name, want := range map[string]string{"fct_p99_us": "completion, p99", "depth_max_bytes": "longest queue"} {
		t.Run(name, func(t *testing.T) {
			if names[name] != want {
				t.Errorf("%s is %q, want %q", name, names[name], want)
			}
		})
	}
}
