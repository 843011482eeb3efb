package measure

import (
	"math"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// measureJoining is a number of five flows that join and leave, such as "worst".
func measureJoining(run *reproduce.Run, arguments reproduce.Arguments) float64 {
	j := reproduce.Once(run, "joining", joiningOf)
	switch arguments.Text(0) {
	case "jain":
		return j.jain(arguments.Number(1))
	case "late jain":
		return j.jain(j.slot - 5000)
	case "worst":
		return j.worst()
	case "first":
		return j.first()
	}
	return math.NaN()
}

// joining are the rates of five flows that join one after the other and then leave so.
type joining struct {
	slot  float64 // us
	flows [5]reproduce.Series
}

func joiningOf(run *reproduce.Run) *joining {
	j := &joining{}
	flows := run.Flows()
	if len(flows) < len(j.flows) {
		return j // what is wrong with the file fails the row
	}
	j.slot = math.Round((flows[1].Start-flows[0].Start)/1000) * 1000
	for i := range j.flows {
		j.flows[i] = wireRate(run, flows[i].Name)
		if !(j.flows[i].Width > 0) {
			return &joining{}
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

// first is the largest distance of a flow's mean rate in the first ms of a slot from the fair share, as a part of it.
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
