package rehearsal

import (
	"slices"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// stretch is the length of model time that the busiest one is sought of.
const stretch = unit.Millisecond

// sample is the progress of a run at an instant on the wall. Both never decrease.
type sample struct {
	Wall  time.Duration
	Model unit.Time
}

// slowdown is how much slower than the wall a stretch of a run was.
type slowdown struct {
	// Factor is wall time over model time; 0 if no progress was seen.
	Factor float64
	// At is where the stretch begins, and Took how long it took on the wall.
	At   unit.Time
	Took time.Duration
}

// busiestOf returns the slowdown of the busiest stretch of a run; if it is shorter, of all of it. A stretch without
// events in it takes no wall time.
func busiestOf(samples []sample) (most slowdown) {
	if len(samples) < 2 {
		return most
	}
	span := min(stretch, samples[len(samples)-1].Model.Sub(samples[0].Model))
	if span <= 0 {
		return most
	}
	end := 0
	for i := range samples {
		for end < len(samples) && samples[end].Model.Sub(samples[i].Model) < span {
			end++
		}
		if end == len(samples) {
			break
		}
		took := samples[end].Wall - samples[i].Wall
		if factor := float64(took) * float64(unit.Nanosecond) / float64(span); factor > most.Factor {
			most = slowdown{Factor: factor, At: samples[i].Model, Took: took}
		}
	}
	return most
}

// silent is a plan whose hosts run nothing, so that nothing comes in at its edges.
func silent(p *plan.Plan) *plan.Plan {
	q := *p
	q.Devices = slices.Clone(p.Devices)
	for _, i := range q.Edges() {
		edge := q.EdgeAt(i)
		edge.Exec = ""
		q.Devices[i].Config = *edge
	}
	return &q
}
