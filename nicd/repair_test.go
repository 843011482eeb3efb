package nicd

import (
	"fmt"
	"sort"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
)

// roughRepair is a flow that repairs selectively, over a network that loses, repeats and delays frames both ways.
type roughRepair struct {
	*pair
	chance                 *chance.Stream
	loses, repeats, delays uint64 // percent
	slack                  unit.Duration
	model                  *modelRepair
	flying                 [2][]flight
	window                 unit.Bytes
	size                   unit.Bytes
}

func newRoughRepair(t *testing.T, seed uint64) *roughRepair {
	s := chance.New(seed, "repair")
	prof := profile.DefaultNIC()
	prof.Selective = true
	prof.AckEvery = int(1 + 3*s.Below(2))
	prof.Window = 64 << s.Below(3)
	prof.ReorderTime = unit.Duration(s.Between(0, int64(10*us)))
	prof.RTOInitial = unit.Duration(s.Between(int64(100*us), int64(400*us)))
	prof.RTOFloor = unit.Duration(s.Between(int64(30*us), int64(200*us)))
	x := &roughRepair{
		pair:    newPair(t, prof),
		chance:  s,
		loses:   s.Below(25),
		repeats: s.Below(15),
		delays:  s.Below(40),
		slack:   unit.Duration(s.Between(int64(us), int64(20*us))),
		size:    unit.Bytes(s.Between(1, 150_000)),
		window:  unit.Bytes(s.Below(2)) * 500 * unit.Bytes(s.Between(1, 120)),
	}
	f := flow{mtu: 1000, size: x.size, psn: [...]uint32{0, wire.PSNMask - 20}[s.Below(2)]}
	f.message = unit.Bytes(s.Between(400, 9000)) // the model looks at all packets each time
	algorithm := decide(cc.Decision{
		Rate:   unit.BitRate(s.Between(int64(10*unit.Gbps), int64(100*unit.Gbps))),
		Window: x.window,
	})
	algorithm.signals = cc.Signals{Acks: true, Loss: true, Received: true}
	started := algorithm.handle
	algorithm.handle = func(e *cc.Event, d *cc.Decision) {
		started(e, d)
		if e.Kind == cc.EventLoss {
			x.model.told += e.Lost
		}
	}
	x.add(f, algorithm)
	x.model = &modelRepair{
		cut:     cut{f.size, f.message, f.mtu},
		end:     sending(x.a, 0),
		reorder: prof.ReorderTime,
		baseRTT: sending(x.a, 0).reliability.board.baseRTT,
	}
	return x
}

// play runs the flow to its end, or until the model does not agree.
func (x *roughRepair) play() error {
	for now := unit.Time(0); x.model.end.running || now == 0; {
		if now = min(x.next[0], x.next[1]); now > at(unit.Second) {
			return fmt.Errorf("the flow does not end")
		}
		for _, flying := range x.flying {
			if len(flying) > 0 {
				now = min(now, flying[0].at)
			}
		}
		for side, nic := range [2]*NIC{x.a, x.b} {
			landed := len(x.flying[side]) > 0 && x.flying[side][0].at == now
			if !landed && x.next[side] > now {
				continue
			}
			if landed {
				frame := x.flying[side][0].frame
				x.flying[side] = x.flying[side][1:]
				if side == 0 {
					first := x.model.end.reliability.firstPSN
					base, bits := int64(0), uint64(0)
					if frame.Extension() == wire.ExtSelective {
						base, bits = packetOf(first, frame.ExtA, x.model.una), frame.ExtTime
					}
					x.model.report(now, packetOf(first, frame.PSN, x.model.una)+1, base, bits)
				}
				nic.queue.Arrive(0, now, frame.Len(), frame)
			}
			x.out.Begin(side, &x.hash[side])
			x.next[side] = nic.Advance(now+1, x.out)
			if side == 0 {
				x.model.judge(now)
			}
			for _, d := range x.out.Lane(0, side) {
				if side == 0 {
					if err := x.model.sent(now, d.Frame); err != nil {
						return fmt.Errorf("at %v: %w", now, err)
					}
				}
				x.carry(1-side, d.Start.Add(channel.Rate.SerialTime(unit.Bytes(d.Length))+channel.Latency), d.Frame)
			}
			x.out.Reset(0, side)
			if side == 0 && x.model.end.running {
				if err := x.model.compare(); err != nil {
					return fmt.Errorf("at %v: %w", now, err)
				}
			}
		}
	}
	if r := x.b.ReceiverRecord(FirstQP); r.Bytes != x.size || x.a.SenderRecord(FirstQP).Completed == unit.Never {
		return fmt.Errorf("%v delivered of %v", r.Bytes, x.size)
	}
	return nil
}

// carry loses, repeats or delays a frame.
func (x *roughRepair) carry(side int, at unit.Time, frame *wire.Frame) {
	for copies := 1; copies > 0; copies-- {
		switch s := x.chance; {
		case s.Below(100) < x.loses:
			continue
		case s.Below(100) < x.repeats:
			copies++
			fallthrough
		default:
			late := unit.Duration(0)
			if s.Below(100) < x.delays {
				late = unit.Duration(s.Between(0, int64(x.slack)))
			}
			same := *frame
			x.flying[side] = append(x.flying[side], flight{at: at.Add(late), side: side, frame: &same})
		}
	}
	flying := x.flying[side]
	sort.SliceStable(flying, func(i, j int) bool { return flying[i].at < flying[j].at })
	for i := 1; i < len(flying); i++ { // one frame at an instant, as on a wire
		flying[i].at = max(flying[i].at, flying[i-1].at+1)
	}
}

// For any behaviour of the network, selective repeat delivers each byte once, takes the same packets for lost as a
// model by all packets, sends those and nothing else again, reports each loss once and the data in flight to the
// algorithm, and never samples a packet that was sent twice. Tier: -short; more seeds every day.
func TestRepairAgainstModel(t *testing.T) {
	seeds := uint64(60)
	if !testing.Short() {
		seeds = 800
	}
	if tier.RunsSlow() {
		seeds = 8000
	}
	var losses, probes, again, timeouts int
	for seed := range seeds {
		x := newRoughRepair(t, seed)
		if err := x.play(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		losses += x.model.losses
		probes += x.model.probes
		again += x.model.again
		timeouts += int(x.model.timeouts)
	}
	t.Logf("%d losses, %d of them of packets sent again, %d probes, %d timeouts", losses, again, probes, timeouts)
	if least := int(seeds); losses < 20*least || again < 2*least || probes < least/2 || timeouts < least/20 {
		t.Error("the network was mild")
	}
}

// By hand: packet 3 of 12 is lost. Each later packet is answered by the receiver's report; the ACK of packet 5, which
// started 173.12 ns later, does not show the loss, but 200 ns pass before the next; one packet is sent again. An
// algorithm hears of arrivals as they are reported, of the loss, and of the data in flight without both.
func TestSelectiveRepeat(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.Selective, prof.ReorderTime = true, 200*ns
	p := newPair(t, prof)
	told := ""
	algorithm := decide(cc.Decision{Rate: 100 * unit.Gbps})
	algorithm.signals = cc.Signals{Acks: true, Loss: true, Received: true, Path: true}
	algorithm.handle = func(e *cc.Event, _ *cc.Decision) {
		switch e.Kind {
		case cc.EventLoss:
			told += fmt.Sprintf("%v lost: %s, %v in flight\n", e.Lost, contract.LossNames[e.Cause], e.Inflight)
		case cc.EventAck:
			told += fmt.Sprintf("%v more, %v in all, %v in flight, RTT %t, ahead %t, again %t\n", e.Acked, e.Received,
				e.Inflight, e.RTT > 0, e.OOO, e.Resent)
		}
	}
	p.add(flow{size: 12_000, psn: 0xFFFFFE}, algorithm)
	p.lose(map[uint32]int{1: 1})
	lose := p.touch
	p.touch = func(link fabric.LinkID, start unit.Time, f *wire.Frame) bool {
		if link == 1 || start > at(us) {
			p.log = append(p.log, line{start, picoseconds(start) + " " + describe(f)})
		}
		return lose(link, start, f)
	}
	p.run(at(ms))
	p.wantLog(`
		1087.840 ACK 16777214 msn 0
		1174.400 ACK 16777215 msn 0
		1260.960 ACK 0 msn 0
		1434.080 ACK 0 msn 0 keeps 10 from 1 on
		1520.640 ACK 0 msn 0 keeps 110 from 1 on
		1607.200 ACK 0 msn 0 keeps 1110 from 1 on
		1693.760 ACK 0 msn 0 keeps 11110 from 1 on
		1780.320 ACK 0 msn 0 keeps 111110 from 1 on
		1866.880 ACK 0 msn 0 keeps 1111110 from 1 on
		1953.440 ACK 0 msn 0 keeps 11111110 from 1 on
		2040.000 ACK 0 msn 0 keeps 111111110 from 1 on
		2555.681 Middle 1 len 1000 ackreq
		3642.241 ACK 9 msn 1`)
	want := `1KB more, 1KB in all, 11KB in flight, RTT true, ahead false, again false
1KB more, 2KB in all, 10KB in flight, RTT true, ahead false, again false
1KB more, 3KB in all, 9KB in flight, RTT true, ahead false, again false
1KB more, 4KB in all, 8KB in flight, RTT true, ahead true, again false
1KB more, 5KB in all, 7KB in flight, RTT true, ahead true, again false
1KB lost: gap, 6KB in flight
1KB more, 6KB in all, 6KB in flight, RTT true, ahead true, again false
1KB more, 7KB in all, 5KB in flight, RTT true, ahead true, again false
1KB more, 8KB in all, 4KB in flight, RTT true, ahead true, again false
1KB more, 9KB in all, 3KB in flight, RTT true, ahead true, again false
1KB more, 10KB in all, 2KB in flight, RTT true, ahead true, again false
1KB more, 11KB in all, 1KB in flight, RTT true, ahead true, again false
1KB more, 12KB in all, 0B in flight, RTT false, ahead false, again true
`
	if told != want {
		t.Errorf("the algorithm heard:\n%s\nwant:\n%s", told, want)
	}
}

// A packet lost once, twice and, for the last one, three times is sent again as often and nothing else is; only the
// third loss of the last waits for the timer.
func TestLostAgain(t *testing.T) {
	for _, x := range []struct {
		lost                      map[uint32]int
		resent, timeouts, silence uint64 // silence in us
	}{
		{map[uint32]int{3: 1}, 1, 0, 0},
		{map[uint32]int{3: 2, 4: 1}, 3, 0, 0},
		{map[uint32]int{99: 1}, 1, 0, 0},
		{map[uint32]int{99: 2}, 2, 1, 16000},
		{map[uint32]int{97: 1, 98: 1, 99: 1}, 3, 0, 0},
	} {
		prof := profile.DefaultNIC()
		prof.Selective, prof.RTOFloor = true, 16*ms
		want := fmt.Sprint(x)
		p := newPair(t, prof)
		p.add(flow{size: 100_000}, decide(cc.Decision{Rate: 100 * unit.Gbps}))
		p.lose(x.lost)
		p.run(at(unit.Second))
		s := p.a.SenderRecord(FirstQP)
		if late := s.Completed.Sub(0) - unit.Duration(x.silence)*us; s.Resent != x.resent || s.Timeouts != x.timeouts ||
			late < 0 || late > 25*us {
			t.Errorf("%s: %d resent, %d timeouts, completed at %v", want, s.Resent, s.Timeouts, s.Completed)
		}
	}
}

// A packet that comes late, but sooner than it could be the one that was sent again, does not have all that started
// in between taken for lost.
func TestLateNotLost(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.Selective, prof.ReorderTime = true, us
	p := newLone(t, config("a", 0, 1, prof))
	qp := p.send(100_000, 100_000, decide(cc.Decision{Rate: 10 * unit.Gbps})) // a packet in 0.87 us
	p.run(at(8 * us))
	report := func(when unit.Duration, to uint32, bits uint64) {
		f := ackFrame(qp, to-1, wire.SyndromeACK)
		f.SetExtension(wire.ExtSelective)
		f.ExtA, f.ExtTime = to, bits
		p.arrive(at(when), f)
	}
	p.ack(at(8100*ns), qp, 0) // a round trip of 8 us
	report(9*us, 1, 0b10)
	report(10*us, 1, 0b110)
	report(10500*ns, 1, 0b1110)
	p.run(at(13 * us))
	if s := p.n.SenderRecord(qp); s.Resent != 1 {
		t.Fatalf("%d packets were sent again, want packet 1", s.Resent)
	}
	p.ack(at(13*us), qp, 4) // the first packet 1, late
	p.run(at(14 * us))
	if s := p.n.SenderRecord(qp); s.Resent != 1 {
		t.Errorf("%d packets were sent again, want packet 1 and no other", s.Resent)
	}
}

// The bits of a window that wraps, against a map.
func TestBitmap(t *testing.T) {
	for _, window := range []int64{64, 256} {
		t.Run(fmt.Sprintf("window=%v", window), func(t *testing.T) {
			b, set := newBitmap(window), map[int64]bool{}
			draws := chance.New(uint64(window), "bitmap")
			low := int64(1000)
			for range 5000 {
				p := low + draws.Between(0, window-1)
				if draws.Below(2) == 0 {
					b.put(p)
					set[p] = true
				} else if b.take(p) != set[p] {
					t.Fatalf("packet %d was %t", p, !set[p])
				} else {
					delete(set, p)
				}
				if draws.Below(3) == 0 {
					b.take(low)
					delete(set, low)
					low++
				}
				next, bits := int64(-1), uint64(0)
				for q := low + window - 1; q >= low; q-- {
					if set[q] {
						next = q
					}
					if bits <<= 1; set[q] && q < low+64 {
						bits |= 1
					}
				}
				if got := b.next(low, low+window); got != next {
					t.Fatalf("next of %d is %d, want %d", low, got, next)
				}
				if got := b.block(low); got != bits {
					t.Fatalf("block of %d is %b, want %b", low, got, bits)
				}
			}
		})
	}
}

// A QP with a window of 16384 packets takes no more than 16 bytes for each of them at both ends, once all were out and
// sent again.
func TestMemoryOfSelectiveRepeat(t *testing.T) {
	const window = 1 << 14
	prof := profile.DefaultNIC()
	prof.Selective, prof.Window, prof.RTOInitial = true, window, 3*ms
	p := newPair(t, prof)
	p.a.completion.restless, p.b.completion.restless = true, true
	p.add(flow{size: 2 * window * 1000}, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	p.touch = func(_ fabric.LinkID, start unit.Time, _ *wire.Frame) bool { return start > at(4*ms) }
	p.run(at(20 * ms))
	account, sequence := &sending(p.a, 0).reliability, &receiving(p.b, 0).sequence
	board := account.board
	if p.a.SenderRecord(FirstQP).Resent < window || account.una != 2*window {
		t.Fatalf("%d sent again, %d came", p.a.SenderRecord(FirstQP).Resent, account.una)
	}
	bytes := 8*cap(account.starts) + 8*(cap(board.has)+cap(board.lost)+cap(board.resent)+cap(board.probes)) +
		4*board.again.Room() +
		8*(cap(sequence.reorder.arrived)+cap(sequence.reorder.ends))
	if t.Logf("%.2f bytes a packet", float64(bytes)/window); bytes > 16*window {
		t.Errorf("%d bytes, want no more than %d", bytes, 16*window)
	}
}

// ACKs, NAKs and reports of any PSN and any bits, forged or late, neither panic nor upset the account: the data in
// flight is the sent data that neither arrived nor is lost.
func TestForgedReports(t *testing.T) {
	for seed := range uint64(40) {
		draws := chance.New(seed, "forged")
		prof := profile.DefaultNIC()
		prof.Selective, prof.Window, prof.RTOFloor, prof.RTOInitial = true, 64<<draws.Below(2), 100*us, 100*us
		l := newLone(t, config("a", 0, 1, prof))
		qp := l.send(400_000, 9_000, decide(cc.Decision{Rate: 100 * unit.Gbps, Window: 90_000}))
		account := &sending(l.n, 0).reliability
		for now := unit.Time(0); now < at(300*us); {
			now = now.Add(unit.Duration(draws.Between(1, int64(us))))
			l.run(now)
			syndrome := uint8(wire.SyndromeACK)
			if draws.Below(8) == 0 {
				syndrome = wire.SyndromeNAKSequence
			}
			near := uint32(account.una) + uint32(draws.Below(200)) - 100
			f := ackFrame(qp, near&wire.PSNMask, syndrome)
			if draws.Below(3) > 0 {
				f.SetExtension(wire.ExtSelective)
				f.ExtA, f.ExtTime = uint32(draws.Below(1<<32)), draws.Below(1<<63)<<1
				if draws.Below(4) > 0 {
					f.ExtA = near + uint32(draws.Below(300)) - 150
				}
			}
			l.arrive(now, f)
			l.run(now + 1)
			var want unit.Bytes
			for p := account.una; p < account.high; p++ {
				if !account.board.has.has(p) && !account.board.lost.has(p) {
					want += account.board.bytesOf(p)
				}
			}
			if got := account.inflight(); got != want {
				t.Fatalf("seed %d, %v: %v in flight, want %v", seed, now, got, want)
			}
			if r := account.repair; r >= 0 && !account.board.lost.has(r) ||
				r < 0 && account.board.lost.next(account.una, account.high) >= 0 {
				t.Fatalf("seed %d, %v: packet %d is sent again next, first lost %d", seed, now, r,
					account.board.lost.next(account.una, account.high))
			}
		}
	}
}
