package nicd

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd/verbs"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// peers are the two ends of a connection between the NICs of a pair, as each would name a real stack.
func peers() (a, b PeerConfig) {
	v := peer.Default()
	v.MTU, v.PeerQP, v.PeerPSN, v.FirstPSN, v.Timeout = 1024, peer.FirstQP, 7, 1<<24-3, 50*us
	v.Memory = peer.Region{RKey: 5, VA: peer.VA, Length: 1 << 16}
	v.Peer = v.Memory
	a = PeerConfig{
		Name:    "peer",
		QP:      peer.FirstQP,
		Peer:    Peer{peer.FirstQP, 2, wire.NodeMAC(1, 0)},
		SrcPort: 0xC001,
		DSCP:    -1,
		Verbs:   v,
	}
	b = a
	b.Peer.IP, b.Peer.MAC = 1, wire.NodeMAC(0, 0)
	b.Verbs.PeerPSN, b.Verbs.FirstPSN = v.FirstPSN, v.PeerPSN
	return a, b
}

// Work of one end is done by the other: frames have the addresses of the connection, answers are not ECN-capable, what
// the link loses is sent again, and what a switch marks is answered with a CNP.
func TestPeersTalk(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	a, b := peers()
	a.Verbs.Work = []peer.Work{{Verb: peer.Write, Length: 5000, Count: 3}, {Verb: peer.SendImm, Length: 2000, Count: 2}}
	b.DSCP = 12
	must(t, AddPeer(p.a, a))
	must(t, AddPeer(p.b, b))
	count := 0
	p.touch = func(link fabric.LinkID, _ unit.Time, f *wire.Frame) bool {
		if want := uint16(0xC001); f.SrcPort != want || f.DestQP != peer.FirstQP || f.Flags&wire.FlagMigReq == 0 {
			t.Errorf("%v: source port %d, QP %#x, flags %#x", f.Opcode, f.SrcPort, f.DestQP, f.Flags)
		}
		if link == 1 {
			if want := uint8(12 << 2); f.Opcode == wire.Acknowledge && f.TOS != want {
				t.Errorf("an ACK has TOS %#x, want %#x", f.TOS, want)
			}
			return true
		}
		if want := uint8(26<<2) | wire.ECT0; f.TOS != want || f.Src != p.a.address.mac || f.Dst != p.b.address.mac {
			t.Errorf("%v: TOS %#x from %v to %v", f.Opcode, f.TOS, f.Src, f.Dst)
		}
		if count++; count == 9 {
			f.MarkCE()
		}
		return count != 3
	}
	p.run(at(ms))
	ra, rb := RecordOfPeer(p.a, 0), RecordOfPeer(p.b, 0)
	if ra.Status != verbs.Success || ra.Completed != 5 || ra.SentSum != rb.ReceivedSum || rb.Writes != 3 || rb.Sends != 2 {
		t.Errorf("%+v\n%+v", ra, rb)
	}
	if ra.ReceivedSeqErr != 1 || rb.OutOfSeqRequest != 1 || rb.Marked != 1 || rb.SentCNPs != 1 || ra.CNPs != 1 {
		t.Errorf("gaps %d and %d, marked %d, CNPs %d and %d", ra.ReceivedSeqErr, rb.OutOfSeqRequest, rb.Marked, rb.SentCNPs,
			ra.CNPs)
	}
	end := p.b.PortRecord(at(ms))
	if end.Drops[fabric.DropOutOfOrder] != rb.Ahead || end.Drops[fabric.DropUnknownQP] != 0 {
		t.Errorf("drops %v, %d requests ahead", end.Drops, rb.Ahead)
	}
}

// Frames of another address, and for a QP that is not there, are dropped with a reason.
func TestPeersTakeFramesOfTheirStack(t *testing.T) {
	a, _ := peers()
	l := newLone(t, config("nic", 0, 1, profile.DefaultNIC()))
	must(t, AddPeer(l.n, a))
	for i, f := range []struct{ source, qp uint32 }{{2, peer.FirstQP}, {3, peer.FirstQP}, {2, peer.FirstQP + 1}} {
		frame := wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			SrcIP:     f.source,
			DstIP:     1,
			Opcode:    wire.SendOnly,
			DestQP:    f.qp,
			PSN:       7,
			AckExt:    wire.AckReq,
		}
		l.arrive(at(unit.Duration(i+1)*us), frame)
	}
	if sent := l.run(at(10 * us)); len(sent) != 1 || sent[0].Frame.Syndrome != wire.SyndromeACK {
		t.Errorf("answers: %v", sent)
	}
	r := l.n.PortRecord(at(10 * us))
	if r.Drops[fabric.DropWrongPeer] != 1 || r.Drops[fabric.DropUnknownQP] != 1 {
		t.Errorf("drops %v", r.Drops)
	}
}

// A connection that cannot be is refused with the allowed values.
func TestPeersAreChecked(t *testing.T) {
	n := New(config("nic", 0, 1, profile.DefaultNIC()))
	a, _ := peers()
	a.QP++
	err := AddPeer(n, a)
	if err == nil || !strings.Contains(err.Error(), "peer peer: QP is 0x800001, the next of this NIC is") {
		t.Error(err)
	}
	a.QP--
	a.Verbs.MTU = 1000
	if err := AddPeer(n, a); err == nil || !strings.Contains(err.Error(), "MTU is 1000 B, allowed is 256") {
		t.Error(err)
	}
}

// A READ that comes again is not answered again while its first answer waits, one that asks for a rest is, and no READ
// is served behind more frames than the largest READ has: it is as if it were lost, and is served when it comes again.
// Red: without waits, and without full.
func TestPeersReadsAreBounded(t *testing.T) {
	a, _ := peers()
	l := newLone(t, config("nic", 0, 1, profile.DefaultNIC()))
	must(t, AddPeer(l.n, a))
	l.n.out = l.out
	end := l.n.peers[0]
	read := func(psn uint32, packets int) {
		frame := l.out.New()
		*frame = wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			SrcIP:     2,
			DstIP:     1,
			Opcode:    wire.ReadRequest,
			DestQP:    peer.FirstQP,
			PSN:       psn,
			AckExt:    wire.AckReq,
			RKey:      5,
			VA:        peer.VA,
			DMALen:    uint32(packets * 1024),
		}
		takePeers(l.n, 0, frame)
	}
	expect := func(what string, want uint64) {
		t.Helper()
		if end.waiting != want {
			t.Errorf("%s: %d frames wait, want %d", what, end.waiting, want)
		}
	}
	read(7, 10)
	for range 5 {
		read(7, 10)
		read(10, 7)
	}
	expect("a READ that comes again", 10)
	for range 4 {
		l.n.sendControl(int(l.n.classOf(&end.template)), l.n.port.busyUntil)
	}
	expect("four have left", 6)
	read(11, 6)
	expect("a rest that waits", 6)
	read(10, 7)
	read(10, 7)
	expect("a rest that has begun to leave", 13)
	end.waiting += peer.MaxLength / 1024
	read(17, 1)
	read(10, 7)
	end.waiting -= peer.MaxLength / 1024
	expect("behind too many frames", 13)
	read(17, 1)
	expect("when it comes again", 14)
	if r := RecordOfPeer(l.n, 0); r.Ahead != 1 || r.Reads != 2 || r.OutOfSeqRequest != 0 {
		t.Errorf("%+v", r)
	}
}
