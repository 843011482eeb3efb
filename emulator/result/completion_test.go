package result

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A run fails that ends before a flow with a size has completed, unless the scenario has its own word on it, or the
// flow came too late. A row is the sound outcome with its second flow incomplete, and one change.
func TestIncompleteFlowsFail(t *testing.T) {
	const text = "1 of 2 flows with a size did not complete by the end of the run at 20us (h1-h2 had 9KB of 10KB " +
		"acknowledged)"
	named := func(metric string, value float64) func(*Outcome) {
		return func(o *Outcome) { o.Plan.Expect.Checks = []plan.Check{{Metric: metric, Op: "==", Value: value}} }
	}
	link := func(change func(*plan.Link)) func(*Outcome) { return func(o *Outcome) { change(&o.Plan.Links[2]) } }
	down := func(from, to unit.Time) func(*Outcome) {
		return link(func(l *plan.Link) { l.Outages = []fabric.Outage{{From: from, To: to}} })
	}
	const dark = text + "; s0:2 has been dark since 5us, and 1 of them is sent into it: routes do not avoid " +
		"dark links"
	const limit = "the run's limit of 10s came with 1 of 2 flows incomplete (h1-h2 had 9KB of 10KB acknowledged)"
	limited := func(change func(*Outcome)) func(*Outcome) {
		return func(o *Outcome) { o.Exhausted = true; change(o) }
	}
	const noACK = "; h2:0 has passed no ACK since 0s, and the ACKs of 1 of them are sent there: routes do not " +
		"avoid dark links"
	const deaf = text + noACK
	const cut = "1 of 1 flows without a size got no data through at the end of the run at 20us (h1-h2 had 9KB " +
		"acknowledged)"
	const lost = cut + "; s0:2 has been dark since 5us, and 1 of them is sent into it: routes do not avoid " +
		"dark links"
	endless := func(stop unit.Time, change func(*Outcome)) func(*Outcome) {
		return func(o *Outcome) {
			change(o)
			o.Plan.Flows[1].Size, o.Plan.Flows[1].Stop = 0, stop
		}
	}
	for _, c := range []struct {
		name   string
		change func(*Outcome)
		status Status
		text   string
	}{
		{"by default", func(*Outcome) {}, Failed, text},
		{"not if any completion will do", func(o *Outcome) { o.Plan.Expect.AnyCompletion = true }, Pass, ""},
		{"not if a check names incomplete", named("incomplete", 1), Pass, ""},
		{"not if a check names completed", named("completed", 1), Pass, ""},
		{"though a check names another metric", named("drops", 0), Failed, text},
		{"not until it is stopped", func(o *Outcome) { o.Plan.Flows[1].Size, o.Plan.Flows[1].Stop = 0, 20*us }, Pass, ""},
		{"not when it is stopped", func(o *Outcome) { o.Plan.Flows[1].Stop = 20 * us }, Pass, ""},
		{"though it is stopped later", func(o *Outcome) { o.Plan.Flows[1].Stop = 20*us + 1 }, Failed, text},
		{"not of arrivals that come late", func(o *Outcome) {
			o.Plan.Expect.Arrivals, o.Flows[1].Ideal = []string{"g"}, 200*unit.Nanosecond+1
		}, Pass, ""},
		{"though arrivals had the time", func(o *Outcome) {
			o.Plan.Expect.Arrivals, o.Flows[1].Ideal = []string{"g"}, 200*unit.Nanosecond
		}, Failed, text},
		{"though others arrive", func(o *Outcome) { o.Plan.Expect.Arrivals = []string{"other"} }, Failed, text},
		{"at the limit", limited(func(*Outcome) {}), Failed, limit},
		{"at the limit, not if any completion will do", limited(func(o *Outcome) { o.Plan.Expect.AnyCompletion = true }),
			Pass, limit},
		{"at the limit, not if a check names incomplete", limited(named("incomplete", 1)), Pass, limit},
		{"at the limit, not if a check names completed", limited(named("completed", 1)), Pass, limit},
		{"at the limit, though a check names another metric", limited(named("drops", 0)), Failed, limit},
		{"at the limit, though it came late", limited(func(o *Outcome) {
			o.Plan.Expect.Arrivals, o.Flows[1].Ideal = []string{"g"}, 200*unit.Nanosecond+1
		}), Failed, limit},
		{"into a link that is down", down(5*us, 20*us), Failed, dark},
		{"into a link that is down, with any completion", func(o *Outcome) {
			down(5*us, 20*us)(o)
			o.Plan.Expect.AnyCompletion = true
		}, Pass, "1 of 2 flows with a size did not complete; s0:2 has been dark since 5us"},
		{"over a link that was down", down(5*us, 20*us-1), Failed, text},
		{"over a link that goes down next", down(20*us, 21*us), Failed, text},
		{"into a link that loses all", link(func(l *plan.Link) { l.Loss = 1 }), Failed,
			strings.Replace(dark, "5us", "0s", 1)},
		{"into a link that loses all of its way", link(func(l *plan.Link) { l.Loss, l.LossWay = 1, plan.BToA }),
			Failed, strings.Replace(dark, "5us", "0s", 1)},
		{"into a link that loses all data", link(func(l *plan.Link) { l.Loss, l.LossOf = 1, fabric.DataFrames }), Failed,
			strings.Replace(dark, "5us", "0s", 1)},
		{"with a link on the way back that loses all", link(func(l *plan.Link) { l.Loss, l.LossWay = 1, plan.AToB }),
			Failed, deaf},
		{"with a link that loses all ACKs", link(func(l *plan.Link) { l.Loss, l.LossOf = 1, fabric.AckFrames }), Failed,
			deaf},
		{"with a link on the way back that loses all data", link(func(l *plan.Link) {
			l.Loss, l.LossOf, l.LossWay = 1, fabric.DataFrames, plan.AToB
		}), Failed, text},
		{"until stopped, into a link that is down", endless(20*us, down(5*us, 20*us)), Failed, lost},
		{"until stopped, and by nothing", endless(0, down(5*us, 20*us)), Failed, lost},
		{"until stopped, into a link that loses all ACKs", endless(20*us, link(func(l *plan.Link) {
			l.Loss, l.LossOf = 1, fabric.AckFrames
		})), Failed, cut + noACK},
		{"until stopped after the link went down", endless(5*us+1, down(5*us, 20*us)), Failed, lost},
		{"until stopped before the link went down", endless(5*us, down(5*us, 20*us)), Pass, ""},
		{"until stopped, over a link that was down", endless(20*us, down(5*us, 20*us-1)), Pass, ""},
		{"until stopped, not due yet", endless(30*us, func(o *Outcome) {
			down(5*us, 20*us)(o)
			o.Plan.Flows[1].Start = 20 * us
		}), Pass, ""},
		{"until stopped, with any completion", endless(20*us, func(o *Outcome) {
			down(5*us, 20*us)(o)
			o.Plan.Expect.AnyCompletion = true
		}), Pass, lost},
		{"until stopped, though a check names incomplete", endless(20*us, func(o *Outcome) {
			down(5*us, 20*us)(o)
			named("incomplete", 0)(o)
		}), Failed, lost},
		{"beside a link that is down", func(o *Outcome) {
			o.Plan.Links[0].Outages = []fabric.Outage{{From: 5 * us, To: 20 * us}}
		}, Failed, text},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := star()
			o.Flows[1].Sender.Completed, o.Flows[1].Sender.Acked = unit.Never, 9000
			c.change(o)
			o.FindDark(starWay, starBack)
			got := ""
			verdict := judge(o)
			for _, f := range verdict.Findings {
				if f.Subject == Completion {
					got += f.Text
				}
			}
			if verdict.Status != c.status || !strings.HasPrefix(got, c.text) || c.text == "" && got != "" ||
				!strings.Contains(c.text, "dark") && strings.Contains(got, "dark") {
				t.Errorf("%v, %q, want %v, %q", verdict.Status, got, c.status, c.text)
			}
		})
	}
}

// starBack is starWay for the ACKs.
func starBack(flow int) []Step {
	return []Step{{End: plan.End{Node: 3}}, {End: plan.End{Node: 0, Port: flow}, Hop: 1}}
}

// A long-haul path is dark if it carries no light at the end of the run, or loses every frame from a phase on; so are
// the links at its ends.
func TestDarkLongHaulPath(t *testing.T) {
	phase := func(from unit.Time, loss float64) profile.WANPhase {
		return profile.WANPhase{From: from, Loss: profile.WANLoss{Good: loss}}
	}
	for _, c := range []struct {
		name   string
		change func(*Outcome)
		want   string
	}{
		{"lit", func(*Outcome) {}, ""},
		{"without light", func(o *Outcome) {
			o.Plan.WANs[0].Profile.Flaps = []fabric.Outage{{From: 1 * us, To: 2 * us}, {From: 7 * us, To: 30 * us}}
		}, "wan0 has been dark since 7us"},
		{"losing all", func(o *Outcome) {
			o.Plan.WANs[0].Profile.Phases = []profile.WANPhase{phase(0, 1), phase(3*us, 0.5), phase(4*us, 1), phase(6*us, 1)}
		}, "wan0 has been dark since 4us"},
		{"losing all until now", func(o *Outcome) {
			o.Plan.WANs[0].Profile.Phases = []profile.WANPhase{phase(0, 1), phase(19*us, 0.999)}
		}, ""},
		{"losing all from now on", func(o *Outcome) {
			o.Plan.WANs[0].Profile.Phases = []profile.WANPhase{phase(0, 0), phase(20*us, 1)}
		}, ""},
		{"with a dark link behind it", func(o *Outcome) {
			o.Plan.Links[3].Outages = []fabric.Outage{{From: 2 * us, To: 20 * us}}
		}, "wan0:1 has been dark since 2us"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := far()
			o.Flows[0].Sender.Completed = unit.Never
			c.change(o)
			o.FindDark(func(int) []Step { return []Step{{End: plan.End{Node: 1}}} }, func(int) []Step { return nil })
			if got := darkNote(o.Dark, []int{0}); !strings.HasPrefix(got, "; "+c.want) && got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			} else if c.want == "" && got != "" {
				t.Errorf("%q, want none", got)
			}
		})
	}
}
