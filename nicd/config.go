package nicd

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// FirstQP is the number of a NIC's first QP. Numbers 0 and 1 are the
// management QPs of IBA volume 1, 3.9; adapters hand out low ones to
// themselves.
const FirstQP = 0x11

// Config is the description of a NIC.
type Config struct {
	// Name is unique in the fabric and names the NIC's streams of chance; ID
	// is its node number.
	Name string
	ID   uint32
	// Seed is the run's.
	Seed       uint64
	Profile    profile.NIC
	Attachment fabric.Attachment
	IP         uint32
	MAC        wire.MAC
	// Faults are the faults of the NIC other than Profile.Storms.
	Faults []fault.Planned `json:",omitempty"`
	// Recording selects the records kept over time.
	Recording Recording
	// Ends is for how many ends of flows there is room at first; more can be added. Default 0.
	Ends int `json:"-"`
	// Source has the configurations of the ends after they were added. Default nil: the NIC keeps them.
	Source Source `json:"-"`
}

// Peer is the far end of a connection.
type Peer struct {
	QP, IP uint32
	MAC    wire.MAC
}

// SenderConfig is the sending end of a flow: one reliable connection that
// carries WRITE messages.
type SenderConfig struct {
	// Flow is the flow's number in the plan, Name its name for messages.
	Flow uint32
	Name string
	// QP is the local QP number: FirstQP plus the number of senders and
	// receivers added before.
	QP   uint32
	Peer Peer
	// SrcPort is the UDP source port, the flow's entropy for ECMP.
	SrcPort uint16
	// FirstPSN is the PSN of the first packet. Range: 24 bits.
	FirstPSN uint32
	// Size is the payload in bytes; 0 for a flow that runs until Stop.
	// Message is the size of a WRITE message, at most 2 GiB (IBA volume 1,
	// 9.7.7); 0 means one message for the flow, cut every 2 GiB, or 1 MB for
	// a flow without a size. MTU is the payload of a full packet, 1 to 8192.
	Size, Message, MTU unit.Bytes
	// Messages, if not nil, has the dependencies of each message of the flow; Rank is the index of the rank, added to
	// this NIC later, whose phases are meant. They leave in order: a message begins to wait when the one before may be
	// sent. Such a flow has a size, of whole messages, and no stop.
	Messages [][]Await
	Rank     int
	// Start is the time at which the flow is due. From Stop on, 0 for never, nothing new is sent; a message cut off by
	// it stays incomplete.
	Start, Stop unit.Time
	// DSCP overrides the profile's DataDSCP unless it is negative.
	DSCP int
	// Controller is the configured algorithm, Group the cluster controller's first message to the sender, Chance the
	// flow's stream of random numbers. GroupUpdates are the controller's later counts of the flows, in the order of
	// time; only an algorithm with Signals.Group gets them.
	Controller   cc.Controller
	Group        cc.Group
	GroupUpdates []GroupUpdate `json:",omitempty"`
	Chance       *chance.Stream
	// Values are the values that the algorithm's senders report about themselves, as named in its description.
	Values []cc.Value `json:"-"`
	// Uncontrolled is set if its description declares that it does not react to congestion.
	Uncontrolled bool `json:"-"`
	// Series numbers the series in which the flow is counted; flows of one number at a NIC are counted together.
	Series int
	// Path and Back are the channels to the receiver and from it, hop by hop;
	// Hops is the number of switches between.
	Path, Back fabric.Path
	Hops       int
	// Outages are the outages of links on the way of the flow, of its data or its ACKs, in the order of their
	// beginnings, each until the way is whole again.
	Outages []fabric.Outage `json:",omitempty"`
}

// GroupUpdate is the number of flows in a group that the controller of the cluster
// announces to a sender, and when the announcement arrives.
type GroupUpdate struct {
	At    unit.Time
	Flows int
}

// ReceiverConfig is the receiving end of a flow. What it shares with
// SenderConfig means the same.
type ReceiverConfig struct {
	Flow      uint32
	Name      string
	QP        uint32
	Peer      Peer
	SrcPort   uint16
	FirstPSN  uint32
	Size, MTU unit.Bytes
	// Message matters only where something waits for messages of the flow.
	Message unit.Bytes
	// Start is the time at which the controller announces the flow here; it withdraws it at Stop, or ControllerLatency
	// after the last byte arrived.
	Start, Stop unit.Time
	Controller  cc.Controller
	// Group is the controller's announcement, except the number of flows, which is GroupN if above 0, else the number
	// of flows announced to this NIC and not withdrawn.
	Group             cc.Group
	GroupN            int
	ControllerLatency unit.Duration
	Chance            *chance.Stream
	Path, Back        fabric.Path
	// Outages are the outages of links on the way of the flow, of its data or its ACKs, in the order of their
	// beginnings; each has a gap in the record.
	Outages []fabric.Outage `json:",omitempty"`
	// Memory is the memory that the peer may write to, Receives are the receives that the host posts, in the order of
	// time; nil: all memory, and receives without end, as for the flows of a plan. RNRTimer is the timer code of the
	// NAK that answers a request without a posted receive: 0 to 31 (IBA volume 1, table 45).
	Memory   *Memory   `json:",omitempty"`
	Receives []Receive `json:",omitempty"`
	RNRTimer uint8     `json:",omitempty"`
}

const (
	maxMessage     = 2 << 30
	endlessMessage = unit.MB
)

// nextQP is the number of the QP that is added next.
func (n *NIC) nextQP() uint32 { return FirstQP + uint32(len(n.qps)) }

// end is the common part of the configurations of both ends of a flow.
type end struct {
	qp          uint32
	size, mtu   unit.Bytes
	start, stop unit.Time
	firstPSN    uint32
	controller  cc.Controller
	path, back  fabric.Path
}

func (c *SenderConfig) end() *end {
	return &end{
		qp:         c.QP,
		size:       c.Size,
		mtu:        c.MTU,
		start:      c.Start,
		stop:       c.Stop,
		firstPSN:   c.FirstPSN,
		controller: c.Controller,
		path:       c.Path,
		back:       c.Back,
	}
}

func (c *ReceiverConfig) end() *end {
	return &end{
		qp:         c.QP,
		size:       c.Size,
		mtu:        c.MTU,
		start:      c.Start,
		stop:       c.Stop,
		firstPSN:   c.FirstPSN,
		controller: c.Controller,
		path:       c.Path,
		back:       c.Back,
	}
}

// check joins the errors of an end that is to have QP want.
func (e *end) check(want uint32) error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if e.qp != want {
		refuse("QP is %#x, the next of this NIC is %#x", e.qp, want)
	}
	if e.size < 0 {
		refuse("size is %d B, allowed is 0 (until stopped) and more", e.size)
	}
	if e.mtu < 1 || e.mtu > wire.MaxPayload {
		refuse("MTU is %d B, allowed is 1 to %d", e.mtu, wire.MaxPayload)
	}
	if e.start < 0 || e.stop < 0 || e.stop != 0 && e.stop <= e.start {
		refuse("start is %v and stop %v, allowed is a stop after the start, or 0 for none", e.start, e.stop)
	}
	if e.firstPSN > wire.PSNMask {
		refuse("first PSN is %#x, allowed is 0 to %#x", e.firstPSN, wire.PSNMask)
	}
	if len(e.path) == 0 || len(e.back) == 0 {
		refuse("path has %d hops and its way back %d, allowed is 1 and more", len(e.path), len(e.back))
	}
	if e.controller == nil {
		refuse("no congestion control, every flow has one")
	} else if err := checkSignals(e.controller.Signals()); err != nil {
		errs = append(errs, &AlgorithmError{fmt.Errorf("%s: %w", controllerName(e.controller), err)})
	}
	return errors.Join(errs...)
}

// checkGroupUpdates returns the error of a controller's updates.
func checkGroupUpdates(config *SenderConfig) error {
	last := config.Start
	for _, update := range config.GroupUpdates {
		if update.At <= last || update.Flows < 0 {
			return fmt.Errorf("the controller's update to %d flows comes at %v, "+
				"allowed is 0 flows and more after the flow's start and the update before, %v",
				update.Flows, update.At, last)
		}
		last = update.At
	}
	return nil
}

// checkSender returns the error of what only the sending end has.
func checkSender(config *SenderConfig) error {
	switch {
	case config.Message < 0 || config.Message > maxMessage:
		return fmt.Errorf("message is %d B, allowed is 0 (the whole flow) to %d", config.Message, maxMessage)
	case config.DSCP > 63:
		return fmt.Errorf("DSCP is %d, allowed is 0 to 63, or negative for the NIC's", config.DSCP)
	case config.Messages != nil &&
		(config.Message == 0 || config.Size != unit.Bytes(len(config.Messages))*config.Message || config.Stop != 0):
		return fmt.Errorf("%d messages wait for others, of %d B each, in %d B until %v: "+
			"allowed is a size of so many messages, and no stop",
			len(config.Messages), config.Message, config.Size, config.Stop)
	}
	return checkGroupUpdates(config)
}
