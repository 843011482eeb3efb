package picture

import (
	"math"
	"testing"
)

// The strip of an outage has its instants in their order, for any order of the list, and the bands that are not empty;
// one without an instant has nothing to draw.
func TestOutage(t *testing.T) {
	nan := math.NaN()
	d := Outage{
		Key:  Key{"dcqcn", 1},
		Link: "leaf0-spine0",
		Flow: "c/h2-h6",
		Marks: []OutageMark{{500, "down"}, {600, "detected, 12 frames flushed"}, {800, "all switches know"},
			{3000, "up"}, {1111.6, "c/h2-h6 goes on"}, {nan, "used again"}},
		Bands: []OutageBand{{500, 500, "down", "the link is down", ""}, {500, 600, "void", "into the void", "100 us"},
			{600, 800, "no-route", "no route", ""}, {800, 1103.2, "timer", "NAK timer", ""},
			{1103.2, 1111.6, "rest", "the rest", ""}},
		Width: 100,
		Rates: []float64{270, 270, 270, 270, 270, 10, 45, 90, 90, 90, 90, 180, 270, 270, 270, nan, 270},
	}
	golden(t, "outage", d.Draw())
	d.Marks = []OutageMark{{nan, "down"}}
	golden(t, "outage-none", d.Draw())
}
