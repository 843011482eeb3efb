package proximal

import (
	"math"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

const ms = unit.Time(unit.Millisecond)

func flow(i int) Flow { return Flow{SrcIP: uint32(i), DstIP: 9, DstQP: 17} }

func TestTableForgetsTheOneIdleLongest(t *testing.T) {
	table := NewTable(3)
	for i := range 3 {
		table.Touch(flow(i))
	}
	table.Touch(flow(0))
	if e, evicted := table.Touch(flow(3)); evicted == nil || evicted.Flow != flow(1) || !evicted.removed ||
		e.Flow != flow(3) {
		t.Errorf("%v made room for %v", evicted, e)
	}
	if table.Find(flow(1)) != nil || table.Len() != 3 || table.Oldest().Flow != flow(2) {
		t.Errorf("%d entries, the oldest %v", table.Len(), table.Oldest().Flow)
	}
	for table.Oldest() != nil {
		table.Remove(table.Oldest())
	}
	if table.Len() != 0 || len(table.heap) != 0 || table.cache != [cacheSlots]*Entry{} || len(table.answered) != 0 {
		t.Error("something is left in an emptied table")
	}
}

func TestAnswersNameTheirFlow(t *testing.T) {
	table := NewTable(4)
	e, _ := table.Touch(flow(1))
	table.SetAddresses(e, wire.MAC{1}, wire.MAC{2}, 50000)
	e.SrcQP = 5
	if table.FindAnswered(1, 9, 50000) != e || table.FindAnswered(1, 9, 50001) != nil ||
		table.FindAnswered(9, 1, 50000) != nil {
		t.Error("an answer is told by both addresses and the port")
	}
	table.SetAddresses(e, wire.MAC{1}, wire.MAC{3}, 50001) // a connection of its own
	if table.FindAnswered(1, 9, 50000) != nil || table.FindAnswered(1, 9, 50001) != e || e.SrcQP != 0 {
		t.Error("a new connection keeps the QP of the old one")
	}
}

// Zhu et al., equations 1 and 2: alpha = (1-g) alpha + g at a CNP, (1-g) alpha
// in each period without.
func TestAlpha(t *testing.T) {
	const g = 1.0 / 256
	period := 55 * unit.Microsecond
	var e Entry
	if e.Alpha(9, g, period) != 1 {
		t.Error("alpha is 1 before the first CNP")
	}
	e.OnCNP(0, g, period)
	if got := e.Alpha(unit.Time(period)-1, g, period); got != 1 {
		t.Errorf("%v after the first, want 1", got)
	}
	if got, want := e.Alpha(100*unit.Time(period), g, period), math.Pow(1-g, 100); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v after 100 periods, want %v", got, want)
	}
	e.OnCNP(100*unit.Time(period), g, period)
	if got, want := e.Alpha(100*unit.Time(period), g, period), math.Pow(1-g, 101)+g; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v after the second, want %v", got, want)
	}
}

func TestHolds(t *testing.T) {
	var e Entry
	a, b := Point{Device: 1, Port: 2, Class: 3}, Point{Device: 1, Port: 3, Class: 3}
	e.Ignore(a, 10*us)
	if !e.Ignores(a, 10*us-1) || e.Ignores(a, 10*us) || e.Ignores(b, 0) {
		t.Error("a hold is for one point, up to its end")
	}
	if !e.IgnoresAny(9*us) || e.IgnoresAny(10*us) || len(e.ignored) != 0 {
		t.Error("a hold that is over stays")
	}
	table := NewTable(1)
	f, _ := table.Touch(flow(1))
	f.Ignore(a, 10*us)
	f.Ignore(b, 10*us)
	table.HeedAgain(a)
	if f.Ignores(a, 0) || !f.Ignores(b, 0) {
		t.Error("want the holds of one point ended")
	}
}

func TestPacer(t *testing.T) {
	var p Pacer
	a, b := &Entry{}, &Entry{}
	var sent []int
	send := func(e *Entry, now unit.Time) {
		sent = append(sent, int(now/us))
		p.Sent(e, now, 4*unit.Microsecond)
	}
	if p.Next() != unit.Never || !p.Add(a, 3, 5) {
		t.Fatal("the first CNP may leave at once")
	}
	send(a, 0)
	if p.Add(a, 1, 5) || !p.Add(b, 1, 5) {
		t.Fatal("one that waits is not sent at once, another flow's is")
	}
	send(b, us)
	for p.Next() < 30*us {
		now := p.Next()
		if e := p.Turn(); e != nil {
			send(e, now)
		}
	}
	if want := []int{0, 1, 4, 8, 12}; !slices.Equal(sent, want) {
		t.Errorf("sent at %v us, want %v", sent, want)
	}
	if !p.Add(a, 9, 5) || a.cnpsLeft != 5 {
		t.Errorf("%d wait, 5 at most", a.cnpsLeft)
	}
	p.Sent(a, 30*us, 4*unit.Microsecond)
	a.removed = true
	if p.Turn() != nil || a.cnpsLeft != 0 {
		t.Error("a CNP for a flow that is forgotten")
	}
}

// A pacer that always has something to send takes no more room for it.
func TestPacerKeepsItsRoom(t *testing.T) {
	var p Pacer
	a, b := &Entry{}, &Entry{}
	at := [2]unit.Time{0, us}
	for i, e := range []*Entry{a, b} {
		p.Add(e, 2, 2)
		p.Sent(e, at[i], 4*unit.Microsecond)
	}
	for i := range 10_000 {
		now := p.Next()
		if want := unit.Time(i%2)*us + unit.Time(4*(i/2+1))*us; now != want {
			t.Fatalf("turn %d at %v, want %v", i, now, want)
		}
		e := p.Turn()
		if e != []*Entry{a, b}[i%2] {
			t.Fatalf("turn %d is another flow's", i)
		}
		p.Sent(e, now, 4*unit.Microsecond)
		p.Add(e, 1, 2)
	}
	if cap(p.turns) > 8 {
		t.Errorf("room for %d turns, of which two wait", cap(p.turns))
	}
}

// training runs bursts of a flow, one every period, and returns what was done as
// each began. met says of each burst whether it meets congestion.
func training(e *Entry, p *profile.ProximalLearning, from, n int, period unit.Time, packets int, met func(burst int,
	step Step) bool) (steps []Step) {
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
			if k == packets/2 && met(b, steps[len(steps)-1]) {
				e.Notified(at+unit.Time(k)*10*us, Point{Device: 7}, 2, 5, 0.25, unit.Gbps/10)
			}
		}
	}
	return steps
}

func TestLearning(t *testing.T) {
	always := func(int, Step) bool { return true }
	unforeseen := func(_ int, s Step) bool { return s != Act } // the CNPs help
	for _, x := range []struct {
		name   string
		change func(*profile.ProximalLearning)
		met    func(int, Step) bool
		want   []Step
	}{
		{"two intervals", func(*profile.ProximalLearning) {}, unforeseen, []Step{None, None, Act, Act, Act, Act, Act, Act,
			Act, Act, Pass, Act}},
		{"one", func(p *profile.ProximalLearning) { p.After = 1 }, unforeseen, []Step{None, Act, Act, Act, Act, Act, Act,
			Act, Act, Pass, Act, Act}},
		{"off", func(p *profile.ProximalLearning) { p.Enabled = false }, always, make([]Step, 12)},
		{"no congestion", func(*profile.ProximalLearning) {}, func(int, Step) bool { return false }, make([]Step, 12)},
		// Congestion in the first three bursts alone: two tests fail, and it is forgotten.
		{"gone", func(p *profile.ProximalLearning) { p.Recheck = 2 }, func(b int, _ Step) bool { return b < 2 },
			[]Step{None, None, Act, Act, Pass, Act, Pass, Forget, None, None, None, None}},
	} {
		p := profile.DefaultProximal().Learning
		x.change(&p)
		if got := training(&Entry{}, &p, 0, len(x.want), 10*ms, 100, x.met); !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}

func TestLearningWantsEqualPeriods(t *testing.T) {
	p := profile.DefaultProximal().Learning
	var e Entry
	at := unit.Time(0)
	for i, gap := range []unit.Time{10 * ms, 12 * ms, 15 * ms, 15 * ms, 15 * ms} {
		_, step := e.Packet(at, 1000, &p)
		if want := map[bool]Step{true: Act, false: None}[i == 4]; step != want {
			t.Errorf("burst %d: step %d, want %d", i, step, want)
		}
		e.Notified(at, Point{}, 1, 5, 1, 0)
		at += gap
	}
}

// Two bursts in a row that are more than a quarter off make a flow unknown.
func TestLearningForgetsAnotherTraffic(t *testing.T) {
	p := profile.DefaultProximal().Learning
	var e Entry
	unforeseen := func(_ int, s Step) bool { return s != Act }
	training(&e, &p, 0, 4, 10*ms, 100, unforeseen)
	if !e.Learned() || e.ForeseenCNPs() != 2 {
		t.Fatalf("learned %t, %d CNPs foreseen", e.Learned(), e.ForeseenCNPs())
	}
	if got := training(&e, &p, 4, 4, 10*ms, 70, unforeseen); !slices.Equal(got, []Step{Act, Act, Forget, Act}) {
		t.Errorf("%v, want the flow forgotten after two bursts of other size, and learned anew", got)
	}
}

// A burst that ran below four fifths of what it could have had gets one CNP less
// the next time, one at least.
func TestLearningSendsFewer(t *testing.T) {
	p := profile.DefaultProximal().Learning
	var e Entry
	training(&e, &p, 0, 3, 10*ms, 100, func(_ int, s Step) bool { return s != Act })
	e.fair = unit.Gbps // 100 packets of 1000 B in 990 us are 0.81 Gb/s
	training(&e, &p, 3, 1, 10*ms, 100, func(int, Step) bool { return false })
	if e.ForeseenCNPs() != 2 {
		t.Errorf("%d CNPs after a burst at 0.81 of its share, want 2 still", e.ForeseenCNPs())
	}
	e.fair = 2 * unit.Gbps
	training(&e, &p, 4, 3, 10*ms, 100, func(int, Step) bool { return false })
	if e.ForeseenCNPs() != 1 {
		t.Errorf("%d CNPs after bursts at 0.4 of its share, want 1", e.ForeseenCNPs())
	}
}

func TestIdle(t *testing.T) {
	p := profile.DefaultProximal().Learning
	var e Entry
	training(&e, &p, 0, 4, 10*ms, 10, func(int, Step) bool { return true })
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

// The table agrees with a plain list of flows, the one touched last at its end,
// whatever comes in whatever order: slots that flows share and ranks that are put
// right late never show.
func TestTableIsAPlainList(t *testing.T) {
	const capacity, flows = 700, 1000 // more than there are slots
	table, luck := NewTable(capacity), chance.New(1, "table")
	var list []Flow
	drop := func(f Flow) {
		if i := slices.Index(list, f); i >= 0 {
			list = slices.Delete(list, i, i+1)
		}
	}
	for range 20000 {
		f := flow(int(luck.Below(flows)))
		switch luck.Below(10) {
		case 0:
			if e := table.Find(f); e != nil {
				table.Remove(e)
			}
			drop(f)
		case 1:
			if e := table.Oldest(); (e == nil) != (len(list) == 0) || e != nil && e.Flow != list[0] {
				t.Fatalf("the oldest is %v, want %v", e, list[0])
			}
		case 2:
			if e := table.Find(f); e != nil {
				table.SetAddresses(e, wire.MAC{1}, wire.MAC{2}, uint16(f.SrcIP%300))
				if table.FindAnswered(f.SrcIP, f.DstIP, uint16(f.SrcIP%300)) != e {
					t.Fatalf("%v is not the one answered", f)
				}
			}
		default:
			e, evicted := table.Touch(f)
			known := slices.Contains(list, f)
			drop(f)
			if full := !known && len(list) == capacity; full != (evicted != nil) || full && evicted.Flow != list[0] {
				t.Fatalf("%v made room", evicted)
			} else if full {
				list = list[1:]
			}
			if list = append(list, f); e.Flow != f || table.Len() != len(list) {
				t.Fatalf("%v of %d, want %v of %d", e.Flow, table.Len(), f, len(list))
			}
		}
	}
}

// Two flows with one path, as two QPs behind one source port: the answers are
// those of the one named last, and nobody's once that is gone.
func TestAnswersOfOnePath(t *testing.T) {
	table := NewTable(4)
	a, _ := table.Touch(Flow{1, 2, 3})
	b, _ := table.Touch(Flow{1, 2, 4})
	for _, e := range []*Entry{a, b, a} {
		table.SetAddresses(e, wire.MAC{}, wire.MAC{}, 5)
		if table.FindAnswered(1, 2, 5) != e {
			t.Errorf("%v is named and not answered", e.Flow)
		}
	}
	table.Remove(b)
	if table.FindAnswered(1, 2, 5) != a {
		t.Error("the other one's removal takes the path away")
	}
	table.Remove(a)
	if table.FindAnswered(1, 2, 5) != nil {
		t.Error("a removed flow is answered")
	}
}

// The first burst says nothing of a period, whenever it is.
func TestLearningWantsTwoIntervals(t *testing.T) {
	p := profile.DefaultProximal().Learning
	if got := training(&Entry{}, &p, 1, 3, 10*ms, 100, func(int, Step) bool { return true }); !slices.Equal(got,
		[]Step{None, None, Act}) {
		t.Errorf("%v from a burst at one period on, want the third foreseen", got)
	}
}

// The period is the one of the last two bursts, and a silence of less than a tenth
// of it parts none.
func TestLearningFollowsThePeriod(t *testing.T) {
	p := profile.DefaultProximal().Learning
	var e Entry
	training(&e, &p, 0, 4, 100*ms, 100, func(_ int, s Step) bool { return s != Act })
	if began, _ := e.Packet(e.last+9*ms, 1000, &p); began {
		t.Error("a burst begins after 9 ms in a period of 100")
	}
	e.Packet(420*ms, 1000, &p)
	if e.SilenceTime() != 360*unit.Millisecond {
		t.Errorf("silence for %v, want three times the last 120 ms", e.SilenceTime())
	}
}

// The burst that is let go as a test shows how many CNPs it takes now.
func TestLearningCountsAnew(t *testing.T) {
	p := profile.DefaultProximal().Learning
	p.Recheck = 2
	var e Entry
	training(&e, &p, 0, 5, 10*ms, 100, func(b int, _ Step) bool { return b < 2 }) // the last is the test
	e.Notified(41*ms, Point{Device: 7}, 4, 5, 0.25, 0)
	if _, step := e.Packet(50*ms, 1000, &p); step != Act || e.ForeseenCNPs() != 4 {
		t.Errorf("step %d with %d CNPs after a test that took 4", step, e.ForeseenCNPs())
	}
}
