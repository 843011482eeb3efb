package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/model"
)

// longRerun is the time above which a line announces that runs are made again before they begin.
const longRerun = time.Minute

// announce prints how long the runs to be made again take, if that may be long: the receiver of a pack
// does not know its scenario.
func (f *rerunFlags) announce(planned *experiment.Experiment, stderr io.Writer) error {
	var seed *uint64
	if len(planned.Seeds) > 0 {
		seed = &planned.Seeds[0]
	}
	all, err := planned.Plans(seed)
	if err != nil {
		return err
	}
	plans, err := experiment.Chosen(planned.Name, all, planned.Variants)
	if err != nil {
		return usage(err)
	}
	seeds := max(1, len(planned.Seeds))
	least, most := 0.0, 0.0
	memory := unit.Bytes(0)
	for _, p := range plans {
		forecast := model.ForecastOf(p)
		least, most = least+forecast.SecondsLeast*float64(seeds), most+forecast.SecondsMost*float64(seeds)
		memory = max(memory, unit.Bytes(forecast.Memory))
	}
	if most < longRerun.Seconds() {
		return nil
	}
	text := fmt.Sprintf("rocelab: %s to repeat, which take %s to %s on one core, and %s of memory; Ctrl-C ends them",
		unit.Count(len(plans)*seeds, "run"), lasting(least), lasting(most),
		unit.InBytes.Text(math.Round(float64(memory)/1e6)*1e6))
	_, err = fmt.Fprintln(stderr, pageOf(stderr).Fold(text, 0))
	return host(err)
}

// lasting is a time of seconds in words: a foreign scenario may take longer than a time.Duration holds.
func lasting(seconds float64) string {
	const day = 24 * 60 * 60
	if seconds > day {
		return unit.Figure(math.Round(seconds/day)) + " days"
	}
	return terminal.Rounded(unit.Whole[time.Duration](seconds * 1e9)).String()
}
