package result

import (
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The worst queue is the longest of a switch, whole, until the end of the run.
func TestWorstQueue(t *testing.T) {
	o := series(star())
	us := func(n int64) unit.Time { return unit.Time(n) * unit.Time(unit.Microsecond) }
	for _, other := range []struct {
		queue *record.Queue
		depth uint32
	}{
		{o.NICs[0].Queues.Of(3), 100_000}, // of no switch
		{o.Switches[0].Ports[1].Queues.Of(3), 5409},
		{o.Switches[0].Ports[2].Queues.Of(4), 5409},
	} {
		other.queue.Frames = 1
		other.queue.Depth = &record.Series{Kind: record.Max, Bins: []uint32{other.depth, other.depth}}
	}
	want := &WorstQueue{
		Place: "s0:2",
		Max:   5410,
		End:   o.End,
		Bins:  []DepthBin{{0, us(5), 5410}, {us(10), min(us(15), o.End), 1082}},
	}
	if got := o.WorstQueue(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := star().WorstQueue(); got != nil {
		t.Errorf("without a series: %+v", got)
	}
}
