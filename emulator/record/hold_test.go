package record

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Pauses of several classes at random instants have, in each bin, the time that naive code finds.
func TestHeldInBins(t *testing.T) {
	draw := chance.New(1, "held in bins")
	for round := range 200 {
		grid := Grid{Width: 100, Most: 16 * (round % 2)}
		var meter *holdMeter
		var held []bool // at each instant
		classes, now := 0, unit.Time(0)
		pass := func(by uint64) {
			for range by {
				held = append(held, classes > 0)
			}
			now = now.Add(unit.Duration(by))
		}
		for range draw.Below(30) {
			pass(draw.Below(1 + draw.Below(400)))
			more := 1
			if classes > 0 && draw.Below(3) > 0 {
				more = -1 - int(draw.Below(uint64(classes)))
			}
			meter = meter.Hold(grid, more, now)
			classes += more
		}
		pass(1 + draw.Below(300))
		got, width := meter.Until(now), int(grid.WidthAt(now))
		want := make([]int64, len(held)/width+1)
		for at, is := range held {
			if is {
				want[at/width]++
			}
		}
		for bin := range want {
			if got.At(bin) != want[bin] {
				t.Fatalf("round %d: bin %d has %d, want %d", round, bin, got.At(bin), want[bin])
			}
		}
	}
}

// If nothing is recorded a meter stays nil.
func TestHeldIsNotRecorded(t *testing.T) {
	var meter *holdMeter
	if meter = meter.Hold(Grid{}, 1, 5); meter != nil || meter.Until(7) != nil {
		t.Error("recorded")
	}
}
