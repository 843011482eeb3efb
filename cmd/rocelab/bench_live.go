//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/bench"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
)

// liveFigures has the results of bench --on live: for each case its rates, from the lowest.
type liveFigures struct {
	Rates []bench.LiveResult `json:"rates"`
}

// benchLive measures live runs: the cases whose names contain one of the words, all
// without any; with both, each at normal priority and then with real-time priority.
func benchLive(ctx context.Context, words []string, runs int, both bool, format page.Format,
	stdout, stderr io.Writer) error {
	if runs < 1 {
		return usage(fmt.Errorf("--runs %d: allowed are 1 and above", runs))
	}
	cases := bench.LiveCases()
	var names []string
	for _, c := range cases {
		names = append(names, c.Name)
	}
	if len(words) > 0 {
		cases = slices.DeleteFunc(cases, func(c bench.LiveCase) bool {
			return !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(c.Name, word) })
		})
	}
	if len(cases) == 0 {
		return usage(fmt.Errorf("no live benchmark is called %s: there are %s", strings.Join(words, " or "),
			strings.Join(names, ", ")))
	}
	if err := doctor.Required(); err != nil {
		return host(err)
	}
	if both {
		if err := realtime.Check(); err != nil {
			return host(err)
		}
		cases = inBothClasses(cases)
	}
	var figures liveFigures
	for i, c := range cases {
		list, err := bench.RunLive(ctx, c, runs, func(r bench.LiveResult) {
			fmt.Fprintf(stderr, "%d/%d %s, %s: %v, %d of %d green, late p99 %s%s\n", i+1, len(cases), r.Name,
				priorityOf(r.Class), r.Rate, r.Green, r.Runs, lateness(r.P99), whyNot(&r))
		})
		if errors.Is(err, context.Canceled) {
			return errInterrupted
		} else if err != nil {
			return testbedError(err)
		}
		figures.Rates = append(figures.Rates, list...)
	}
	return printAs(stdout, format, figures, figures.document())
}

// inBothClasses has each case twice: at normal and with real-time priority.
func inBothClasses(cases []bench.LiveCase) (all []bench.LiveCase) {
	for _, c := range cases {
		all = append(all, c)
		c.Realtime = true
		all = append(all, c)
	}
	return all
}

// priorityOf describes a class.
func priorityOf(class string) string {
	if class == "fifo" {
		return "real-time priority"
	}
	return class + " priority"
}

// whyNot returns why a median run was not green.
func whyNot(r *bench.LiveResult) string {
	if r.Why == "" {
		return ""
	}
	return "; " + r.Verdict + ": " + r.Why
}

// lateness prints microseconds with three digits.
func lateness(us float64) string { return result.WallTime(unit.Whole[int64](us * 1000)) }

// document has a table for each case and class, of 80 columns at most: a row for each rate, and the highest that was
// green.
func (f liveFigures) document() *page.Document {
	d := &page.Document{Title: "Benchmarks of live runs", Kind: "bench --on live"}
	for first := 0; first < len(f.Rates); {
		next := first + 1
		for next < len(f.Rates) && f.Rates[next].Name == f.Rates[first].Name && f.Rates[next].Class == f.Rates[first].Class {
			next++
		}
		addRates(d, f.Rates[first:next])
		first = next
	}
	return d
}

// shortOf is the least part of the rate that a stream carries, of the 95 % that it offers, if it has the core that it
// needs.
const shortOf = 0.9

// addRates adds the rates of one case in one class to a document.
func addRates(d *page.Document, list []bench.LiveResult) {
	t := page.New("rate", "green", "median", "carried", "p50", "p99", "p999", "timer", "CPU")
	lowest := &list[0]
	var highest, lost *bench.LiveResult
	for i := range list {
		r := &list[i]
		if 2*r.Green > r.Runs {
			highest = r
		}
		if r.Lost > 0 {
			lost = r
		}
		t.Add(
			r.Rate,
			fmt.Sprintf("%d/%d", r.Green, r.Runs),
			r.Verdict,
			fmt.Sprintf("%.1f %%", 100*r.Carried/float64(r.Rate)),
			lateness(r.P50),
			lateness(r.P99),
			lateness(r.P999),
			lateness(r.Bare),
			fmt.Sprintf("%.1fus", r.PerFrame),
		)
	}
	t.Caption = fmt.Sprintf("%s, K = 1, %s", lowest.Name, priorityOf(lowest.Class))
	t.LeftOut = "p50 to p999: how late frames left; timer: p999 of a bare timer; CPU: processor time of a frame"
	d.Add(t)
	for i := range list {
		if r := &list[i]; r.Why != "" {
			d.Say("at %v the median run was %s: %s", r.Rate, r.Verdict, r.Why)
		}
	}
	switch {
	case highest == nil:
		d.Say("no rate was green: at %v %d of %d runs were green. Is the machine "+
			"busy?", lowest.Rate, lowest.Green, lowest.Runs)
	case highest == &list[len(list)-1]:
		d.Say("the highest rate tried was green: %v", highest.Rate)
	default:
		d.Say("the highest green rate is %v", highest.Rate)
	}
	if highest != nil && highest.Carried < shortOf*float64(highest.Rate) {
		d.Say("not all frames were carried: the sender had too little processor time")
	}
	if lost != nil {
		d.Say("at %v real-time priority was lost before the end in %d of %d runs: "+
			"%s", lost.Rate, lost.Lost, lost.Runs,
			lost.WhyLost)
	}
}
