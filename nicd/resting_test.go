package nicd

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// shortFlow is one of many flows of a size, one after the other.
func shortFlow(i uint32, size unit.Bytes) flow {
	return flow{size: size, start: at(us + unit.Duration(i)*us), latency: 10 * us}
}

// shortSource is a source of the ends of such flows.
type shortSource struct {
	p          *pair
	size       unit.Bytes
	controller cc.Controller
}

func (s *shortSource) Sender(qp uint32) *SenderConfig {
	return s.p.sender(qp, shortFlow(qp-FirstQP, s.size), s.controller)
}

func (s *shortSource) Receiver(qp uint32) *ReceiverConfig {
	return s.p.receiver(qp, shortFlow(qp-FirstQP, s.size), s.controller)
}

// shortFlows runs a number of flows of a size at a rate, one after the other, up to an instant, and returns what both
// NICs hold then, in bytes.
func shortFlows(t *testing.T, flows int, size unit.Bytes, rate unit.BitRate, until unit.Duration) float64 {
	source := &shortSource{size: size, controller: decide(cc.Decision{Rate: rate})}
	before := liveHeap()
	a, b := config("a", 0, 1, profile.DefaultNIC()), config("b", 1, 2, profile.DefaultNIC())
	a.Ends, b.Ends, a.Source, b.Source = flows, flows, source, source
	p := pairOf(t, a, b)
	source.p = p
	for i := range flows {
		p.add(shortFlow(uint32(i), size), source.controller)
	}
	p.run(at(until))
	held := float64(liveHeap()) - float64(before)
	runtime.KeepAlive(p)
	return held
}

// liveHeap returns the size of the live heap, in bytes.
func liveHeap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// What a flow takes at both ends together. A run of a million short flows is meant to take 1 GB: less 40 MB for the
// program, 80 MB of garbage, and a tenth for what a heap needs beside its objects, that is 800 B a flow. The plan has
// 300 of them, and 20 are in reserve: 480 are left for a flow that has ended: its record, and what a late frame needs.
// A flow that is to begin has no ends yet. The forecast of a run's memory has 6 KB for a flow under way.
func TestEndedFlowsHoldLittle(t *testing.T) {
	const flows = 2000
	const end = (2*flows + 50) * us
	for when, x := range map[string]struct {
		size  unit.Bytes
		rate  unit.BitRate
		until unit.Duration
		most  float64
	}{
		"has ended":    {1000, 100 * unit.Gbps, end, 480},
		"begins":       {1000, 100 * unit.Gbps, 0, 256},
		"is under way": {2000, unit.Mbps, end, 6000},
	} {
		t.Run(when, func(t *testing.T) {
			one := shortFlows(t, flows, x.size, x.rate, x.until)
			two := shortFlows(t, 2*flows, x.size, x.rate, x.until)
			each := (two - one) / flows
			if t.Logf("a flow that %s: %.0f bytes", when, each); each > x.most {
				t.Errorf("a flow that %s takes %.0f bytes, want no more than %.0f", when, each, x.most)
			}
		})
	}
}

// Asking for a flow over time before it begins, as after an interrupted run, gives the answer of an end that does not
// rest, and leaves the end at rest.
func TestToAskAFlowBeforeItBeginsMakesNoEnd(t *testing.T) {
	var told []record.SenderOver
	for _, restless := range []bool{false, true} {
		c := config("a", 0, 1, profile.DefaultNIC())
		c.Recording.Sends = record.Grid{Width: us}
		l := newLone(t, c)
		l.n.completion.restless = restless
		qp := l.send(2000, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
		told = append(told, l.n.SenderOver(qp, at(3*us)))
		if _, rests := l.n.qps[0].end.(resting); rests == restless {
			t.Errorf("restless %t, and it rests: %t", restless, rests)
		}
	}
	if !reflect.DeepEqual(told[0], told[1]) {
		t.Errorf("an end that rests: %+v\none that does not: %+v", told[0], told[1])
	}
}

// What comes once a flow has ended, or before it begins, is answered and counted as if its ends were under way:
// duplicates, marked and not, packets beyond the end, ACKs, NAKs, CNPs with and without a rate, and nonsense.
func TestLateFrames(t *testing.T) {
	for name, signals := range map[string]cc.Signals{
		"none":      {CNP: true, CNPInterval: 20 * us, RateInCNP: true},
		"timestamp": {Acks: true, CNP: true, CNPInterval: 20 * us, Timestamp: true},
	} {
		t.Run(name, func(t *testing.T) {
			want, rested := playLate(t, signals, true)
			got, alsoRested := playLate(t, signals, false)
			if got != want {
				t.Errorf("%s: ends that rest:\n%s\nends that do not:\n%s", name, got, want)
			}
			if rested || !alsoRested {
				t.Errorf("%s: both ends rested: %t and %t, want false and true", name, rested, alsoRested)
			}
		})
	}
}

// What ended flows have nothing in they share, and nothing is written to it: a flow that ends later has an empty record
// there.
func TestLateFramesCountForTheirFlow(t *testing.T) {
	l := newLone(t, config("a", 0, 1, profile.DefaultNIC()))
	qp := l.send(1000, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	l.ack(at(2*us), qp, 0)
	l.arrive(at(4*us), cnpFrame(9, qp))
	l.nak(at(5*us), qp, 1)
	l.run(at(6 * us))
	if s := l.n.SenderRecord(qp); s.CNPs != 1 || s.NAKs != 1 {
		t.Errorf("the flow has %d CNPs and %d NAKs, want one of each", s.CNPs, s.NAKs)
	}
	other := record.NewSender()
	if other.Trim(); other.NAKs != 0 || other.CNPs != 0 || other.FirstCNP != 0 {
		t.Errorf("a flow without anything has %+v", *other.SenderExtra)
	}
}

// playLate sends late frames to both ends of a flow of two packets, at one NIC. It returns what that sent and counted,
// and whether both ends rested when those came.
func playLate(t *testing.T, signals cc.Signals, restless bool) (told string, rested bool) {
	l := newLone(t, config("a", 0, 1, profile.DefaultNIC()))
	l.n.completion.restless = restless
	algorithm := &script{signals: signals}
	out := l.send(2000, 0, algorithm)
	in := out + 1
	path := fabric.PathOf(channel, channel)
	must(t, l.n.AddReceiver(ReceiverConfig{
		Name:       "in",
		QP:         in,
		Peer:       Peer{QP: 0x99, IP: 9},
		Size:       2000,
		MTU:        1000,
		Controller: algorithm,
		Path:       path,
		Back:       path,
	}))
	l.data(at(us), in, 0, wire.WriteFirst, wire.CE)
	l.data(at(2*us), in, 1, wire.WriteLast, 0)
	l.ack(at(3*us), out, 0)
	l.ack(at(4*us), out, 1)
	tell := func(until unit.Time) {
		for _, d := range l.run(until) {
			told += fmt.Sprintln(picoseconds(d.Start), describe(d.Frame), d.Frame.ExtTime)
		}
	}
	tell(at(10 * us))
	rested = l.n.qps[0].send() == nil && l.n.qps[1].recv() == nil
	rate := cnpFrame(9, out)
	rate.Rare = &wire.Rare{Reserved: reserved[1].bytes}
	l.data(at(11*us), in, 1, wire.WriteLast, wire.CE) // too soon for another CNP
	l.ack(at(12*us), out, 1)
	l.ack(at(13*us), out, 7)
	l.nak(at(14*us), out, 1)
	l.arrive(at(15*us), rate)
	l.arrive(at(16*us), ackFrame(out, 1, wire.SyndromeRNR))
	l.arrive(at(17*us), cnpFrame(9, in)) // a receiving end takes none
	l.data(at(18*us), out, 0, wire.WriteOnly, 0)
	l.data(at(30*us), in, 0, wire.WriteFirst, wire.CE)
	l.data(at(31*us), in, 4, wire.WriteOnly, 0)
	l.data(at(32*us), in, 2, wire.WriteOnly, 0)
	tell(at(30500 * ns))
	if _, again := l.n.qps[1].end.(resting); again == restless {
		t.Errorf("restless %t, and after duplicates the receiving end rests: %t", restless, again)
	}
	tell(at(40 * us))
	sent, received := *l.n.SenderRecord(out), *l.n.ReceiverRecord(in)
	sent.SenderOver = l.n.SenderOver(out, at(40*us))
	port := l.n.PortRecord(at(40 * us))
	told += senderText(sent) + "\n" + receiverText(received)
	return fmt.Sprintf("%s\n%v %d events", told, port.Drops, l.n.Events()), rested
}
