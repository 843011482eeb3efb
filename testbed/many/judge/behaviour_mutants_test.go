package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/mutant"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/mem"
)

// simple is an algorithm without parameters whose senders are functions.
type simple struct {
	name    string
	signals cc.Signals
	sender  func(cc.Facts) handler
}

type handler func(e *cc.Event, d *cc.Decision)

func (h handler) Handle(e *cc.Event, d *cc.Decision) { h(e, d) }

func (s simple) Describe() cc.Description                { return cc.Description{Name: s.name, Version: "1.0.0"} }
func (s simple) New(cc.Params) (cc.Controller, error)    { return s, nil }
func (s simple) Signals() cc.Signals                     { return s.signals }
func (s simple) NewSender(f cc.Facts) cc.Sender          { return s.sender(f) }
func (s simple) NewReceiver(cc.Facts) (none cc.Receiver) { return nil }

// mutants are algorithms with one deliberate mistake each.
var mutants = map[string]cc.Algorithm{
	// careless does not control, and does not say so.
	"careless": simple{"careless", cc.Signals{}, func(f cc.Facts) handler {
		return func(_ *cc.Event, d *cc.Decision) { d.Rate = f.LineRate }
	}},
	// sluggish never sends faster than 0.1 Gb/s.
	"sluggish": simple{"sluggish", cc.Signals{}, func(cc.Facts) handler {
		return func(_ *cc.Event, d *cc.Decision) { d.Rate = 100 * unit.Mbps }
	}},
	// greedy lets the first flow have what it wants.
	"greedy": simple{"greedy", cc.Signals{}, func(f cc.Facts) handler {
		return func(_ *cc.Event, d *cc.Decision) {
			if d.Rate = f.LineRate / 50; f.Flow == 0 {
				d.Rate = f.LineRate
			}
		}
	}},
	// timid halves its rate at a CNP, and never raises it.
	"timid": simple{"timid", marked, func(f cc.Facts) handler {
		return func(e *cc.Event, d *cc.Decision) {
			if e.Kind == cc.EventStart {
				d.Rate = f.LineRate
			}
			if e.Kind == cc.EventCNP {
				d.Rate = max(d.Rate/2, unit.Gbps)
			}
		}
	}},
	// quitter gives up at the first loss.
	"quitter": simple{"quitter", cc.Signals{}, func(f cc.Facts) handler {
		return func(e *cc.Event, d *cc.Decision) {
			switch e.Kind {
			case cc.EventStart:
				d.Rate = f.LineRate / 4
			case cc.EventNak, cc.EventTimeout:
				d.Rate = unit.Mbps
			}
		}
	}},
	// rememberer counts the events of all flows of all runs.
	"rememberer": simple{"rememberer", cc.Signals{Acks: true}, func(f cc.Facts) handler {
		return func(_ *cc.Event, d *cc.Decision) {
			events++
			d.Rate = f.LineRate/8 - unit.BitRate(events%1000)*unit.Kbps
		}
	}},
	// credulous takes a delay below zero, which wrong clocks show, for a
	// reason to stop. The rest of it is PC4.
	"credulous": wrapped(mutant.Wrap{Sender: func(s cc.Sender) cc.Sender {
		return handler(func(e *cc.Event, d *cc.Decision) {
			s.Handle(e, d)
			if e.Kind == cc.EventAck && e.OneWayDelay < 0 {
				d.Rate, d.Gap = 100*unit.Mbps, 0
			}
		})
	}}),
}

// marked asks for CNPs.
var marked = cc.Signals{ECT: true, CNP: true, CNPInterval: 50 * unit.Microsecond}

var events int

func wrapped(w mutant.Wrap) cc.Algorithm {
	a, _ := w.In("pc4")("pc4")
	return a
}

// missedBy is the check that each mutant misses; mutants of the programs are in programMutants.
var missedBy = []struct{ mutant, check string }{
	{"careless", "queue"},
	{"greedy", "fairness"},
	{"greedy", "latecomers"},
	{"greedy", "joining"},
	{"sluggish", "incast-8"},
	{"sluggish", "incast-16"},
	{"timid", "joining"},
	{"timid", "recovery"},
	{"quitter", "loss"},
	{"quitter", "outage"},
	{"credulous", "clocks"},
	{"rememberer", "repeat"},
	{"rememberer", "workers"},
	{"rememberer", "windows"},
}

func TestMutantsAreCaught(t *testing.T) {
	tier.Everyday(t)
	for _, c := range missedBy {
		t.Run(fmt.Sprintf("mutant=%s,check=%s", c.mutant, c.check), func(t *testing.T) {
			row := judged(t, Subject{Builtin: mutants[c.mutant]}, one, c.check).Find(c.check)
			if row.Result != Failed || row.Remark == "" {
				t.Errorf("%s: %+v", c.mutant, row)
			}
		})
	}
}

// A flow that makes room and never takes the port back misses what comes after.
func TestJoiningLooksAtTheEnd(t *testing.T) {
	row := judged(t, Subject{Builtin: mutants["timid"]}, one, "joining").Find("joining")
	if !strings.Contains(row.Remark, "after the other flow ended, required is 80") {
		t.Errorf("%+v", row)
	}
}

// What runs otherwise on a testbed is found.
func TestATestbedThatDiffersIsFound(t *testing.T) {
	a, _ := shipped.Find("pc4")
	on := func(a cc.Algorithm) func(context.Context, string, *plan.Plan) (*result.Outcome, error) {
		return func(ctx context.Context, _ string, p *plan.Plan) (*result.Outcome, error) {
			return mem.Run(ctx, p, mem.Options{Workers: 1, Algorithms: func(string) (cc.Algorithm, bool) { return a, true }})
		}
	}
	for want, its := range map[Result]cc.Algorithm{Pass: a, Failed: mutants["credulous"]} {
		t.Run(string(want), func(t *testing.T) {
			if row := judged(t, Subject{Builtin: a, Veth: on(its)}, one, "veth").Find("veth"); row.Result != want {
				t.Errorf("%+v, want %s", row, want)
			}
		})
	}
	// The check there covers the testbed's behaviour.
	row := judged(t, Subject{Builtin: a, Veth: on(mutants["quitter"]), OnVeth: true}, one, "loss").Find("loss")
	if row.Result != Failed {
		t.Errorf("%+v", row)
	}
}

// A check that no mutant misses is worth nothing.
func TestEveryCheckIsMissedByAMutant(t *testing.T) {
	// The mutants of the handshake and the parameters are in judge_test.go, the surroundings' in
	// TestWhatAProgramNoticesIsNamed; two only report figures.
	caught := []string{"handshake", "parameters", "surroundings", "fuzz", "reorder", "veth", "beside-dcqcn",
		"decision-time"}
	for _, c := range missedBy {
		caught = append(caught, c.check)
	}
	for _, m := range programMutants {
		caught = append(caught, m.missed...)
		caught = append(caught, m.slow...)
	}
	for _, c := range checks {
		if !slices.Contains(caught, c.Name) {
			t.Errorf("no mutant misses %s", c.Name)
		}
	}
}
