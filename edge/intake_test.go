package edge

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// roce is a foreign frame, with an opcode, from an address to a QP.
func roce(opcode wire.Opcode, from, to, qp uint32) *wire.Frame {
	f := frame(1, 0, 48)
	f.Rare = new(wire.Rare)
	f.Opcode, f.SrcIP, f.DstIP, f.DestQP = opcode, from, to, qp
	return f
}

// The addresses of the fabric's flows in TestIntake.
const sender, receiver = 1, 2

// flowOf is a flow between them.
func flowOf(number, from, to uint32) Flow {
	return Flow{
		Number:     number,
		SenderIP:   sender,
		SenderQP:   from,
		ReceiverIP: receiver,
		ReceiverQP: to,
	}
}

// Incoming frames are counted by kind; frames that pose as a flow's own, for the flow; with DropCNPs CNPs end here,
// with a reason, and do not pose as any flow's.
func TestIntake(t *testing.T) {
	datagram, opaque := frame(1, 0, 0), frame(1, 0, 0)
	datagram.Rare = new(wire.Rare)
	datagram.SetDatagram([]byte("of a switch"))
	opaque.SetOpaque(make([]byte, 100))
	for _, drops := range []bool{false, true} {
		t.Run(fmt.Sprintf("drops=%v", drops), func(t *testing.T) {
			c := config()
			c.DropCNPs = drops
			c.Flows = []Flow{
				flowOf(3, 0x11, 0x21),
				flowOf(7, 0x12, 0x22),
			}
			s := newSite(t, c)
			frames := []*wire.Frame{
				roce(wire.WriteOnly, sender, receiver, 0x22),     // poses as data
				roce(wire.WriteOnly, sender, receiver, 0x23),     // of a QP that there is not
				roce(wire.Acknowledge, receiver, sender, 0x12),   // poses as an ACK
				roce(wire.AtomicAcknowledge, 9, sender, 0x12),    // of another address
				roce(wire.CNP, receiver, sender, 0x12),           // poses as a CNP
				roce(wire.CNP, 9, sender, 0x12), pause(3, 65535), // of another address
				datagram, opaque,
			}
			for i, f := range frames {
				s.edge.Inject(us*unit.Time(1+20*i), 400*us, f)
			}
			s.advance(400 * us)
			got := s.edge.Counters(400 * us)
			want := record.Foreign{
				Kinds:  [record.NumForeign]uint64{2, 2, 2, 1, 1, 1},
				Posing: []record.Posing{{Flow: 7, Data: 1, ACKs: 1, CNPs: 1}},
			}
			refused := uint64(0)
			if drops {
				want.Posing[0].CNPs, refused = 0, 2
			}
			if !reflect.DeepEqual(got.Foreign, want) {
				t.Errorf("drops %v: came in %+v, want %+v", drops, got.Foreign, want)
			}
			if got.Port.Drops[fabric.DropACL] != refused || len(s.lost) != int(refused) ||
				len(s.left) != len(frames)-int(refused) {
				t.Errorf("drops %v: %v dropped, %d left", drops, s.lost, len(s.left))
			}
			if err := s.edge.CheckInvariants(); err != nil {
				t.Error(err)
			}
		})
	}
}
