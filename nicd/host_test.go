package nicd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Facts of the reference point, four channels of 100 Gb/s and 1 us: 1098 B
// there (87.84 ns a hop) and an ACK of 106 B back (8.48 ns). Under bare48 a
// packet of 1056 B takes 84 ns and an ACK of 60 B 4 ns.
func TestFacts(t *testing.T) {
	path := fabric.PathOf(channel, channel)
	c := SenderConfig{
		MTU:        1000,
		Hops:       1,
		Path:       path,
		Back:       path,
		Controller: &script{signals: cc.Signals{OneWayDelay: true}},
	}
	for _, want := range []struct {
		a                 wire.Accounting
		packet            unit.Bytes
		baseline, baseRTT unit.Duration
	}{{wire.Full, 1098, 2175680, 4192640}, {wire.Bare48, 1056, 2168 * ns, 4176 * ns}} {
		t.Run(fmt.Sprintf("a=%v", want.a), func(t *testing.T) {
			f := Facts(c, 100*unit.Gbps, want.a)
			if f.PacketBytes != want.packet || f.Baseline != want.baseline || f.BaseRTT != want.baseRTT || f.Hops != 1 {
				t.Errorf("%v: %+v, want %+v", want.a, f, want)
			}
		})
	}
}

var oneHop = fabric.PathOf(channel)

func TestDecisionDelay(t *testing.T) {
	// The ACK at 2 us opens the window from 1000 B to 3000 B; the decision
	// takes effect 700 ns later.
	prof := profile.DefaultNIC()
	prof.DecisionDelay = 700 * ns
	l := newLone(t, config("nic", 0, 1, prof))
	qp := l.send(100*unit.KB, 0, &script{signals: cc.Signals{Acks: true}, handle: func(e *cc.Event, d *cc.Decision) {
		d.Rate = 100 * unit.Gbps
		if d.Window = 1000; e.Kind == cc.EventAck {
			d.Window = 3000
		}
	}})
	l.run(at(us))
	l.ack(at(2*us), qp, 0)
	l.wantSent(at(3*us), "2000.000 Middle 1 len 1000 ackreq", "2700.000 Middle 2 len 1000 ackreq",
		"2786.560 Middle 3 len 1000 ackreq")
	if s := l.n.SenderRecord(qp); s.Decisions != 2 || s.Events != 2 {
		t.Errorf("%d decisions in %d events, want 2 in 2", s.Decisions, s.Events)
	}
}

// A wake-up that fired between a decision and its effect does not come back.
func TestDelayedWake(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.DecisionDelay = 10 * us
	l := newLone(t, config("nic", 0, 1, prof))
	timers := 0
	qp := l.send(100*unit.KB, 0, &script{signals: cc.Signals{Acks: true}, handle: func(e *cc.Event, d *cc.Decision) {
		switch e.Kind {
		case cc.EventStart:
			d.Window, d.WakeAt = 5000, at(100*us)
		case cc.EventAck:
			d.Rate--
		case cc.EventTimer:
			timers++
		}
	}})
	l.ack(at(95*us), qp, 0)
	l.run(at(ms))
	if timers != 1 {
		t.Errorf("%d timer events, want 1", timers)
	}
}

// WakeAt moves later and earlier, WakeBytes comes once.
func TestWakes(t *testing.T) {
	l := lone100(t)
	var log []string
	l.send(4000, 0, &script{handle: func(e *cc.Event, d *cc.Decision) {
		log = append(log, e.Kind.String()+" "+picoseconds(e.Now)+" "+e.Sent.String())
		switch len(log) {
		case 1:
			d.WakeAt, d.WakeBytes = at(5*us), 2000
		case 2: // sent
			d.WakeAt = at(8 * us)
		case 3:
			d.WakeAt = at(9 * us)
		}
	}})
	l.run(at(20 * us))
	want := "start 0.000 0B, sent 87.840 2.18KB, timer 8000.000 4.344KB, timer 9000.000 4.344KB"
	if got := strings.Join(log, ", "); got != want {
		t.Errorf("events %s\nwant   %s", got, want)
	}
}

// A decision that means nothing stops the flow and names flow, algorithm and
// event; other flows go on.
func TestFault(t *testing.T) {
	for _, c := range []struct {
		bad  func(e *cc.Event, d *cc.Decision)
		want string
	}{
		{func(e *cc.Event, d *cc.Decision) { d.Rate = 0 }, "rate 0 b/s"},
		{func(e *cc.Event, d *cc.Decision) { d.Window = -1 }, "window -1 B"},
		{func(e *cc.Event, d *cc.Decision) { d.Gap = -ns }, "gap -1ns"},
		{func(e *cc.Event, d *cc.Decision) { d.WakeAt = -1 }, "next timer"},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			l := lone100(t)
			l.send(100*unit.KB, 0, &script{handle: func(e *cc.Event, d *cc.Decision) {
				if e.Kind == cc.EventCNP {
					c.bad(e, d)
				}
			}})
			l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 50 * unit.Gbps}))
			l.arrive(at(us), cnpFrame(9, FirstQP))
			l.run(at(10 * us))
			err := l.n.Fault()
			if err == nil {
				t.Fatalf("no fault, want %s", c.want)
			}
			for _, part := range []string{"NIC nic", "flow 17", "script", "CNP", "1us", c.want} {
				if !strings.Contains(strings.ReplaceAll(err.Error(), "flow17", "flow 17"), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			if a, b := sending(l.n, 0).record.Packets, sending(l.n, 1).record.Packets; a > 9 || b < 50 {
				t.Errorf("the faulty flow sent %d packets, the other %d", a, b)
			}
		})
	}
	// A timer that asks for itself again.
	l := lone100(t)
	l.send(1000, 0, &script{handle: func(e *cc.Event, d *cc.Decision) { d.WakeAt = max(e.Now, 1) }})
	l.run(at(us))
	if l.n.Fault() == nil || !strings.Contains(l.n.Fault().Error(), "time would stand still") {
		t.Errorf("fault %v", l.n.Fault())
	}
}

// PC4's signals on an empty path of 1 us: the data carry tx_time and the
// baseline of their own length, the ACK the receiver's word and the echo.
func TestOneWayDelay(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	var acks []cc.Event
	var seen []cc.Arrival
	var groups []cc.Group
	p.add(flow{size: 2300, start: at(10 * ns), groupN: 7}, &script{
		signals: cc.Signals{Acks: true, OneWayDelay: true},
		handle: func(e *cc.Event, d *cc.Decision) {
			if e.Kind == cc.EventAck {
				acks = append(acks, *e)
			}
		},
		data: func(a *cc.Arrival, fb *cc.Feedback) {
			seen = append(seen, *a)
			fb.BaseRate = 20*unit.Mbps + 1
		},
		group: func(g cc.Group) { groups = append(groups, g) },
	})
	p.run(at(ms))
	if len(seen) != 3 || len(acks) != 3 || len(groups) != 1 || groups[0].Flows != 7 {
		t.Fatalf("%d packets, %d ACKs, groups %v", len(seen), len(acks), groups)
	}
	// First 1114 B 89.12 ns, Middle 1098 B 87.84 ns, Last of 300 B 398 B 31.84 ns.
	for i, want := range []cc.Arrival{{TxTime: 10, Baseline: 1089, Clock: 1099},
		{TxTime: 99, Baseline: 1087, Clock: 1186}, {TxTime: 186, Baseline: 1031, Clock: 1218}} {
		t.Run(fmt.Sprintf("Clock=%v", want.Clock), func(t *testing.T) {
			a := seen[i]
			if a.TxTime != want.TxTime || a.Baseline != want.Baseline || a.Clock != want.Clock || a.Active != 1 ||
				a.Last != (i == 2) || a.Resent {
				t.Errorf("packet %d: %+v, want %+v", i, a, want)
			}
		})
	}
	e := acks[2] // 10 + 89.12 + 87.84 + 31.84 + 1000, ACK 106 B 8.48 ns + 1000
	if e.BaseRate != 20*unit.Mbps || e.OneWayDelay != ns || e.Echo != 186 || e.Clock != 2227 || e.RTT != 2041*ns ||
		e.Acked != 300 || e.Inflight != 0 {
		t.Errorf("last ACK: %+v", e)
	}
}

// Timestamps: the remote delay is the time that the ACK waited at the
// receiver, here behind a data packet of the receiver's own.
func TestTimestamp(t *testing.T) {
	l := lone100(t)
	qp := l.receive(&script{signals: cc.Signals{Acks: true, Timestamp: true}})
	l.send(1000, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	f := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     9,
		DstIP:     1,
		Opcode:    wire.WriteOnly,
		DestQP:    qp,
		TOS:       26<<2 | wire.CE,
		TTL:       61,
		AckExt:    wire.AckReq | uint8(wire.ExtTimestamp),
		ExtTime:   12345,
	}
	l.arrive(at(20*ns), f)
	sent := l.run(at(us))
	if len(sent) != 2 {
		t.Fatalf("sent %v", sent)
	}
	a := sent[1].Frame
	if a.Extension() != wire.ExtTimestampAck || a.ExtTime != 12345 || a.ExtA != 67 || a.ExtB != 3<<24|1<<16 {
		t.Errorf("ACK %+v: want remote delay 87 - 20 ns, 3 hops, CE", a)
	}
}

// ECN echo: the ACK of a marked packet carries the mark; when ACKs are coalesced, a change of state is acknowledged
// before it.
func TestECNEcho(t *testing.T) {
	l := lone100(t)
	qp := l.receive(&script{signals: cc.Signals{ECT: true, ECNEcho: true}})
	for i, ecn := range []uint8{wire.ECT0, wire.CE, wire.CE, wire.ECT0} {
		f := wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			SrcIP:     9,
			DstIP:     1,
			Opcode:    wire.WriteOnly,
			DestQP:    qp,
			PSN:       uint32(i),
			TOS:       26<<2 | ecn,
			TTL:       63,
		}
		if i == 3 {
			f.AckExt = wire.AckReq
		}
		l.arrive(at(us+unit.Duration(i)*ns), f)
	}
	var got []string
	for _, d := range l.run(at(2 * us)) {
		got = append(got, describe(d.Frame)+[]string{"", " CE"}[d.Frame.ExtFlags])
	}
	if s := strings.Join(got, ", "); s != "ACK 0 msn 1, ACK 2 msn 3 CE, ACK 3 msn 4" {
		t.Error(s)
	}
}

// The controller's count: a flow is announced at its start, and withdrawn its
// latency after the last byte, or at Stop; each flow hears with its next
// packet.
func TestGroupKnowledge(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	var counts []int
	watch := &script{data: func(*cc.Arrival, *cc.Feedback) {}, group: func(g cc.Group) {
		counts = append(counts, g.Flows)
	}}
	watch.handle = func(e *cc.Event, d *cc.Decision) { d.Rate = unit.Gbps }
	p.add(flow{size: 100 * unit.KB}, watch)
	quiet := &script{data: func(*cc.Arrival, *cc.Feedback) {}}
	p.add(flow{size: 1000, start: at(50 * us), latency: 10 * us}, quiet)
	p.add(flow{start: at(100 * us), stop: at(200 * us)}, quiet)
	p.run(at(ms))
	if len(counts) != 5 || counts[0] != 1 || counts[1] != 2 || counts[2] != 1 || counts[3] != 2 || counts[4] != 1 {
		t.Errorf("counts %v, want 1 2 1 2 1", counts)
	}
}

// The NIC's own count of active flows loses a flow that stays silent for eight
// RTO floors.
func TestActiveFlows(t *testing.T) {
	l := lone100(t)
	var active []int
	alg := &script{data: func(a *cc.Arrival, _ *cc.Feedback) { active = append(active, a.Active) }}
	one, two := l.receive(alg), l.receive(alg)
	l.data(at(ms), one, 0, wire.WriteOnly, 0)
	l.data(at(2*ms), two, 0, wire.WriteOnly, 0)
	l.data(at(34*ms), two, 1, wire.WriteOnly, 0)
	l.run(at(100 * ms))
	if len(active) != 3 || active[0] != 1 || active[1] != 2 || active[2] != 1 {
		t.Errorf("active %v, want 1 2 1", active)
	}
	// Or for the profile's time: 5 us after the last packet, to the picosecond.
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Profile.FlowIdle = 5 * us
	l, active = newLone(t, c), nil
	one, two = l.receive(alg), l.receive(alg)
	l.data(at(us), one, 0, wire.WriteOnly, 0)
	l.data(at(4*us), one, 1, wire.WriteOnly, 0)
	l.data(at(9*us)-1, two, 0, wire.WriteOnly, 0)
	l.data(at(9*us)+1, two, 1, wire.WriteOnly, 0)
	l.run(at(ms))
	if !slices.Equal(active, []int{1, 1, 2, 1}) {
		t.Errorf("active %v, want 1 1 2 1", active)
	}
}

func TestConfigErrors(t *testing.T) {
	n := New(config("nic", 0, 1, profile.DefaultNIC()))
	ok := decide(cc.Decision{})
	good := SenderConfig{
		Name:       "f",
		QP:         FirstQP,
		Size:       1,
		MTU:        1000,
		DSCP:       -1,
		Controller: ok,
		Path:       oneHop,
		Back:       oneHop,
	}
	for _, c := range []struct {
		change func(*SenderConfig)
		want   string
	}{
		{func(c *SenderConfig) { c.QP = 5 }, "QP is 0x5, the next of this NIC is 0x11"},
		{func(c *SenderConfig) { c.MTU = 9000 }, "MTU is 9000 B"},
		{func(c *SenderConfig) { c.Size = -1 }, "size is -1 B"},
		{func(c *SenderConfig) { c.Start, c.Stop = 5, 5 }, "stop after the start"},
		{func(c *SenderConfig) { c.Path = nil }, "path has 0 hops"},
		{func(c *SenderConfig) { c.FirstPSN = 1 << 24 }, "first PSN is 0x1000000"},
		{func(c *SenderConfig) { c.DSCP = 64 }, "DSCP is 64"},
		{func(c *SenderConfig) { c.Message = 3 << 30 }, "message is 3221225472 B"},
		{func(c *SenderConfig) { c.Controller = nil }, "no congestion control"},
		{func(c *SenderConfig) { c.Controller = &script{signals: cc.Signals{ECNEcho: true, Timestamp: true}} },
			"one extension"},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			bad := good
			c.change(&bad)
			if err := n.AddSender(bad); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(),
				"NIC nic: flow f") {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	must(t, n.AddSender(good))
	if err := n.AddReceiver(ReceiverConfig{
		Name:       "g",
		QP:         FirstQP,
		MTU:        1000,
		Controller: ok,
		Path:       oneHop,
		Back:       oneHop,
	}); err == nil {
		t.Error("a QP number was given twice")
	}
}
