package theory

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// hpccRows are HPCC's utilisation: of W = W eta/U + W_AI, summed over N flows, follows U = eta + N W_AI / (B T), with
// the headers of W_AI on the wire.
func hpccRows(flows int) []*row {
	const eta, step, data, ack = 0.95, 80, onWire + 16, ackWire + 16
	return []*row{{
		name:      fmt.Sprintf("of %d HPCC flows is eta and the steps of all", flows),
		of:        "busy share of the port",
		source:    "Li et al., SIGCOMM 2019, section 3.3 and Algorithm 1",
		tolerance: 0.01,
		why:       "U counts the queue, 0.5 % of a BDP",
		predicted: func() float64 {
			bdp := baseRTT(2, data, ack, 100) / us(1, 100)
			return eta + float64(flows)*step*data/payload/bdp
		},
		measured: func() float64 {
			return between(star(flows, "100Gbps", "hpcc", ""), "10ms", "20ms").busy(0, flows)
		},
	}}
}

// hpccReading is the U that the senders themselves read, which counts the queue, too.
var hpccReading = []*row{{
	name:      "of 16 HPCC flows is that U, queue included",
	of:        "mean U of all senders",
	source:    hpccRows(16)[0].source,
	tolerance: hpccRows(16)[0].tolerance,
	why:       "a window of whole packets in flight",
	predicted: hpccRows(16)[0].predicted,
	measured: func() float64 {
		sum, samples := 0.0, 0.0
		watching := mutant.Wrap{Sender: func(s cc.Sender) cc.Sender {
			return reader{s, func(e *cc.Event) {
				var values [3]float64
				if hosting.ReadValues(s, values[:]); e.Kind == cc.EventAck && e.Now > unit.Time(10*unit.Millisecond) {
					sum, samples = sum+values[0], samples+1
				}
			}}
		}}
		lab.Do(planOf(star(16, "100Gbps", "hpcc", "run: {until: 20ms}\n")),
			lab.Options{Algorithms: watching.In("hpcc"), Lossy: true})
		return sum / samples
	},
}}

// reader looks at a sender after each event.
type reader struct {
	cc.Sender
	look func(*cc.Event)
}

func (r reader) Handle(e *cc.Event, d *cc.Decision) {
	r.Sender.Handle(e, d)
	r.look(e)
}
