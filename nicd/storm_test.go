package nicd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func broken(t *testing.T, spoil func(*Config), storms ...profile.Storm) *lone {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Profile.Storms = storms
	if spoil != nil {
		spoil(&c)
	}
	return newLone(t, c)
}

const (
	xoff3 = " PFC classes 00001000 quanta [0 0 0 65535 0 0 0 0]"
	xon3  = " PFC classes 00001000 quanta [0 0 0 0 0 0 0 0]"
)

// 65535 quanta last 335.5392 us at 100 Gb/s: the pause is sent again each
// 167.7696 us and ends with the storm.
func TestStormPausesFromTo(t *testing.T) {
	l := broken(t, nil, profile.Storm{Class: 3, From: at(10 * us), To: at(400 * us)})
	l.wantSent(at(ms), "10000.000"+xoff3, "177769.600"+xoff3, "345539.200"+xoff3, "400000.000"+xon3)
	r := l.n.PortRecord(at(ms))
	if c := r.Classes.At(3); c.SentXOFF != 3 || c.SentXON != 1 || c.Paused != 0 {
		t.Errorf("class 3: %+v", c)
	}
	if r.TxPFCFrames != 4 || r.TxFrames != 4 || r.TxPFCBytes != r.TxBytes || r.Queues.At(3).Frames != 0 {
		t.Errorf("port: %+v", r)
	}
	// 60 B and 24 on the wire take 6.72 ns.
	if r.Busy != 4*6720*unit.Picosecond {
		t.Errorf("busy for %v", r.Busy)
	}
}

// A NIC that stays broken pauses for good: no gap between one frame and the
// next reaches a pause's time.
func TestStormForGood(t *testing.T) {
	l := broken(t, nil, profile.Storm{Class: 3, From: at(us), To: unit.Never})
	sent := l.run(at(100 * ms))
	if len(sent) != 597 { // the first, and 99.999 ms / 167.7696 us more
		t.Errorf("%d frames in 100 ms", len(sent))
	}
	for i, d := range sent[1:] {
		if d.Frame.Pause[3] != 65535 || d.Start.Sub(sent[i].Start) > 167770*ns {
			t.Fatalf("frame %d: %s at %v", i+1, describe(d.Frame), d.Start)
		}
	}
}

// PFC waits for the frame under way and for nothing else, and the NIC goes on
// sending.
func TestStormGoesFirst(t *testing.T) {
	l := broken(t, nil, profile.Storm{Class: 3, From: at(100 * ns), To: at(200 * ns)})
	l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	l.wantSent(at(300*ns), "0.000 First 0 len 1000 ackreq", "87.840 Middle 1 len 1000 ackreq", "174.400"+xoff3,
		"181.120 Middle 2 len 1000 ackreq", "267.680"+xon3, "274.400 Middle 3 len 1000 ackreq")
}

// A storm too short for the frame in transmission sends no XOFF: a frame has the state at its start.
func TestStormTellsTheNewest(t *testing.T) {
	l := broken(t, nil, profile.Storm{Class: 3, From: at(10 * ns), To: at(50 * ns)})
	l.send(1000, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	l.wantSent(at(us), "0.000 Only 0 len 1000 ackreq", "87.840"+xon3)
}

// Storms of one class that follow each other at once are one; storms of several classes begin and end separately, and
// share frames if they waited together.
func TestSeveralStorms(t *testing.T) {
	l := broken(t, nil, profile.Storm{Class: 3, From: at(20 * us), To: at(30 * us)},
		profile.Storm{Class: 3, From: at(10 * us), To: at(20 * us)},
		profile.Storm{Class: 1, From: at(10 * us), To: at(25 * us)})
	l.wantSent(at(ms), "10000.000"+xoff3, "10006.720 PFC classes 00000010 quanta [0 65535 0 0 0 0 0 0]", "20000.000"+xoff3,
		"25000.000 PFC classes 00000010 quanta [0 0 0 0 0 0 0 0]", "30000.000"+xon3)
	l = broken(t, nil, profile.Storm{Class: 3, From: at(10 * ns), To: at(us)},
		profile.Storm{Class: 1, From: at(20 * ns), To: at(us)})
	l.send(1000, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	l.wantSent(at(us), "0.000 Only 0 len 1000 ackreq", "87.840 PFC classes 00001010 quanta [0 65535 0 65535 0 0 0 0]")
}

// A pause of its own class, and a link that is down, do to a storm what they
// do to any PFC frame: nothing, and hold it back.
func TestStormPausedAndCut(t *testing.T) {
	l := broken(t, func(c *Config) { c.Attachment.Outages = []fabric.Outage{{From: at(5 * us), To: at(12 * us)}} },
		profile.Storm{Class: 3, From: at(10 * us), To: at(20 * us)})
	l.pause(at(us), 3, 65535)
	l.wantSent(at(ms), "12000.000"+xoff3, "20000.000"+xon3)
}

// The peer sends nothing from the storm's beginning, one flight later, until
// its XON: nothing of the class is sent meanwhile, and the flow completes.
func TestStormHoldsThePeer(t *testing.T) {
	b := config("b", 1, 2, profile.DefaultNIC())
	b.Profile.Storms = []profile.Storm{{Class: 3, From: at(10 * us), To: at(900 * us)}}
	p := pairOf(t, config("a", 0, 1, profile.DefaultNIC()), b)
	qp := p.add(flow{size: 200 * unit.KB}, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	p.touch = func(link fabric.LinkID, start unit.Time, f *wire.Frame) bool {
		// PFC takes 6.72 ns and 1 us to a, where the frame in transmission completes.
		if link == 0 && start > at(11007*ns) && start < at(901*us) {
			t.Errorf("%s at %v in the storm", describe(f), start)
		}
		return true
	}
	p.run(at(2 * ms))
	if done := p.a.SenderRecord(qp).Completed; done == unit.Never {
		t.Error("the flow never completed")
	}
	// From the last packet before the pause, which ends at 11.16 us with its
	// last bit 1 us later, to the first after it.
	if r := p.b.ReceiverRecord(qp); r.Silence < 889*us || r.Silence > 891*us || r.SilentFrom < at(11*us) ||
		r.SilentFrom > at(13*us) {
		t.Errorf("silent for %v from %v", r.Silence, r.SilentFrom)
	}
	r := p.a.PortRecord(at(2 * ms))
	if c := r.Classes.At(3); c.Paused != 890*us || c.ReceivedXOFF != 6 || c.ReceivedXON != 1 {
		t.Errorf("class 3 of the peer: %+v", c)
	}
}

// One frame announces several classes: those in a storm are paused and refreshed,
// the others resume.
func TestStormTells(t *testing.T) {
	s := storm{until: [profile.Classes]unit.Time{1: at(9 * us), 3: at(9 * us), 6: at(2 * us)}}
	tell := uint8(1<<1 | 1<<3 | 1<<6)
	var r record.Port
	var f wire.Frame
	again := s.fillPause(&f, wire.MAC{}, tell, at(3*us), &r)
	if again != 1<<1|1<<3 || f.ClassEnable != 1<<1|1<<3|1<<6 || f.Pause != [8]uint16{1: fullQuanta, 3: fullQuanta} {
		t.Errorf("again %08b, %s", again, describe(&f))
	}
	if c := r.Classes; c.At(1).SentXOFF != 1 || c.At(3).SentXOFF != 1 || c.At(6).SentXON != 1 || r.TxPFCFrames != 1 {
		t.Errorf("%+v", r.Classes)
	}
}
