package plan

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Values that algorithms report about themselves have a grid of their own: the finest for which 8 values of every flow
// have room beside all other series, for any algorithms.
func TestGridOfValues(t *testing.T) {
	for _, c := range []struct{ ports, flows, series, values int }{
		{10, 2, 512, 512},
		{200, 100, 512, 512},
		{256, 256, 512, 128},
		{256, 200, 512, 256},
		{256, 150, 512, 256}, // 7 values a flow would have room for 512
		{257, 256, 512, 512}, // ports have no series
		{10, 257, 512, 0},    // nor have flows
	} {
		t.Run(fmt.Sprintf("ports=%v,flows=%v", c.ports, c.flows), func(t *testing.T) {
			p := fabricOfAll()
			p.Flows = make([]Flow, c.flows)
			p.Switches = nil
			device := &p.Devices[0]
			device.Links = nil
			device.Links = make([]int, max(0, c.ports-p.ports()))
			r := p.Recording()
			if r.Grid.Most != c.series || r.Values.Most != c.values || r.Values.On() != (c.values > 0) {
				t.Errorf("%d ports, %d flows: grids %+v and %+v, want bins %d and %d", p.ports(), c.flows, r.Grid, r.Values,
					c.series, c.values)
			}
			taken := p.series(&r)*r.Grid.Most + c.flows*valuesOfFlow*r.Values.Most
			if unit.Bytes(taken*binBytes) > mostRecorded {
				t.Errorf("%d ports, %d flows: series take %d B", c.ports, c.flows, taken*binBytes)
			}
		})
	}
	p := fabricOfAll()
	p.Flows = make([]Flow, 1000)
	p.Record.Interval = unit.Millisecond
	if r := p.Recording(); r.Values != (record.Grid{Width: unit.Millisecond}) {
		t.Errorf("with an interval: %+v", r.Values)
	}
	p.Record.Interval, p.Record.Off = 0, true
	if r := p.Recording(); r.Values.On() {
		t.Errorf("with nothing recorded: %+v", r.Values)
	}
}
