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

// stormy is the star with a storm from 2 to 10 us at h0, which does not receive any flow, and with a watchdog that
// detects within 3 us.
func stormy() *Outcome {
	o := star()
	o.Plan.NICs[0].Profile.Storms = []profile.Storm{{Class: 3, From: 2 * us, To: 10 * us}}
	o.Plan.Switches[0].Profile.Watchdog.Detect = 3 * unit.Microsecond
	o.NICs[0].Classes.Of(3).SentXOFF, o.Switches[0].Ports[0].Classes.Of(3).ReceivedXOFF = 5, 5
	o.Switches[0].Ports[0].Classes.Of(3).Paused = 8 * unit.Microsecond
	for i := range o.Flows {
		o.Flows[i].BaseRTT = unit.Microsecond / 10
		o.Flows[i].Receiver.First = us / 2
	}
	return o
}

// fire lets the watchdog of s0:1, class 3, fire.
func fire(o *Outcome, at unit.Time) {
	p := &o.Switches[0].Ports[1]
	p.Classes.Of(3).WatchdogFired++
	p.Storms = append(p.Storms, record.BrokenStorm{
		Class:   3,
		At:      at,
		Until:   unit.Never,
		Flushed: 7,
		Dropped: 9,
	})
}

func silent(o *Outcome, flow int, from, to unit.Time) {
	o.Flows[flow].Receiver.SilentFrom, o.Flows[flow].Receiver.Silence = from, to.Sub(from)
}

func TestStorm(t *testing.T) {
	const named = "h0 paused class 3 from 2us to 10us: it sent 5 XOFF, and s0:0 stood for 8us"
	const fired = "the watchdog of s0:1, class 3, fired at 5us: 7 frames flushed and 9 that came after dropped until " +
		"the end of the run"
	for _, c := range []struct {
		name    string
		change  func(*Outcome)
		status  Status
		about   Subject
		words   string
		victims int
	}{
		{"is an outcome", func(*Outcome) {}, Pass, Storm, named, 0},
		{"outlasts the run", func(o *Outcome) { o.Plan.NICs[0].Profile.Storms[0].To = unit.Never }, Pass, Storm,
			"from 2us to the end of the run", 0},
		{"comes twice", func(o *Outcome) {
			p := &o.Plan.NICs[0].Profile
			p.Storms = append(p.Storms, profile.Storm{Class: 3, From: 12 * us, To: 14 * us})
		}, Pass, Storm, "h0 paused class 3 from 2us to 10us from 12us to 14us: it sent 5 XOFF", 0},
		{"never began", func(o *Outcome) { o.Plan.NICs[0].Profile.Storms[0].From = 20 * us }, Void, Storm,
			"the storm of h0 never began: it was due at 20us, and the run ended at 20us", 0},

		{"explains a watchdog", func(o *Outcome) { fire(o, 5*us) }, Pass, Storm, fired, 0},
		{"explains one that fires soon after", func(o *Outcome) { fire(o, 13*us-1) }, Pass, Storm, "fired at 13us", 0},
		{"explains none that fires later", func(o *Outcome) { fire(o, 13*us) }, Red, Losslessness,
			"not lossless: the watchdog of s0:1, class 3, fired at 13us", 0},
		{"explains none that fires before", func(o *Outcome) { fire(o, 2*us) }, Red, Losslessness, "fired at 2us", 0},
		{"explains none of another class", func(o *Outcome) { fire(o, 5*us); o.Plan.NICs[0].Profile.Storms[0].Class = 4 },
			Red, Losslessness, "fired at 5us", 0},
		{"explains one of another class in the same queue", func(o *Outcome) {
			fire(o, 5*us)
			o.Plan.NICs[0].Profile.Storms[0].Class = 4
			o.Plan.Switches[0].Profile.QueueOf[4] = 3
		}, Pass, Storm, "fired at 5us", 0},
		{"is let through", func(o *Outcome) { fire(o, 5*us); o.Plan.Switches[0].Profile.Watchdog.Drop = false }, Pass, Storm,
			"fired at 5us: frames passed all the same until the end of the run", 0},

		{"has a victim that stands still", func(o *Outcome) { silent(o, 1, 3*us, 4*us) }, Pass, Storm,
			"victim: h1-h2, which ends at h2, stood still for 1us from 3us; 0 packets sent again, 0 timeouts", 1},
		{"has none that pauses for less than ten base RTTs", func(o *Outcome) { silent(o, 1, 3*us, 4*us-1) },
			Pass, Effect, "", 0},
		{"has none that pauses for less than a tenth of it", func(o *Outcome) {
			silent(o, 1, 3*us, 4*us)
			o.Plan.NICs[0].Profile.Storms[0].To = unit.Never // 18 us of the run
		}, Pass, Effect, "", 0},
		{"has none that stands still before", func(o *Outcome) { silent(o, 1, us, 2*us) }, Pass, Effect, "", 0},
		{"has none that stands still after", func(o *Outcome) { silent(o, 1, 10*us, 12*us) }, Pass, Effect, "", 0},
		{"has a victim that stood longer before", func(o *Outcome) {
			o.Flows[1].Receiver.First = 2 * us
			silent(o, 1, 3*us, 4*us)
		}, Pass, Storm, "stood still for 1us from 3us", 1},
		{"has a victim that was about to be stopped", func(o *Outcome) {
			o.Flows[1].Sender.Completed, o.Flows[1].Sender.Acked = unit.Never, 9000
			o.Plan.Flows[1].Stop = 12 * us
		}, Pass, Storm, "stood still for 3us from 9us", 1},
		{"has a victim that does not get going", func(o *Outcome) { o.Flows[1].Receiver.First = 5 * us }, Pass, Storm,
			"h1-h2, which ends at h2, stood still for 5us from 0s", 1},
		{"has a victim that does not end", func(o *Outcome) {
			o.Flows[1].Sender.Completed, o.Flows[1].Sender.Acked = unit.Never, 9000
			o.Plan.Expect.AnyCompletion = true
		}, Pass, Storm, "h1-h2, which ends at h2, stood still for 11us from 9us", 1},
		{"has victims of its watchdog", func(o *Outcome) { fire(o, 5*us); drop(o, fabric.DropWatchdog) }, Pass, Storm,
			"h0-h2, which ends at h2, did not stand still; 1 packet sent again", 1},
		{"has none where links lose frames too", func(o *Outcome) {
			fire(o, 5*us)
			drop(o, fabric.DropWatchdog)
			o.Plan.Links[2].Loss = 0.1
		}, Pass, Effect, "", 0},
		{"has none among its own flows", func(o *Outcome) {
			silent(o, 1, 3*us, 9*us)
			o.Plan.NICs[2].Profile.Storms = []profile.Storm{{Class: 3, From: 2 * us, To: 10 * us}}
		}, Pass, Effect, "", 0},
		{"fails where the scenario wants no victim", func(o *Outcome) {
			silent(o, 1, 3*us, 4*us)
			o.Plan.Expect.Checks = []plan.Check{{Metric: "victims", Op: "==", Value: 0, Text: "victims == 0"}}
		}, Failed, Expectation, "victims == 0: it is 1", 1},
		{"is no congestion", func(o *Outcome) {
			o.Plan.Expect.Congestion = true
			o.Switches[0].Ports[2].Queues.Of(3).Marked = 0
			o.Flows[0].Sender.Decisions, o.Flows[1].Sender.Decisions = 0, 0
			o.Flows[0].BaseRTT = 4 * unit.Microsecond
		}, Void, Effect, "no congestion", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := stormy()
			c.change(o)
			s := Summarise(o)
			v := Judge(o, s)
			if v.Status != c.status {
				t.Errorf("status %v, want %v: %+v", v.Status, c.status, v.Findings)
			}
			if s.Victims != uint64(c.victims) {
				t.Errorf("%d victims, want %d: %+v", s.Victims, c.victims, v.Findings)
			}
			if c.words != "" {
				expectFinding(t, v, c.status, c.about, c.words)
			}
		})
	}
	for _, f := range judge(star()).Findings {
		if f.Subject == Storm {
			t.Errorf("without a storm: %+v", f)
		}
	}
}

func TestWatchdogSheet(t *testing.T) {
	o := stormy()
	fire(o, 5*us)
	o.Switches[0].Ports[1].Storms[0].Until = 7 * us
	fire(o, 9*us)
	var b strings.Builder
	if _, err := watchdogSheet.write(&b, runLabel{"a", 1}, stormRows(o)); err != nil {
		t.Fatal(err)
	}
	want := "variant,seed,node,port,peer,class,fired_us,restored_us,flushed_frames,dropped_frames\n" +
		"a,1,s0,1,h1,3,5.000000,7.000000,7,9\na,1,s0,1,h1,3,9.000000,,7,9\n"
	if b.String() != want {
		t.Errorf("sheet is\n%s\nwant\n%s", &b, want)
	}
}
