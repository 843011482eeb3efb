package nicd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
)

// adversary is a network between the two ends of one flow that loses, repeats, delays
// and reorders frames, and forges ACKs, NAKs and data (tampering_test.go). Models of both
// ends (modelsender_test.go, modelreceiver_test.go) follow what each end is handed and
// does, and are compared with it after each instant.
type adversary struct {
	*pair
	chance *chance.Stream
	qp     uint32
	// How often, in percent, a frame is lost, repeated and delayed, and how often one is forged
	// before an instant; slack is the longest delay.
	loses, repeats, delays, forges uint64
	slack                          unit.Duration

	sender   *modelSender
	receiver *modelReceiver
	flying   [2][]flight // to each side, in the order of arrivals
	now      unit.Time
	specimen wire.Frame    // a data packet
	history  [24]happening // the newest, by its number modulo the length
	happened int
}

// flight is a frame on its way to a side, 0 for a and 1 for b. number is its packet: a data packet's own, the first
// that an ACK does not cover, the one that a NAK misses.
type flight struct {
	at     unit.Time
	side   int
	number int64
	frame  *wire.Frame
}

// newAdversary makes both ends, a flow and the network between them from a seed.
func newAdversary(t *testing.T, seed uint64) *adversary {
	s := chance.New(seed, "adversary")
	prof := profile.DefaultNIC()
	prof.OutOfOrder = s.Below(2) == 1
	prof.AckEvery = int(1 + 3*s.Below(2))
	prof.ReorderDepth = int(s.Between(2, 64))
	prof.ReorderTime = unit.Duration(s.Between(int64(2*us), int64(30*us)))
	prof.NAK = profile.NAKRule(s.Below(3))
	prof.NAKInterval = unit.Duration(s.Between(int64(us), int64(30*us)))
	prof.RTOInitial = unit.Duration(s.Between(int64(100*us), int64(400*us)))
	prof.RTOFloor = unit.Duration(s.Between(int64(50*us), int64(200*us)))
	prof.RTOFactor = int(s.Between(1, 16))
	x := &adversary{
		pair:    newPair(t, prof),
		chance:  s,
		loses:   s.Below(25),
		repeats: s.Below(15),
		delays:  s.Below(40),
		forges:  s.Below(15),
		slack:   unit.Duration(s.Between(int64(us), int64(30*us))),
	}
	f := flow{
		mtu: 1000,
		psn: [...]uint32{0, 7, wire.PSNMask - 20, wire.PSNMask/2 - 20}[s.Below(4)],
	}
	if prof.OutOfOrder && s.Below(4) == 0 {
		f.mtu = 100 // more packets than the receiver keeps
	}
	f.message = unit.Bytes(s.Between(1, 9*int64(f.mtu)))
	packetsPerMessage := int64((f.message + f.mtu - 1) / f.mtu)
	begin := int64(0)
	if s.Below(3) == 0 { // a flow in its later life: its packets pass 2^24
		begin = (1<<24 - s.Between(0, 60)) / packetsPerMessage * packetsPerMessage
	}
	if s.Below(4) == 0 {
		f.stop = at(unit.Duration(s.Between(int64(us), int64(20*us))))
	} else {
		f.size = unit.Bytes(begin/packetsPerMessage)*f.message + unit.Bytes(s.Between(1, 40_000))
	}
	algorithm := decide(cc.Decision{
		Rate:   unit.BitRate(s.Between(int64(10*unit.Gbps), int64(100*unit.Gbps))),
		Window: unit.Bytes(s.Below(2)) * 500 * unit.Bytes(s.Between(1, 120)),
	})
	algorithm.signals.Acks = s.Below(2) == 1
	algorithm.data = func(a *cc.Arrival, _ *cc.Feedback) { x.receiver.handed = append(x.receiver.handed, a.Bytes) }
	x.qp = x.add(f, algorithm)
	x.resume(begin)
	x.sender = newModelSender(sending(x.a, 0), &prof, f, begin)
	x.receiver = newModelReceiver(receiving(x.b, 0), &prof, x.sender.cut, begin)
	return x
}

// resume makes the flow begin at a packet that begins a message, as if all before it had been delivered.
func (x *adversary) resume(packet int64) {
	account := &sending(x.a, 0).reliability
	account.next = account.layout.at(packet)
	account.una, account.high, account.acked = packet, packet, account.next.from
	end := receiving(x.b, 0)
	end.sequence.expected = packet
	end.sequence.msn = uint32(packet/account.layout.packetsPerMessage) & wire.PSNMask
	end.record.Bytes = account.next.from
}

// play runs the flow to its end, or until a model does not agree.
func (x *adversary) play() error {
	for x.sender.end.running || x.now == 0 || len(x.flying[0])+len(x.flying[1]) > 0 {
		if x.now > at(unit.Second) {
			return fmt.Errorf("the flow does not end")
		}
		if err := x.step(); err != nil {
			return err
		}
	}
	if err := x.sender.ended(); err != nil {
		return err
	}
	return x.receiver.ended(x.sender.limit)
}

// step advances both ends to the next instant with an event, and compares them with their models.
func (x *adversary) step() error {
	now := min(x.next[0], x.next[1])
	for _, flying := range x.flying {
		if len(flying) > 0 {
			now = min(now, flying[0].at)
		}
	}
	if now > x.now+1 && x.now > 0 && x.chance.Below(100) < x.forges {
		if forged := x.forge(unit.Time(x.chance.Between(int64(x.now)+1, int64(now)-1))); forged.frame != nil {
			x.fly(forged)
			now = forged.at
		}
	}
	x.now = now
	for side, nic := range [2]*NIC{x.a, x.b} {
		came, ok := x.landing(side)
		if !ok && x.next[side] > now {
			continue
		}
		var heard *arrival
		if ok {
			heard = arrivalOf(&came)
			x.note(nic, "gets", came.frame)
			nic.queue.Arrive(0, now, came.frame.Len(), came.frame)
		}
		x.out.Begin(side, &x.hash[side])
		x.next[side] = nic.Advance(now+1, x.out)
		if err := x.compare(side, heard); err != nil {
			return err
		}
	}
	return nil
}

// compare has the model of a side take what arrived there, nil for nothing, and what left.
func (x *adversary) compare(side int, heard *arrival) (err error) {
	if side == 0 {
		err = x.sender.instant(x.now, heard)
	} else {
		x.receiver.end = receiving(x.b, 0) // it may rest, and goes on as it was
		err = x.receiver.instant(x.now, heard)
	}
	if err != nil {
		return err
	}
	for _, d := range x.out.Lane(0, side) {
		x.note([2]*NIC{x.a, x.b}[side], "sends", d.Frame)
		var number int64
		if side == 0 {
			x.specimen = *d.Frame
			number, err = x.sender.sent(x.now, d.Frame)
		} else {
			number, err = x.receiver.sent(d.Frame)
		}
		if err != nil {
			return err
		}
		x.carry(flight{
			at:     d.Start.Add(channel.Rate.SerialTime(unit.Bytes(d.Length)) + channel.Latency),
			side:   1 - side,
			number: number,
			frame:  d.Frame,
		})
	}
	x.out.Reset(0, side)
	if side == 0 {
		return x.sender.settled(x.now)
	}
	return nil
}

// happening is a frame that a NIC got or sent.
type happening struct {
	at    unit.Time
	nic   *NIC
	verb  string
	frame wire.Frame
}

func (x *adversary) note(nic *NIC, verb string, frame *wire.Frame) {
	x.history[x.happened%len(x.history)] = happening{x.now, nic, verb, *frame}
	x.happened++
}

// newest describes what happened last.
func (x *adversary) newest() string {
	var text strings.Builder
	for i := max(0, x.happened-len(x.history)); i < x.happened; i++ {
		h := &x.history[i%len(x.history)]
		fmt.Fprintf(&text, "%v %s %s %s\n", h.at, h.nic.name, h.verb, describe(&h.frame))
	}
	return text.String()
}

// For any behaviour of the network, each byte is delivered once and in order, nothing is sent unasked, the timeout
// counts from the last progress, a gap is reported once a round, and frames about packets that were never sent change
// nothing. Go-back-N and out-of-order receivers, PSNs and packet numbers that pass 2^24. Tier: -short; more seeds every
// day.
func TestAdversary(t *testing.T) {
	seeds := uint64(300)
	if !testing.Short() {
		seeds = 2000
	}
	if tier.RunsSlow() {
		seeds = 20_000
	}
	var seen struct{ timeouts, naks, resent, taken, duplicate, reordered, forged, lives uint64 }
	for seed := range seeds {
		x := newAdversary(t, seed)
		if err := x.play(); err != nil {
			t.Fatalf("seed %d, %v: %v\n%s\nuntil then:\n%s", seed, x.now, err, x.sender, x.newest())
		}
		s, r := x.a.SenderRecord(x.qp), x.b.ReceiverRecord(x.qp)
		seen.timeouts += s.Timeouts
		seen.naks += s.NAKs
		seen.resent += s.Resent
		seen.taken += r.Packets
		seen.duplicate += r.Duplicate
		seen.reordered += r.Reordered
		seen.forged += x.sender.refused
		if x.sender.begin < 1<<24 && x.sender.una > 1<<24 {
			seen.lives++
		}
	}
	t.Logf("%+v", seen)
	if least := seeds / 20; min(seen.timeouts, seen.naks, seen.resent, seen.duplicate, seen.reordered, seen.forged,
		seen.lives) < least {
		t.Errorf("the adversary was mild: %+v, want at least %d of each", seen, least)
	}
}
