//go:build linux

package main

import (
	"fmt"
	"slices"
)

// repetitions is the number of tries of a simpler case before it counts as sound: the moment is up to the machine.
const repetitions = 3

// shrunk returns the simplest case that still goes wrong in the same way: each
// parameter is made simpler as long as that shows the same.
func (n *nemesis) shrunk(r *Result) *Result {
	for {
		simpler := n.simpler(r)
		if simpler == nil {
			return r
		}
		r = simpler
		fmt.Fprintf(n.log, "  still: %v\n", &r.Case)
	}
}

// simpler returns a failure of a case that is simpler by one parameter, nil if there
// is none.
func (n *nemesis) simpler(r *Result) *Result {
	fault := find(r.Case.Fault)
	for _, change := range []string{"hosts=3", "form=alone", "size=300KB", "algorithm=builtin", "daemons=server",
		"runtime=builtin", "on=veth", "under=disk", "phase=start", "phase=run", "delay=0s",
		"delay=" + (r.Case.Delay / 2).String()} {
		c := r.Case
		if err := c.set(change); err != nil || c == r.Case || !fault.fits(&c) || complexity(&c) >= complexity(&r.Case) {
			continue
		}
		for range repetitions {
			if n.isStopped() {
				return nil
			}
			next := n.carryOut(&c)
			if slices.ContainsFunc(next.Wrong, func(f Finding) bool { return f.Kind == r.Wrong[0].Kind }) {
				return next
			}
		}
	}
	return nil
}

// complexity orders cases: a sum over everything that is not as simple as it can be.
func complexity(c *Case) int {
	sum := c.Hosts*1000 + int(c.Delay.Milliseconds())
	for i, simple := range []bool{c.Form == "alone", c.Size == "300KB", c.Algorithm == "builtin", c.Daemons == "server",
		c.Runtime == "builtin", c.On == "veth", c.Under == underDisk, c.Phase == phaseStart || c.Phase == phaseRun,
		c.Phase == phaseStart} {
		if !simple {
			sum += 2000 + i
		}
	}
	return sum
}
