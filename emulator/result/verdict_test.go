package result

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func TestSoundRunPasses(t *testing.T) {
	v := judge(star())
	if v.Status != Pass {
		t.Fatalf("status %v: %+v", v.Status, v.Findings)
	}
	expectFinding(t, v, Pass, Effect, "4 decisions, 4 marks, 4 CNPs, 0 pauses, 0 drops; mean wait in a queue 2.000us")
}

// Each row breaks the sound outcome in one way.
func TestVerdict(t *testing.T) {
	check := func(metric, op string, v float64) func(*Outcome) {
		return func(o *Outcome) {
			o.Plan.Expect.Checks = []plan.Check{{
				Metric: metric,
				Op:     op,
				Value:  v,
				Text:   metric + " " + op,
				Line:   7,
			}}
		}
	}
	quiet := func(o *Outcome) {
		o.Plan.Expect.Congestion = true
		o.Switches[0].Ports[2].Queues.Of(3).Marked = 0
		o.Flows[0].Sender.Decisions, o.Flows[1].Sender.Decisions = 0, 0
	}
	for _, c := range []struct {
		name   string
		harm   func(*Outcome)
		status Status
		about  Subject
		words  string
	}{
		{"frame vanishes on a link", func(o *Outcome) { o.NICs[0].TxFrames++; o.NICs[0].TxBytes += 1082 }, Red, Conservation,
			"link h0:0 to s0:0: sent 11 frames (11902 B), but 10 (10820 B) received, 0 (0 B) lost and 0 (0 B) in flight"},
		{"byte vanishes on the way back", func(o *Outcome) { o.NICs[0].RxBytes-- }, Red, Conservation, "link s0:0 to h0:0"},
		{"frame in flight is accounted for", func(o *Outcome) {
			o.NICs[0].TxFrames++
			o.NICs[0].TxBytes += 1082
			o.Flows[0].Sender.Packets++
			o.InFlight[0].Volume = Volume{1, 1082}
		}, Pass, Effect, ""},
		{"frame lost on a link is accounted for", func(o *Outcome) {
			o.NICs[0].TxFrames++
			o.NICs[0].TxBytes += 1082
			o.Flows[0].Sender.Packets++
			o.Switches[0].Ports[0].RxLostFrames, o.Switches[0].Ports[0].RxLostBytes = 1, 1082
			o.Switches[0].Ports[0].Drops = map[fabric.DropReason]uint64{fabric.DropLinkLoss: 1}
		}, Pass, Effect, "1 drop"},
		{"switch forgets a frame", func(o *Outcome) { o.Switches[0].Resident = Volume{1, 1082} }, Red, Conservation,
			"switch s0: received 44 frames (23176 B), but 44 (23176 B) sent, 0 (0 B) dropped and 1 (1082 B) resident"},
		{"PFC ends where it arrives", func(o *Outcome) {
			h, s := &o.NICs[0], &o.Switches[0].Ports[0]
			s.TxFrames, s.TxBytes, s.TxPFCFrames, s.TxPFCBytes = s.TxFrames+1, s.TxBytes+60, 1, 60
			h.RxFrames, h.RxBytes, h.RxPFCFrames, h.RxPFCBytes = h.RxFrames+1, h.RxBytes+60, 1, 60
			h.TxFrames, h.TxBytes, h.TxPFCFrames, h.TxPFCBytes = h.TxFrames+1, h.TxBytes+60, 1, 60
			s.RxFrames, s.RxBytes, s.RxPFCFrames, s.RxPFCBytes = s.RxFrames+1, s.RxBytes+60, 1, 60
		}, Pass, Effect, ""},
		{"NIC forgets a data packet", func(o *Outcome) { o.Flows[1].Receiver.Packets-- }, Red, Conservation,
			"NIC h2: received 20 frames, but its flows 19 data packets and 0 ACKs, NAKs and CNPs, and 0 were refused"},
		{"NIC forgets an ACK", func(o *Outcome) { o.Flows[0].Sender.Acks-- }, Red, Conservation,
			"NIC h0: received 12 frames, but its flows 0 data packets and 11 ACKs, NAKs and CNPs, and 0 were refused"},
		{"NIC forgets a CNP", func(o *Outcome) { o.Flows[1].Sender.CNPs-- }, Red, Conservation, "NIC h1: received 12 frames"},
		{"packet beyond a gap is accounted for", func(o *Outcome) {
			o.Flows[0].Receiver.Packets--
			o.Flows[0].Receiver.OutOfOrder++
		}, Pass, Effect, ""},
		{"packet received twice is accounted for", func(o *Outcome) {
			o.Flows[0].Receiver.Packets--
			o.Flows[0].Receiver.Duplicate++
		}, Pass, Effect, ""},
		{"frame for no QP is accounted for", func(o *Outcome) {
			o.Flows[0].Sender.Acks--
			o.NICs[0].Drop(fabric.DropUnknownQP, 0)
		}, Pass, Effect, ""},
		{"NIC sends a packet too few", func(o *Outcome) { o.Flows[0].Sender.Packets++ }, Red, Conservation,
			"NIC h0: sent 10 frames, but its flows 11 data packets and at most 0 ACKs, NAKs and CNPs"},
		{"NIC sends an answer too many", func(o *Outcome) { o.Flows[0].Receiver.CNPs, o.Flows[0].Sender.CNPs = 1, 1 },
			Red, Conservation,
			"NIC h2: sent 24 frames, but its flows 0 data packets and at most 23 ACKs, NAKs and CNPs"},
		{"answer that waits is accounted for", func(o *Outcome) { o.Flows[0].Receiver.CNPs++ }, Pass, Effect, ""},

		{"acknowledged but not delivered", func(o *Outcome) { o.Flows[0].Receiver.Bytes = 9000 }, Red, Conservation,
			"flow h0-h2: 10000 B acknowledged, but 9000 B delivered"},
		{"delivered beyond its size", func(o *Outcome) { o.Flows[0].Receiver.Bytes = 11000 }, Red, Conservation,
			"11000 B delivered of a size of 10000 B"},
		{"completed but not complete", func(o *Outcome) { o.Flows[1].Sender.Acked = 9000 }, Red, Conservation,
			"flow h1-h2: completed with 9000 B acknowledged and 10000 B delivered of 10000 B"},
		{"packets from nowhere", func(o *Outcome) { o.Flows[0].Receiver.Duplicate = 1 }, Red, Conservation,
			"11 packets arrived, but 10 were sent"},
		{"CNPs from nowhere", func(o *Outcome) { o.Flows[0].Sender.CNPs = 3 }, Red, Conservation,
			"3 CNPs arrived, but 2 were sent"},
		{"CNPs from nowhere, of all flows", func(o *Outcome) { o.Flows[0].Sender.CNPs = 3 }, Red, Conservation,
			"5 CNPs arrived, but receivers sent 4, switches 0, and held back 0, and 0 went on at edges"},
		{"CNPs from an edge", func(o *Outcome) {
			o.Flows[0].Sender.CNPs = 3
			addEdge(o, record.Posing{CNPs: 1})
			nic, port := &o.NICs[0], &o.Switches[0].Ports[0]
			nic.RxFrames, nic.RxBytes, port.TxFrames, port.TxBytes = nic.RxFrames+1, nic.RxBytes+60, port.TxFrames+1,
				port.TxBytes+60
			port.SourcedFrames, port.SourcedBytes = 1, 60 // its own link is not in this plan
		}, Pass, Conservation, "5 foreign CNPs came in at edge a: 1 with the address of the receiver of h0-h2, " +
			"whose sender took 3 CNPs while the receiver sent 2; a sender cannot tell them from its receiver's, " +
			"and obeys them"},
		{"more CNPs than from an edge", func(o *Outcome) {
			o.Flows[0].Sender.CNPs = 4
			addEdge(o, record.Posing{CNPs: 1})
		}, Red, Conservation, "4 CNPs arrived, but 2 were sent"},
		{"CNPs of other addresses", func(o *Outcome) {
			o.Flows[0].Sender.CNPs = 3
			addEdge(o)
		}, Red, Conservation, "3 CNPs arrived, but 2 were sent"},
		{"CNPs that an ACL ended", func(o *Outcome) {
			addEdge(o)
			o.Devices[0].Ports[0].Drops = map[fabric.DropReason]uint64{fabric.DropACL: 5}
			o.Devices[0].Ports[0].SourcedFrames = 5
		}, Pass, Conservation, "5 foreign CNPs came in at edge a, which dropped all of them (cnp: drop)"},
		{"CNPs that an ACL ended, of a receiver too", func(o *Outcome) {
			addEdge(o)
			o.Devices[0].Ports[0].Drops = map[fabric.DropReason]uint64{fabric.DropACL: 5}
			o.Devices[0].Ports[0].SourcedFrames = 5
			o.Devices[0].Foreign.OwnCNPs, o.Devices[0].Foreign.OwnRefused = 2, 2
		}, Pass, Conservation, "3 foreign CNPs came in at edge a, which dropped all of them (cnp: drop)"},
		{"forged ACKs", func(o *Outcome) {
			o.Flows[0].Sender.Acks, o.Flows[0].Receiver.Bytes = 11, 9000
			addEdge(o, record.Posing{ACKs: 1})
		}, Red, Conservation, "flow h0-h2: 10000 B acknowledged, but 9000 B delivered; 1 data packets, ACKs and NAKs of a " +
			"host at an edge had the flow's own addresses"},
		{"ACKs from nowhere", func(o *Outcome) { o.Flows[0].Sender.Acks = 11 }, Red, Conservation,
			"11 ACKs arrived, but 10 were sent"},
		{"NAKs from nowhere", func(o *Outcome) { o.Flows[0].Sender.NAKs = 1 }, Red, Conservation,
			"1 NAKs arrived, but 0 were sent"},

		{"headroom exhausted", func(o *Outcome) { drop(o, fabric.DropHeadroom) }, Red, Losslessness,
			"s0:0 dropped 1 frame of a lossless class for lack of headroom"},
		{"headroom exhausted by a peer that ignores pauses", func(o *Outcome) {
			drop(o, fabric.DropHeadroom)
			stop(o)
			o.Plan.NICs[0].Profile.PFC = false
		}, Red, Losslessness, "not lossless: s0:0 dropped 1 frame of a lossless class because its peer h0 does " +
			"not obey PFC: it was sent 1 XOFF"},
		{"headroom exhausted for a pause that was lost", func(o *Outcome) {
			drop(o, fabric.DropHeadroom)
			stop(o)
			miss(o)
			o.NICs[0].PausesLost.Own().XOFF[3]++
		}, Red, Losslessness, "s0:0 dropped 1 frame of a lossless class while 1 of its 1 XOFF did not arrive at h0"},
		{"headroom exhausted for a pause that was lost in an outage", func(o *Outcome) {
			drop(o, fabric.DropHeadroom)
			stop(o)
			miss(o)
			o.NICs[0].PausesLost.Own().XOFF[3]++
			o.Plan.Links[0].Outages = []fabric.Outage{{From: 1, To: 2}}
		}, Pass, Losslessness, "s0:0 dropped 1 frame of a lossless class because the link was down at times: 1 of its 1 " +
			"XOFF to h0 were lost"},
		{"headroom exhausted though pauses were obeyed", func(o *Outcome) { drop(o, fabric.DropHeadroom); stop(o) }, Red,
			Losslessness, "for lack of headroom, although it has the headroom that the link needs (32.29KB) and " +
				"h0 obeys PFC and got all 1 XOFF"},
		{"headroom exhausted at several ports", func(o *Outcome) {
			for i := range o.Switches[0].Ports {
				o.Switches[0].Ports[i].Drops = map[fabric.DropReason]uint64{fabric.DropHeadroom: uint64(7 + i)}
				o.Plan.NICs[i].Profile.PFC = false
			}
		}, Red, Losslessness, "not lossless: s0:0 dropped 7 frames of a lossless class because its peer h0 does " +
			"not obey PFC: it was sent 0 XOFF; so did 2 more ports, 24 frames in all"},
		{"headroom set too small", func(o *Outcome) {
			drop(o, fabric.DropHeadroom)
			o.Plan.Switches[0].Profile.Headroom = 10 * unit.KB
		}, Pass, Losslessness,
			// 2 us x 100 Gb/s = 25000 B, 3 frames of 1000 + 122 B, a pause of 84 B, 3840 B.
			"the scenario sets 10KB, the link needs 32.29KB"},
		{"headroom set large enough", func(o *Outcome) {
			drop(o, fabric.DropHeadroom)
			o.Plan.Switches[0].Profile.Headroom = 33 * unit.KB
		}, Red, Losslessness, "it has the headroom that the link needs"},
		{"no buffer for lossless flows", func(o *Outcome) { drop(o, fabric.DropNoBuffer) }, Red, Losslessness,
			"dropped 1 frame for no_buffer"},
		{"WRED drop of lossless flows", func(o *Outcome) { drop(o, fabric.DropWRED) }, Red, Losslessness,
			"dropped 1 frame for wred"},
		{"full memory of a DCI port", func(o *Outcome) { drop(o, fabric.DropDCIBuffer) }, Pass, Losslessness,
			"s0 dropped 1 frame because the memory of a DCI port was full"},
		{"full memory of a DCI port with PFC", func(o *Outcome) {
			o.Plan.Switches[0].Profile.DCI.PFC.Enabled = true
			drop(o, fabric.DropDCIBuffer)
		}, Pass, Losslessness, "dci.pfc protects the lossless classes, and these frames belong to others"},
		{"full memory of a DCI port is congestion", func(o *Outcome) { quiet(o); drop(o, fabric.DropDCIBuffer) }, Pass,
			Effect, "congestion: 1 drop"},
		{"no buffer for what came in at an edge", func(o *Outcome) {
			drop(o, fabric.DropNoBuffer)
			o.Plan.Devices = append(o.Plan.Devices, plan.Device{Name: "a", Kind: plan.KindEdge})
			o.Devices = append(o.Devices, Device{})
		}, Pass, Effect, "1 drop"},
		{"no buffer for a lossy flow", func(o *Outcome) { drop(o, fabric.DropNoBuffer); o.Plan.Flows[0].DSCP = 0 }, Pass,
			Effect, "1 drop"},
		{"no buffer without PFC", func(o *Outcome) {
			drop(o, fabric.DropNoBuffer)
			o.Plan.Switches[0].Profile.PFC.Enabled = false
		}, Pass, Effect, "1 drop"},
		{"watchdog fired", func(o *Outcome) { fire(o, 5*us) }, Red, Losslessness,
			"not lossless: the watchdog of s0:1, class 3, fired at 5us: 7 frames flushed and 9 that came after dropped until " +
				"the end of the run"},
		{"deadlock", func(o *Outcome) { o.Deadlocks = []Deadlock{{5 * us, 3 * us, []string{"a:1/3", "b:1/3"}}} }, Red,
			Losslessness,
			"deadlock at 5us of a:1/3 -> b:1/3, which have stood still since 3us"},

		{"no congestion where it is required", quiet, Void, Effect, "no congestion"},
		{"marks are congestion", func(o *Outcome) { o.Plan.Expect.Congestion = true }, Pass, Effect, ""},
		{"a pause is congestion", func(o *Outcome) { quiet(o); stop(o) }, Pass, Effect, ""},
		{"a queue of one BDP is none", func(o *Outcome) {
			quiet(o)
			o.Switches[0].Ports[2].Queues.Of(3).MaxBytes = 50000
		}, Void, Effect, "no congestion"},
		{"a queue beyond one BDP is", func(o *Outcome) {
			quiet(o)
			o.Switches[0].Ports[2].Queues.Of(3).MaxBytes = 50001
		}, Pass, Effect,
			"congestion: a queue beyond one BDP at s0:2"},
		{"a long queue of control frames is none", func(o *Outcome) {
			quiet(o)
			o.Switches[0].Ports[2].Queues.Of(6).MaxBytes = 50001
		}, Void, Effect, "no congestion"},
		{"flows that share a receiver and decide are", func(o *Outcome) { quiet(o); o.Flows[1].Sender.Decisions = 1 }, Pass,
			Effect,
			"mean wait in a queue 2.000us; congestion: decisions of flows that shared the link to h2"},
		{"flows one after the other are none", func(o *Outcome) {
			quiet(o)
			o.Flows[1].Sender.Decisions, o.Flows[1].Sender.Started = 1, 10*us
		}, Void, Effect, "no congestion"},
		{"flows of one NIC are none", func(o *Outcome) {
			quiet(o)
			oneSource(o)
			o.Flows[1].Sender.Decisions = 1
		}, Void, Effect, "no congestion"},
		{"nothing decided", func(o *Outcome) { o.Flows[0].Sender.Decisions, o.Flows[1].Sender.Decisions = 0, 0 }, Pass,
			Effect,
			"dcqcn made no decision, although there was congestion"},
		{"deaf", func(o *Outcome) {
			o.Flows[0].Sender.Told, o.Flows[1].Sender.Told = 100, 129
		}, Void, Effect, "dcqcn got 229 signals of congestion, CNPs or marked ACKs, 129 of them for flow h1-h2, " +
			"and made no decision: allowed are 128 for a flow"},
		{"deaf for a while", func(o *Outcome) { o.Flows[0].Sender.Told, o.Flows[1].Sender.Told = 100, 128 }, Pass,
			Effect, "dcqcn made no decision, although there was congestion"},
		{"nothing sent", func(o *Outcome) {
			for i := range o.Flows {
				o.Flows[i] = Flow{Sender: record.NewSender(), Receiver: record.NewReceiver()}
				o.Flows[i].Sender.Completed = unit.Never
			}
			clear(o.NICs)
			clear(o.Switches[0].Ports)
		}, Void, Effect, "no flow sent a packet"},

		{"exhausted", func(o *Outcome) {
			o.Exhausted = true
			o.Flows[1].Sender.Completed, o.Flows[1].Sender.Acked = unit.Never, 9000
		}, Failed, Completion,
			"limit of 10s came with 1 of 2 flows incomplete (h1-h2 had 9KB of 10KB acknowledged)"},
		{"interrupted", func(o *Outcome) { o.Interrupted = true }, Interrupted, Completion, "stopped from outside at 20us"},
		{"interrupted without congestion", func(o *Outcome) { o.Interrupted = true; quiet(o) }, Interrupted, Completion, ""},
		{"interrupted, not checked", func(o *Outcome) { o.Interrupted = true; check("drops", ">", 3)(o) },
			Interrupted, Expectation, ""},

		{"expectation met", check("drops", "==", 0), Pass, Effect, ""},
		{"expectation not met", check("utilisation", ">=", 0.95), Failed, Expectation, "utilisation >= (line 7): it is 0.75"},
		{"expectation on nothing measured", func(o *Outcome) {
			check("fct_max_us", "<", 100)(o)
			for i := range o.Flows {
				o.Flows[i].Sender.Completed = unit.Never
			}
		}, Failed, Expectation, "fct_max_us was not measured"},
		{"unknown metric", check("speed", "<", 1), Failed, Expectation, `no metric "speed"`},
		{"unknown comparison", check("drops", "!=", 1), Failed, Expectation, "is not a comparison"},
		{"red outweighs failed", func(o *Outcome) { check("drops", ">", 3)(o); o.NICs[0].TxFrames++ }, Red, Expectation, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := star()
			c.harm(o)
			v := judge(o)
			if v.Status != c.status {
				t.Errorf("status %v, want %v: %+v", v.Status, c.status, v.Findings)
			}
			if c.words != "" {
				expectFinding(t, v, max(c.status, Pass), c.about, c.words)
			}
		})
	}
}

// drop has the switch drop one of h0's packets, which is sent once more.
func drop(o *Outcome, r fabric.DropReason) {
	o.NICs[0].TxFrames++
	o.NICs[0].TxBytes += 1082
	p := &o.Switches[0].Ports[0]
	p.RxFrames++
	p.RxBytes += 1082
	p.Drop(r, 1082)
	o.Flows[0].Sender.Packets++
	o.Flows[0].Sender.Resent++
}

// addEdge adds an edge at which five CNPs came in, and the ones of them that posed as flows' own.
func addEdge(o *Outcome, posing ...record.Posing) {
	o.Plan.Devices = append(o.Plan.Devices, plan.Device{Name: "a", Kind: plan.KindEdge})
	foreign := &record.Foreign{Posing: posing}
	foreign.Kinds[record.ForeignCNP] = 5
	o.Devices = append(o.Devices, Device{Ports: make([]record.Port, 1), Foreign: foreign})
}

// oneSource lets h0 send both flows.
func oneSource(o *Outcome) {
	o.Plan.Flows[1].Src = 0
	for _, ports := range [][]record.Port{o.NICs, o.Switches[0].Ports} {
		a, b := &ports[0], &ports[1]
		a.TxFrames, a.TxBytes, a.RxFrames, a.RxBytes = a.TxFrames+b.TxFrames, a.TxBytes+b.TxBytes, a.RxFrames+b.RxFrames,
			a.RxBytes+b.RxBytes
		*b = record.Port{}
	}
}

// Half a run proves nothing about what the whole would have shown.
func TestInterruptedRunIsNeitherVoidNorFailed(t *testing.T) {
	o := star()
	o.Interrupted, o.Plan.Expect.Congestion = true, true
	o.Switches[0].Ports[2].Queues.Of(3).Marked = 0
	o.Flows[0].Sender.Decisions, o.Flows[1].Sender.Decisions = 0, 0
	o.Plan.Expect.Checks = []plan.Check{{Metric: "drops", Op: ">", Value: 3}}
	for _, f := range judge(o).Findings {
		if f.Status == Void || f.Status == Failed {
			t.Errorf("%+v", f)
		}
	}
}

func TestComparisons(t *testing.T) {
	for _, c := range []struct {
		a    float64
		op   string
		b    float64
		want bool
	}{{1, "<", 2, true}, {2, "<", 2, false}, {2, "<=", 2, true}, {3, "<=", 2, false}, {3, ">", 2, true},
		{2, ">", 2, false},
		{2, ">=", 2, true}, {1, ">=", 2, false}, {2, "==", 2, true}, {1, "==", 2, false}} {
		t.Run(fmt.Sprintf("a=%v,op=%s", c.a, c.op), func(t *testing.T) {
			if got, ok := compare(c.a, c.op, c.b); got != c.want || !ok {
				t.Errorf("%v %s %v: %v, %v", c.a, c.op, c.b, got, ok)
			}
		})
	}
}

func TestFindingsAreBounded(t *testing.T) {
	o := star()
	for range 30 {
		o.Deadlocks = append(o.Deadlocks, Deadlock{At: us, Queues: []string{"a", "b"}})
	}
	v := judge(o)
	expectFinding(t, v, Pass, Losslessness, "and 20 more of losslessness")
	if len(v.Findings) > maxFindings+2 {
		t.Errorf("%d findings", len(v.Findings))
	}
}

// A run with edges but no flow, at whose edges no frame came in, shows nothing.
func TestNothingCameIn(t *testing.T) {
	o := &Outcome{
		Plan:    &plan.Plan{Devices: []plan.Device{{Name: "a", Kind: plan.KindEdge}}},
		Network: Network{Devices: make([]Device, 1)},
	}
	v := judge(o)
	expectFinding(t, v, Void, Effect, "no flow sent a packet, and no frame came in at an edge")
}
