package edge

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// An edge counts the requests of a flow that ends behind it as its receiver must take them, a READ with the PSNs of its
// responses, and answers marked ones with CNPs in the receiver's name, at most one per interval; ACKs and CNPs of the
// receiver are the flow's. Nothing of it is a frame that poses.
func TestEdgeNotifies(t *testing.T) {
	for _, notifies := range []bool{true, false} {
		t.Run(fmt.Sprintf("notifies=%v", notifies), func(t *testing.T) { edgeNotifies(t, notifies) })
	}
}

func edgeNotifies(t *testing.T, notifies bool) {
	c := config()
	c.Carried = carrying(notifies)
	e, out := newCarrying(t, c)
	for i, x := range []struct {
		op   wire.Opcode
		psn  uint32
		want string
	}{
		{wire.SendOnly, wire.PSNMask, "packet"},
		{wire.ReadRequest, 0, "packet"}, // of 2 responses
		{wire.SendOnly, 3, "ahead"},
		{wire.SendOnly, 0, "duplicate"},
		{wire.SendOnly, 2, "packet"},
		{wire.ReadLast, 9, "an answer to a READ of the stack"},
	} {
		f := out.New()
		*f = request
		if f.Opcode, f.PSN = x.op, x.psn; x.op == wire.ReadRequest {
			f.DMALen = 1025
		} else {
			f.SetPayload(100)
		}
		e.Deliver(0, unit.Time(i)*unit.Time(20*unit.Microsecond), f.Len(), f)
	}
	for _, op := range []wire.Opcode{wire.Acknowledge, wire.CNP} {
		answer := out.New()
		*answer = answered(op)
		e.Inject(unit.Time(unit.Millisecond), 0, answer)
	}
	e.Advance(unit.Time(2*unit.Millisecond), out)
	counters := e.Counters(unit.Time(2 * unit.Millisecond))
	r, made := counters.Carried[0], uint64(0)
	if notifies {
		made = 2 // at 0 and 60 us
	}
	if r.Packets != 3 || r.OutOfOrder != 1 || r.Duplicate != 1 || r.Bytes != 200 || r.Marked != 5 || r.ACKs != 1 ||
		r.CNPs != made+1 || counters.Foreign.MadeCNPs != made || counters.Foreign.OwnCNPs != 1 ||
		len(counters.Foreign.Posing) > 0 {
		t.Errorf("notifies %v: %+v, %+v", notifies, r, counters.Foreign)
	}
	count := uint64(0)
	for _, d := range out.Lane(0, 0) {
		if f := d.Frame; f.Opcode == wire.CNP && f.SrcPort == 0xC001 {
			count++
			if f.DestQP != 7 || f.DstIP != 1 || f.SrcIP != 2 || f.TOS != 48<<2 || f.Notify != wire.BECN ||
				f.Dst != (wire.MAC{2, 1}) || f.Src != (wire.MAC{2, 2}) {
				t.Errorf("%+v", f)
			}
		}
	}
	if count != made {
		t.Errorf("notifies %v: %d CNPs left, want %d", notifies, count, made)
	}
	if err := e.CheckInvariants(); err != nil {
		t.Error(err)
	}
}

// carrying is a flow that ends behind the edge, request a marked packet of it, and answered a frame of its receiver.
func carrying(notifies bool) []Carried {
	return []Carried{{
		Flow:        0,
		SenderIP:    1,
		ReceiverIP:  2,
		SenderMAC:   wire.MAC{2, 1},
		ReceiverMAC: wire.MAC{2, 2},
		SenderQP:    7,
		ReceiverQP:  17,
		FirstPSN:    wire.PSNMask,
		MTU:         1024,
		Notifies:    notifies,
		Interval:    50 * unit.Microsecond,
		SrcPort:     0xC001,
		DSCP:        48,
	}}
}

var request = wire.Frame{
	EtherType: wire.EtherTypeIPv4,
	SrcIP:     1,
	DstIP:     2,
	TOS:       wire.CE,
	Opcode:    wire.SendOnly,
	DestQP:    17,
}

func answered(op wire.Opcode) wire.Frame {
	return wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     2,
		DstIP:     1,
		Opcode:    op,
		DestQP:    7,
	}
}

func newCarrying(t *testing.T, c Config) (*Edge, *fabric.Outbox) {
	t.Helper()
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	out := fabric.NewOutbox(1, make([]uint8, 8))
	out.Begin(0, new(trace.Hash))
	return e, out
}

// A CNP that the edge made is not a frame from outside, also if the NIC queue has no room for it.
func TestADroppedCNPOfTheEdgeIsItsOwn(t *testing.T) {
	c := config()
	c.Queue, c.Carried = 70, carrying(true) // a CNP has 74 B
	e, out := newCarrying(t, c)
	marked, other := out.New(), out.New()
	*marked, *other = request, answered(wire.CNP)
	marked.PSN, other.DestQP = wire.PSNMask, 8
	length := uint64(other.Len())
	e.Deliver(0, 0, marked.Len(), marked)
	e.Inject(unit.Time(unit.Millisecond), 0, other)
	e.Advance(unit.Time(2*unit.Millisecond), out)
	got := e.Counters(unit.Time(2 * unit.Millisecond))
	f, port := &got.Foreign, &got.Port
	if f.MadeCNPs != 1 || f.MadeBytes != length || f.DroppedCNPs != 1 || f.DroppedBytes != length ||
		port.Drops[fabric.DropNICQueue] != 2 || port.DropBytes != 2*length || got.Carried[0].CNPs != 1 {
		t.Errorf("%+v, %d drops of %d B, %d CNPs: want one of the edge and one from outside dropped", f,
			port.Drops[fabric.DropNICQueue], port.DropBytes, got.Carried[0].CNPs)
	}
	if err := e.CheckInvariants(); err != nil {
		t.Error(err)
	}
}

// A CNP of a flow's receiver behind the edge is its own wherever it ends, and not one of others.
func TestADroppedCNPOfAReceiverIsItsOwn(t *testing.T) {
	for _, drops := range []bool{true, false} {
		t.Run(fmt.Sprintf("cnp drop=%v", drops), func(t *testing.T) {
			c := config()
			c.Queue, c.DropCNPs, c.Carried = 70, drops, carrying(false)
			e, out := newCarrying(t, c)
			own, other := out.New(), out.New()
			*own, *other = answered(wire.CNP), answered(wire.CNP)
			other.DestQP = 8
			e.Inject(us, 0, own)
			e.Inject(us, 0, other)
			e.Advance(unit.Time(2*unit.Millisecond), out)
			got := e.Counters(unit.Time(2 * unit.Millisecond))
			f, reason, refused := &got.Foreign, fabric.DropNICQueue, uint64(0)
			if drops {
				reason, refused = fabric.DropACL, 1
			}
			if f.Kinds[record.ForeignCNP] != 2 || f.OwnCNPs != 1 || f.OwnRefused != refused || got.Port.Drops[reason] != 2 {
				t.Errorf("%+v, %d drops: want 2 CNPs, one of the receiver, and %d of its refused", f, got.Port.Drops[reason],
					refused)
			}
		})
	}
}
