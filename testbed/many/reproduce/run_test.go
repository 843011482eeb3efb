package reproduce

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rocelab/rocelab/emulator/runfolder"
)

// The times of flows are read as every time of a run folder is. Red if a column of times is read as a number. Tier:
// -short.
func TestTimesOfFlows(t *testing.T) {
	const head = "flow,algorithm,from,to,size_bytes,start_us,completed_us,fct_us,rtt_mean_us\n"
	const row = "a,pc4,h0,h1,1000,1.5,3.000001,1.500,0.750\n"
	read := func(text string) (flow Flow, err error) {
		run := runfolder.RunIn(fstest.MapFS{"flows.csv": {Data: []byte(text)}}, ".")
		for flow, err = range runfolder.Rows[Flow](run, "flows.csv") {
		}
		return flow, err
	}
	flow, err := read(head + row)
	if err != nil || flow.Start != 1.5 || flow.End != 3.000001 || flow.FCT != 1.5 || flow.RTT != 0.75 {
		t.Errorf("%+v, %v", flow, err)
	}
	for _, cell := range []string{",1.5,", ",3.000001,", ",1.500,", ",0.750"} {
		t.Run(cell, func(t *testing.T) {
			wrong := strings.Replace(cell, cell[1:4], "-"+cell[1:4], 1)
			if _, err := read(head + strings.Replace(row, cell, wrong, 1)); err == nil ||
				!strings.Contains(err.Error(), "is not a time in microseconds") {
				t.Errorf("%s: %v", wrong, err)
			}
		})
	}
}

// A figure whose runs were refused gives the reason in place of values, without the place in a file or the key; a row
// has the columns with all runs refused. Tier: -short. Red: with the place left in the message.
func TestRefusedRuns(t *testing.T) {
	for message, want := range map[string]string{
		"p1.yaml:56:12: hpcc asks for telemetry: there is none": "hpcc asks for telemetry: there is none",
		"--set algorithm: hpcc asks for telemetry":              "hpcc asks for telemetry",
		"no room": "no room",
	} {
		t.Run(message, func(t *testing.T) {
			if got := withoutPlace(message); got != want {
				t.Errorf("%q becomes %q, want %q", message, got, want)
			}
		})
	}
	if got := (Figure{Refused: "no room"}).String(); got != "refused: no room" {
		t.Errorf("a refused figure is %q", got)
	}
	results := &Results{
		runs:    []*Run{{Column: "pc4", Variant: "a"}},
		refused: []refusal{{Run{Column: "hpcc", Variant: "a", Keys: map[string]string{"rate": "40Gbps"}}, "no room"}},
	}
	if got := results.Columns(); !slices.Equal(got, []string{"pc4", "hpcc"}) {
		t.Errorf("columns %q", got)
	}
	for _, c := range []struct{ column, key, want string }{
		{"hpcc", "rate=40Gbps", "no room"}, {"hpcc", "rate=100Gbps", ""}, {"pc4", "rate=40Gbps", ""},
	} {
		t.Run(fmt.Sprintf("column=%s,key=%s", c.column, c.key), func(t *testing.T) {
			if got := results.Refused(c.column, "a", c.key); got != c.want {
				t.Errorf("%s at %s: refused: %q, want %q", c.column, c.key, got, c.want)
			}
		})
	}
}
