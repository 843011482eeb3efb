package nicd

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// naksOf runs a flow whose packet 2 is lost twice and returns the times at which its receiver sent NAKs.
func naksOf(t *testing.T, prof profile.NIC) (naks []unit.Time, p *pair) {
	t.Helper()
	p = newPair(t, prof)
	p.add(flow{size: 500 * unit.KB}, decide(cc50))
	p.lose(map[uint32]int{2: 2})
	before := p.touch
	p.touch = func(link fabric.LinkID, start unit.Time, f *wire.Frame) bool {
		if f.Opcode == wire.Acknowledge && f.Syndrome == wire.SyndromeNAKSequence {
			naks = append(naks, start)
		}
		return before(link, start, f)
	}
	p.run(at(unit.Second))
	if s := p.a.SenderRecord(FirstQP); s.Acked != 500*unit.KB {
		t.Errorf("acked %v", s.Acked)
	}
	return naks, p
}

// "The responder shall not generate another NAK until it has received the expected PSN" (IBA volume
// 1, 9.7.5.2.8, in substance): a repair that is lost too waits for the timeout, and then no NAK is
// needed. With a NAK each round the second loss is reported when the PSNs fall back, a round trip
// later; with one each interval when the interval is over.
func TestNAKRules(t *testing.T) {
	for rule, want := range []struct {
		naks     int
		timeouts uint64
		from, to unit.Duration // between the NAKs
	}{
		{1, 1, 0, 0},
		{2, 0, 2 * us, 4 * us},
		{2, 0, 20 * us, 20*us + 200*ns},
	} {
		t.Run(fmt.Sprintf("naks=%v,timeouts=%v,from=%v", want.naks, want.timeouts, want.from), func(t *testing.T) {
			prof := profile.DefaultNIC()
			prof.NAK, prof.NAKInterval = profile.NAKRule(rule), 20*us
			prof.RTOFloor = 100 * us
			naks, p := naksOf(t, prof)
			if got := p.a.SenderRecord(FirstQP).Timeouts; len(naks) != want.naks || got != want.timeouts {
				t.Errorf("nak %s: NAKs at %v and %d timeouts, want %d and %d", profile.NAKNames[rule], naks, got, want.naks,
					want.timeouts)
				return
			}
			for i := 1; i < len(naks); i++ {
				if between := naks[i].Sub(naks[i-1]); between < want.from || between > want.to {
					t.Errorf("nak %s: NAKs %v apart, want %v to %v", profile.NAKNames[rule], between, want.from, want.to)
				}
			}
		})
	}
}

// blackHole loses all data and returns when packet 0 left.
func blackHole(t *testing.T, prof profile.NIC, until unit.Duration) (sent []unit.Duration, p *pair) {
	t.Helper()
	p = newPair(t, prof)
	p.add(flow{size: 1000}, decide(cc50))
	p.touch = func(link fabric.LinkID, start unit.Time, f *wire.Frame) bool {
		if f.Opcode == wire.Acknowledge {
			return true
		}
		sent = append(sent, start.Sub(at(0)))
		return false
	}
	p.run(at(until))
	return sent, p
}

// A ConnectX-5 repeats an unanswered request after 2, 4, 8 and 16 ms (linux-rdma/perftest issue 251,
// a capture, in multiples of 4 us by powers of 2): the default adaptive range is that.
func TestAdaptiveTimeouts(t *testing.T) {
	const unitOf = 4 * us
	prof := profile.DefaultNIC()
	prof.RTO.Mode = profile.RTOAdaptive
	sent, _ := blackHole(t, prof, 40*unit.Millisecond)
	var gaps []unit.Duration
	for i := 1; i < len(sent); i++ {
		gaps = append(gaps, sent[i]-sent[i-1])
	}
	if want := []unit.Duration{unitOf << 9, unitOf << 10, unitOf << 11, unitOf << 12}; !slices.Equal(gaps, want) {
		t.Errorf("repeated after %v, want %v", gaps, want)
	}
}

// The steps of the documented algorithm: the drawn timeout is used once, each other one as often as its range demands,
// then doubled to the end of the range, then the next range. Progress takes the timeout down by the range's rule. Tier:
// -short.
func TestAdaptiveRanges(t *testing.T) {
	rto := profile.RTO{
		Base:    4 * us,
		InitLow: 3, InitSize: 1,
		Ranges: []profile.TimeoutRange{
			{Low: 2, Size: 2, Retries: 2, Decrease: profile.ByFourth},
			{Low: 8, Retries: 3, Decrease: profile.ByHalf},
			{Low: 9, Size: 1, Retries: 1, Decrease: profile.ToLow},
		},
	}
	a := newAdaptive(&rto, stream("adaptive"))
	var got []int
	for range 12 {
		got = append(got, a.exponent)
		a.expired()
	}
	if want := []int{3, 4, 4, 8, 8, 8, 9, 10, 10, 10, 10, 10}; !slices.Equal(got, want) {
		t.Errorf("exponents %v, want %v", got, want)
	}
	if a.progressed(); a.exponent != 9 {
		t.Errorf("after progress at 10 exponent %d, want 9", a.exponent)
	}
	rto.InitLow = 20 // in no range
	a = newAdaptive(&rto, stream("adaptive"))
	a.expired()
	if a.exponent != 2 {
		t.Errorf("after a timeout outside all ranges exponent %d, want that of the first", a.exponent)
	}
	a.expired()
	a.expired()
	if a.progressed(); a.exponent != 2 {
		t.Errorf("after progress at 3 exponent %d, want 2, the range's least", a.exponent)
	}
}

// The first timeout is drawn for each QP, the same in every run.
func TestAdaptiveDraw(t *testing.T) {
	rto := profile.RTO{InitLow: 5, InitSize: 3}
	seen := map[int]int{}
	for i := range 300 {
		name := string(rune(i))
		a, b := newAdaptive(&rto, stream(name)), newAdaptive(&rto, stream(name))
		if a.exponent != b.exponent {
			t.Fatalf("stream %d draws %d and %d", i, a.exponent, b.exponent)
		}
		seen[a.exponent]++
	}
	if len(seen) != 3 || seen[5] < 50 || seen[6] < 50 || seen[7] < 50 {
		t.Errorf("drawn %v, want 5 to 7, alike", seen)
	}
}

// A QP without progress in the given number of retries is in error: it stops sending, and a flow of a size ends without
// being completed.
func TestQPError(t *testing.T) {
	for _, c := range []struct {
		mode profile.RTOMode
		sent int
		fail unit.Duration
	}{
		{profile.RTOFixed, 3, 3 * (4096 * ns << 4)},
		{profile.RTOMeasured, 3, 3 * 50 * us},
		{profile.RTOIRN, 3, 3 * 100 * us},
		// 2 x 65.536 us have passed at the second timeout of 65.536 us, the cap of drawn ones.
		{profile.RTOAdaptive, 2, 2 * (4096 * ns << 4)},
	} {
		t.Run(fmt.Sprintf("mode=%v", c.mode), func(t *testing.T) {
			prof := profile.DefaultNIC()
			prof.RTO.Mode, prof.RTO.Retries, prof.RTO.AckTimeout = c.mode, 2, 4
			prof.RTOInitial = 50 * us
			sent, p := blackHole(t, prof, unit.Second)
			s := p.a.SenderRecord(FirstQP)
			if len(sent) != c.sent || s.Completed != unit.Never || s.Failed.Sub(at(0)) != c.fail {
				t.Errorf("%s: sent at %v, failed at %v, want %d times, and at %v", profile.RTONames[c.mode], sent, s.Failed, c.sent,
					c.fail)
			}
			if p.a.Pending() != 0 || p.a.LastCompletion() != s.Failed {
				t.Errorf("%s: %d flows pending, the last ended at %v", profile.RTONames[c.mode], p.a.Pending(),
					p.a.LastCompletion())
			}
		})
	}
}

// Progress takes the count of retries back.
func TestRetriesAreInARow(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.RTO.Mode, prof.RTO.Retries, prof.RTO.AckTimeout = profile.RTOFixed, 2, 4
	p := newPair(t, prof)
	p.add(flow{size: 20 * 1000}, decide(cc50))
	p.lose(map[uint32]int{3: 2, 9: 4, 15: 6}) // in each second round a timeout
	p.run(at(unit.Second))
	if s := p.a.SenderRecord(FirstQP); s.Failed != 0 || s.Completed == unit.Never || s.Timeouts != 3 {
		t.Errorf("failed at %v, completed at %v, %d timeouts; want completed, and 3", s.Failed, s.Completed, s.Timeouts)
	}
}

// IRN waits RTO_low while at most three packets are on their way, else RTO_high (section 3.1 of its
// paper): of one packet low, of eight high.
func TestIRNTimeout(t *testing.T) {
	for _, c := range []struct {
		packets unit.Bytes
		want    unit.Duration
	}{{1, 100 * us}, {3, 100 * us}, {8, 320 * us}} {
		t.Run(fmt.Sprintf("packets=%v", c.packets), func(t *testing.T) {
			prof := profile.DefaultNIC()
			prof.RTO.Mode = profile.RTOIRN
			p := newPair(t, prof)
			p.add(flow{size: c.packets * 1000}, decide(cc50))
			p.lose(map[uint32]int{0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1})
			p.run(at(unit.Second))
			done := p.a.SenderRecord(FirstQP).Completed.Sub(at(0))
			if s := p.a.SenderRecord(FirstQP); s.Timeouts != 1 || done < c.want || done > c.want+10*us {
				t.Errorf("%d packets: %d timeouts, done after %v, want 1, and %v", c.packets, s.Timeouts, done, c.want)
			}
		})
	}
}

var cc50 = cc.Decision{Rate: 50 * unit.Gbps}

func stream(name string) *chance.Stream { return chance.New(1, name) }
