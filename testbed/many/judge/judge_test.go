package judge

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/testbed/many/judge/surroundings"
)

// answer is an algorithm whose senders act on a function.
type answer struct {
	about  cc.Description
	handle func(e *cc.Event, d *cc.Decision)
}

func (a answer) Describe() cc.Description {
	d := a.about
	if d.Name == "" {
		d = cc.Description{Name: "answer", Version: "1.0.0", Summary: "for a test", Source: "rocelab"}
	}
	return d
}
func (a answer) New(cc.Params) (cc.Controller, error) { return a, nil }
func (a answer) Signals() cc.Signals {
	return cc.Signals{ECT: true, Acks: true, CNP: true, CNPInterval: 50 * unit.Microsecond}
}
func (a answer) NewSender(cc.Facts) cc.Sender       { return a }
func (a answer) NewReceiver(cc.Facts) cc.Receiver   { return nil }
func (a answer) Handle(e *cc.Event, d *cc.Decision) { a.handle(e, d) }

func TestMain(m *testing.M) {
	surroundings.Init()
	os.Exit(m.Run())
}

// judged carries checks out, without Ginkgo, which runs once in a process.
func judged(t *testing.T, s Subject, seeds []uint64, names ...string) *Report {
	t.Helper()
	chosen, err := Checks(names, "")
	if err != nil {
		t.Fatal(err)
	}
	j, err := newTrial(Config{Subject: s, Companions: shipped.Find, Checks: chosen, Seeds: seeds})
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	r := j.report()
	for i := range j.Checks {
		r.Checks[i] = j.judgeCheck(&j.Checks[i])
	}
	r.judge()
	return r
}

// one seed does where the long tests take all.
var one = []uint64{1}

// Answers that mean nothing are found, each by its own words.
func TestSenselessAnswersAreFound(t *testing.T) {
	nan := math.NaN()
	late := func(k cc.EventKind, do func(*cc.Event, *cc.Decision)) func(*cc.Event, *cc.Decision) {
		n := 0
		return func(e *cc.Event, d *cc.Decision) {
			if e.Kind == k {
				if n++; n > 5 {
					do(e, d)
				}
			}
		}
	}
	for _, c := range []struct {
		name   string
		handle func(*cc.Event, *cc.Decision)
		says   string // "" for a pass
	}{
		{"nothing", func(*cc.Event, *cc.Decision) {}, ""},
		{"half the rate", func(_ *cc.Event, d *cc.Decision) { d.Rate = max(d.Rate/2, 1) }, ""},
		{"not a number", late(cc.EventAck, func(_ *cc.Event, d *cc.Decision) { d.Rate = unit.BitRate(nan) }), "ACK event"},
		{"rate of zero", late(cc.EventCNP, func(_ *cc.Event, d *cc.Decision) { d.Rate = 0 }),
			"rate 0 b/s, allowed is above 0"},
		{"above the line", late(cc.EventNak, func(_ *cc.Event, d *cc.Decision) { d.Rate *= 2 }),
			"allowed is up to the line's"},
		{"negative window", late(cc.EventTimeout, func(_ *cc.Event, d *cc.Decision) { d.Window = -1 }),
			"window -1 B, allowed is 0 (none) and more"},
		{"negative gap", late(cc.EventCNP, func(_ *cc.Event, d *cc.Decision) { d.Gap = -5 }), "gap -5ps"},
		{"negative wake-up", late(cc.EventCNP, func(_ *cc.Event, d *cc.Decision) { d.WakeBytes = -5 }), "or -5 B"},
		{"time stands still", func(e *cc.Event, d *cc.Decision) { d.WakeAt = max(e.Now, 1) }, "time would stand still"},
		{"panics", late(cc.EventAck, func(*cc.Event, *cc.Decision) { panic("at the disco") }), "panics: at the disco"},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := judged(t, Subject{Builtin: answer{handle: c.handle}}, nil, "fuzz").Find("fuzz")
			if (row.Result == Pass) != (c.says == "") || !strings.Contains(row.Remark, c.says) {
				t.Errorf("%s: %s, %q, want %q", c.name, row.Result, row.Remark, c.says)
			}
		})
	}
}

// Dependence on the order of instants is found only by reordering.
func TestReorderingIsMoreThanFuzzing(t *testing.T) {
	type seen struct{ acked unit.Bytes }
	var last seen
	ordered := answer{handle: func(e *cc.Event, d *cc.Decision) {
		if e.Kind == cc.EventStart {
			last = seen{}
		}
		if e.Inflight > 1<<23 && last.acked > 0 && e.Acked == last.acked {
			d.Rate = 0
		}
		last.acked = e.Acked
	}}
	if r := judged(t, Subject{Builtin: ordered}, nil, "fuzz", "reorder"); r.Verdict != Pass {
		t.Error(r.Checks)
	}
	c := chance.New(1, "test")
	f := randomFacts(c, 1)
	events := randomEvents(c, &f, cc.Signals{Acks: true, CNP: true})
	mixed := shuffle(c, events)
	moved := 0
	for i := range events {
		if mixed[i].Now != events[i].Now || mixed[i].Sent != events[i].Sent {
			t.Fatalf("event %d: the instant or the bytes sent moved", i)
		}
		if mixed[i].Inflight != events[i].Inflight {
			moved++
		}
	}
	if moved < len(events)/2 || mixed[0] != events[0] {
		t.Errorf("%d of %d events moved", moved, len(events))
	}
}

// Random flows give an algorithm its signals and nothing else.
func TestLivesKeepToTheSignals(t *testing.T) {
	c := chance.New(2, "test")
	all := cc.Signals{Acks: true, CNP: true, OneWayDelay: true}
	for _, s := range []cc.Signals{
		{}, all, {Acks: true, INT: true}, {Acks: true, ECNEcho: true},
		{CNP: true, RTTInCNP: true}, {CNP: true, RateInCNP: true}, {Acks: true, Timestamp: true}, {Group: true},
	} {
		f := randomFacts(c, 1)
		var now unit.Time
		seen := map[string]bool{}
		for _, e := range randomEvents(c, &f, s) {
			seen["ACK"] = seen["ACK"] || e.Kind == cc.EventAck
			seen["CNP"] = seen["CNP"] || e.Kind == cc.EventCNP
			seen["word"] = seen["word"] || e.Kind == cc.EventGroup && e.Flows > 0
			if e.Flows > 0 && e.Kind != cc.EventGroup {
				t.Fatalf("%d flows in a %v event", e.Flows, e.Kind)
			}
			seen["CE"] = seen["CE"] || e.CE
			seen["INT"] = seen["INT"] || e.INT.Hops > 0
			seen["OWD"] = seen["OWD"] || e.OneWayDelay != 0
			seen["remote"] = seen["remote"] || e.RemoteDelay != 0
			seen["RTT in CNP"] = seen["RTT in CNP"] || e.Kind == cc.EventCNP && e.RTT != 0
			seen["rate in CNP"] = seen["rate in CNP"] || e.CNPRate != 0
			if e.CNPRate < 0 || e.CNPRate > f.LineRate || e.CNPRate > 0 && e.Kind != cc.EventCNP {
				t.Fatalf("a rate of %v in a %v event at a line of %v", e.CNPRate, e.Kind, f.LineRate)
			}
			if e.Now < now || e.RTT < 0 || e.Inflight < 0 || e.Acked < 0 {
				t.Fatalf("%+v after %v", e, now)
			}
			now = e.Now
		}
		for what, wanted := range map[string]bool{
			"ACK":         s.Acks,
			"CNP":         s.CNP,
			"word":        s.Group,
			"CE":          s.ECNEcho,
			"INT":         s.INT,
			"OWD":         s.OneWayDelay,
			"remote":      s.Timestamp,
			"RTT in CNP":  s.RTTInCNP,
			"rate in CNP": s.RateInCNP,
		} {
			t.Run(what, func(t *testing.T) {
				if seen[what] != wanted {
					t.Errorf("%+v: %s is %v", s, what, seen[what])
				}
			})
		}
	}
}

func TestDescriptionsAreRead(t *testing.T) {
	good := cc.Description{
		Name:    "x-1",
		Version: "1.0.0",
		Summary: "s",
		Source:  "rocelab",
		Params:  []cc.Param{cc.Number("a_b", "1").In(0, 2).Doc("d").From("s")},
	}
	if wrong := describes(good); len(wrong) > 0 {
		t.Error(wrong)
	}
	for says, change := range map[string]func(*cc.Description){
		`name "X"`:                     func(d *cc.Description) { d.Name = "X" },
		`version "1"`:                  func(d *cc.Description) { d.Version = "1" },
		"one line":                     func(d *cc.Description) { d.Summary = "a\nb" },
		"no source":                    func(d *cc.Description) { d.Source = "" },
		"recovery -1":                  func(d *cc.Description) { d.Recovery = -1 },
		"snake_case":                   func(d *cc.Description) { d.Params[0].Name = "aB" },
		"a_b twice":                    func(d *cc.Description) { d.Params = append(d.Params, d.Params[0]) },
		"no documentation":             func(d *cc.Description) { d.Params[0].Doc = "" },
		"no default":                   func(d *cc.Description) { d.Params[0].Default = "" },
		"only kind choice has choices": func(d *cc.Description) { d.Params[0].Choices = []string{"x"} },
		"kind 77":                      func(d *cc.Description) { d.Params[0].Kind = 77 },
		"the value x twice":            func(d *cc.Description) { d.Values = []cc.Value{{Name: "x", Doc: "d"}, {Name: "x"}} },
		"value x: no doc":              func(d *cc.Description) { d.Values = []cc.Value{{Name: "x"}} },
		"a_b=3, which the des":         func(d *cc.Description) { d.Params[0].Default = "3" },
	} {
		t.Run(says, func(t *testing.T) {
			d := good
			d.Params = slices.Clone(good.Params)
			change(&d)
			row := judged(t, Subject{Builtin: answer{d, func(*cc.Event, *cc.Decision) {}}}, nil, "parameters").Checks[0]
			if row.Result != Failed || !strings.Contains(row.Remark, says) {
				t.Errorf("%s: %s, %s", says, row.Result, row.Remark)
			}
		})
	}
}

// The list of documented misses names what exists.
func TestDocumentedMissesExist(t *testing.T) {
	for algorithm, misses := range Misses {
		t.Run(algorithm, func(t *testing.T) {
			if _, ok := shipped.Find(algorithm); !ok {
				t.Errorf("there is no algorithm %s", algorithm)
			}
			for check, reason := range misses {
				if _, err := Checks([]string{check}, ""); err != nil || reason == "" {
					t.Errorf("%s, %s: %q", algorithm, check, reason)
				}
			}
		})
	}
}

func TestDocumentedMissesDoNotFail(t *testing.T) {
	zero := answer{handle: func(_ *cc.Event, d *cc.Decision) { d.Rate = 0 }}
	Misses["answer"] = map[string]string{"fuzz": "for a test", "parameters": "for a test"}
	defer delete(Misses, "answer")
	r := judged(t, Subject{Builtin: zero, Shipped: true}, nil, "fuzz", "parameters")
	if r.Verdict != Pass || r.Find("fuzz").Result != Documented ||
		!strings.HasSuffix(r.Find("fuzz").Remark, "; for a test") {
		t.Error(r.Checks)
	}
	if row := r.Find("parameters"); row.Result != Pass || !strings.Contains(row.Remark, "not missed any more") {
		t.Error(row)
	}
	if judged(t, Subject{Builtin: zero}, nil, "fuzz").Verdict == Pass {
		t.Error("the list counts for an algorithm that does not ship")
	}
}

func TestProgramsThatAreNoPlugins(t *testing.T) {
	programs.DependOnTree(t)
	for _, names := range [][]string{nil, {"repeat"}, {"clocks", "repeat"}} {
		t.Run(fmt.Sprint(names), func(t *testing.T) {
			r := judged(t, Subject{Program: process.Program{Path: "/bin/true"}}, nil, names...)
			row := &r.Checks[0]
			if row.Check != "handshake" || row.Result != Failed || !strings.Contains(row.Remark, "is not a plugin") ||
				r.Verdict != Failed {
				t.Error(row, r.Verdict)
			}
			for _, row := range r.Checks[1:] {
				if row.Result != NotRun {
					t.Error(row)
				}
			}
		})
	}
	if _, err := SourceOfProgram(context.Background(), "/bin/true"); err == nil {
		t.Error("/bin/true has a source")
	}
}

func TestChecksAreChosen(t *testing.T) {
	for _, c := range []struct {
		names  []string
		filter string
		want   string
	}{
		{[]string{"queue", "fuzz"}, "", "fuzz queue"},
		{nil, "loss || clocks", "loss clocks"},
		{nil, "behaviour && quick", "reaction recovery fairness latecomers beside-dcqcn decision-time"},
		{[]string{"fuzz", "clocks"}, "!contract", "clocks"},
		{[]string{"beauty"}, "", `there is no check "beauty": there are handshake, parameters`},
		{nil, "speed", "no check is labelled speed: labels are contract, behaviour, quick and"},
		{nil, "loss &&", `"loss &&" is not a filter of labels`},
	} {
		t.Run(fmt.Sprintf("filter=%s,want=%s", c.filter, c.want), func(t *testing.T) {
			list, err := Checks(c.names, c.filter)
			got := fmt.Sprint(err)
			if err == nil {
				var names []string
				for _, chosen := range list {
					names = append(names, chosen.Name)
				}
				got = strings.Join(names, " ")
			}
			if !strings.HasPrefix(got, c.want) {
				t.Errorf("%v, %q: %s, want %s", c.names, c.filter, got, c.want)
			}
		})
	}
	seen := map[string]bool{}
	for _, c := range checks {
		if seen[c.Name] || c.About == "" || c.Labels[0] != Contract && c.Labels[0] != Behaviour {
			t.Errorf("%+v", c)
		}
		seen[c.Name] = true
	}
}

// An interruption within a check leaves that one not run.
func TestInterruption(t *testing.T) {
	a, _ := shipped.Find("pc4")
	ctx, cancel := context.WithCancel(context.Background())
	j, err := newTrial(Config{Subject: Subject{Builtin: a}, Companions: func(string) (cc.Algorithm, bool) {
		cancel()
		return shipped.Find("fixed")
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	j.ctx = ctx
	chosen, _ := Checks([]string{"parameters", "reaction"}, "")
	if row := j.judgeCheck(&chosen[0]); row.Result != Pass || j.over {
		t.Error(row)
	}
	if row := j.judgeCheck(&chosen[1]); row.Result != NotRun || !j.over {
		t.Error(row)
	}
}

// The gravest result is the verdict.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		want    Result
		results []Result
	}{
		{Pass, []Result{Pass, Skipped, Reported, Exempt, Documented}},
		{Pass, []Result{Exempt}},
		{Skipped, []Result{Skipped, Skipped}},
		{NotRun, []Result{Pass, NotRun}},
		{Failed, []Result{Failed, Pass, NotRun}},
	} {
		r := &Report{}
		for _, result := range c.results {
			r.Checks = append(r.Checks, Row{Result: result})
		}
		if r.judge(); r.Verdict != c.want {
			t.Errorf("%v: %s", c.results, r.Verdict)
		}
	}
}

// A fault in a check of the contract leaves the others to be carried out; one in
// a scenario of the behaviour ends all.
func TestFaults(t *testing.T) {
	chosen, _ := Checks([]string{"fuzz", "loss"}, "")
	panics := answer{handle: func(*cc.Event, *cc.Decision) { panic("at the disco") }}
	j, err := newTrial(Config{Subject: Subject{Builtin: panics}})
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	for i, over := range []bool{false, true} {
		t.Run(fmt.Sprintf("over=%v", over), func(t *testing.T) {
			row := j.judgeCheck(&chosen[i])
			if row.Result != Failed || !strings.Contains(row.Remark, "at the disco") || j.over != over || !isFault(j.err) {
				t.Errorf("%+v, over %v, %v", row, j.over, j.err)
			}
		})
	}
}

// held makes a run of a flow that holds a part of the line in each bin of 100
// us from the other's end on.
func held(parts ...float64) *run {
	p := &plan.Plan{MTU: 1000, NICs: []plan.NIC{{}}, Flows: []plan.Flow{{}}, Links: []plan.Link{{}}}
	p.Links[0].Forward.Rate = 100 * unit.Gbps
	p.Record.Interval = 100 * unit.Microsecond
	out := &result.Outcome{Plan: p, Network: result.Network{Flows: []result.Flow{{Sender: record.NewSender()}}}}
	s := out.Flows[0].Sender
	s.Packets, s.WireBytes = 1, 1100
	s.Over = &record.Progress{Acked: record.Series{Bins: make([]uint32, leave/unit.Time(p.Record.Interval))}}
	bins := &s.Over.Acked.Bins
	for _, part := range parts {
		*bins = append(*bins, uint32(part*1.25e6/1.1))
	}
	out.End = unit.Time(p.Record.Interval) * unit.Time(len(*bins))
	return &run{Outcome: out}
}

func repeated(n int, part float64) (list []float64) {
	for range n {
		list = append(list, part)
	}
	return list
}

func TestRecovers(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []float64
		took  unit.Duration
	}{
		{"at once", repeated(80, 1), 0},
		{"never", repeated(80, 0.79), unit.Duration(unit.Never)},
		{"just", repeated(80, 0.801), 0},
		// A millisecond with eight full bins of ten holds 80 %.
		{"after 1 ms of nothing", append(repeated(10, 0), repeated(80, 1.001)...), 800 * unit.Microsecond},
		{"lost again", slices.Concat(repeated(30, 1), repeated(10, 0), repeated(80, 1.001)), 3800 * unit.Microsecond},
		{"not long enough", slices.Concat(repeated(20, 0), repeated(30, 1)), unit.Duration(unit.Never)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if took, _ := recovers(held(c.parts...)); took != c.took {
				t.Errorf("%s: %v, want %v", c.name, took, c.took)
			}
		})
	}
}

func TestTheWorstReactionCounts(t *testing.T) {
	ordered := []reacted{{1, 2, 0.1}, {1, 2, 0.5}, {1, 9, 0.5}, {1, 0, 0.7}, {1, 0, 0.9}}
	for i, a := range ordered {
		t.Run(fmt.Sprintf("after=%v,least=%v", a.after, a.least), func(t *testing.T) {
			for j, b := range ordered {
				if b.worse(a) != (j > i) {
					t.Errorf("%+v worse than %+v: %v", b, a, b.worse(a))
				}
			}
		})
	}
}

// The kit finds reactions: a flow whose window is full is held back as much as one that cuts its rate, one that does
// nothing is not.
func TestReaction(t *testing.T) {
	for _, c := range []struct {
		name   string
		handle func(*cc.Event, *cc.Decision)
		want   Result
	}{
		{"nothing", func(*cc.Event, *cc.Decision) {}, Failed},
		{"a window of 1.5 BDP", func(_ *cc.Event, d *cc.Decision) { d.Window = 80_000 }, Pass},
		{"a third less with the first CNP", func(e *cc.Event, d *cc.Decision) {
			if e.Kind == cc.EventCNP {
				d.Rate = 60 * unit.Gbps
			}
		}, Pass},
		{"a tenth less with the first CNP", func(e *cc.Event, d *cc.Decision) {
			if e.Kind == cc.EventCNP {
				d.Rate = 90 * unit.Gbps
			}
		}, Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if row := judged(t, Subject{Builtin: answer{handle: c.handle}}, nil, "reaction").Checks[0]; row.Result != c.want {
				t.Errorf("%s: %+v", c.name, row)
			}
		})
	}
}

func TestUncontrolledIsExempt(t *testing.T) {
	a, _ := shipped.Find("fixed")
	r := judged(t, Subject{Builtin: a}, nil, "reaction", "fairness", "parameters")
	if !r.Uncontrolled || r.Find("reaction").Result != Exempt || r.Find("fairness").Result != Exempt ||
		r.Find("parameters").Result != Pass {
		t.Error(r)
	}
}

// A scenario has the subject with its parameters.
func TestParametersReachTheScenario(t *testing.T) {
	a, _ := shipped.Find("fixed")
	r := judged(t, Subject{Builtin: a, Given: map[string]string{"rate": "10Gbps"}}, nil, "beside-dcqcn")
	var part float64
	if _, err := fmt.Sscanf(r.Checks[0].Figure, "%f %% beside", &part); err != nil || part < 19 || part > 21 {
		t.Errorf("two flows at 10 of 100 Gb/s: %s", r.Checks[0].Figure)
	}
}
