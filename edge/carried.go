package edge

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Carried is a flow that ends at a real stack behind the edge: the requests of a NIC on a connection with it. The edge
// sees what the stack gets, and can be its notification point (NP).
type Carried struct {
	// Flow is the flow's number in the plan.
	Flow uint32
	// SenderIP, SenderMAC and SenderQP are the NIC's end, ReceiverIP, ReceiverMAC and ReceiverQP the stack's.
	SenderIP, ReceiverIP   uint32
	SenderMAC, ReceiverMAC wire.MAC
	SenderQP, ReceiverQP   uint32
	// FirstPSN is that of the first request, MTU the payload of a full packet in bytes, which a READ's responses have.
	FirstPSN uint32
	MTU      int
	// Notifies has the edge answer marked packets of the flow with CNPs, at most one per Interval, with UDP source port
	// SrcPort and code point DSCP. Without it only the stack does.
	Notifies bool
	Interval unit.Duration
	SrcPort  uint16
	DSCP     uint8
}

// carried is such a flow at the edge.
type carried struct {
	Carried
	expected uint32    // PSN of the next new request
	next     unit.Time // from when on a CNP may leave
	rec      record.Receiver
}

func newCarried(config *Carried) *carried {
	return &carried{
		Carried:  *config,
		expected: config.FirstPSN,
		rec:      *record.NewReceiver(),
	}
}

// passes looks at a frame that goes out, and reports whether the edge answers it.
func (e *Edge) passes(now unit.Time, frame *wire.Frame) (answered bool) {
	if kindOf(frame) != record.ForeignData {
		return false
	}
	for _, flow := range e.carried {
		if frame.SrcIP != flow.SenderIP || frame.DstIP != flow.ReceiverIP || frame.DestQP != flow.ReceiverQP {
			continue
		}
		if isResponse(frame.Opcode) {
			return false // of a READ by the stack
		}
		flow.count(now, frame)
		if frame.ECN() == wire.CE {
			flow.rec.Marked++
			if flow.Notifies && now >= flow.next {
				flow.next = now.Add(flow.Interval)
				e.notify(now, flow)
				return true
			}
		}
		return false
	}
	return false
}

func isResponse(op wire.Opcode) bool { return op >= wire.ReadFirst && op <= wire.ReadOnly }

// count counts a request, as the stack's connection must take it.
func (c *carried) count(now unit.Time, frame *wire.Frame) {
	switch d := wire.DiffPSN(frame.PSN, c.expected); {
	case d > 0:
		c.rec.OutOfOrder++
		return
	case d < 0:
		c.rec.Duplicate++
		return
	}
	packets := 1
	if frame.Opcode == wire.ReadRequest {
		packets = max(1, (int(frame.DMALen)+c.MTU-1)/c.MTU)
	}
	c.expected = wire.AddPSN(c.expected, packets)
	if c.rec.Packets == 0 {
		c.rec.First = now
	}
	c.rec.Packets++
	c.rec.Bytes += unit.Bytes(frame.PayloadLen)
	if silence := now.Sub(c.rec.Last); silence > c.rec.Silence { // negative at first: Last is unit.Never
		c.rec.Silence, c.rec.SilentFrom = silence, c.rec.Last
	}
	c.rec.Last = now
}

// notify sends a CNP in the stack's name (RoCEv2, IBA volume 1 annex 17, A17.9.3).
func (e *Edge) notify(now unit.Time, flow *carried) {
	frame := e.out.New()
	*frame = wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Src:       flow.ReceiverMAC,
		Dst:       flow.SenderMAC,
		SrcIP:     flow.ReceiverIP,
		DstIP:     flow.SenderIP,
		TOS:       flow.DSCP << 2,
		TTL:       ttl,
		Fragment:  wire.DontFragment,
		SrcPort:   flow.SrcPort,
		Opcode:    wire.CNP,
		Flags:     wire.FlagMigReq,
		Notify:    wire.BECN,
		PKey:      wire.DefaultPKey,
		DestQP:    flow.SenderQP,
	}
	length := frame.Len()
	flow.rec.CNPs++
	e.intake.made.add(length)
	e.port.rec.SourcedFrames++
	e.port.rec.SourcedBytes += uint64(length)
	if !e.queue.push(now, arrival{frame: frame, came: now, made: true}, length) {
		e.intake.dropped.add(length)
		e.drop(now, fabric.DropNICQueue, frame, length)
	}
}

// ttl is the TTL of what the edge sends, Linux's default.
const ttl = 64

// answers counts a frame of the stack for the flow that it answers, and reports whether it is one.
func (e *Edge) answers(kind record.ForeignKind, frame *wire.Frame) bool {
	if kind != record.ForeignACK && kind != record.ForeignCNP {
		return false
	}
	for _, flow := range e.carried {
		if frame.SrcIP != flow.ReceiverIP || frame.DstIP != flow.SenderIP || frame.DestQP != flow.SenderQP {
			continue
		}
		switch {
		case kind == record.ForeignCNP:
			flow.rec.CNPs++
			e.intake.ownCNPs++
		case frame.Syndrome>>5 == 0:
			flow.rec.ACKs++
		default:
			flow.rec.NAKs++
		}
		return true
	}
	return false
}
