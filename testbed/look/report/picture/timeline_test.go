package picture

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// ring is a collective with the given numbers of ranks and iterations, whose rank slow is always last.
func ring(ranks, iterations, slow int) (d Timeline) {
	d.Collective = "job, all-reduce by ring"
	for r := range ranks {
		rank := Rank{Host: fmt.Sprintf("h%d", r)}
		for i := range iterations {
			begun := float64(i) * 1000
			done := begun + 900 + float64(r%5)*10
			if r == slow {
				done = begun + 990
			}
			rank.Spans = append(rank.Spans, Span{begun, begun + 200, done})
		}
		d.Ranks = append(d.Ranks, rank)
	}
	for i := range iterations {
		d.Iterations = append(d.Iterations, Iteration{float64(i)*1000 + 990, fmt.Sprintf("h%d", slow), "3.2330"})
	}
	return d
}

// Tier: -short, as all of this file.
func TestTimeline(t *testing.T) {
	nan := math.NaN()
	d := ring(6, 3, 2)
	d.Key = Key{"pc4", 0}
	d.Ranks[4].Spans[2] = Span{2000, 2200, nan}
	d.Ranks[5].Spans[2] = Span{2000, nan, nan}
	d.Iterations[2] = Iteration{Done: nan}
	golden(t, "timeline", d.Draw())
	none := []Rank{{"h0", []Span{{nan, nan, nan}}}}
	golden(t, "timeline-empty", Timeline{Key: Key{"pc4", 0}, Collective: "job", Ranks: none}.Draw())
	large := ring(1000, 40, 900)
	large.Key, large.Collective = Key{evil, 7}, evil
	p := large.Draw()
	proper(t, p)
	if !strings.Contains(p.Element(), ">h900<") || !strings.Contains(p.Element(), "968 more ranks") {
		t.Error("of many ranks the straggler has no row, or the others are not counted")
	}
	if size := len(p.Element()); size > 250_000 {
		t.Errorf("%d B", size)
	}
}

// The last rank is outlined, once an iteration, and the bandwidth is the given one.
func TestTimelineOutlinesTheStraggler(t *testing.T) {
	d := ring(4, 3, 1)
	text := d.Draw().Element()
	if n := strings.Count(text, "h1 was the last of iteration"); n != 3 {
		t.Errorf("%d outlines", n)
	}
	if n := strings.Count(text, ">3.2330 GB/s<"); n != 3 {
		t.Errorf("%d bandwidths", n)
	}
}
