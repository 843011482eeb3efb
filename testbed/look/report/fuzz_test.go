package report

import (
	"io"
	"strings"
	"testing"
)

// For any content of a folder's files, there is a page or an error: names and numbers come from outside.
func FuzzFiles(f *testing.F) {
	r := plain("a")
	f.Add(r.files["flows.csv"], r.files["queues.csv"], r.files["series_queues.csv"], r.files["series_flows.csv"], 10.0)
	f.Add("", "\"", "time_us,node\n-1,s0\n", "time_us,flow,goodput_gbps\n1e9,f,.\n", -1.0)
	f.Add("flow\n\"a\nb\",2\n", "node,port,peer,queue\n", "time_us\n9223372036854.775807\n", "time_us,flow\n", 1e300)
	f.Fuzz(func(t *testing.T, flows, queues, depths, rates string, width float64) {
		r := fakeRun{
			variant: strings.ToValidUTF8(flows, "?"),
			files: map[string]string{
				"flows.csv": flows, "queues.csv": queues, "series_queues.csv": depths, "series_flows.csv": rates,
				"series_ports.csv": depths, "ports.csv": queues, "pfc.csv": queues, "events/a.sender.jsonl": rates,
				"slow_flows.csv": flows, "deadlocks.csv": queues,
				"series_values.csv": strings.Replace(rates, "goodput_gbps", "value", 1),
			},
		}
		if width == width && width < 1e300 && width > -1e300 { // what JSON can say
			r.recording = map[string]any{"width_us": width}
		}
		_ = Write(io.Discard, opened(t, "run", folderOf(t, "one", r)))
		delete(r.files, "events/a.sender.jsonl")
		_ = Write(io.Discard, opened(t, "run", folderOf(t, "one", r)))
	})
}
