package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Senders of two QPs each: the first, with a window of two packets, sends to a port of a switch that is shared with
// the other senders' first ones, the second, without a window, to a port of its own. A packet takes 100 ns at a port,
// an ACK comes 150 ns after its packet left the switch: an RTT without queues is 350 ns. Time begins at 0 for all.
const (
	slot    = 100 * ns
	back    = 150 * ns
	payload = 1152 // 1250 B with 98 B around it: 100 ns at 100 Gb/s
)

// lap is a packet of a QP with a window: when it left the NIC, and how long it waited at the shared port.
type lap struct{ left, waited unit.Duration }

// laps returns the packets of each sender's first QP that left before the given time.
func laps(t *testing.T, senders int, byNumber bool, until unit.Duration) [][]lap {
	t.Helper()
	prof := profile.DefaultNIC()
	prof.QPsByNumber = byNumber
	nics := make([]*lone, senders)
	for i := range nics {
		nics[i] = newLone(t, config(fmt.Sprint("h", i), 0, 1, prof))
		for qp, window := range []unit.Bytes{2 * payload, 0} {
			path := fabric.PathOf(channel, channel)
			must(t, nics[i].n.AddSender(SenderConfig{
				Name:       fmt.Sprint("flow", qp),
				QP:         FirstQP + uint32(qp),
				Peer:       Peer{QP: uint32(qp), IP: 9},
				Message:    payload,
				MTU:        payload,
				DSCP:       -1,
				Controller: decide(cc.Decision{Rate: 100 * unit.Gbps, Window: window}),
				Path:       path,
				Back:       path,
			}))
		}
	}
	of, free := make([][]lap, senders), unit.Time(0)             // free is when the shared port is
	for now := at(0); now < at(until); now = now.Add(slot / 2) { // in which a NIC starts one packet at most
		for i, l := range nics {
			for _, d := range l.run(now.Add(slot / 2)) {
				if d.Frame.DestQP != 0 {
					continue
				}
				reaches := d.Start.Add(slot)
				leaves := max(reaches, free)
				free = leaves.Add(slot)
				of[i] = append(of[i], lap{d.Start.Sub(0), leaves.Sub(reaches)})
				l.ack(free.Add(back), FirstQP, d.Frame.PSN)
			}
		}
	}
	return of
}

// TestOrderOfQPs counts by hand the effect of the order of due QPs on the ones that wait for ACKs.
//
// A QP without a window is always due: in the order of becoming due it stands in line again as soon as its packet has
// started. So a QP that an ACK makes due while that packet is under way, 50 ns before its end, waits for the rest of
// it and for one more: 150 ns. By number its turn is next: 50 ns.
//
// One sender: two packets a lap of 350 ns and the wait, 500 or 400 ns: 40 or 50 % of the port. Two senders: each as
// without the other, one half a lap after the other, so that the shared port has 80 or 100 % of its time taken, and
// after the first packets none waits there. Three senders: 3 x 50 or 3 x 40 % are more than the shared port has. Its
// six packets need 600 ns, which are 350 ns, the wait at the NIC and that at the port: so there it is 100 or 200 ns,
// one packet or two, and the RTT 450 or 550 ns, at the same throughput.
func TestOrderOfQPs(t *testing.T) {
	for _, x := range []struct {
		senders  int
		byNumber bool
		lefts    string // of the first sender's packets, in slots
		waited   unit.Duration
	}{
		{1, false, "[0 1 5 7 10 12 15 17 20 22 25 27]", 0},
		{1, true, "[0 2 4 6 8 10 12 14 16 18 20 22 24 26 28]", 0},
		{2, false, "[0 1 5 7 10 12 15 17 20 22 25 27]", 0},
		{2, true, "[0 2 4 6 8 10 12 14 16 18 20 22 24 26 28]", 0},
		{3, false, "[0 1 5 8 11 14 17 20 23 26 29]", slot},
		{3, true, "[0 2 4 7 10 13 16 19 22 25 28]", 2 * slot},
	} {
		t.Run(fmt.Sprintf("senders=%v,byNumber=%v", x.senders, x.byNumber), func(t *testing.T) {
			of := laps(t, x.senders, x.byNumber, 30*slot)
			var lefts []int64
			for _, l := range of[0] {
				lefts = append(lefts, int64(l.left/slot))
			}
			if got := fmt.Sprint(lefts); got != x.lefts {
				t.Errorf("%d senders, by number %t: packets left at %s, want %s", x.senders, x.byNumber, got, x.lefts)
			}
			for i := range of {
				for _, l := range of[i] {
					if l.left >= 8*slot && l.waited != x.waited {
						t.Errorf("%d senders, by number %t: the packet of %v of sender %d waited %v, want %v",
							x.senders, x.byNumber, l.left, i, l.waited, x.waited)
					}
				}
			}
		})
	}
}

// By number the next QP is the one after the last, not one that became due before it.
func TestOrderByNumber(t *testing.T) {
	var l list
	for _, index := range []uint32{5, 2, 9, 4} {
		l.push(&sender{index: index})
	}
	var order []uint32
	for last := uint32(4); l.head != nil; {
		flow := l.popAfter(last)
		last = flow.index
		order = append(order, last)
		if last == 9 { // it is due again
			l.push(flow)
			if len(order) > 6 {
				break
			}
		}
	}
	if got := fmt.Sprint(order); got != "[5 9 2 4 9 9 9]" {
		t.Error(got)
	}
	l.push(&sender{index: 1})
	if l.head.index != 9 || l.head.next.index != 1 || l.tail.next != nil {
		t.Error("the list is broken")
	}
}
