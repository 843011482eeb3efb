package result

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Cause is the reason for the duration of a flow.
type Cause struct {
	attribution.Parts
	// Bottleneck is the port of its way that was the bottleneck for the most time, nil for none.
	Bottleneck *plan.End
	// Root is the port whose queue caused the flow's pauses by PFC, nil if it was not paused.
	Root *plan.End
	// Takers are up to three flows that had the most beyond their fair share there while it contended.
	Takers []int
	// HeldBackAt has the rates during the time in which it was held back.
	attribution.HeldBackAt
}

// FindWhy divides the time of every flow by cause, if the states of senders and ports were recorded. way is as in
// FindSlow; beside returns the ways of a flow by the other members of the ECMP group at a port of its way, from that
// port on.
func (o *Outcome) FindWhy(way func(flow int) []Step, beside func(flow int, at plan.End) [][]Step) {
	recording := o.Plan.Recording()
	if !recording.Sends.On() || o.End == 0 {
		return
	}
	w := whyOf{
		Outcome: o,
		sends:   recording.Sends.WidthAt(o.End),
		load:    recording.Grid.WidthAt(o.End),
		ports:   map[plan.End]int{},
	}
	w.fabric.Width = max(w.sends, w.load)
	w.fabric.Bins = int((o.End + unit.Time(w.fabric.Width) - 1) / unit.Time(w.fabric.Width))
	for node := range o.Plan.EachNode {
		for port := range node.Links {
			w.port(plan.End{Node: node.ID, Port: port})
		}
	}
	for i := range o.Flows {
		w.addFlow(i, way(i), beside)
	}
	w.fabric.Prepare()
	o.Why = make([]Cause, len(o.Flows))
	for i, divided := range w.fabric.Divide() {
		o.Why[i] = Cause{Parts: divided.Parts, Takers: divided.Takers, HeldBackAt: divided.HeldBackAt}
		if divided.Port >= 0 {
			o.Why[i].Bottleneck = &way(i)[divided.Port].End
		}
		if divided.Root >= 0 {
			o.Why[i].Root = &w.ends[divided.Root]
		}
	}
	o.WhyWidth = w.fabric.Width
	w.divideJobs(way)
}

// whyOf is an outcome on the way to its attribution.
type whyOf struct {
	*Outcome
	fabric attribution.Fabric
	// sends and load are the widths of the bins of the series of flows and ports.
	sends, load unit.Duration
	ports       map[plan.End]int
	ends        []plan.End
}

// folded is a series in the fabric's bins.
func (w *whyOf) folded(series *record.Series, width unit.Duration) *record.Series {
	if series == nil {
		return nil
	}
	return series.Folded(bits.Len64(uint64(w.fabric.Width/width))-1, new(record.Series))
}

// port is the number of a port.
func (w *whyOf) port(end plan.End) int {
	if number, known := w.ports[end]; known {
		return number
	}
	node := w.Plan.Node(end.Node)
	rec := &w.portsOf(&node)[end.Port]
	port := attribution.Port{
		Rate:   w.Plan.AttachmentAt(&node, end.Port).Tx.Rate,
		Load:   w.folded(rec.Load, w.load),
		Paused: w.folded(rec.Held, w.load),
	}
	if node.Kind == plan.KindSwitch {
		rules := &w.Plan.Switches[node.Index].Profile
		port.Weights, port.Strict = rules.Weight[:], rules.Strict[:]
	}
	number := len(w.fabric.Ports)
	w.ports[end] = number
	w.ends = append(w.ends, end)
	w.fabric.Ports = append(w.fabric.Ports, port)
	return number
}

// steps are the ports of a way; the first is reached after a delay.
func (w *whyOf) steps(flow int, way []Step, delay unit.Duration) (steps []attribution.Step) {
	for i, step := range way {
		if i > 0 && step.Hop > way[i-1].Hop {
			hops := fabric.Path{w.hop(way[i-1].End), w.hop(step.End)}
			delay += hops.Start(1, w.packetBytes(flow, w.Plan.MTU), w.Plan.Accounting)
		}
		steps = append(steps, attribution.Step{
			Port:  w.port(step.End),
			Queue: w.queueAt(step.Node, flow),
			Hop:   step.Hop,
			Share: step.Share,
			Delay: delay,
		})
	}
	return steps
}

// queueAt returns the egress queue in which a flow's data waits at a node; 0 if the node does not sort frames.
func (w *whyOf) queueAt(id plan.NodeID, flow int) int {
	node := w.Plan.Node(id)
	if node.Kind != plan.KindSwitch {
		return 0
	}
	ran := w.flow(flow)
	return int(w.Plan.Switches[node.Index].Profile.QueueOf[ran.classAt(&node)])
}

// hop is the link at a port, and what the node that sends into it adds.
func (w *whyOf) hop(end plan.End) fabric.Hop {
	node := w.Plan.Node(end.Node)
	return fabric.Hop{Channel: w.Plan.AttachmentAt(&node, end.Port).Tx, Transit: plan.TransitOf(w.Plan, end.Node)}
}

// path is a way, by the first port of each hop.
func (w *whyOf) path(way []Step) (path fabric.Path) {
	for i, step := range way {
		if i == 0 || step.Hop > way[i-1].Hop {
			path = append(path, w.hop(step.End))
		}
	}
	return path
}

// packetBytes returns the length, as counted on a wire, of a packet of a flow with the given payload.
func (w *whyOf) packetBytes(flow int, payload unit.Bytes) unit.Bytes {
	return payload - w.Plan.MTU + w.Flows[flow].PacketBytes
}

func (w *whyOf) addFlow(number int, way []Step, beside func(flow int, at plan.End) [][]Step) {
	ran := &w.Flows[number]
	added := attribution.Flow{Spent: ran.Sender.Spent, Way: w.steps(number, way, 0)}
	if s := ran.Sender.Sends; s != nil {
		added.Sends = &record.SendSeries{
			Sending:  *w.folded(&s.Sending, w.sends),
			PortBusy: *w.folded(&s.PortBusy, w.sends),
			Held:     *w.folded(&s.Held, w.sends),
		}
	}
	added.Packet, added.Travel = w.travel(number, way)
	added.Beside = func(step int) (ways [][]attribution.Step) {
		for _, other := range beside(number, way[step].End) {
			ways = append(ways, w.steps(number, other, added.Way[step].Delay))
		}
		return ways
	}
	w.fabric.Flows = append(w.fabric.Flows, added)
}
