package edge

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
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
	c.Carried = []Carried{{
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
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	var hash trace.Hash
	out := fabric.NewOutbox(1, make([]uint8, 8))
	out.Begin(0, &hash)
	request := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     1,
		DstIP:     2,
		TOS:       wire.CE,
		Opcode:    wire.SendOnly,
		DestQP:    17,
	}
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
		*answer = wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			SrcIP:     2,
			DstIP:     1,
			Opcode:    op,
			DestQP:    7,
		}
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
