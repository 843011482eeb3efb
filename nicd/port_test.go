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

func lone100(t testing.TB) *lone { return newLone(t, config("nic", 0, 1, profile.DefaultNIC())) }

// At 30 Gb/s a 1082 B packet has a gap of 1082 x 8 / 30e9 s = 288533.3 ps,
// rounded up; the First of 1098 B has 292800 ps exactly.
func TestPacingGap(t *testing.T) {
	l := lone100(t)
	l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 30 * unit.Gbps}))
	l.wantSent(at(us), "0.000 First 0 len 1000 ackreq", "292.800 Middle 1 len 1000 ackreq",
		"581.334 Middle 2 len 1000 ackreq", "869.868 Middle 3 len 1000 ackreq")
}

// Decision.Gap overrides the rate, and no decision is faster than the line.
func TestGapAndLine(t *testing.T) {
	l := lone100(t)
	l.send(100*unit.KB, 0, decide(cc.Decision{Rate: unit.Gbps, Gap: 400 * ns}))
	l.wantSent(at(us), "0.000 First 0 len 1000 ackreq", "400.000 Middle 1 len 1000 ackreq",
		"800.000 Middle 2 len 1000 ackreq")
	l = lone100(t)
	l.send(100*unit.KB, 0, decide(cc.Decision{Rate: unit.Tbps, Gap: ns}))
	l.wantSent(at(200*ns), "0.000 First 0 len 1000 ackreq", "87.840 Middle 1 len 1000 ackreq",
		"174.400 Middle 2 len 1000 ackreq")
}

// A rate change re-times the pending gap: the next packet moves by gap(new) - gap(old).
// The First left at 0 at 100 Mb/s, which is a gap of 87.84 us; at 5 us a
// timer event raises the rate to 10 Gb/s, a gap of 878.4 ns, already past; at
// 1 Gb/s it is 8.784 us, still to come.
func TestRateChangeRetimes(t *testing.T) {
	for _, c := range []struct {
		rate unit.BitRate
		next string
	}{{10 * unit.Gbps, "5000.000 Middle 1 len 1000 ackreq"}, {unit.Gbps, "8784.000 Middle 1 len 1000 ackreq"}} {
		t.Run(c.next, func(t *testing.T) {
			l := lone100(t)
			l.send(100*unit.KB, 0, &script{handle: func(e *cc.Event, d *cc.Decision) {
				switch e.Kind {
				case cc.EventStart:
					d.Rate, d.WakeAt = 100*unit.Mbps, at(5*us)
				case cc.EventTimer:
					d.Rate = c.rate
				}
			}})
			l.run(at(us))
			got := l.run(at(10 * us))
			if len(got) == 0 || picoseconds(got[0].Start)+" "+describe(got[0].Frame) != c.next {
				t.Errorf("at %v: %v, want first %s", c.rate, got, c.next)
			}
		})
	}
	// Down again: from 1 Gb/s to 100 Mb/s moves the next start from 8.784 us to 87.84 us.
	l := lone100(t)
	l.send(100*unit.KB, 0, &script{handle: func(e *cc.Event, d *cc.Decision) {
		switch e.Kind {
		case cc.EventStart:
			d.Rate, d.WakeAt = unit.Gbps, at(5*us)
		case cc.EventTimer:
			d.Rate = 100 * unit.Mbps
		}
	}})
	l.run(at(us))
	l.wantSent(at(100*us), "87840.000 Middle 1 len 1000 ackreq")
}

// A packet may leave while inflight < W: 2500 B lets three packets out, and
// the ACK of one opens it for one.
func TestWindowRule(t *testing.T) {
	l := lone100(t)
	qp := l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps, Window: 2500}))
	l.wantSent(at(us), "0.000 First 0 len 1000 ackreq", "87.840 Middle 1 len 1000 ackreq",
		"174.400 Middle 2 len 1000 ackreq")
	l.ack(at(2*us), qp, 0)
	l.wantSent(at(3*us), "2000.000 Middle 3 len 1000 ackreq")
	l.ack(at(4*us), qp, 2) // leaves one in flight
	l.wantSent(at(5*us), "4000.000 Middle 4 len 1000 ackreq", "4086.560 Middle 5 len 1000 ackreq")
}

// Three backlogged QPs share the port packet by packet; the first to start
// has one packet more, for it found the port free.
func TestRoundRobin(t *testing.T) {
	l := lone100(t)
	for range 3 {
		l.send(unit.MB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	}
	sent := l.run(at(30 * us))
	for i, d := range sent {
		if i > 0 && d.Start.Sub(sent[i-1].Start) > 88*ns {
			t.Fatalf("port idle before packet %d", i)
		}
	}
	for _, q := range l.n.qps {
		if got := int(q.send().record.Packets); 3*got < len(sent)-2 || 3*got > len(sent)+4 {
			t.Errorf("QP sent %d of %d packets, want a third", got, len(sent))
		}
	}
}

// A pause of 1000 quanta at 100 Gb/s lasts 1000 x 5.12 ns; the frame under way
// completes; other classes go on.
func TestPauseLasts(t *testing.T) {
	l := lone100(t)
	l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	l.pause(at(100*ns), 3, 1000)
	l.wantSent(at(5300*ns), "0.000 First 0 len 1000 ackreq", "87.840 Middle 1 len 1000 ackreq",
		"5220.000 Middle 2 len 1000 ackreq")
	r := l.n.PortRecord(at(5300 * ns))
	if c := r.Classes.At(3); c.Paused != 5120*ns || c.ReceivedXOFF != 1 || c.ReceivedXON != 0 {
		t.Errorf("class 3: %+v", c)
	}
	l.pause(at(5310*ns), 2, 1000)
	if got := l.run(at(6 * us)); len(got) < 7 {
		t.Errorf("a pause of class 2 held class 3: %d packets", len(got))
	}
}

// A new frame replaces the remaining time, up and down; XON ends it.
func TestPauseReplaced(t *testing.T) {
	for _, c := range []struct {
		quanta uint16
		next   string
	}{{2000, "11240.000"}, {10, "1051.200"}, {0, "1000.000"}} {
		t.Run(c.next, func(t *testing.T) {
			l := lone100(t)
			l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
			l.pause(at(100*ns), 3, 1000)
			l.pause(at(us), 3, c.quanta)
			l.run(at(500 * ns))
			got := l.run(at(12 * us))
			if len(got) == 0 || picoseconds(got[0].Start) != c.next {
				t.Errorf("quanta %d: next packet %v, want %s", c.quanta, got, c.next)
			}
		})
	}
	// A class that is not enabled keeps its state.
	l := lone100(t)
	l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	l.pause(at(100*ns), 3, 1000)
	l.pause(at(us), 4, 0)
	l.run(at(500 * ns))
	l.wantSent(at(5221*ns), "5220.000 Middle 2 len 1000 ackreq")
}

// ACKs go before data; with AckWithData they carry the data's DSCP, without
// ECT, and obey its pause, and CNPs do not.
func TestControlQueue(t *testing.T) {
	p := profile.DefaultNIC()
	p.AckWithData = true
	l := newLone(t, config("nic", 0, 1, p))
	alg := &script{signals: cc.Signals{CNP: true}}
	qp := l.receive(alg)
	l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	l.pause(at(10*ns), 3, 1000)
	l.data(at(20*ns), qp, 0, wire.WriteFirst, wire.CE)
	sent := l.run(at(us))
	if len(sent) != 2 || sent[1].Frame.Opcode != wire.CNP || sent[1].Frame.TOS != 0xC0 || sent[1].Frame.DestQP != 0x99 ||
		sent[1].Frame.Notify != wire.BECN {
		t.Fatalf("while paused sent %v, want the first packet and the CNP", sent)
	}
	sent = l.run(at(6 * us))
	if f := sent[0].Frame; f.Opcode != wire.Acknowledge || f.TOS != 26<<2 || picoseconds(sent[0].Start) != "5130.000" {
		t.Errorf("after the pause sent first %+v at %v", f, sent[0].Start)
	}
}

// Outages: nothing arrives in them, and the QPs know nothing of it: their packets start and are lost. Pauses end with
// the link.
func TestOutage(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Attachment.Outages = append(c.Attachment.Outages, fabric.Outage{From: at(100 * ns), To: at(us)},
		fabric.Outage{From: at(us), To: at(2 * us)})
	l := newLone(t, c)
	qp := l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps, Window: 3000}))
	l.ack(at(1500*ns), qp, 0)
	l.wantSent(at(3*us), "0.000 First 0 len 1000 ackreq", "87.840 Middle 1 len 1000 ackreq",
		"174.400 Middle 2 len 1000 ackreq")
	if r := l.n.PortRecord(at(3 * us)); r.RxLostFrames != 1 || r.RxFrames != 0 {
		t.Errorf("lost %d, received %d", r.RxLostFrames, r.RxFrames)
	}
}

// At 998.627 Mb/s a byte takes a little less than a whole number of picoseconds,
// which shows from 1090 bytes on: a NIC's times are exact there too.
func TestTimesAreExact(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Attachment.Rx.Rate = 998_627 * unit.Kbps
	n := New(c)
	for _, payload := range []int{100, 1000, 1500, 4096} {
		t.Run(fmt.Sprintf("payload=%v", payload), func(t *testing.T) {
			f := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle}
			f.SetPayload(payload)
			want := at(us).Add(wire.Full.SerialTime(&f, c.Attachment.Rx.Rate) + us)
			if got := n.Deliver(0, at(us), f.Len(), &f); got != want {
				t.Errorf("%d B of payload arrive at %d ps, want %d", payload, got, want)
			}
		})
	}
}

// What the NIC sends while its link is slow takes as long as the lower rate has it: 4 x 86.56 ns at 25 Gb/s. The packet
// under way when that begins has the line rate.
func TestSlowLink(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Attachment.TxSlow = []fabric.Slow{{From: at(80 * ns), To: at(600 * ns), Rate: 25 * unit.Gbps}}
	l := newLone(t, c)
	l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	l.wantSent(at(900*ns), "0.000 First 0 len 1000 ackreq", "87.840 Middle 1 len 1000 ackreq",
		"434.080 Middle 2 len 1000 ackreq", "780.320 Middle 3 len 1000 ackreq", "866.880 Middle 4 len 1000 ackreq")
}
