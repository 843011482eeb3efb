package reproduction

import (
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
		wrong := strings.Replace(cell, cell[1:4], "-"+cell[1:4], 1)
		if _, err := read(head + strings.Replace(row, cell, wrong, 1)); err == nil ||
			!strings.Contains(err.Error(), "is not a time in microseconds") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
