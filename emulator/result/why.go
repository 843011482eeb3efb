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
	}
	w.fabric.Width = max(w.sends, w.load)
	w.fabric.Bins = int((o.End + unit.Time(w.fabric.Width) - 1) / unit.Time(w.fabric.Width))
	for node := range o.Plan.EachNode {
		w.addPorts(&node)
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
	// first is the number of each node's first port. ends are the ports, and hops their links, by number.
	first []int
	ends  []plan.End
	hops  []fabric.Hop
}

// folded is a series in the fabric's bins.
func (w *whyOf) folded(series *record.Series, width unit.Duration) *record.Series {
	if series == nil {
		return nil
	}
	return series.Folded(bits.Len64(uint64(w.fabric.Width/width))-1, new(record.Series))
}

// addPorts numbers the ports of a node.
func (w *whyOf) addPorts(node *plan.Node) {
	w.first = append(w.first, len(w.ends))
	recorded := w.portsOf(node)
	for number := range node.Links {
		tx, rec := w.Plan.AttachmentAt(node, number).Tx, &recorded[number]
		port := attribution.Port{
			Rate:   tx.Rate,
			Load:   w.folded(rec.Load, w.load),
			Paused: w.folded(rec.Held, w.load),
		}
		if node.Kind == plan.KindSwitch {
			rules := &w.Plan.Switches[node.Index].Profile
			port.Weights, port.Strict = rules.Weight[:], rules.Strict[:]
		}
		w.fabric.Ports = append(w.fabric.Ports, port)
		w.ends = append(w.ends, plan.End{Node: node.ID, Port: number})
		w.hops = append(w.hops, fabric.Hop{Channel: tx, Transit: plan.TransitOf(w.Plan, node.ID)})
	}
}

// port is the number of a port.
func (w *whyOf) port(end plan.End) int { return w.first[end.Node] + end.Port }

// steps are the ports of a way; the first is reached after a delay.
func (w *whyOf) steps(flow int, way []Step, delay unit.Duration) (steps []attribution.Step) {
	steps = make([]attribution.Step, 0, len(way))
	for i := range way {
		step := &way[i]
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
func (w *whyOf) hop(end plan.End) fabric.Hop { return w.hops[w.port(end)] }

// path is a way, by the first port of each hop.
func (w *whyOf) path(way []Step) (path fabric.Path) {
	path = make(fabric.Path, 0, len(way))
	for i := range way {
		step := &way[i]
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
