package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// lengths is a sweep over lengths with one kind of memory.
type lengths struct {
	// places are the lengths, schemes the variants, in the order of the table.
	places, schemes []string
	runs            map[cell][]run
}

// cell is a length and a scheme.
type cell struct{ length, scheme string }

// run is one of its runs, a seed; times are in milliseconds.
type run struct{ iteration, bound, drops float64 }

// read reads the rows of a sweep's table that have the given memory.
func read(from io.Reader, memory string) (*lengths, error) {
	rows, err := csv.NewReader(from).ReadAll()
	if err != nil {
		return nil, err
	}
	l := &lengths{runs: map[cell][]run{}}
	for i, row := range rows[min(1, len(rows)):] {
		text := map[string]string{}
		for k, name := range rows[0] {
			text[name] = row[k]
		}
		if text["switch.dci.buffer"] != memory {
			continue
		}
		number := func(name string, unit float64) float64 {
			v, problem := strconv.ParseFloat(text[name], 64)
			if problem != nil {
				err = fmt.Errorf("row %d: %s is %q: a number is allowed", i+1, name, text[name])
			}
			return v / unit
		}
		at := cell{text["topology.dci_wan.length"], text["variant"]}
		l.runs[at] = append(l.runs[at], run{
			iteration: number("iteration_mean_us", 1e3),
			bound:     number("bound_us", 1e3),
			drops:     number("drops", 1),
		})
		if err != nil {
			return nil, err
		}
		if !slices.Contains(l.places, at.length) {
			l.places = append(l.places, at.length)
		}
		if !slices.Contains(l.schemes, at.scheme) {
			l.schemes = append(l.schemes, at.scheme)
		}
	}
	if len(l.runs) == 0 {
		return nil, fmt.Errorf("no run has a memory of %s", memory)
	}
	return l, nil
}

// over is the median, the least and the most of a figure of some runs, NaN of none.
func over(runs []run, figure func(run) float64) picture.Range {
	if len(runs) == 0 {
		return picture.Range{Median: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	var values []float64
	for _, r := range runs {
		values = append(values, figure(r))
	}
	slices.Sort(values)
	return picture.Range{Median: values[len(values)/2], Low: values[0], High: values[len(values)-1]}
}

// ofBound is the share of the bound's rate.
func ofBound(r run) float64 { return r.bound / r.iteration }

// titles name the schemes in picture and table.
var titles = map[string]string{
	"ecn":    "ECN end to end",
	"cnps":   "proximal CNPs",
	"rate":   "proximal, a rate in the CNP",
	"pauses": "proximal pauses",
}

// ground describes the memory of a picture.
var ground = map[string]string{
	"computed": "length, memory of 2.5 x RTT x rate",
	"fixed":    "length, memory of 18.75 MB",
}

func (l *lengths) draw(memory string) *picture.Picture {
	swept := picture.Swept{Key: ground[memory], Metric: "share of the bound's rate", Places: l.places}
	for i, scheme := range l.schemes {
		line := picture.SweptLine{Key: picture.Key{Name: titles[scheme], Hue: i}}
		for _, length := range l.places {
			line.Ranges = append(line.Ranges, over(l.runs[cell{length, scheme}], ofBound))
		}
		swept.Lines = append(swept.Lines, line)
	}
	return swept.Draw()
}

// write writes the table as Markdown: in each cell the iteration, and the frames lost if there are any.
func (l *lengths) write(to io.Writer) error {
	var text strings.Builder
	text.WriteString("| length | bound, ms |")
	for _, scheme := range l.schemes {
		text.WriteString(" " + titles[scheme] + " |")
	}
	text.WriteString("\n|---|---|" + strings.Repeat("---|", len(l.schemes)) + "\n")
	for _, length := range l.places {
		bound := over(l.runs[cell{length, l.schemes[0]}], func(r run) float64 { return r.bound })
		fmt.Fprintf(&text, "| %s | %.1f |", length, bound.Median)
		for _, scheme := range l.schemes {
			runs := l.runs[cell{length, scheme}]
			if len(runs) == 0 {
				text.WriteString(" - |")
				continue
			}
			fmt.Fprintf(&text, " %.1f", over(runs, func(r run) float64 { return r.iteration }).Median)
			if lost := over(runs, func(r run) float64 { return r.drops }).Median; lost > 0 {
				fmt.Fprintf(&text, ", %.0f lost", lost)
			}
			text.WriteString(" |")
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(to, text.String())
	return err
}
