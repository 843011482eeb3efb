package result

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// recordingDoc explains the recording.
//
//go:embed recording.md
var recordingDoc string

// recorded describes the series of a run.
type recorded struct {
	// Width is the width of all bins, Bins how many there are up to the end of the run.
	Width unit.Duration
	Bins  int
	// LeftOut describes the omissions for want of memory; empty for none.
	LeftOut []string
	// Files are the files of the series with the widths of their bins, once they are written.
	Files []SeriesFile
}

// SeriesFile is a file of series: its name, the width of its bins, and the width that they were recorded with.
type SeriesFile struct {
	Name            string
	Width, Recorded unit.Duration
}

// leftOut describes the omissions due to the budgets of memory and of files; nil for none.
func (r *recorded) leftOut() []string {
	list := slices.Clone(r.LeftOut)
	for _, f := range r.Files {
		if f.Width > f.Recorded {
			list = append(list, fmt.Sprintf("bins of %v: merged to bins of %v in %s, so that the series have at most 2 MB "+
				"of files", f.Recorded, f.Width, f.Name))
		}
	}
	return list
}

// FinishRecording describes the recording, once all nodes have brought back their records.
func (o *Outcome) FinishRecording() {
	recording := o.Plan.Recording()
	if !recording.Grid.On() {
		return
	}
	width := recording.Grid.WidthAt(o.End)
	o.Recorded = &recorded{
		Width:   width,
		Bins:    int((int64(o.End) + int64(width) - 1) / int64(width)),
		LeftOut: leftOutOf(o, &recording),
	}
}

// leftOutOf lists the omissions of a run's recording.
func leftOutOf(o *Outcome, r *plan.Recording) (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if !r.Ports {
		ports := 0
		for n := range o.Plan.EachNode {
			ports += len(n.Links)
		}
		say("%d ports: series_tiers.csv has the sums of the ports of each switch by the tier that they lead "+
			"to", ports)
		say("queues except the first %d of each switch that passed Kmin", r.Queues)
	}
	if !r.Flows {
		say("%d flows: series_groups.csv has the sums of each group of traffic", len(o.Plan.Flows))
	}
	// The plan does not know which algorithms report values: the omission is listed for a run in which any did, or
	// might have.
	switch {
	case !r.Values.On():
		say("values that algorithms report")
	case hasValues(o.Flows) && r.Values.Most < r.Grid.Most:
		say("bins of values: at most %d, of the other series %d", r.Values.Most, r.Grid.Most)
	}
	return list
}
