package nicd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// What the states of a sender take, worked out by hand. At 100 Gb/s a First of 1098 B takes 87.84 ns, a Middle of
// 1082 B 86.56 ns, as a Last does.

// wantSpent compares, in the order of the states, up to an instant.
func wantSpent(t *testing.T, n *NIC, qp uint32, until unit.Duration, want record.Spent) {
	t.Helper()
	if got := n.SenderOver(qp, at(until)).Spent; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// atLine decides nothing that holds a packet back.
var atLine = cc.Decision{Rate: 100 * unit.Gbps}

const (
	first  = 87840 * unit.Picosecond
	middle = 86560 * unit.Picosecond
)

// Three packets leave one after the other; the last ACK comes at 2 us.
func TestSpentAlone(t *testing.T) {
	l := lone100(t)
	qp := l.send(3000, 0, decide(atLine))
	l.ack(at(2*us), qp, 2)
	l.run(at(3 * us))
	sent := first + 2*middle
	wantSpent(t, l.n, qp, 3*us, record.Spent{record.Sending: sent, record.InFlight: 2*us - sent})
	if r := l.n.SenderRecord(qp); r.Completed != at(2*us) {
		t.Errorf("completed at %v", r.Completed)
	}
}

// In the middle of a packet only what has left counts.
func TestSpentAtAnyInstant(t *testing.T) {
	l := lone100(t)
	qp := l.send(3000, 0, decide(atLine))
	l.run(at(100 * ns))
	wantSpent(t, l.n, qp, 100*ns, record.Spent{record.Sending: 100 * ns})
}

// At 30 Gb/s the First has a gap of 292.8 ns.
func TestSpentPaced(t *testing.T) {
	l := lone100(t)
	qp := l.send(2000, 0, decide(cc.Decision{Rate: 30 * unit.Gbps}))
	l.ack(at(us), qp, 1)
	l.run(at(us + 1))
	wantSpent(t, l.n, qp, us, record.Spent{
		record.Sending:  first + middle,
		record.Paced:    292800 - first,
		record.InFlight: us - 292800 - middle,
	})
}

// A window of one packet opens with its ACK at 1 us.
func TestSpentWindowClosed(t *testing.T) {
	l := lone100(t)
	qp := l.send(2000, 0, decide(cc.Decision{Rate: 100 * unit.Gbps, Window: 1000}))
	l.ack(at(us), qp, 0)
	l.ack(at(2*us), qp, 1)
	l.run(at(3 * us))
	wantSpent(t, l.n, qp, 3*us, record.Spent{
		record.Sending:      first + middle,
		record.WindowClosed: us - first,
		record.InFlight:     us - middle,
	})
}

// Two flows begin at one instant. The first one's second packet is in line before the second flow's first.
func TestSpentBesideAnother(t *testing.T) {
	l := lone100(t)
	l.send(2000, 0, decide(atLine))
	qp := l.send(2000, 0, decide(atLine))
	l.ack(at(us), qp, 1)
	l.run(at(us + 1))
	wantSpent(t, l.n, qp, us, record.Spent{
		record.Sending:  first + middle,
		record.PortBusy: first + middle,
		record.InFlight: us - 2*first - 2*middle,
	})
}

// The class is held from 200 ns to 2 us. A packet that its pacer holds anyway is paused from the instant on at which it
// is due. A flow that has sent all is not paused.
func TestSpentPaused(t *testing.T) {
	l := lone100(t)
	qp := l.send(2000, 0, decide(atLine))
	paced := l.send(2000, 0, decide(cc.Decision{Rate: 10 * unit.Gbps}))
	l.pause(at(200*ns), 3, 0xffff)
	l.pause(at(2*us), 3, 0)
	l.run(at(3 * us))
	// Both packets of qp, then the First of paced from 174.4 ns on, whose second is due 878.4 ns later.
	due := first + middle + 878400
	wantSpent(t, l.n, qp, 3*us, record.Spent{
		record.Sending:  first + middle,
		record.InFlight: 3*us - first - middle,
	})
	wantSpent(t, l.n, paced, 3*us, record.Spent{
		record.Sending:  first + middle,
		record.PortBusy: first + middle,
		record.Paced:    878400 - first,
		record.Paused:   2*us - due,
		record.InFlight: us - middle,
	})
}

// The pause begins while the packet is in line behind another one's: the wait is divided at that instant, and again
// where the pause ends before its turn has come.
func TestSpentPausedInLine(t *testing.T) {
	l := lone100(t)
	l.send(9000, 0, decide(atLine))
	qp := l.send(1000, 0, decide(atLine))
	l.pause(at(20*ns), 3, 0xffff)
	l.pause(at(50*ns), 3, 0)
	l.run(at(us))
	wantSpent(t, l.n, qp, us, record.Spent{
		record.Sending:  first,
		record.PortBusy: first + middle - 30*ns,
		record.Paused:   30 * ns,
		record.InFlight: us - 2*first - middle,
	})
}

// The one packet is lost. The timeout at 100 us repairs it, and all until its ACK's way is repair.
func TestSpentTimeout(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Profile.RTOInitial = 100 * us
	l := newLone(t, c)
	qp := l.send(1000, 0, decide(atLine))
	l.run(at(101 * us))
	l.ack(at(102*us), qp, 0)
	l.run(at(103 * us))
	wantSpent(t, l.n, qp, 103*us, record.Spent{
		record.Sending:   first,
		record.Repairing: 100*us - first + first,
		record.InFlight:  2*us - first,
	})
}

// A NAK for the first of three packets at 1 us: all three are sent again.
func TestSpentGoBack(t *testing.T) {
	l := lone100(t)
	qp := l.send(3000, 0, decide(atLine))
	l.nak(at(us), qp, 0)
	l.ack(at(2*us), qp, 2)
	l.run(at(3 * us))
	sent := first + 2*middle
	wantSpent(t, l.n, qp, 3*us, record.Spent{
		record.Sending:   sent,
		record.Repairing: sent,
		record.InFlight:  2*us - 2*sent,
	})
}

// The link is down from 50 ns to 1 us: the second packet is sent into it all the same, and both wait for an ACK.
func TestSpentLinkDown(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Attachment.Outages = []fabric.Outage{{From: at(50 * ns), To: at(us)}}
	l := newLone(t, c)
	qp := l.send(2000, 0, decide(atLine))
	l.run(at(2 * us))
	wantSpent(t, l.n, qp, 2*us, record.Spent{
		record.Sending:  first + middle,
		record.InFlight: 2*us - first - middle,
	})
}

// A receiver that keeps what comes early misses the first packet alone: only that is sent again.
func TestSpentRepair(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Profile.OutOfOrder = true
	l := newLone(t, c)
	qp := l.send(100000, 0, decide(cc.Decision{Rate: 10 * unit.Gbps}))
	l.nak(at(us), qp, 0)
	l.run(at(2 * us))
	// Packets leave at 0, at 878.4 and, 865.6 ns after that, at 1744 ns: the repair, which has waited since the NAK.
	got := l.n.SenderOver(qp, at(2*us)).Spent
	if got[record.Repairing] != 1744*ns-us+first {
		t.Errorf("%v, want %v of repair", got, 1744*ns-us+first)
	}
}

// The second message waits for the phase of its rank, which ends at 50 us; until then nothing is to be sent.
func TestSpentWaiting(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	qp := p.link(true, 1000, []Await{}, []Await{{0, 1}})
	must(t, p.a.AddRank(RankConfig{Name: "job", Phases: []Phase{{Duration: 50 * us}}}))
	p.run(at(100 * us))
	r := p.a.SenderRecord(qp)
	spent := p.a.SenderOver(qp, at(100*us)).Spent
	if r.Completed == unit.Never || spent[record.NothingToSend] != 50*us-first || spent[record.WindowClosed] != 0 {
		t.Errorf("completed at %v: %v", r.Completed, spent)
	}
}

// A link on the way is down from 1 to 3 us and from 5 to 6 us, and again as the timeout at 100 us comes: as much of the
// wait, and the packet that is sent again, are without a route, the rest is repair.
func TestSpentWithoutRoute(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Profile.RTOInitial = 100 * us
	l := newLone(t, c)
	qp := l.send(1000, 0, decide(atLine))
	sending(l.n, qp-FirstQP).clocks = newClocks(nil, []fabric.Outage{
		{From: at(us), To: at(3 * us)}, {From: at(5 * us), To: at(6 * us)}, {From: at(100 * us), To: at(101 * us)},
	})
	l.run(at(101 * us))
	l.ack(at(102*us), qp, 0)
	l.run(at(103 * us))
	wantSpent(t, l.n, qp, 103*us, record.Spent{
		record.Sending:   first,
		record.Repairing: 97*us - first,
		record.NoRoute:   3*us + first,
		record.InFlight:  2*us - first,
	})
}

// Of four packets, the third is under way when the way is lost for a nanosecond: it is sent into the void, the others
// are sent. A packet that ends as the way is lost is not met.
func TestSpentIntoTheVoid(t *testing.T) {
	for name, lost := range map[string]fabric.Outage{
		"in the packet":       {From: at(first + middle + ns), To: at(first + middle + 2*ns)},
		"from its beginning":  {From: at(first + middle), To: at(first + middle + ns)},
		"before the next one": {From: at(first + 2*middle - ns), To: at(first + 2*middle)},
	} {
		t.Run(name, func(t *testing.T) {
			l := lone100(t)
			qp := l.send(4000, 0, decide(atLine))
			sending(l.n, qp-FirstQP).clocks = newClocks(nil, []fabric.Outage{lost})
			l.run(at(2 * us))
			wantSpent(t, l.n, qp, 2*us, record.Spent{
				record.Sending:  first + 2*middle,
				record.NoRoute:  middle,
				record.InFlight: 2*us - first - 3*middle,
			})
		})
	}
}

// The series of the states have, in each bin, the difference between what the clocks of a NIC without series show at
// its two ends: for flows that take turns, are paced, have a window and meet a pause; for one that goes back in the
// middle of a packet, that ends while a pause holds it in line, that begins late; and with bins that packets cross.
func TestStatesOverTime(t *testing.T) {
	const end = 8 * us
	acks := func(l *lone, packets ...uint32) {
		for psn := range uint32(9) {
			for i, n := range packets {
				if psn < n {
					l.ack(at(1200*ns+unit.Duration(psn)*500*ns+unit.Duration(i)*30*ns), FirstQP+uint32(i), psn)
				}
			}
		}
	}
	for _, c := range []struct {
		name  string
		flows int
		talk  func(*lone)
	}{
		{"turns", 3, func(l *lone) {
			l.send(9000, 0, decide(atLine))
			l.send(5000, 0, decide(cc.Decision{Rate: 20 * unit.Gbps}))
			l.send(6000, 0, decide(cc.Decision{Rate: 100 * unit.Gbps, Window: 2000}))
			l.pause(at(300*ns), 3, 0xffff)
			l.pause(at(650*ns), 3, 0)
			acks(l, 9, 5, 6)
		}},
		{"stops in line", 1, func(l *lone) {
			must(l.t, l.n.AddSender(SenderConfig{
				Name:       "f",
				QP:         FirstQP,
				Peer:       Peer{QP: 0x99, IP: 9},
				SrcPort:    0xC001,
				Message:    9000,
				MTU:        1000,
				DSCP:       -1,
				Controller: decide(atLine),
				Stop:       at(3 * us),
				Path:       fabric.PathOf(channel, channel),
				Back:       fabric.PathOf(channel, channel),
			}))
			l.pause(at(300*ns), 3, 0xffff)
			l.ack(at(us), FirstQP, 3)
			l.pause(at(6*us), 3, 0)
		}},
		{"waits for its rank", 1, func(l *lone) {
			l.t.Helper()
			must(l.t, l.n.AddSender(SenderConfig{
				Name:       "f",
				QP:         FirstQP,
				Peer:       Peer{QP: 0x99, IP: 9},
				SrcPort:    0xC001,
				Size:       1000,
				Message:    1000,
				MTU:        1000,
				DSCP:       -1,
				Messages:   [][]Await{{}},
				Controller: decide(atLine),
				Start:      at(3 * us),
				Path:       fabric.PathOf(channel),
				Back:       fabric.PathOf(channel),
			}))
			must(l.t, l.n.AddRank(RankConfig{Name: "job", Start: at(3 * us), Phases: []Phase{{Duration: 2 * us}}}))
			l.ack(at(6*us), FirstQP, 0)
		}},
		{"goes back", 1, func(l *lone) {
			l.send(9000, 0, decide(atLine))
			l.nak(at(100*ns), FirstQP, 0)
			acks(l, 9)
		}},
	} {
		for _, width := range []unit.Duration{50 * ns, 130 * ns, us} {
			t.Run(c.name+" "+width.String(), func(t *testing.T) {
				of := func(sends record.Grid) *lone {
					l := newLone(t, config("nic", 0, 1, profile.DefaultNIC()))
					l.n.recording.Sends = sends
					c.talk(l)
					return l
				}
				plain, metered := of(record.Grid{}), of(record.Grid{Width: width})
				metered.run(at(end))
				before := make([]record.Spent, c.flows)
				for bin := range int(end / width) {
					until := at(unit.Duration(bin+1) * width)
					plain.run(until)
					for i := range c.flows {
						shown := plain.n.SenderOver(FirstQP+uint32(i), until).Spent
						series := metered.n.SenderOver(FirstQP+uint32(i), at(end)).Sends
						got := [3]int64{series.Sending.At(bin), series.PortBusy.At(bin), series.Held.At(bin)}
						lap := func(state record.SendState) int64 { return int64(shown[state] - before[i][state]) }
						held := lap(record.Paced) + lap(record.WindowClosed)
						if want := [3]int64{lap(record.Sending), lap(record.PortBusy), held}; got != want {
							t.Fatalf("flow %d, bin %d: %v, want %v", i, bin, got, want)
						}
						before[i] = shown
					}
				}
			})
		}
	}
}
