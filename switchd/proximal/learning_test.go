package proximal

import (
	"math"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var congested = Point{Device: 7, Port: 2, Class: 3}

// fourShare is the reading of a port of 100 Gb/s shared by four flows: 25 Gb/s each.
func fourShare() *Reading {
	return &Reading{Depth: 6650 * unit.KB, Rate: 100 * unit.Gbps, Threshold: 400 * unit.KB, Live: 4}
}

// training runs bursts of a flow, one every period, and returns the step at the beginning of each. during is called in
// the middle of each burst.
func training(e *Entry, p *profile.ProximalLearning, from, n int, period unit.Time, packets int,
	during func(burst int)) (steps []Step) {
	for b := from; b < from+n; b++ {
		at := unit.Time(b) * period
		for k := range packets {
			began, step := e.Packet(at+unit.Time(k)*10*us, 1000, p)
			if began != (k == 0) {
				panic("a burst begins with its first packet alone")
			}
			if began {
				steps = append(steps, step)
			}
			if k == packets/2 {
				during(b)
			}
		}
	}
	return steps
}

// Two bursts that met congestion make the next a foreseen one, and so on while the flow
// must be held; three needless bursts in a row end it.
func TestLearning(t *testing.T) {
	for _, x := range []struct {
		name string
		on   bool
		met  []int // bursts in which the flow is slowed down by a message
		held func(int) bool
		want []Step
	}{
		{"held in each", true, []int{0, 1}, func(int) bool { return true }, []Step{None, None, Act, Act, Act, Act, Act}},
		{"held in every third", true, []int{0, 1}, func(b int) bool { return b%3 == 0 },
			[]Step{None, None, Act, Act, Act, Act, Act}},
		{"later", true, []int{2, 3}, func(int) bool { return true }, []Step{None, None, None, None, Act, Act, Act}},
		{"not twice in a row", true, []int{0, 2, 4}, func(int) bool { return true }, make([]Step, 7)},
		{"over", true, []int{0, 1}, func(int) bool { return false }, []Step{None, None, Act, Act, Act, Forget, None}},
		{"over, and again", true, []int{0, 1, 5, 6}, func(int) bool { return false },
			[]Step{None, None, Act, Act, Act, Forget, None, Act}},
		{"off", false, []int{0, 1}, func(int) bool { return true }, make([]Step, 7)},
		{"no congestion", true, nil, func(int) bool { return false }, make([]Step, 7)},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := profile.DefaultProximal().Learning
			p.Enabled = x.on
			var e Entry
			got := training(&e, &p, 0, len(x.want), 10*ms, 100, func(b int) {
				if slices.Contains(x.met, b) {
					e.SlowedDown(congested, fourShare())
				}
				if e.Learned() && x.held(b) {
					e.Held()
				}
			})
			if !slices.Equal(got, x.want) {
				t.Errorf("%s: %v, want %v", x.name, got, x.want)
			}
		})
	}
}

// Two bursts in a row that are more than a quarter off make a flow unknown.
func TestLearningForgetsAnotherTraffic(t *testing.T) {
	p := profile.DefaultProximal().Learning
	var e Entry
	slow := func(int) { e.SlowedDown(congested, fourShare()) }
	training(&e, &p, 0, 4, 10*ms, 100, slow)
	if !e.Learned() {
		t.Fatal("not learned")
	}
	if got := training(&e, &p, 4, 4, 10*ms, 70, slow); !slices.Equal(got, []Step{Act, Act, Forget, Act}) {
		t.Errorf("%v, want the flow forgotten after two bursts of other size, and learned anew", got)
	}
	training(&e, &p, 8, 1, 10*ms, 80, slow) // 70 to 80 is less than a quarter
	if got := training(&e, &p, 9, 2, 10*ms, 80, slow); !slices.Equal(got, []Step{Act, Act}) {
		t.Errorf("%v after bursts a seventh larger", got)
	}
}

// The share is C/N for any queue: 25 Gb/s of 100. Above 0.98 of it, 24.5 Gb/s, a flow is brought down to 0.97: 24.25
// Gb/s.
func TestIsHeldToItsShare(t *testing.T) {
	for _, x := range []struct {
		name   string
		rate   unit.BitRate // 0 for not known yet
		change func(*Entry)
		want   float64
	}{
		{name: "four times too fast", rate: 100 * unit.Gbps, want: 0.2425},
		{name: "just too fast", rate: 24_501 * unit.Mbps, want: 24_250.0 / 24_501},
		{name: "fast enough", rate: 24_499 * unit.Mbps, want: 1},
		{name: "slow", rate: unit.Gbps, want: 1},
		{name: "not metered", want: 1},
		{name: "not learned", rate: 100 * unit.Gbps, change: func(e *Entry) { e.learned = false }, want: 1},
		{name: "of eight", rate: 100 * unit.Gbps, change: func(e *Entry) { e.said.Live = 8 }, want: 0.12125},
		{name: "of nobody", rate: 100 * unit.Gbps, change: func(e *Entry) { e.said.Live = 0 }, want: 1},
		{name: "of no rate", rate: 100 * unit.Gbps, change: func(e *Entry) { e.said.Rate = 0 }, want: 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			e := Entry{burst: burst{learned: true, point: congested, said: *fourShare()}}
			now := unit.Time(0)
			e.Meter.Restart(0)
			if x.rate > 0 { // a window of 100 us
				e.Meter.Count(0, x.rate.BytesIn(100*unit.Microsecond))
				now = 100 * us
			}
			if x.change != nil {
				x.change(&e)
			}
			if got := e.Wanted(now); math.Abs(got-x.want) > 1e-5 {
				t.Errorf("%s: %v, want %v", x.name, got, x.want)
			}
		})
	}
}

// N follows the readings of the point, within the burst. The next begins with the largest of it: at its end others have
// ended already.
func TestShareFollowsTheNumberOfFlows(t *testing.T) {
	p := profile.DefaultProximal().Learning
	var e Entry
	tell := func(at Point, live int) {
		r := fourShare()
		r.Live = live
		e.Heard(at, r)
	}
	live := func(want int, when string) {
		t.Helper()
		if e.Live() != want {
			t.Errorf("%s: %d flows, want %d", when, e.Live(), want)
		}
	}
	training(&e, &p, 0, 2, 10*ms, 100, func(int) {
		e.SlowedDown(congested, fourShare())
		tell(congested, 8)
		live(4, "not learned yet")
	})
	training(&e, &p, 2, 1, 10*ms, 100, func(int) {
		live(8, "the most of the bursts before")
		tell(Point{Device: 8}, 19)
		live(8, "another point")
		tell(congested, 9)
		live(9, "more")
		tell(congested, 2)
		live(2, "fewer")
		e.Held()
	})
	training(&e, &p, 3, 1, 10*ms, 1, func(int) { live(9, "the next burst") })
}

// A burst with another N, by a quarter or more, ends the learning, for any reading at its end; two bursts in a row with
// one N begin it again. A burst without a reading changes nothing.
func TestLearningForgetsAnotherN(t *testing.T) {
	for _, x := range []struct {
		name  string
		flows [][]int // what is heard in each burst, of how many flows
		want  []Step
	}{
		{"the same", [][]int{{4}, {4}, {4}, {4}, {4}}, []Step{None, None, Act, Act, Act}},
		{"nothing said", [][]int{{4}, {4}, {}, {}, {}}, []Step{None, None, Act, Act, Act}},
		{"nothing said in between", [][]int{{8}, {8}, {}, {9}, {9}}, []Step{None, None, Act, Act, Act}},
		{"not at first", [][]int{{4}, {6}, {6}, {6}}, []Step{None, None, None, Act}},
		{"one more of eight", [][]int{{8}, {8}, {9}, {10}}, []Step{None, None, Act, Act}},
		{"two more of eight", [][]int{{8}, {8}, {10}, {10}, {10}}, []Step{None, None, Act, Forget, Act}},
		{"two fewer of eight", [][]int{{8}, {8}, {6}, {8}, {8}, {8}}, []Step{None, None, Act, Forget, None, Act}},
		{"a quarter off the learned", [][]int{{4}, {4}, {5}, {5}}, []Step{None, None, Act, Forget}},
		{"fewer at the end", [][]int{{4}, {4}, {4, 2, 1}, {3, 4, 1}, {}}, []Step{None, None, Act, Act, Act}},
		{"others every time", [][]int{{4}, {4}, {8}, {4}, {8}, {4}}, []Step{None, None, Act, Forget, None, None}},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := profile.DefaultProximal().Learning
			var e Entry
			got := training(&e, &p, 0, len(x.want), 10*ms, 100, func(b int) {
				for _, n := range x.flows[b] {
					r := fourShare()
					r.Live = n
					if e.Heard(congested, r); !e.Learned() {
						e.SlowedDown(congested, r)
					}
				}
				if e.Learned() {
					e.Held()
				}
			})
			if !slices.Equal(got, x.want) {
				t.Errorf("%s: %v, want %v", x.name, got, x.want)
			}
		})
	}
}

func TestIdle(t *testing.T) {
	p := profile.DefaultProximal().Learning
	var e Entry
	training(&e, &p, 0, 4, 10*ms, 10, func(int) { e.SlowedDown(congested, fourShare()) })
	if e.SilenceTime() != 30*unit.Millisecond {
		t.Errorf("silence for %v, want three periods", e.SilenceTime())
	}
	if e.Idle(e.last.Add(p.Age), &p) || !e.Idle(e.last.Add(p.Age)+1, &p) {
		t.Error("want idle after the age")
	}
	p.Age = 0
	if e.Idle(e.last+30*ms, &p) || !e.Idle(e.last+30*ms+1, &p) {
		t.Error("want idle after three periods")
	}
}

// The period is the one of the last two bursts, and a silence of less than a tenth
// of it parts none.
func TestLearningFollowsThePeriod(t *testing.T) {
	p := profile.DefaultProximal().Learning
	var e Entry
	training(&e, &p, 0, 4, 100*ms, 100, func(int) { e.SlowedDown(congested, fourShare()) })
	if began, _ := e.Packet(e.last+9*ms, 1000, &p); began {
		t.Error("a burst begins after 9 ms in a period of 100")
	}
	e.Packet(420*ms, 1000, &p)
	if e.SilenceTime() != 360*unit.Millisecond {
		t.Errorf("silence for %v, want three times the last 120 ms", e.SilenceTime())
	}
}
