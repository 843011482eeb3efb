package nicd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// hearing is a controller whose senders note what they hear of losses.
type hearing struct {
	cc.Controller
	signals cc.Signals
	heard   []string
	last    cc.Event
	events  int
}

func (h *hearing) Signals() cc.Signals              { return h.signals }
func (h *hearing) NewSender(cc.Facts) cc.Sender     { return h }
func (h *hearing) NewReceiver(cc.Facts) cc.Receiver { return nil }

func (h *hearing) Handle(event *cc.Event, decision *cc.Decision) {
	h.events++
	decision.Rate = 50 * unit.Gbps
	switch event.Kind {
	case cc.EventLoss:
		h.heard = append(h.heard, fmt.Sprintf("%s %d", contract.LossNames[event.Cause], event.Lost))
	case cc.EventNak, cc.EventTimeout:
		h.heard = append(h.heard, event.Kind.String())
	}
	if event.Kind != cc.EventLoss && (event.Lost != 0 || event.Cause != cc.LossNone) {
		h.heard = append(h.heard, "a loss in another event")
	}
	h.last = *event
}

// Of ten packets the third is lost twice: the NAK reports all from it on as lost, the timeout the same for the resent
// ones. Each loss is reported once, before the event that it led to, and only if the algorithm asks for losses. An
// out-of-order receiver's NAK is for one packet.
func TestLossesAreHeard(t *testing.T) {
	for _, c := range []struct {
		asks, ooo bool
		want      string
	}{
		{true, false, "nak 8000, NAK, timeout 8000, timeout"},
		{false, false, "NAK, timeout"},
		{true, true, "nak 1000, NAK, nak 1000, NAK"},
	} {
		t.Run(fmt.Sprintf("asks=%v,ooo=%v", c.asks, c.ooo), func(t *testing.T) {
			prof := profile.DefaultNIC()
			prof.RTOFloor, prof.OutOfOrder = 100*us, c.ooo
			prof.ReorderDepth = 2
			p := newPair(t, prof)
			h := &hearing{signals: cc.Signals{Acks: true, Loss: c.asks}}
			p.add(flow{size: 10 * 1000}, h)
			p.lose(map[uint32]int{2: 2})
			p.run(at(unit.Second))
			if got := strings.Join(h.heard, ", "); got != c.want {
				t.Errorf("asks %t, out of order %t: heard %q, want %q", c.asks, c.ooo, got, c.want)
			}
		})
	}
}

// The receiver's data and a packet's way are reported only to algorithms that ask for them.
func TestDetailsOfAcks(t *testing.T) {
	for _, asks := range []bool{true, false} {
		t.Run(fmt.Sprintf("asks=%v", asks), func(t *testing.T) {
			p := newPair(t, profile.DefaultNIC())
			h := &hearing{signals: cc.Signals{Acks: true, Received: asks, Path: asks}}
			p.add(flow{size: 5000}, h)
			p.lose(map[uint32]int{4: 1})
			p.run(at(unit.Second))
			want := cc.Event{}
			if asks {
				want.Received, want.Path, want.Resent = 5000, h.last.Path, true
			}
			if h.last.Kind != cc.EventAck || h.last.Received != want.Received || h.last.Resent != want.Resent || h.last.OOO ||
				(h.last.Path >= 1<<15) != asks {
				t.Errorf("asks %t: the last event is %+v", asks, h.last)
			}
		})
	}
}

// The NIC's own window holds for any decision of the algorithm, and none of its own means none.
func TestSendWindow(t *testing.T) {
	for _, c := range []struct{ own, decided, want unit.Bytes }{
		{0, 0, 0}, {3000, 0, 3000}, {3000, 2000, 2000}, {3000, 9000, 3000}, {0, 9000, 9000},
	} {
		t.Run(fmt.Sprintf("own=%v,decided=%v", c.own, c.decided), func(t *testing.T) {
			d := newDecisions(unit.Gbps, c.own, false)
			if d.window != c.own {
				t.Errorf("a window of %v at first, want %v", d.window, c.own)
			}
			d.apply(&change{Decision: cc.Decision{Window: c.decided}})
			if d.window != c.want {
				t.Errorf("own window %v, decided %v: %v, want %v", c.own, c.decided, d.window, c.want)
			}
		})
	}
}

// With gap_cnp a gap brings a CNP beside its NAK, to an algorithm that hears CNPs.
func TestGapCNP(t *testing.T) {
	for _, c := range []struct {
		on, hears bool
		want      uint64
	}{{true, true, 1}, {true, false, 0}, {false, true, 0}} {
		t.Run(fmt.Sprintf("on=%v,hears=%v", c.on, c.hears), func(t *testing.T) {
			prof := profile.DefaultNIC()
			prof.GapCNP = c.on
			p := newPair(t, prof)
			h := &hearing{signals: cc.Signals{Acks: true, CNP: c.hears}}
			p.add(flow{size: 50 * 1000}, h)
			p.lose(map[uint32]int{2: 1})
			p.run(at(unit.Second))
			s, r := p.a.SenderRecord(FirstQP), p.b.ReceiverRecord(FirstQP)
			if s.CNPs != c.want || r.CNPs != c.want || r.GapCNPs != c.want {
				t.Errorf("%+v: %d CNPs handled, %d sent, %d for gaps", c, s.CNPs, r.CNPs, r.GapCNPs)
			}
		})
	}
}
