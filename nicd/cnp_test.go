package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// reserved are contents of the reserved bytes of a CNP, with the part that an algorithm asking for rates and RTTs
// receives.
var reserved = []struct {
	name  string
	bytes [16]byte
	rate  unit.BitRate
	rtt   unit.Duration
}{
	{"nothing", [16]byte{}, 0, 0},
	{"a rate", [16]byte{0: 1, 4: 0, 5: 0, 6: 0x20, 7: 0x6C}, 8300 * unit.Mbps, 0},
	{"a rate of 0", [16]byte{0: 1}, unit.Mbps, 0},
	{"a rate above the line", [16]byte{0: 1, 4: 0, 5: 3, 6: 0, 7: 0}, 100 * unit.Gbps, 0},
	{"the largest rate", [16]byte{0: 1, 4: 255, 5: 255, 6: 255, 7: 255}, 100 * unit.Gbps, 0},
	{"an RTT", [16]byte{7: 9}, 0, 9 * unit.Nanosecond},
	{"a version to come", [16]byte{0: 2, 7: 9}, 0, 0},
	{"all of a vendor's", [16]byte{0: 0xFF, 3: 7, 7: 9, 15: 1}, 0, 0},
}

// An algorithm that asks for rates gets them, bounded by the line, with the CNP's event and with no other;
// one that does not takes such a CNP as any.
func TestReservedBytesOfCNPs(t *testing.T) {
	for _, asked := range []bool{true, false} {
		t.Run(fmt.Sprintf("asked=%v", asked), func(t *testing.T) {
			l := newLone(t, config("a", 0, 1, profile.DefaultNIC()))
			var rates []unit.BitRate
			var rtts []unit.Duration
			signals := cc.Signals{CNP: true, Acks: true, RTTInCNP: asked, RateInCNP: asked}
			qp := l.send(10_000, 0, &script{signals: signals, handle: func(e *cc.Event, d *cc.Decision) {
				switch e.Kind {
				case cc.EventCNP:
					rates, rtts = append(rates, e.CNPRate), append(rtts, e.RTT)
					d.WakeAt = e.Now + 1
				default:
					if e.CNPRate != 0 {
						t.Errorf("a rate of %v in a %v event", e.CNPRate, e.Kind)
					}
				}
			}})
			rated := uint64(0)
			for i, c := range reserved {
				frame := ackFrame(qp, 0, 0)
				frame.Opcode, frame.Rare = wire.CNP, &wire.Rare{Reserved: c.bytes}
				l.arrive(at(unit.Duration(i+1)*us), frame)
				if asked && c.rate > 0 {
					rated++
				}
			}
			l.run(at(20 * us))
			if len(rates) != len(reserved) {
				t.Fatalf("told of %d CNPs of %d", len(rates), len(reserved))
			}
			for i, c := range reserved {
				rate, rtt := c.rate, c.rtt
				if !asked {
					rate, rtt = 0, 0
				}
				if rates[i] != rate || rtts[i] != rtt {
					t.Errorf("asked %v, %s: told of %v and %v, want %v and %v", asked, c.name, rates[i], rtts[i], rate, rtt)
				}
			}
			rec := l.n.SenderRecord(qp)
			if rec.CNPs != uint64(len(reserved)) || rec.RatedCNPs != rated {
				t.Errorf("asked %v: counted %d CNPs, %d with a rate, want %d and %d", asked, rec.CNPs, rec.RatedCNPs,
					len(reserved), rated)
			}
		})
	}
}

// With a decision delay, events are handled later: each has its own CNP's rate.
func TestRatesOfCNPsWithADecisionDelay(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.DecisionDelay = 5 * us
	l := newLone(t, config("a", 0, 1, prof))
	var rates []unit.BitRate
	signals := cc.Signals{CNP: true, RateInCNP: true}
	qp := l.send(10_000, 0, &script{signals: signals, handle: func(e *cc.Event, _ *cc.Decision) {
		if e.Kind == cc.EventCNP {
			rates = append(rates, e.CNPRate)
		}
	}})
	for i, rate := range []unit.BitRate{7 * unit.Gbps, 0, 9 * unit.Gbps} {
		frame := ackFrame(qp, 0, 0)
		frame.Opcode = wire.CNP
		if rate > 0 {
			frame.SetCNPRate(rate, nil)
		}
		l.arrive(at(unit.Duration(i+1)*us), frame)
	}
	l.run(at(30 * us))
	if len(rates) != 3 || rates[0] != 7*unit.Gbps || rates[1] != 0 || rates[2] != 9*unit.Gbps {
		t.Errorf("told of %v", rates)
	}
}
