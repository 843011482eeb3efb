package dcqcn

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A rate in a CNP is R_C at once, and R_T is the line rate: 8 Gb/s at 10 us, and half of the way to
// 100 at the timer's expiry, 300 us (set nvidia) or 55 us (paper) later. Red for R_T = rate.
func TestRateInCNP(t *testing.T) {
	for _, c := range []struct {
		given       string
		bytes       unit.Bytes
		first, next float64 // us
	}{{"", 2097088, 310, 610}, {"set=paper", 10 * unit.MB, 65, 120}} {
		t.Run(fmt.Sprintf("given=%q", c.given), func(t *testing.T) {
			l := newDrivenSender(t, c.given)
			l.at(0, cc.EventStart, 0)
			l.told(10, 8*unit.Gbps)
			l.wantRate(10, 8)
			if l.d.WakeAt != us(c.first) || l.d.WakeBytes != c.bytes {
				t.Errorf("%q: wake-ups %v and %v, want %v us and %v", c.given, l.d.WakeAt, l.d.WakeBytes, c.first, c.bytes)
			}
			l.wantRate(c.first, 8)
			l.wantRate(c.first+0.1, 54)
			l.wantRate(c.next+0.1, 77)
			l.told(c.next+1, 60*unit.Gbps) // up is a rate as good as down
			l.wantRate(c.next+1, 60)
		})
	}
}

// told hands over a CNP with a rate.
func (l *drivenSender) told(at float64, rate unit.BitRate) {
	l.to(at)
	l.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(at), CNPRate: rate}, &l.d)
}

// R_C keeps within the floor and the line, whatever rate a CNP carries.
func TestBoundsOfRateInCNP(t *testing.T) {
	for _, c := range []struct {
		given string
		rate  unit.BitRate
		gbps  float64
	}{
		{"", unit.Mbps, 0.001},
		{"rpg_min_rate=2Gbps", unit.Mbps, 2},
		{"rpg_min_rate=200Gbps", unit.Mbps, 100}, // a floor above the line is the line
		{"", 400 * unit.Gbps, 100},
		{"set=paper rpg_min_rate=3Gbps", unit.Mbps, 3},
	} {
		t.Run(fmt.Sprintf("given=%s,rate=%v", c.given, c.rate), func(t *testing.T) {
			l := newDrivenSender(t, c.given)
			l.told(1, c.rate)
			l.wantRate(1, c.gbps)
		})
	}
}

// The rate takes the place of the cut that the CNP before it leads to, and of a CNP that waits.
func TestRateReplacesPendingCut(t *testing.T) {
	for _, given := range []string{"", "cnp_jitter=4us"} {
		t.Run(fmt.Sprintf("%q", given), func(t *testing.T) {
			l := newDrivenSender(t, given)
			l.at(0, cc.EventStart, 0)
			l.at(10, cc.EventCNP, 0)
			l.told(10.5, 20*unit.Gbps)
			l.wantRate(300, 20)
			if l.d.WakeAt != us(310.5) {
				t.Errorf("%q: wakes at %v, want 310.5us", given, l.d.WakeAt)
			}
			l.at(301, cc.EventCNP, 0)
			l.to(310.4)
			if l.d.Rate >= 20*unit.Gbps {
				t.Errorf("%q: %v after a CNP, want a cut", given, l.d.Rate)
			}
		})
	}
}

// Alpha and its clocks do not see a CNP with a rate: neither one that comes first, nor later ones.
func TestRateLeavesAlpha(t *testing.T) {
	for _, set := range []string{"nvidia", "paper"} {
		t.Run(set, func(t *testing.T) {
			alphaOf := func(rated bool) float64 {
				s := newDrivenSender(t, "set="+set)
				for at := 1.0; at < 700; at += 3 {
					if rated && int(at)%2 == 0 {
						s.told(at, 9*unit.Gbps)
					}
					if at == 31 || at == 100 || at == 502 || at == 511 {
						s.at(at, cc.EventCNP, 0)
					}
				}
				s.at(701, cc.EventCNP, 0)
				switch p := s.Sender.(type) {
				case *nvidiaPoint:
					p.tickAlpha(us(702))
					return p.alpha
				case *paperPoint:
					return p.alpha
				}
				return 0
			}
			if with, without := alphaOf(true), alphaOf(false); with != without || with == 0 {
				t.Errorf("%s: alpha %v with rates between, %v without", set, with, without)
			}
		})
	}
}

// Ways up without a target rate go on from R_C: by 5 % of the line per RTT of 4.19 us, and by
// 1 Gb/s at 100 us.
func TestRateInCNPAndOtherRecoveries(t *testing.T) {
	l := newDrivenSender(t, "recovery=rtt")
	l.told(10, 8*unit.Gbps)
	l.wantRate(14.18, 8)
	l.wantRate(14.2, 13)
	l = newDrivenSender(t, "recovery=rir")
	l.told(10, 8*unit.Gbps)
	l.wantRate(99, 8)
	l.wantRate(100.1, 9)
}

// With rate_in_cnp=false it is any CNP, and the NIC is not asked for the rate.
func TestRateInCNPOff(t *testing.T) {
	p := sender(t, options("rate_in_cnp=false")).(*nvidiaPoint)
	var d cc.Decision
	p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(10), CNPRate: 8 * unit.Gbps}, &d)
	if d.Rate != 100*unit.Gbps || d.WakeAt != us(14) {
		t.Errorf("%v and a cut at %v, want the line rate and 14us", d.Rate, d.WakeAt)
	}
	if controllerOf(t, options("rate_in_cnp=false")).Signals().RateInCNP {
		t.Error("the NIC is asked for rates")
	}
}
