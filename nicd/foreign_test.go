package nicd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// asks are algorithms' wishes, one for each signal.
var asks = []cc.Signals{
	{Acks: true, ECT: true, CNP: true, CNPInterval: us},
	{Acks: true, OneWayDelay: true},
	{
		Acks:        true,
		Timestamp:   true,
		RTTInCNP:    true,
		RateInCNP:   true,
		CNP:         true,
		CNPInterval: us,
	},
	{Acks: true, ECNEcho: true},
	{Acks: true, INT: true},
	{Acks: true, OwnData: 8, OwnAck: 8},
}

// foreigner is a NIC with two flows out and two in, at which foreign frames arrive.
func foreigner(t testing.TB, signals cc.Signals) *lone {
	l := newLone(t, config("nic", 0, 1, profile.DefaultNIC()))
	c := &script{signals: signals, handle: func(*cc.Event, *cc.Decision) {}, data: func(*cc.Arrival, *cc.Feedback) {}}
	for range 2 {
		l.send(100_000, 0, c)
		l.receive(c)
	}
	return l
}

// wantCounted wants each frame that arrived to be counted as what a flow took or as dropped.
func (l *lone) wantCounted(arrived uint64) {
	l.t.Helper()
	r := l.n.port.record
	taken := r.RxPFCFrames
	for _, n := range r.Drops {
		taken += n
	}
	for i := range l.n.qps {
		if s := l.n.SenderRecord(FirstQP + uint32(i)); s != nil {
			taken += s.Acks + s.NAKs + s.CNPs
		}
		if r := l.n.ReceiverRecord(FirstQP + uint32(i)); r != nil {
			taken += r.Packets + r.OutOfOrder + r.Duplicate
		}
	}
	if taken < arrived || r.RxFrames != arrived {
		l.t.Errorf("%d frames arrived: %d received, %d taken or dropped", arrived, r.RxFrames, taken)
	}
}

// TestForeignFramesEndHere: opaque frames of every kind, SEND, READ, atomics and CNPs of others end at the NIC with a
// reason.
func TestForeignFramesEndHere(t *testing.T) {
	stream := chance.New(3, "foreign")
	for _, signals := range asks {
		l := foreigner(t, signals)
		raw := func(kind uint16, n int) (f wire.Frame) {
			b := make([]byte, n)
			b[12], b[13] = byte(kind>>8), byte(kind)
			f.SetOpaque(b)
			return f
		}
		frames := []wire.Frame{raw(0x0806, 60), raw(0x8808, 60), raw(0x88CC, 200), raw(0x86DD, 9018), raw(0x8100, 64)}
		arrived := uint64(len(frames))
		for i, f := range frames {
			l.arrive(at(unit.Duration(i+1)*us), f)
		}
		l.run(at(20 * us))
		if got := l.n.port.record.Drops[fabric.DropUnknownQP]; got != arrived {
			t.Errorf("%d of %d opaque frames are counted as dropped", got, arrived)
		}
		for i := range 3000 {
			f := strange(stream)
			l.arrive(at(20*us+unit.Duration(i+1)*us), f)
			arrived++
		}
		l.run(at(4 * ms))
		l.wantCounted(arrived)
	}
}

// strange is a foreign RoCE frame, often to an existing QP.
func strange(s *chance.Stream) wire.Frame {
	f := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     [...]uint32{1, 9, 9}[s.Below(3)], // 9 is the peer of every QP
		DstIP:     1,
		TTL:       64,
		TOS:       uint8(s.Uint64()),
		Opcode:    wire.Opcode(s.Below(0x20)),
		DestQP:    FirstQP + uint32(s.Below(5)),
		PSN:       uint32(s.Below(40)),
		Syndrome:  uint8(s.Uint64()),
		MSN:       uint32(s.Below(1 << 24)),
		AckExt:    uint8(s.Below(2)<<7) | uint8(s.Below(9)),
		ExtTime:   s.Uint64(),
		ExtA:      uint32(s.Uint64()),
		ExtB:      uint32(s.Uint64()),
		ExtFlags:  uint8(s.Uint64()),
		Rare:      new(wire.Rare),
	}
	if s.Below(4) == 0 {
		f.Opcode = []wire.Opcode{wire.CNP, wire.Acknowledge, wire.UDSendOnly, 0x2A}[s.Below(4)]
	}
	f.Rare.INT.Max, f.Rare.INT.Hops = uint8(s.Below(6)), uint8(s.Below(12))
	f.Rare.OwnLen = uint8(s.Below(9)) * 4
	if f.Opcode.Headers()&wire.HasPayload != 0 {
		f.SetPayload(int(s.Below(4097)))
	}
	var back wire.Frame // as it is on the wire
	wire.DecodeAny(f.AppendTo(nil), &back)
	return back
}

// FuzzForeign feeds a NIC any frame.
func FuzzForeign(f *testing.F) {
	s := chance.New(4, "foreign")
	for range 20 {
		frame := strange(s)
		f.Add(frame.AppendTo(nil), uint8(s.Below(6)))
	}
	f.Fuzz(func(t *testing.T, b []byte, kind uint8) {
		l := foreigner(t, asks[int(kind)%len(asks)])
		var frame wire.Frame
		if !wire.DecodeAny(b, &frame) {
			return
		}
		l.arrive(at(us), frame)
		l.arrive(at(2*us), frame)
		l.run(at(20 * us))
		l.wantCounted(2)
	})
}

// TestFrameOfARareThatWasADatagrams: the rare parts of a reused frame do not make a datagram of data.
func TestFrameOfARareThatWasADatagrams(t *testing.T) {
	out := fabric.NewOutbox(1, make([]uint8, 1))
	used := out.New()
	used.SetDatagram([]byte("of a switch"))
	out.Free(used)
	template := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteOnly, Rare: new(wire.Rare)}
	if f := newFrame(out, &template); f != used || f.IsDatagram() || !f.IsData() {
		t.Errorf("%v is taken for a datagram", f)
	}
	out.Free(used)
	used.SetDatagram([]byte("of a switch"))
	cnp := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.CNP}
	if cnp.SetCNPRTT(5, used.Rare); cnp.IsDatagram() {
		t.Error("a CNP is taken for a datagram")
	}
}
