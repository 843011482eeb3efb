package switchd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// outage takes the link of port 2 of a switch down from 10 to 20 us.
func outage(t *testing.T, c Config) *bench {
	t.Helper()
	c.Ports[2].Outages = []fabric.Outage{{From: 10 * us, To: 20 * us}}
	b := newBench(t, c)
	b.checked = true
	return b
}

// A port whose link goes down drops what waits there, which frees the memory of the ingress: it sends XON at
// once. The frame under way completes; what comes in the outage is dropped, and what comes after it sent.
func TestPortThatGoesDownIsFlushed(t *testing.T) {
	b := outage(t, tight(3))
	b.arrive(2, 9*us, pfc(65535, 3))
	for i := range 4 {
		b.arrive(0, 9500*ns+unit.Time(i)*100*ns, data(2, uint32(i)))
	}
	b.arrive(1, 9990*ns, dscp(data(2, 90), 0)) // of a class that is not paused
	b.run(10*us - 1)
	b.want(`9800000 ps port 0 pause class 3 for 65535
		9990000 ps port 2 psn 90 ecn 2`)
	b.run(10 * us)
	b.want("10000000 ps port 0 pause class 3 for 0")
	b.wantDrops(0, fabric.DropPortDown, 4)
	if held := b.s.mmu.resident; held != 0 {
		t.Errorf("%v are held after the flush", held)
	}
	b.arrive(0, 15*us, data(2, 5))
	b.arrive(0, 20*us-1, data(2, 6))
	b.arrive(0, 20*us, data(2, 7))
	b.run(30 * us)
	b.want("20000000 ps port 2 psn 7 ecn 2")
	b.wantDrops(0, fabric.DropPortDown, 6)
}

// A pause that was received ends with the link: it is counted up to there, and does not hold what comes after the
// outage. One that waited for its effect comes to nothing.
func TestPausesEndWithTheLink(t *testing.T) {
	for _, response := range []unit.Duration{0, 3 * unit.Microsecond} {
		t.Run(fmt.Sprintf("response=%v", response), func(t *testing.T) {
			c := star(3)
			c.Profile.PauseResponse = response
			b := outage(t, c)
			b.arrive(2, 8*us, pfc(65535, 3))
			b.arrive(0, 21*us, data(2, 1))
			b.run(400 * us)
			b.want("21000000 ps port 2 psn 1 ecn 2")
			if got, want := b.record(2).Classes.At(3).Paused, max(0, 2*unit.Microsecond-response); got != want {
				t.Errorf("with a response of %v: paused for %v, want %v", response, got, want)
			}
		})
	}
}

// A port whose link is down does not send pauses, even if one would be due again; when the link is up it asks once more
// for the ones still due only.
func TestPausesAreNotSentIntoTheVoid(t *testing.T) {
	for _, x := range []struct {
		name    string
		release unit.Time // when the port ahead goes on
		want    string
	}{
		{"still due", 300 * us, "20000000 ps port 2 pause class 3 for 100"},
		{"over", 15 * us, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := tight(3)
			c.Profile.PFC.Quanta, c.Profile.PFC.Refresh = 100, 0.5 // 512 ns, sent again after 256
			b := outage(t, c)
			b.arrive(1, 2*us, pfc(65535, 3))
			for i := range 4 {
				b.arrive(2, 8*us+unit.Time(i)*100*ns, data(1, uint32(i)))
			}
			b.arrive(1, x.release, pfc(0, 3))
			b.run(10*us - 1)
			b.sent = nil
			b.run(20 * us)
			sent := b.sent
			b.sent = nil
			for _, d := range sent {
				if d.Link == 2 {
					b.sent = append(b.sent, d)
				}
			}
			if got := b.record(2).Classes.At(3).SentXOFF; got == 0 {
				t.Fatal("no pause was asked for")
			}
			t.Log(x.name)
			b.want(x.want)
		})
	}
}

// The watchdog forgets with the link: a queue that it had freed is normal after the outage, and a queue that stood
// for almost its time has all of it again.
func TestWatchdogForgetsWithTheLink(t *testing.T) {
	for _, x := range []struct {
		detect unit.Duration
		storms []record.BrokenStorm
		second uint64 // dropped after the outage
	}{
		{5 * unit.Microsecond, []record.BrokenStorm{{Class: 3, At: 7 * us, Until: 10 * us, Flushed: 1}}, 0},
		{9 * unit.Microsecond, nil, 0},
	} {
		t.Run(fmt.Sprintf("detect=%v", x.detect), func(t *testing.T) {
			c := star(3)
			c.Profile.Watchdog = profile.Watchdog{Enabled: true, Detect: x.detect, Restore: unit.Millisecond, Drop: true}
			b := outage(t, c)
			b.arrive(2, us, pfc(65535, 3))
			b.arrive(0, 2*us, data(2, 1))
			b.arrive(0, 22*us, data(2, 2))
			b.run(100 * us)
			b.want("22000000 ps port 2 psn 2 ecn 2")
			r := b.record(2)
			if len(r.Storms) != len(x.storms) || len(r.Storms) > 0 && r.Storms[0] != x.storms[0] {
				t.Errorf("detected after %v: storms %+v, want %+v", x.detect, r.Storms, x.storms)
			}
			b.wantDrops(0, fabric.DropWatchdog, uint64(len(x.storms)))
			b.wantDrops(0, fabric.DropPortDown, uint64(1-len(x.storms)))
		})
	}
}

// Frames in the switch's latency when their port goes down are dropped at the end of it, including stored frames of a
// switch that cuts through.
func TestLatencyEndsAtAPortThatIsDown(t *testing.T) {
	for _, cuts := range []bool{false, true} {
		t.Run(fmt.Sprintf("cuts=%v", cuts), func(t *testing.T) {
			c := star(3)
			c.Profile.Latency, c.Profile.CutThrough = 500*unit.Nanosecond, cuts
			b := outage(t, c)
			b.arrive(0, 9800*ns, data(2, 1))
			b.arrive(1, 9800*ns, data(2, 2))
			b.run(15 * us)
			b.wantDrops(0, fabric.DropPortDown, 1)
			b.wantDrops(1, fabric.DropPortDown, 1)
			b.want("")
			if held := b.s.mmu.resident; held != 0 {
				t.Errorf("cuts through %t: %v are held", cuts, held)
			}
		})
	}
}

// The shortest queue is not that of a port whose link is down.
func TestLeastQueueAvoidsAPortThatIsDown(t *testing.T) {
	c := star(3)
	c.Profile.Forwarding = profile.LeastQueue
	c.NextHops[1] = []uint16{2, 1}
	b := outage(t, c)
	b.arrive(0, 5*us, data(1, 1))
	b.arrive(0, 15*us, data(1, 2))
	b.run(16 * us)
	b.want(`5000000 ps port 2 psn 1 ecn 2
		15000000 ps port 1 psn 2 ecn 2`)
}
