package pc4

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f10.yaml
var f10Scenario []byte

var f10 = &reproduce.Row{
	ID:     "F10",
	Title:  "Five flows join and leave one bottleneck",
	Source: "Section IV-F, Figure 10",
	Paper:  Paper,
	Reading: "Whether the flows have one receiver is left open. A: one, whose number of flows is the " +
		"bottleneck's; B: five, and a controller that knows the bottleneck; C: A only by delay.",
	Scenario: f10Scenario,
	Columns:  Columns,
	Seeds:    seeds,
	Quick: reproduce.Form{
		Set:      quickF10(3),
		Variants: []string{"A", "B", "dcqcn"},
		Seeds:    seeds[:1],
		About:    "a flow joins or leaves each 3 ms in place of 10, one seed, A and B",
	},
	Measure: measureF10,
}

// The figures of F10.
const (
	jainF10  = "Jain's index, worst slot"
	lateF10  = "Jain's index of the last 5 ms, worst slot"
	worstF10 = "bottleneck in the worst 100 us"
	firstF10 = "first ms, farthest from the fair share"
)

// quickF10 has a flow join or leave each few milliseconds.
func quickF10(slot int) map[string]string {
	set := map[string]string{
		"traffic.0.spacing": fmt.Sprintf("%dms", slot),
		"traffic.duration":  fmt.Sprintf("%dms", 5*slot),
		"run.until":         fmt.Sprintf("%dms", 9*slot),
	}
	for i := range 5 {
		for _, kind := range []string{"j", "g"} {
			set[fmt.Sprintf("variants.B.traffic.%s%d.start", kind, i)] = fmt.Sprintf("%dms", i*slot)
		}
	}
	return set
}

func measureF10(r *reproduce.Results) (list []reproduce.Figure) {
	for _, variant := range []string{"A", "B", "C", "C-500", "A-1pkt", "A-base"} {
		for _, column := range columnsWith(r, variant) {
			list = append(list, figuresF10(r.Of(column, variant), column, variant)...)
		}
	}
	return append(list, figuresF10(r.Of("evidence", "dcqcn"), "dcqcn", "A")...)
}

func figuresF10(runs reproduce.Runs, column, variant string) (list []reproduce.Figure) {
	joins := make([]joining, len(runs))
	for i, run := range runs {
		joins[i] = joiningOf(run)
	}
	add := func(name, unit string, of func(*joining) float64) {
		figure := reproduce.Figure{Column: column, Name: name + ", " + variant, Unit: unit}
		for i := range joins {
			figure.Values = append(figure.Values, of(&joins[i]))
		}
		list = append(list, figure)
	}
	add(jainF10, "", func(j *joining) float64 { return j.jain(500) })
	if len(joins) > 0 && joins[0].slot > 5000 {
		add(lateF10, "", func(j *joining) float64 { return j.jain(j.slot - 5000) })
	}
	add(worstF10, "Gb/s", (*joining).worst)
	add(firstF10, "", (*joining).first)
	return list
}

// joining are the rates of five flows that join one after the other and then leave so.
type joining struct {
	slot  float64 // us
	flows [5]reproduce.Series
}

func joiningOf(run *reproduce.Run) (j joining) {
	flows := run.Flows()
	if len(flows) < len(j.flows) {
		return j // what is wrong with the file fails the row
	}
	j.slot = math.Round((flows[1].Start-flows[0].Start)/1000) * 1000
	for i := range j.flows {
		j.flows[i] = wireRate(run, flows[i].Name)
		if !(j.flows[i].Width > 0) {
			return joining{}
		}
	}
	return j
}

// slots are nine, with 1, 2, 3, 4, 5, 4, 3, 2 and 1 flows.
const slots = 9

// rates are the active flows' mean rates in a part of a slot.
func (j *joining) rates(slot int, from, until float64) (list []float64) {
	start := float64(slot) * j.slot
	for i := range j.flows {
		if i <= slot && slot < i+len(j.flows) {
			list = append(list, reproduce.Mean(j.flows[i].Between(start+from, start+until)))
		}
	}
	return list
}

// jain is the least index of the slots with two flows or more, without the first microseconds of each.
func (j *joining) jain(skip float64) float64 {
	least := 1.0
	for slot := 1; slot < slots-1; slot++ {
		least = min(least, result.Jain(j.rates(slot, skip, j.slot)))
	}
	return least
}

// worst is the least rate of all flows together in a bin, the first of each slot left away.
func (j *joining) worst() float64 {
	least, width := math.Inf(1), j.flows[0].Width
	for slot := range slots {
		for at := width; at < j.slot; at += width {
			sum := 0.0
			for i := range j.flows {
				sum += j.flows[i].Between(float64(slot)*j.slot+at, float64(slot)*j.slot+at+width)[0]
			}
			least = min(least, sum)
		}
	}
	return least
}

// first is how far a flow's mean rate in the first ms of a slot is from the fair share, as a part
// of it.
func (j *joining) first() (farthest float64) {
	for slot := range slots {
		rates := j.rates(slot, 0, 1000)
		fair := 100 / float64(len(rates))
		for _, rate := range rates {
			farthest = max(farthest, math.Abs(rate-fair)/fair)
		}
	}
	return farthest
}
