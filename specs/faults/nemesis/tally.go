//go:build linux

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Row counts the results of the cases with one kind of fault.
type Row struct {
	Kind                                               string
	Cases, Injected, TooLate, Refused                  int
	Hung, Left, LeftAfter, WrongCode, WrongMessage     int
	Crash, WrongTrace, NotCarriedOut, LeftByKilledOnes int
}

// count adds a result.
func (row *Row) count(r *Result) {
	row.Cases++
	switch r.State {
	case "injected":
		row.Injected++
	case "refused":
		row.Refused++
	default:
		row.TooLate++
	}
	if len(r.Before) > 0 {
		row.LeftByKilledOnes++
	}
	for kind, counter := range row.wrongs() {
		if slices.ContainsFunc(r.Wrong, func(f Finding) bool { return f.Kind == kind }) {
			*counter++
		}
	}
}

// wrongs are the counters of what must be zero.
func (row *Row) wrongs() map[string]*int {
	return map[string]*int{
		wrongHung:      &row.Hung,
		wrongLeft:      &row.Left,
		wrongLeftAfter: &row.LeftAfter,
		wrongCode:      &row.WrongCode,
		wrongMessage:   &row.WrongMessage,
		wrongCrash:     &row.Crash,
		wrongTrace:     &row.WrongTrace,
		wrongHost:      &row.NotCarriedOut,
	}
}

// tally counts results by kind of fault, in the order of Faults, with the sum as the
// last row.
func tally(results []*Result) []Row {
	rows := []Row{}
	sum := Row{Kind: "sum"}
	for _, fault := range Faults {
		if slices.ContainsFunc(rows, func(r Row) bool { return r.Kind == fault.Kind }) {
			continue
		}
		row := Row{Kind: fault.Kind}
		for _, r := range results {
			if r.Kind == fault.Kind {
				row.count(r)
				sum.count(r)
			}
		}
		if row.Cases > 0 {
			rows = append(rows, row)
		}
	}
	return append(rows, sum)
}

// printTally prints the table.
func printTally(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, strings.Join([]string{"cases", "injected", "late", "refused", "hung", "left", "after", "code",
		"message", "crash", "trace", "failed", "(killed)"}, "\t")+"\t  kind of fault")
	for _, r := range rows {
		for _, n := range []int{r.Cases, r.Injected, r.TooLate, r.Refused, r.Hung, r.Left, r.LeftAfter, r.WrongCode,
			r.WrongMessage, r.Crash, r.WrongTrace, r.NotCarriedOut, r.LeftByKilledOnes} {
			fmt.Fprintf(t, "%d\t", n)
		}
		fmt.Fprintln(t, "  "+r.Kind)
	}
	return t.Flush()
}
