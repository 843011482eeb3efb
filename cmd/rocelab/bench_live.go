//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/rocelab/rocelab/testbed/doctor"
	"github.com/rocelab/rocelab/testbed/experiment"
	"github.com/rocelab/rocelab/testbed/tools/bench"
)

// liveFigures is what bench --on live measures: for each case its rates, from below.
type liveFigures struct {
	Rates []bench.LiveResult `json:"rates"`
}

// benchLive measures live runs: the cases whose names contain one of the words, all
// without any.
func benchLive(ctx context.Context, words []string, runs int, format experiment.Format,
	stdout, stderr io.Writer) error {
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
	var figures liveFigures
	for i, c := range cases {
		fmt.Fprintf(stderr, "%d/%d %s\n", i+1, len(cases), c.Name)
		list, err := bench.RunLive(ctx, c, runs)
		if errors.Is(err, context.Canceled) {
			return errInterrupted
		} else if err != nil {
			return testbedError(err)
		}
		figures.Rates = append(figures.Rates, list...)
	}
	return printAs(stdout, format, figures, figures.print)
}

// print prints a row for each rate, and for each case the highest that was green.
func (f liveFigures) print(w io.Writer) error {
	t := newTable("live, K = 1", "rate", "green", "median run", "carried", "late p50 us", "p99", "p99.9", "max",
		"CPU us/frame")
	var order []string
	highest := map[string]string{}
	for _, r := range f.Rates {
		if highest[r.Name] == "" {
			order, highest[r.Name] = append(order, r.Name), "none"
		}
		if 2*r.Green > r.Runs {
			highest[r.Name] = r.Rate.String()
		}
		t.AppendRow(table.Row{
			r.Name,
			r.Rate,
			fmt.Sprintf("%d of %d", r.Green, r.Runs),
			r.Verdict,
			fmt.Sprintf("%.1f %%", 100*r.Carried/float64(r.Rate)),
			fmt.Sprintf("%.0f", r.P50),
			fmt.Sprintf("%.0f", r.P99),
			fmt.Sprintf("%.0f", r.P999),
			fmt.Sprintf("%.0f", r.Max),
			fmt.Sprintf("%.1f", r.PerFrame),
		})
	}
	var b strings.Builder
	b.WriteString(t.Render() + "\n")
	for _, name := range order {
		fmt.Fprintf(&b, "%s: the highest green rate is %s\n", name, highest[name])
	}
	_, err := io.WriteString(w, b.String())
	return host(err)
}
