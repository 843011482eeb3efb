package rehearsal

import (
	"time"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Span is the stretch of model time that the busiest one is sought of.
const Span = unit.Millisecond

// Sample is the progress of a run at an instant on the wall. Both never decrease.
type Sample struct {
	Wall  time.Duration
	Model unit.Time
}

// Slowdown is how much slower than the wall a stretch of a run was.
type Slowdown struct {
	// Factor is wall time over model time; 0 if no progress was seen.
	Factor float64
	// At is where the stretch begins, and Took how long it took on the wall.
	At   unit.Time
	Took time.Duration
}

// Busiest returns the slowdown of the busiest Span of a run; if it is shorter, of all of it. A stretch without events
// in it takes no wall time.
func Busiest(samples []Sample) (most Slowdown) {
	if len(samples) < 2 {
		return most
	}
	span := min(Span, samples[len(samples)-1].Model.Sub(samples[0].Model))
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
			most = Slowdown{Factor: factor, At: samples[i].Model, Took: took}
		}
	}
	return most
}
