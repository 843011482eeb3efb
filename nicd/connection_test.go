package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// connection is a reliability that a test drives by verbs, with packets of 1000 B
// in messages of ten.
type connection struct {
	t *testing.T
	reliability
}

func newConnection(t *testing.T, size unit.Bytes, ackEvery int, outOfOrder bool) *connection {
	return &connection{t, newReliability(newLayout(size, 10_000, 1000), 0xFFFFFE, ackEvery, outOfOrder)}
}

// send starts the given number of packets, the first at the given time and one a
// us, and expects them to be those named, a * for one that was sent before and a ^
// for the oldest.
func (c *connection) send(at unit.Time, want ...string) {
	c.t.Helper()
	for i, w := range want {
		if !c.sendable(0) {
			c.t.Fatalf("packet %s may not leave", w)
		}
		place, resent, oldest := c.take(at.Add(unit.Duration(i) * us))
		got := fmt.Sprint(place.packet)
		if resent {
			got += "*"
		}
		if oldest {
			got += "^"
		}
		if got != w {
			c.t.Errorf("sent %s, want %s", got, w)
		}
		if place.from != unit.Bytes(place.packet)*1000 {
			c.t.Errorf("packet %d begins at %v", place.packet, place.from)
		}
	}
}

func (c *connection) ack(to int64, at unit.Time, want progress) {
	c.t.Helper()
	if got := c.acknowledge(to, at); got != want {
		c.t.Errorf("acknowledged before %d: %+v, want %+v", to, got, want)
	}
}

// In go-back-N all packets after a missing one are sent again, and a packet sent twice gives no sample of the round
// trip (Karn).
func TestConnectionGoesBack(t *testing.T) {
	c := newConnection(t, 0, 1, false)
	c.send(at(us), "0^", "1", "2", "3")
	if c.inflight() != 4000 || !c.waiting() {
		t.Errorf("%v in flight", c.inflight())
	}
	c.ack(1, at(11*us), progress{bytes: 1000, rtt: 10 * us, perRound: true})
	c.ack(1, at(12*us), progress{})                                           // again: nothing new
	c.ack(2, at(13*us), progress{bytes: 1000, rtt: 11 * us, perRound: false}) // of the same round trip
	c.goBack(2)
	if c.inflight() != 0 {
		t.Errorf("%v in flight after going back", c.inflight())
	}
	c.send(at(20*us), "2*^", "3*", "4")
	c.ack(3, at(30*us), progress{bytes: 1000})
	c.ack(5, at(32*us), progress{bytes: 2000}) // 3 was sent twice
	if c.waiting() {
		t.Errorf("something is on its way: %+v", c.reliability)
	}
	c.send(at(40*us), "5^")
	c.ack(6, at(50*us), progress{bytes: 1000, rtt: 10 * us, perRound: true})
}

// What arrived after all is not sent once more.
func TestAckAfterGoingBack(t *testing.T) {
	c := newConnection(t, 0, 1, false)
	c.send(at(us), "0^", "1", "2", "3")
	c.expire()
	c.send(at(20*us), "0*^")
	c.ack(3, at(21*us), progress{bytes: 3000})
	c.send(at(22*us), "3*^", "4")
}

// A receiver that keeps early packets misses one packet: that is sent again, and the flow resumes. An ACK that it held
// back for the gap gives no sample.
func TestRepair(t *testing.T) {
	c := newConnection(t, 0, 1, true)
	c.send(at(us), "0^", "1", "2", "3")
	c.ack(1, at(11*us), progress{bytes: 1000, rtt: 10 * us, perRound: true})
	c.goBack(1)
	c.send(at(12*us), "1*", "4")
	c.ack(4, at(22*us), progress{bytes: 3000})
	c.ack(5, at(24*us), progress{bytes: 1000, rtt: 11 * us, perRound: true})
	// A repair that an ACK overtook is none.
	c.send(at(30*us), "5^", "6")
	c.goBack(5)
	c.ack(6, at(41*us), progress{bytes: 1000})
	c.send(at(42*us), "7")
	// After a timeout nothing is known of the others.
	c.goBack(6)
	c.expire()
	c.send(at(90*us), "6*^", "7*", "8")
}

// An out-of-order receiver holds its ACK back for a gap: one that covers more than
// the packets that share an ACK gives no sample, and in go-back-N it does.
func TestHeldBackAck(t *testing.T) {
	for _, outOfOrder := range []bool{true, false} {
		t.Run(fmt.Sprintf("outOfOrder=%v", outOfOrder), func(t *testing.T) {
			c := newConnection(t, 0, 2, outOfOrder)
			c.send(at(us), "0^", "1", "2", "3", "4")
			c.ack(2, at(12*us), progress{bytes: 2000, rtt: 10 * us, perRound: true})
			want := progress{bytes: 3000, rtt: 7 * us, perRound: false}
			if outOfOrder {
				want.rtt = 0
			}
			c.ack(5, at(12*us), want)
		})
	}
}

// A packet may leave while less than the window is in flight, and while the
// receiver, or the PSN space, can tell what is outstanding apart.
func TestSendable(t *testing.T) {
	for _, w := range []struct {
		window unit.Bytes
		want   int
	}{{1, 1}, {999, 1}, {1000, 1}, {1001, 2}, {5000, 5}, {0, 20}} {
		t.Run(fmt.Sprintf("window=%v", w.window), func(t *testing.T) {
			c := newConnection(t, 20_000, 1, false)
			n := 0
			for ; c.sendable(w.window); n++ {
				c.take(0)
			}
			if n != w.want {
				t.Errorf("window %d: %d packets, want %d", w.window, n, w.want)
			}
		})
	}
	for outOfOrder, want := range map[bool]int{true: reorderWindow, false: 100_000} {
		t.Run(fmt.Sprintf("outOfOrder=%v", outOfOrder), func(t *testing.T) {
			c := newConnection(t, 100_000*1000, 1, outOfOrder)
			n := 0
			for ; c.sendable(0); n++ {
				c.take(0)
			}
			if n != want {
				t.Errorf("out of order %t: %d packets outstanding, want %d", outOfOrder, n, want)
			}
		})
	}
}

// Starts are kept for as many packets as are outstanding, across growth.
func TestStartsOfManyPackets(t *testing.T) {
	c := newConnection(t, 0, 1, false)
	for i := range 100 {
		c.take(at(unit.Duration(i) * us))
	}
	for i := range int64(100) {
		if p := c.acknowledge(i+1, at(200*us)); p.rtt != 200*us-unit.Duration(i)*us {
			t.Errorf("packet %d: round trip %v", i, p.rtt)
		}
	}
}

// A flow ends when all of it is acknowledged; one that is stopped short ends without being complete, and one whose
// messages wait sends the admitted part.
func TestEndOfFlow(t *testing.T) {
	c := newConnection(t, 3000, 1, false)
	c.send(0, "0^", "1")
	if !c.stop() || c.sendable(0) || c.ended() {
		t.Errorf("stopped: %+v", c.reliability)
	}
	c.ack(2, at(9*us), progress{bytes: 2000, rtt: 8 * us, perRound: true})
	if !c.ended() || c.complete() || c.stop() {
		t.Errorf("ended %t, complete %t", c.ended(), c.complete())
	}

	c = newConnection(t, 30_000, 1, false)
	c.blockMessages()
	for m := range 3 {
		if c.sendable(0) || c.ended() {
			t.Errorf("message %d: sendable %t, ended %t", m, c.sendable(0), c.ended())
		}
		c.admitMessage()
		n := 0
		for ; c.sendable(0); n++ {
			c.take(0)
		}
		if n != 10 {
			t.Errorf("message %d: %d packets", m, n)
		}
	}
	if c.acknowledge(30, at(us)); !c.ended() || !c.complete() {
		t.Errorf("ended %t, complete %t", c.ended(), c.complete())
	}
}

// Every ackEvery-th packet of a message and its last ask for an ACK; PSNs wrap.
func TestAsksForAck(t *testing.T) {
	c := newConnection(t, 0, 4, false)
	got := ""
	for c.next.packet < 14 {
		place, _, _ := c.take(0)
		if c.asksForAck(&place, 0, false) {
			got += fmt.Sprint(" ", place.packet)
		}
	}
	if got != " 3 7 9 13" {
		t.Errorf("packets%s ask for an ACK", got)
	}
	for packet, psn := range map[int64]uint32{0: 0xFFFFFE, 1: 0xFFFFFF, 2: 0, 13: 11} {
		t.Run(fmt.Sprintf("packet=%v", packet), func(t *testing.T) {
			if c.psn(packet) != psn || c.packet(psn) != packet {
				t.Errorf("packet %d: PSN %#x, which is packet %d", packet, c.psn(packet), c.packet(psn))
			}
		})
	}
}

// The timeout is max(floor, factor x newest RTT), from the last progress.
func TestRetransmissionTimeout(t *testing.T) {
	p := profile.DefaultNIC()
	p.RTOInitial, p.RTOFloor, p.RTOFactor = 500*us, 100*us, 4
	r := newRetransmission(&p, nil)
	r.since = at(7 * us)
	for _, c := range []struct {
		rtt, want unit.Duration
		changes   bool
	}{
		{0, 500 * us, false},
		{10 * us, 100 * us, true},
		{25 * us, 100 * us, false},
		{26 * us, 104 * us, true},
		{us, 100 * us, true},
	} {
		t.Run(fmt.Sprintf("rtt=%v", c.rtt), func(t *testing.T) {
			if c.rtt > 0 {
				if got := r.sampled(c.rtt); got != c.changes {
					t.Errorf("sample %v: changes %t", c.rtt, got)
				}
			}
			if got := r.deadline(); got != at(7*us+c.want) {
				t.Errorf("sample %v: due at %v, want %v after the progress", c.rtt, got, c.want)
			}
		})
	}
}
