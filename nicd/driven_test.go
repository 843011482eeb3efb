package nicd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd/verbs"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// driven is a pair of NICs whose first drives a connection to the second, which is as a real stack.
type driven struct {
	*pair
	qp uint32
}

// drive makes a pair with a connection whose requests an algorithm paces; change may change both ends.
func drive(t *testing.T, p profile.NIC, c cc.Controller, size unit.Bytes, change func(a, b *PeerConfig)) *driven {
	t.Helper()
	d := &driven{newPair(t, p), FirstQP}
	a, b := peers()
	a.Carries = d.qp
	change(&a, &b)
	path := fabric.PathOf(channel)
	must(t, d.a.AddSender(SenderConfig{
		Name:       "driven",
		QP:         d.qp,
		Peer:       a.Peer,
		SrcPort:    a.SrcPort,
		Size:       size,
		MTU:        unit.Bytes(a.Verbs.MTU),
		DSCP:       a.DSCP,
		Controller: c,
		Chance:     chance.New(1, "driven"),
		Path:       path,
		Back:       path,
	}))
	must(t, AddPeer(d.a, a))
	must(t, AddPeer(d.b, b))
	return d
}

// The pacer of the algorithm spaces all requests of a connection, READs among them; its rate, the ACKs, the bytes and
// the end are the flow's.
func TestDrivenRequestsArePaced(t *testing.T) {
	const rate = 10 * unit.Gbps
	acks := 0
	c := &script{signals: cc.Signals{Acks: true, ECT: true}, handle: func(e *cc.Event, d *cc.Decision) {
		d.Rate = rate
		if e.Kind == cc.EventAck && e.RTT > 0 {
			acks++
		}
	}}
	d := drive(t, profile.DefaultNIC(), c, 3*5000+2*2000, func(a, _ *PeerConfig) {
		a.Verbs.Work = []peer.Work{{Verb: peer.Write, Length: 5000, Count: 3}, {Verb: peer.Read, Length: 3000, Count: 1},
			{Verb: peer.SendImm, Length: 2000, Count: 2}}
	})
	last, bytes := unit.Time(-1), unit.Bytes(0)
	d.touch = func(link fabric.LinkID, start unit.Time, f *wire.Frame) bool {
		if link != 0 {
			return true
		}
		if f.ECN() != wire.ECT0 {
			t.Errorf("%v has ECN %d", f.Opcode, f.ECN())
		}
		if gap := d.a.tx.Accounting().SerialTimeOf(bytes, rate); last >= 0 && start.Sub(last) < gap {
			t.Errorf("%v leaves %v after the last, want %v", f.Opcode, start.Sub(last), gap)
		}
		last, bytes = start, d.a.tx.Accounting().Bytes(f)
		return true
	}
	d.run(at(ms))
	s, r := d.a.SenderRecord(d.qp), RecordOfPeer(d.a, 0)
	if r.Status != verbs.Success || r.Completed != 6 || r.SentSum != RecordOfPeer(d.b, 0).ReceivedSum {
		t.Errorf("%+v", r)
	}
	if s.Completed == unit.Never || s.Acked != 19000 || s.Packets != 20 || s.Resent != 0 || s.Decisions == 0 ||
		acks == 0 || s.RateMin != rate || s.RTT.Count() != uint64(acks) {
		t.Errorf("%d ACKs with a sample, %+v", acks, s)
	}
	if d.a.Pending() != 0 || s.Completed != d.a.LastCompletion() {
		t.Errorf("%d flows pend, the last ended at %v", d.a.Pending(), d.a.LastCompletion())
	}
}

// A CNP of the connection is an event of the algorithm, which slows the requests down. Red: if the CNP is not handed
// over.
func TestDrivenRequestsObeyCNPs(t *testing.T) {
	c := &script{signals: cc.Signals{CNP: true, CNPInterval: us, ECT: true}, handle: func(e *cc.Event, d *cc.Decision) {
		if e.Kind == cc.EventCNP {
			d.Rate = unit.Gbps
		}
	}}
	d := drive(t, profile.DefaultNIC(), c, 50_000, func(a, _ *PeerConfig) {
		a.Verbs.Work = []peer.Work{{Verb: peer.Write, Length: 50_000, Count: 1}}
	})
	count := 0
	d.touch = func(link fabric.LinkID, _ unit.Time, f *wire.Frame) bool {
		if link == 0 {
			if count++; count == 10 {
				f.MarkCE()
			}
		}
		return true
	}
	d.run(at(ms))
	s, r := d.a.SenderRecord(d.qp), RecordOfPeer(d.a, 0)
	if s.CNPs != 1 || r.CNPs != 1 || s.Told != 1 || s.Answers != 1 || s.RateMin != unit.Gbps {
		t.Errorf("%d and %d CNPs, %d told, %d answered, least rate %v", s.CNPs, r.CNPs, s.Told, s.Answers, s.RateMin)
	}
	if took := s.Completed.Sub(s.Started); took < 100*us {
		t.Errorf("done in %v, although each packet after the CNP takes more than 8 us at 1 Gb/s", took)
	}
}

// The window of the algorithm bounds the payload on its way, and asks for the ACK that it waits for.
func TestDrivenRequestsKeepTheWindow(t *testing.T) {
	p := profile.DefaultNIC()
	p.AckEvery = 16
	c := decide(cc.Decision{Rate: channel.Rate, Window: 3000})
	d := drive(t, p, c, 60_000, func(a, _ *PeerConfig) {
		a.Verbs.Work = []peer.Work{{Verb: peer.Write, Length: 60_000, Count: 1}}
	})
	on, most := 0, 0
	d.touch = func(link fabric.LinkID, _ unit.Time, f *wire.Frame) bool {
		if link == 0 {
			on++
		} else {
			on = 0
		}
		most = max(most, on)
		return true
	}
	d.run(at(ms))
	if s := d.a.SenderRecord(d.qp); s.Acked != 60_000 || s.Timeouts != 0 || most != 3 {
		t.Errorf("%d B acknowledged, %d timeouts, %d packets without an ACK, want 3", s.Acked, s.Timeouts, most)
	}
}

// Losses are repaired by the connection, and are the flow's: NAKs, timeouts and repeated packets. RNR delays them. The
// time of the flow adds up to its life.
func TestDrivenRequestsAreRepaired(t *testing.T) {
	for seed := range uint64(20) {
		events := map[cc.EventKind]int{}
		c := &script{signals: cc.Signals{Acks: true, Loss: true}, handle: func(e *cc.Event, d *cc.Decision) {
			events[e.Kind]++
			d.Rate = 20 * unit.Gbps
		}}
		d := drive(t, profile.DefaultNIC(), c, 0, func(a, b *PeerConfig) {
			a.Verbs.Work = []peer.Work{{Verb: peer.Write, Length: 9000, Count: 8}, {Verb: peer.Send, Length: 1500, Count: 8},
				{Verb: peer.Read, Length: 9000, Count: 4}, {Verb: peer.WriteImm, Length: 10, Count: 8}}
			b.Verbs.Receives, b.Verbs.Repost, b.Verbs.RNRTimer = 2, 15*us, 1
		})
		rng := chance.New(seed, "loss")
		d.touch = func(fabric.LinkID, unit.Time, *wire.Frame) bool { return rng.Float64() >= 0.03 }
		d.run(at(20 * ms))
		s, r, there := d.a.SenderRecord(d.qp), RecordOfPeer(d.a, 0), RecordOfPeer(d.b, 0)
		if r.Status != verbs.Success || s.Completed == unit.Never || s.Acked != 84080 ||
			r.SentSum != there.ReceivedSum || there.Writes != 16 {
			t.Errorf("seed %d: %+v\n%+v", seed, r, s)
		}
		if s.Resent != r.Resent || s.Timeouts != r.Retries || events[cc.EventTimeout] != int(r.Retries) ||
			events[cc.EventNak] != int(r.ReceivedSeqErr) || s.NAKs != r.ReceivedSeqErr+r.ReceivedRNR {
			t.Errorf("seed %d: %v\n%+v\n%+v", seed, events, r, s)
		}
		spent := unit.Duration(0)
		for _, time := range d.a.SenderOver(d.qp, at(20*ms)).Spent {
			spent += time
		}
		if life := s.Completed.Sub(s.Started); spent != life {
			t.Errorf("seed %d: states of %v, life of %v", seed, spent, life)
		}
	}
}

// A connection that holds a request back until an ACK has a closed window: its own, its bound of READs, or the peer's
// credits. Between works there is nothing to send.
func TestWhatHoldsADrivenRequest(t *testing.T) {
	write := peer.Work{Verb: peer.Write, Length: 3000, Count: 20}
	for name, c := range map[string]struct {
		size         unit.Bytes
		change       func(a, b *PeerConfig)
		held, nought bool
	}{
		"nothing": {60_000, func(a, _ *PeerConfig) { a.Verbs.Work = []peer.Work{write} }, false, false},
		"the window": {60_000, func(a, _ *PeerConfig) {
			a.Verbs.Window, a.Verbs.Work = 2, []peer.Work{write}
		}, true, false},
		"the window before each message": {3000, func(a, _ *PeerConfig) {
			a.Verbs.Window, a.Verbs.Work = 1, []peer.Work{{Verb: peer.Write, Length: 100, Count: 30}}
		}, true, false},
		"READs": {0, func(a, _ *PeerConfig) {
			a.Verbs.Reads, a.Verbs.Work = 1, []peer.Work{{Verb: peer.Read, Length: 3000, Count: 5}}
		}, true, false},
		"credits, known since the first ACK": {5500, func(a, b *PeerConfig) {
			a.Verbs.Work = []peer.Work{{Verb: peer.Send, Length: 500, Count: 1},
				{Verb: peer.Send, Length: 500, Count: 10, Start: at(100 * us)}}
			b.Verbs.Credits, b.Verbs.Receives, b.Verbs.Repost = true, 2, 5*us
		}, true, true},
		"no work": {6000, func(a, _ *PeerConfig) {
			a.Verbs.Window, write.Count = 1024, 1
			later := write
			later.Start = at(100 * us)
			a.Verbs.Work = []peer.Work{write, later}
		}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, profile.DefaultNIC(), decide(cc.Decision{Rate: channel.Rate}), c.size, c.change)
			d.run(at(20 * ms))
			s := d.a.SenderRecord(d.qp)
			spent := d.a.SenderOver(d.qp, at(20*ms)).Spent
			if s.Completed == unit.Never || (spent[record.WindowClosed] > 0) != c.held ||
				(spent[record.NothingToSend] > 0) != c.nought || spent.Total() != s.Completed.Sub(s.Started) {
				t.Errorf("completed at %v; window closed for %v, want that: %v; nothing to send for %v, want that: %v; %v",
					s.Completed, spent[record.WindowClosed], c.held, spent[record.NothingToSend], c.nought, spent)
			}
		})
	}
}
