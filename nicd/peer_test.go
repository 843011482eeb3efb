package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A QP takes packets of its peer's address: data, ACKs, NAKs and CNPs of any other are dropped with a reason of their
// own, reach no algorithm, and leave the flow as it is.
func TestQPTakesPacketsOfItsPeer(t *testing.T) {
	for _, source := range []uint32{9, 8, 1, 0} {
		t.Run(fmt.Sprintf("source=%v", source), func(t *testing.T) {
			fromPeer := source == 9
			l := newLone(t, config("nic", 0, 1, profile.DefaultNIC()))
			cnps := 0
			qp := l.send(100_000, 0, &script{
				signals: cc.Signals{CNP: true, CNPInterval: us},
				handle: func(e *cc.Event, d *cc.Decision) {
					if d.Rate = channel.Rate; e.Kind == cc.EventCNP {
						cnps++
					}
				},
			})
			in := l.receive(&script{})
			l.run(at(2 * us))
			data := wire.Frame{EtherType: wire.EtherTypeIPv4, DstIP: 1, Opcode: wire.WriteOnly, DestQP: in}
			data.SetPayload(1000)
			ack, nak := ackFrame(qp, 1, wire.SyndromeACK), ackFrame(qp, 3, wire.SyndromeNAKSequence)
			for i, f := range []wire.Frame{data, ack, nak, cnpFrame(0, qp)} {
				f.SrcIP = source
				l.arrive(at(3*us+unit.Duration(i)*us), f)
			}
			l.run(at(20 * us))
			s, r, p := l.n.SenderRecord(qp), l.n.ReceiverRecord(in), l.n.PortRecord(at(20*us))
			want := uint64(1)
			if !fromPeer {
				want = 0
			}
			if r.Packets != want || s.Acks != want || s.NAKs != want || s.CNPs != want || uint64(cnps) != want ||
				s.Acked > 0 != fromPeer {
				t.Errorf("from %d: %d data packets, %d ACKs, %d NAKs and %d CNPs were taken, want %d of each; acknowledged %v",
					source, r.Packets, s.Acks, s.NAKs, s.CNPs, want, s.Acked)
			}
			if dropped := p.Drops[fabric.DropWrongPeer]; dropped != 4*(1-want) || p.Drops[fabric.DropUnknownQP] != 0 {
				t.Errorf("from %d: dropped are %v", source, p.Drops)
			}
		})
	}
}
