package plan

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Plan is a resolved experiment. Everything in it is in a fixed order; two
// plans that are equal run alike.
type Plan struct {
	// Name labels the run; Seed seeds every stream of chance.
	Name string
	Seed uint64
	// Fabric names, for reports, a published fabric and in what size it is:
	// "two-dc at 1/8 of full size". "" for any other.
	Fabric string
	// Accounting is the rule for time on the wire.
	Accounting wire.Accounting
	// MTU is the payload of a full-size packet. Default 1000 B.
	MTU unit.Bytes

	// Switches, NICs, WANs, Devices and Links are the fabric. Nodes are numbered in that order, as in NodeID.
	Switches []Switch
	NICs     []NIC
	WANs     []WAN
	Devices  []Device
	Links    []Link

	// Flows are numbered by their place.
	Flows []Flow
	// Collectives are the operations that some of them carry out.
	Collectives []Collective
	// Peers are the connections to real stacks.
	Peers []Peer `json:",omitempty"`
	// Controller reports to receivers the number of their flows.
	Controller Controller
	// Failover is the switches' behaviour towards links that are down; nil if routes stay as they are.
	Failover *Failover `json:",omitempty"`

	// Until ends the run at that instant; 0 ends it at the first multiple of
	// EndGrid after the last flow completed. Limit ends, as a failure, a run
	// that never completes. Defaults 0, 10 us and 10 s.
	Until, Limit unit.Time
	EndGrid      unit.Duration

	Record Record
	Expect Expect
}

// Switch is a switch of the plan.
type Switch struct {
	Name    string
	Profile profile.Switch
	// Links are the links at its ports, in the order of the ports; Routes
	// gives, for each station by number, which is each NIC and behind them each
	// edge, the set of ports on shortest paths to it as an index into NextHops.
	Links []int
	// PortNames are the names of its ports, in their order; nil if it has none. Nothing in a run depends on them.
	PortNames []string `json:"-"`
	Routes    []uint16
	NextHops  [][]uint16
	// Epochs are the changes of Routes in the run, in their order; none without a Failover.
	Epochs []fabric.Epoch `json:",omitempty"`
	// Reboots are the spans during which the switch reboots. Each of its links has an outage then.
	Reboots []fabric.Outage `json:",omitempty"`
	// Faults are the other faults of the switch, in the order of the scenario.
	Faults []fault.Planned `json:",omitempty"`
	// Tree marks each port that belongs to the spanning tree of the switches or leads to an edge; ports to NICs are not
	// in it. nil in a plan without edges.
	Tree []bool
	// Proximity is the fabric as proximal CNP knows it; nil if all switches lack it.
	Proximity *Proximity
}

// NIC is a NIC of the plan: the only port of a host, or one of several.
type NIC struct {
	Name    string
	Profile profile.NIC
	// Server names the server that holds the NIC; a NIC with a server of its own has its own name there, and "" means
	// the same. It matters only to the testbed, in which a server is one container.
	Server string
	// Link is the link at its port; IP its address, 10.0.0.1 and on.
	Link int
	IP   uint32
	// Ranks are the parts of collectives that run here.
	Ranks []Rank
	// Faults are the faults of the NIC other than Profile.Storms, in the order of the scenario.
	Faults []fault.Planned `json:",omitempty"`
}

// FirstIP is the address of NIC 0; NIC i has FirstIP + i.
const FirstIP = 10<<24 | 1

// Link joins two ports. Direction 2i of link i is from A to B, 2i+1 from B to
// A: those are the fabric's LinkIDs.
type Link struct {
	A, B End
	// Forward is the channel from A to B, Backward the one from B to A.
	Forward, Backward fabric.Channel
	// Loss is the probability that a frame, one of LossOf, is lost, in the
	// directions of LossWay.
	Loss   float64
	LossOf fabric.Frames `json:",omitzero"`
	// LossIn narrows LossOf; nil if it does not.
	LossIn  *fabric.Gray `json:",omitempty"`
	LossWay Way          `json:",omitzero"`
	// BER is the probability that a bit is wrong, in the directions of BERWay.
	BER     float64 `json:",omitzero"`
	BERWay  Way     `json:",omitzero"`
	Outages []fabric.Outage
	// Slow are the spans during which the link has a lower rate; they do not overlap in a direction.
	Slow []Slow `json:",omitempty"`
	// Harms happen to frames on the link, in their order.
	Harms []fabric.Harm `json:",omitempty"`
	// Knows has the outages as its ends know them, A first; nil if both know all at once.
	Knows *[2]fabric.Knowledge `json:",omitempty"`
	// Withdrawn are the spans during which its ends, A first, keep it out of the routes although it may be up: in a
	// drain they use it only if no other way is left. They count if the plan has a Failover, and may overlap outages.
	Withdrawn [2][]fabric.Outage `json:",omitzero"`
	// Line is its line in the scenario, for messages; 0 for none.
	Line int
}

// Slow is a span during which a link has a lower rate, in the directions of Way.
type Slow struct {
	fabric.Slow
	Way Way `json:",omitzero"`
}

// slowIn returns the spans during which a direction is slow.
func (l *Link) slowIn(way Way) (list []fabric.Slow) {
	for _, s := range l.Slow {
		if s.Way == BothWays || s.Way == way {
			list = append(list, s.Slow)
		}
	}
	return list
}

// Way is a set of directions of a link.
type Way = fabric.Way

// The ways.
const (
	BothWays = fabric.BothWays
	// AToB and BToA are the two directions.
	AToB = fabric.AToB
	BToA = fabric.BToA
)

// End is one end of a link.
type End struct {
	Node NodeID
	Port int
}

// Flow is a flow of the plan: messages written over one reliable connection.
type Flow struct {
	// Name is unique; Group is the traffic entry that it came from.
	Name, Group string
	// Src numbers a NIC, Dst a station: a NIC, or behind them the edge at which a flow ends whose packets are the
	// requests of one of Peers.
	Src, Dst int
	// Size is the payload in bytes, 0 for a flow that runs until Stop.
	Size unit.Bytes
	// Message is the largest WRITE message; 0 for one message of up to 2 GiB.
	Message unit.Bytes
	// Messages, if not nil, has the dependencies of the flow's messages, each of Message bytes; Rank is the place in
	// the sending NIC's Ranks of the rank that they belong to. Such a flow has a size and no stop.
	Messages    []Message
	Rank        int
	Start, Stop unit.Time
	// DSCP overrides the NIC's DataDSCP unless it is negative.
	DSCP int
	// Algorithm is the congestion control of the flow at both its ends; plans that run never have nil.
	Algorithm *Algorithm
	// Mode and Ranks are the operation as the controller knows it; GroupN, if above 0, is the number of flows that the
	// controller announces instead of the count of flows active at the receiver.
	Mode   string
	Ranks  int
	GroupN int
	// Path is the forward shortest path, hop by hop from the sending NIC's
	// port; Back the reverse one.
	Path, Back fabric.Path
	// Pin, if not nil, is the path that the data must take; Path is it.
	Pin *Pin `json:",omitempty"`
}

// Algorithm is a configured congestion control. Flows of one group share one.
type Algorithm struct {
	// Name is the algorithm's, or the path of its program; Params are the
	// values given, as written; the others have their defaults.
	Name   string
	Params map[string]string
}

// Controller is the cluster controller that PC4 presumes: it knows the jobs, and reports to each receiver the number of
// its flows and their operation. It knows starts before the run and announces them in time; it learns of an end from
// the receiver, and its report is back there after Latency.
//
// It sends the results of PlannedFlows and PlannedChanges to senders, the changes Latency after the receiver has them.
// It does not report the end of a flow with a size: plans do not have it, and a NIC learns of another only by frames.
type Controller struct {
	// Latency is from a flow's last byte at the receiver to the
	// controller's new word there, and from a planned change to the word at
	// senders. Range: at least the lookahead. Default 10 us.
	Latency unit.Duration
}

// Record selects the records kept beside counters and totals.
type Record struct {
	// Interval is the width of a time series' bin; 0 for the bounded recording that Recording
	// describes.
	Interval unit.Duration
	// Off keeps no series at all.
	Off bool
}

// Expect is the set of conditions for a pass.
type Expect struct {
	// Congestion, if true, makes a run void if nothing was marked, paused, dropped or queued beyond one BDP, and flows
	// that shared a receiver's link never changed a decision.
	Congestion bool
	// Costly makes it void, too, if its iterations have CostlyShare of the bound's rate or more: congestion costs too
	// little for anything to win it back.
	Costly bool `json:",omitzero"`
	// AnyCompletion, if true, lets flows with a size be incomplete at the end of the run; otherwise such a run fails,
	// unless a check names completed or incomplete.
	AnyCompletion bool `json:",omitzero"`
	// Arrivals are the groups whose flows come by an arrival process: the last of them cannot complete before the end
	// of the run.
	Arrivals []string `json:",omitzero"`
	// Checks are comparisons that the run's metrics must satisfy.
	Checks []Check
}

// CostlyShare is the share of the bound's rate from which on congestion does not cost much.
const CostlyShare = 0.85

// RecoveryMetric is the metric that an expectation of recovered bounds, in microseconds.
const RecoveryMetric = "outage_recovery_max_us"

// Check is one expectation: a metric of the summary, a comparison, and a value.
type Check struct {
	Metric string
	Op     string // one of <, <=, >, >=, ==
	// Value is the number, or by how much the metric Of is multiplied, if that is not "".
	Value float64
	Of    string `json:",omitzero"`
	// Text is the check as written; Line where.
	Text string
	Line int
}

// OutagesAt returns the outages as one end sees them.
func (l *Link) OutagesAt(atB bool) []fabric.Outage {
	if !slices.ContainsFunc(l.Outages, func(o fabric.Outage) bool { return o.OneWay.Dark != BothWays }) {
		return l.Outages
	}
	list := make([]fabric.Outage, len(l.Outages))
	for i := range l.Outages {
		list[i] = l.SeenAt(l.Outages[i], atB)
	}
	return list
}

// SeenAt returns an outage as one end sees it.
func (l *Link) SeenAt(outage fabric.Outage, atB bool) fabric.Outage {
	towards := l.Backward.Latency
	if atB {
		towards = l.Forward.Latency
	}
	return outage.SeenFrom(atB, towards)
}

// Attachment returns the link as the node at one end of it knows it; atB selects the end.
func (p *Plan) Attachment(link int, atB bool) fabric.Attachment {
	joint := &p.Links[link]
	attachment := fabric.Attachment{
		Link:       fabric.LinkID(2 * link),
		Tx:         joint.Forward,
		Rx:         joint.Backward,
		Accounting: p.Accounting,
		Loss:       joint.Loss,
		LossOf:     joint.LossOf,
		LossIn:     joint.LossIn,
		BER:        joint.BER,
		Outages:    joint.OutagesAt(atB),
		TxSlow:     joint.slowIn(AToB),
		RxSlow:     joint.slowIn(BToA),
		Harms:      fabric.HarmsAt(atB, joint.Harms),
	}
	if joint.Knows != nil {
		attachment.Knows = &joint.Knows[0]
		if atB {
			attachment.Knows = &joint.Knows[1]
		}
	}
	if atB && joint.LossWay == BToA || !atB && joint.LossWay == AToB {
		attachment.Loss = 0
	}
	if atB && joint.BERWay == BToA || !atB && joint.BERWay == AToB {
		attachment.BER = 0
	}
	if atB {
		attachment.Link, attachment.Tx, attachment.Rx = attachment.Link+1, joint.Backward, joint.Forward
		attachment.TxSlow, attachment.RxSlow = attachment.RxSlow, attachment.TxSlow
	}
	near, far := joint.A, joint.B
	if atB {
		near, far = joint.B, joint.A
	}
	attachment.FarCuts = TransitOf(p, far.Node).CutThrough
	if w := p.wanOf(far.Node); w != nil {
		attachment.Beyond = w.Profile.LongestDelay(0) + w.Profile.LongestDelay(1) -
			attachment.Tx.Latency - attachment.Rx.Latency
		attachment.DCI = p.isSwitch(near.Node) && p.isSwitch(p.Peer(link, near).Node)
	}
	attachment.Response = responseOf(p, p.Peer(link, near).Node, attachment.Tx.Rate)
	return attachment
}

// responseOf is the time until a node obeys a pause at a port of the given rate.
func responseOf(p *Plan, id NodeID, rate unit.BitRate) unit.Duration {
	switch kind, i := p.locate(id); kind {
	case KindSwitch:
		return profile.ResponseAt(p.Switches[i].Profile.PauseResponse, rate)
	case KindNIC:
		return profile.ResponseAt(p.NICs[i].Profile.PauseResponse, rate)
	}
	return 0
}

// Lookahead returns the longest window that the fabric allows: the least time
// from any frame's first bit to its arrival, and with edges at most half the latency
// of each edge's link.
func (p *Plan) Lookahead() unit.Duration {
	least := p.edgeWindow()
	for i := range p.Links {
		for _, atB := range []bool{false, true} {
			a := p.Attachment(i, atB)
			least = min(least, a.Lookahead())
		}
	}
	return least
}
