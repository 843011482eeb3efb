package nicd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A flow of 5300 B in messages of 2500 B: First, Middle, Last, twice, then an
// Only of 300 B. A First carries 16 B of RETH, so at 100 Gb/s a First of 1000 B
// takes 14+20+8+12+16+1000+4 = 1074, + 24 = 1098 B or 87.84 ns; a Middle takes
// 1082 B or 86.56 ns. The PSN wraps after the second
// packet.
func TestFlowTranscript(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	p.add(flow{size: 5300, message: 2500, psn: 0xFFFFFE}, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	p.record()
	p.run(at(unit.Second))
	p.wantLog(`
		0.000 a First 16777214 len 1000 ackreq
		87.840 a Middle 16777215 len 1000 ackreq
		174.400 a Last 0 len 500 ackreq
		220.960 a First 1 len 1000 ackreq
		308.800 a Middle 2 len 1000 ackreq
		395.360 a Last 3 len 500 ackreq
		441.920 a Only 4 len 300 ackreq
		1087.840 b ACK 16777214 msn 0
		1174.400 b ACK 16777215 msn 0
		1220.960 b ACK 0 msn 1
		1308.800 b ACK 1 msn 1
		1395.360 b ACK 2 msn 1
		1441.920 b ACK 3 msn 2
		1473.760 b ACK 4 msn 3`)
	r := p.a.SenderRecord(FirstQP)
	if r.Acked != 5300 || r.Completed == unit.Never || p.a.Pending() != 0 || p.a.LastCompletion() != r.Completed {
		t.Errorf("acked %v, completed %v, pending %d", r.Acked, r.Completed, p.a.Pending())
	}
	if q := p.b.ReceiverRecord(FirstQP); q.Bytes != 5300 || q.Packets != 7 || q.ACKs != 7 {
		t.Errorf("received %v in %d packets, %d ACKs", q.Bytes, q.Packets, q.ACKs)
	}
}

// The third packet is lost once: the receiver discards what follows, sends one
// NAK, and the sender goes back.
func TestGoBackN(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	p.add(flow{size: 6000}, decide(cc.Decision{Rate: 10 * unit.Gbps}))
	losses := 0
	p.touch = func(_ fabric.LinkID, _ unit.Time, f *wire.Frame) bool {
		if f.PSN == 2 && f.IsData() && losses == 0 {
			losses++
			return false
		}
		return true
	}
	p.record()
	p.run(at(unit.Second))
	p.wantLog(`
		0.000 a First 0 len 1000 ackreq
		878.400 a Middle 1 len 1000 ackreq
		1087.840 b ACK 0 msn 0
		1744.000 a Middle 2 len 1000 ackreq lost
		1964.960 b ACK 1 msn 0
		2609.600 a Middle 3 len 1000 ackreq
		3475.200 a Middle 4 len 1000 ackreq
		3696.160 b NAK 2 msn 0
		4340.800 a Last 5 len 1000 ackreq
		5206.400 a Middle 2 len 1000 ackreq
		6072.000 a Middle 3 len 1000 ackreq
		6292.960 b ACK 2 msn 0
		6937.600 a Middle 4 len 1000 ackreq
		7158.560 b ACK 3 msn 0
		7803.200 a Last 5 len 1000 ackreq
		8024.160 b ACK 4 msn 0
		8889.760 b ACK 5 msn 1`)
	s, r := p.a.SenderRecord(FirstQP), p.b.ReceiverRecord(FirstQP)
	if s.Resent == 0 || s.NAKs != 1 || r.NAKs != 1 || r.Bytes != 6000 || s.Acked != 6000 {
		t.Errorf("sender %+v receiver %+v", s, r)
	}
}
