package tune

import (
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Probe returns a plan of the pattern as it is, for facts about its fabric.
func (p *Pattern) Probe() (*plan.Plan, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Maker.Template.Plan(scenario.Run{Variant: p.Variant})
}

// Zero returns the value added to a metric's values before they are compared: for waits one base RTT, for the time that
// ports are paused one base RTT for each NIC, for lengths of queues a BDP of the fastest NIC, for counts 1. Completion
// times, round trips and metrics that are better higher are never 0, and nothing is added.
func Zero(m result.Metric, p *plan.Plan) float64 {
	rtt := scenario.LongestBaseRTT(p)
	switch {
	case m.Better == result.Higher, strings.HasPrefix(m.Name, "fct_"), strings.HasPrefix(m.Name, "slowdown_"),
		strings.HasPrefix(m.Name, "rtt_"), m.Name == "duration_us":
		return 0
	case m.Name == "paused_us":
		return rtt.Microseconds() * float64(len(p.NICs))
	case strings.HasSuffix(m.Name, "_us"):
		return rtt.Microseconds()
	case strings.HasSuffix(m.Name, "_bytes"):
		fastest := unit.BitRate(0)
		for i := range p.NICs {
			link := &p.Links[p.NICs[i].Link]
			fastest = max(fastest, link.Forward.Rate, link.Backward.Rate)
		}
		return float64(fastest.BytesIn(rtt))
	}
	return 1
}

// With returns a plan of the pattern with a candidate's values.
func (p *Pattern) With(c *Candidate) (*plan.Plan, error) { return p.plan(c, 1) }
