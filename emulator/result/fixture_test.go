package result

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const us = unit.Time(unit.Microsecond)

// star returns a sound outcome made by hand: hosts h0 and h1 send a flow of
// 10 packets each, 1000 B payload in 1082 B frames, to h2 over switch s0, and each
// packet is acknowledged by a frame of 64 B. There was congestion: 4 marks, 4
// CNPs in the place of no ACK, 2 decisions a flow.
func star() *Outcome {
	channel := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	p := &plan.Plan{Name: "a", Seed: 1, MTU: 1000, Limit: 10 * unit.Time(unit.Second)}
	s0 := plan.Switch{Name: "s0", Profile: profile.DefaultSwitch()}
	s0.Profile.HeadroomRule, s0.Profile.PauseResponse = profile.Frames, 0
	algorithm := &plan.Algorithm{Name: "dcqcn"}
	o := &Outcome{
		Plan:        p,
		End:         20 * us,
		Fingerprint: Fingerprint{Trace: 0xabc},
		Work: Work{
			Windows: 1,
			Events:  2,
			Hops:    3,
			Runner:  "mem",
			Workers: 1,
		},
	}
	sw := Switch{Ports: make([]record.Port, 3), BufferMax: 5000}
	for i, name := range []string{"h0", "h1", "h2"} {
		p.NICs = append(p.NICs, plan.NIC{Name: name, Profile: profile.DefaultNIC(), Link: i, IP: plan.FirstIP + uint32(i)})
		p.NICs[i].Profile.PauseResponse = 0
		p.Links = append(p.Links, plan.Link{A: plan.End{Node: plan.NodeID(1 + i)}, B: plan.End{Node: 0, Port: i},
			Forward: channel, Backward: channel})
		s0.Links = append(s0.Links, i)
	}
	p.Switches = []plan.Switch{s0}
	o.NICs = make([]record.Port, 3)
	o.InFlight = make([]Flight, 6)
	move := func(tx, rx *record.Port, frames, bytes uint64) {
		tx.TxFrames, tx.TxBytes = tx.TxFrames+frames, tx.TxBytes+bytes
		rx.RxFrames, rx.RxBytes = rx.RxFrames+frames, rx.RxBytes+bytes
	}
	for i := range 2 {
		p.Flows = append(p.Flows, plan.Flow{
			Name:      p.NICs[i].Name + "-h2",
			Group:     "g",
			Src:       i,
			Dst:       2,
			Size:      10000,
			DSCP:      -1,
			Algorithm: algorithm,
			Path:      fabric.PathOf(channel, channel),
			Back:      fabric.PathOf(channel, channel),
		})
		f := Flow{
			Sender:   record.NewSender(),
			Receiver: record.NewReceiver(),
			BaseRTT:  4 * unit.Microsecond,
			Ideal:    5 * unit.Microsecond,
		}
		f.Sender.Completed = 10 * us * unit.Time(1+i)
		f.Sender.Packets, f.Sender.Acked, f.Sender.Acks, f.Sender.CNPs = 10, 10000, 10, 2
		f.Sender.WireBytes, f.Sender.Events, f.Sender.Decisions = 11060, 13, 2
		f.Sender.RateMin, f.Sender.RateMax = unit.Gbps, 50*unit.Gbps
		f.Receiver.Packets, f.Receiver.Bytes, f.Receiver.ACKs, f.Receiver.Marked, f.Receiver.CNPs = 10, 10000, 10, 2, 2
		f.Receiver.Last = 9 * us
		for k := range 10 {
			f.Sender.RTT.Add(unit.Duration(4+k) * unit.Microsecond)
		}
		o.Flows = append(o.Flows, f)
		move(&o.NICs[i], &sw.Ports[i], 10, 10820)
		move(&sw.Ports[2], &o.NICs[2], 10, 10820)
		move(&o.NICs[2], &sw.Ports[2], 12, 12*64)
		move(&sw.Ports[i], &o.NICs[i], 12, 12*64)
	}
	q := sw.Ports[2].Queues.Of(3)
	q.Frames, q.Bytes, q.Marked, q.Markable, q.MaxBytes = 20, 21640, 4, 20, 5410
	for range 20 {
		q.Wait.Add(2 * unit.Microsecond)
	}
	sw.Ports[2].Busy = 15 * unit.Microsecond
	sw.Ports[0].Busy = 1 * unit.Microsecond
	o.Switches = []Switch{sw}
	return o
}

func judge(o *Outcome) Verdict { return Judge(o, Summarise(o)) }

// expectFinding fails unless v has a finding of that status whose text has
// the words.
func expectFinding(t *testing.T, v Verdict, s Status, about Subject, words string) {
	t.Helper()
	for _, f := range v.Findings {
		if f.Status == s && f.Subject == about && strings.Contains(f.Text, words) {
			return
		}
	}
	t.Errorf("no %v finding on %s with %q in %+v", s, about, words, v.Findings)
}

// another is a flow of its own that did the same.
func another(f *Flow) Flow {
	same, sender, receiver := *f, *f.Sender, *f.Receiver
	seldom, rare := *sender.SenderExtra, *receiver.ReceiverExtra
	sender.SenderExtra, receiver.ReceiverExtra = &seldom, &rare
	same.Sender, same.Receiver = &sender, &receiver
	return same
}
