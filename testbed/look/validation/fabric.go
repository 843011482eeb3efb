package validation

import (
	"fmt"
	"math"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// forecast prints what a run costs, but for one with edges, which takes as long as its hosts do.
func forecast(report scenario.Report) page.Block {
	if len(report.Edges) > 0 {
		return nil
	}
	f := report.Forecast
	seconds := func(s float64) time.Duration { return terminal.Rounded(unit.Whole[time.Duration](s * 1e9)) }
	text := fmt.Sprintf("a run: %s packet-hops, %v to %v on one core at %d to %d million a second, %s of memory",
		millions(f.PacketHops), seconds(f.SecondsLeast), seconds(f.SecondsMost), plan.FastHops/1_000_000,
		plan.SlowHops/1_000_000, unit.InBytes.Text(math.Round(float64(f.Memory)/1e6)*1e6))
	if f.Sampled > 0 {
		text += fmt.Sprintf("; %v on this host, by a sample", seconds(f.Sampled))
	}
	return page.Paragraph(text)
}

// millions is a count in words: "12.09 million".
func millions(count int64) string {
	if count < 1e6 {
		return fmt.Sprint(count)
	}
	return unit.Figure(float64(count)/1e6) + " million"
}

// oversubscription lists the kinds of switches by their capacities towards hosts and away from them.
func oversubscription(report scenario.Report) page.Block {
	if report.Capacity == nil {
		return nil
	}
	t := page.New("switches", "such as", "to hosts", "up", "oversubscription")
	for _, o := range report.Capacity.Oversubscription {
		t.Add(o.Switches, o.Example, o.Down, o.Up, unit.Figure(o.Ratio)+":1")
	}
	return t
}

// bisection prints the bandwidth between two halves of the hosts.
func bisection(report scenario.Report) page.Block {
	if report.Capacity == nil || report.Capacity.Bisection == nil {
		return nil
	}
	return page.Paragraph("bisection: " + report.Capacity.Bisection.String())
}

// placements lists where the ranks of jobs are.
func placements(report scenario.Report) page.Block {
	if len(report.Placements) == 0 {
		return nil
	}
	t := page.New("jobs", "such as", "ranks", "first", "last", "order", "leaf switches", "sites")
	for _, j := range report.Placements {
		t.Add(j.Jobs, j.Example, j.Ranks, j.From, j.To, j.Order(), j.Leaves, j.Sites)
	}
	return t
}

// ecmp lists the groups of ports among which ECMP chooses, with the result of its hash beside the expected one.
func ecmp(report scenario.Report) page.Block {
	if len(report.Forecast.ECMP) == 0 {
		return nil
	}
	t := page.New("ECMP groups", "ports", "flows", "such as", "a port", "pairs", "expected", "collisions", "expected")
	for _, g := range report.Forecast.ECMP {
		ports, spread := fmt.Sprintf("%d to %s", g.Ports, g.Tier), fmt.Sprintf("%d to %d", g.Least, g.Most)
		t.Add(g.Groups, ports, g.Flows, g.Example, spread, g.Pairs, unit.Figure(g.ExpectedPairs), g.Collisions,
			unit.Figure(g.ExpectedCollisions))
	}
	return t
}

// ecmpWords explain the columns of that table, once for all variants.
func ecmpWords(report scenario.Report) page.Block {
	if len(report.Forecast.ECMP) == 0 {
		return nil
	}
	return page.Paragraph("a port: flows on the least and on the most loaded port of the named group; pairs: pairs of " +
		"flows that share a port; collisions: flows that share a port while another port of their group has none; expected" +
		": the mean if each flow takes each port with the same probability")
}
