package record

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Frames and states at random instants have, in each bin, the time that naive code finds, for bins that double and for
// frames longer than several bins.
func TestTimesInBins(t *testing.T) {
	draw := chance.New(1, "times in bins")
	for round := range 200 {
		grid := Grid{Width: 100, Most: 16 * (round % 2)}
		var busy unit.Duration
		var until unit.Time
		var spent Spent
		load, sends := NewLoadMeter(grid), NewSendMeter(grid)
		type span struct{ from, to unit.Time }
		var spans []span
		for range 1 + draw.Below(40) {
			from := until.Add(unit.Duration(draw.Below(1 + draw.Below(300))))
			length := unit.Duration(1 + draw.Below(1+draw.Below(400)))
			if from >= load.End {
				load.Close(from, busy, until)
			}
			for from >= sends.End {
				sends.Close(&spent, max(0, until.Sub(sends.End)))
			}
			busy, until = busy+length, from.Add(length)
			spent[Sending] += length
			spans = append(spans, span{from, until})
		}
		end := until.Add(unit.Duration(draw.Below(200)))
		width := grid.WidthAt(end)
		for until >= sends.End {
			sends.Close(&spent, until.Sub(sends.End))
		}
		sends.Add(&spent, 0)
		got := []*Series{load.Until(end, busy, until), &sends.Until(end).Sending}
		for bin := range int(end/unit.Time(width)) + 1 {
			want := unit.Duration(0)
			for _, s := range spans {
				from, to := max(s.from, startOf(bin, width)), min(s.to, startOf(bin+1, width))
				want += max(0, to.Sub(from))
			}
			for i, series := range got {
				if unit.Duration(series.At(bin)) != want {
					t.Fatalf("round %d: series %d: bin %d has %d, want %d", round, i, bin, series.At(bin), want)
				}
			}
		}
	}
}
