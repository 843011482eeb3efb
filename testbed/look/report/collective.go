package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// collectivesShown is the maximum number of collectives of a run with a picture.
const collectivesShown = 4

// collectiveSection shows the ranks of collectives over time, a picture a collective of each variant: its first seed.
func collectiveSection(variants []*variant) (section, error) {
	s := section{
		ID:    "collective",
		Title: "Collectives, rank by rank",
		Lead: "A rank computes, takes part in the operation and is done; outlined is the rank that all others " +
			"waited for. Above is the bus bandwidth of each iteration in 10^9 bytes a second.",
	}
	most := 0
	from, to := math.Inf(1), math.Inf(-1)
	var drawn []numbered
	for _, v := range variants[:min(len(variants), variantsShown)] {
		list, err := v.runs[0].timelines(v)
		if err != nil {
			return s, err
		}
		for i, t := range list[:min(len(list), collectivesShown)] {
			drawn = append(drawn, numbered{fmt.Sprintf("collective-picture-%d-%d", v.hue, i), t})
			least, last := t.Ends()
			from, to = min(from, least), max(to, last)
		}
		most = max(most, len(list))
	}
	for _, d := range drawn {
		d.From, d.To = from, to
		s.draw(d.id, d.Draw())
	}
	s.noteUndrawn(variants)
	if most > collectivesShown {
		s.Notes = append(s.Notes, fmt.Sprintf("Drawn are the %d collectives of a run with most ranks, of %d.",
			collectivesShown, most))
	}
	return s, s.add(variants, slowIterations)
}

// numbered is a picture with its identifier.
type numbered struct {
	id string
	picture.Timeline
}

// timelines are the collectives of a run, in the order of the file.
func (r *run) timelines(v *variant) ([]picture.Timeline, error) {
	var order []string
	found := map[string]*picture.Timeline{}
	err := r.rows("collectives.csv", func(row row) error {
		name := strings.Clone(row.Text("collective"))
		t := found[name]
		if t == nil {
			t = &picture.Timeline{
				Key:        picture.Key{Name: v.name(r), Hue: v.hue},
				Collective: fmt.Sprintf("%s, %s by %s", name, row.Text("operation"), row.Text("method")),
			}
			found[name] = t
			order = append(order, name)
		}
		t.Iterations = append(t.Iterations, picture.Iteration{
			Done:    row.Microseconds("done_us"),
			Slowest: strings.Clone(row.Text("slowest")),
			BusBW:   row.checked("collectives.csv", "busbw_gigabytes_s"),
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = r.rows("ranks.csv", func(row row) error {
		t := found[row.Text("collective")]
		rank, _, err := runfolder.ParseDecimal(row.Text("rank"))
		if t == nil || err != nil || rank < 0 || rank > int64(len(t.Ranks)) {
			return row.Damage("rank", fmt.Errorf("%q is not the next rank of %q, or one before it", row.Text("rank"),
				row.Text("collective")))
		}
		if rank == int64(len(t.Ranks)) {
			t.Ranks = append(t.Ranks, picture.Rank{Host: strings.Clone(row.Text("host"))})
		}
		at := &t.Ranks[rank]
		at.Spans = append(at.Spans, picture.Span{
			Begun: row.Microseconds("begun_us"),
			Ready: row.Microseconds("ready_us"),
			Done:  row.Microseconds("done_us"),
		})
		return nil
	})
	var list []picture.Timeline
	for _, name := range order {
		if len(found[name].Ranks) > 0 {
			list = append(list, *found[name])
		}
	}
	slices.SortStableFunc(list, func(a, b picture.Timeline) int { return cmp.Compare(len(b.Ranks), len(a.Ranks)) })
	return list, err
}

// slowIterations are the iterations that took longest.
var slowIterations = extract{
	id:      "slow-iterations",
	caption: "Longest iterations",
	file:    "collectives.csv",
	keys:    []string{"collective", "iteration"},
	columns: []string{"ranks", "size_bytes", "begun_us", "done_us", "collective_us", "iteration_us", "algbw_gigabytes_s",
		"busbw_gigabytes_s", "ranks_done", "slowest", "stuck"},
	by: "iteration_us",
}
