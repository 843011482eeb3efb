package main

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// mostOutages bounds the lines of the convergence; JSON has all.
const mostOutages = 40

// convergence lists what follows from outages and drains of links, one a line.
func convergence(report scenario.Report) page.Block {
	if len(report.Convergence) == 0 {
		return nil
	}
	t := page.New("link", "down", "detected", "settled", "switches", "up", "restored", "returned")
	list := report.Convergence
	for _, c := range list[:min(len(list), mostOutages)] {
		name := c.Link
		if c.Drain {
			name += ", drained"
		}
		t.Add(name, c.Down, both(c.Detected), instant(c.Settled), c.Switches, instant(c.Up), both(c.Restored),
			instant(c.Returned))
	}
	if more := len(list) - mostOutages; more > 0 {
		t.Add(fmt.Sprintf("and %d more", more), "", "", "", "", "", "", "")
	}
	return t
}

// instant is a time that may never come.
func instant(at *unit.Time) string {
	if at == nil {
		return "never"
	}
	return at.String()
}

// both describes the times of the two ends of a link, once if they are the same.
func both(ends [2]*unit.Time) string {
	if a, b := instant(ends[0]), instant(ends[1]); a != b {
		return a + " / " + b
	}
	return instant(ends[0])
}
