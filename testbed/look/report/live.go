package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// liveTables say how live runs kept the clock; none for other runs.
func liveTables(variants []*variant) (tables []table) {
	runs := table{ID: "live-runs", Caption: "Lag of model time behind the wall", Head: heads("run",
		"verdict", "on time", "dilation", "lag_p50_us", "lag_p99_us", "lag_p99.9_us", "lag_max_us", "standstills",
		"clock_steps", "steal_s", "throttled_s", "timer_p99.9_us")}
	edges := table{ID: "live-edges", Caption: "Lateness of frames at each edge", Head: heads("run", "edge", "received",
		"sent", "lateness_p50_us", "lateness_p99_us", "lateness_p99.9_us", "lateness_max_us", "lost outside")}
	stills := table{ID: "live-standstills", Caption: "Standstills", Head: heads("run", "at_model_us", "took_ms", "who")}
	for _, v := range variants {
		for _, r := range v.runs {
			t := r.host.Timing
			if t == nil {
				continue
			}
			head := cell{Text: v.name(r)}
			runs.Rows = append(runs.Rows, tableRow{Head: head, Cells: append(append(words(r.host.Verdict, t.Verdict,
				strconv.FormatInt(t.Dilation, 10)), quantileCells(t.Lag.P50US, t.Lag.P99US, t.Lag.P999US, t.Lag.MaxUS)...),
				append(words(strconv.Itoa(len(t.Standstills)), strconv.FormatUint(t.ClockSteps, 10), decimal(t.StealS),
					decimal(t.ThrottledS)), quantileCells(t.BareTimer.Lateness.P999US)...)...)})
			for _, e := range t.Edges {
				lost := uint64(0)
				for _, frames := range e.LostOutside {
					lost += frames
				}
				cells := words(e.Edge, strconv.FormatUint(e.Received, 10), strconv.FormatUint(e.Sent, 10))
				cells = append(cells, quantileCells(e.Lateness.P50US, e.Lateness.P99US, e.Lateness.P999US, e.Lateness.MaxUS)...)
				edges.Rows = append(edges.Rows, tableRow{Head: head, Cells: append(cells,
					words(strconv.FormatUint(lost, 10))...)})
			}
			for _, s := range t.Standstills {
				stills.Rows = append(stills.Rows, tableRow{Head: head, Cells: words(decimal(s.AtUS), decimal(s.TookMS), s.Who)})
			}
		}
	}
	for _, t := range []table{runs, edges, stills} {
		if len(t.Rows) > 0 {
			tables = append(tables, t.withoutEmpty(1).labelled())
		}
	}
	return tables
}

// latenessDrawn is the maximum number of histograms in a picture.
const latenessDrawn = 8

// liveDrawings are the histograms behind the tables: of the lag of each live run, and of the lateness of frames that
// left at its edges and of foreign frames taken there.
func liveDrawings(variants []*variant) (list []drawing) {
	lag := picture.Late{What: "Lag of model time behind the wall"}
	left := picture.Late{What: "Lateness of frames that left at edges"}
	taken := picture.Late{What: "Lateness of frames that came in at edges"}
	edges := 0
	for _, v := range variants {
		for _, r := range v.runs {
			t := r.host.Timing
			if t == nil {
				continue
			}
			lag.Lines = append(lag.Lines, lateLine(picture.Key{Name: v.name(r), Hue: v.hue}, t.Lag.Histogram))
			for _, e := range t.Edges {
				key := picture.Key{Name: v.name(r) + " at " + e.Edge, Hue: edges}
				edges++
				left.Lines = append(left.Lines, lateLine(key, e.Lateness.Histogram))
				taken.Lines = append(taken.Lines, lateLine(key, e.Taken.Histogram))
			}
		}
	}
	s := section{}
	for id, late := range []picture.Late{lag, left, taken} {
		// Those with the latest samples are worth a line.
		slices.SortStableFunc(late.Lines, func(a, b picture.LateLine) int { return cmp.Compare(b.Latest(), a.Latest()) })
		if late.Lines = late.Lines[:min(len(late.Lines), latenessDrawn)]; len(late.Lines) > 0 {
			s.draw([]string{"live-lag", "live-left", "live-taken"}[id], late.Draw())
		}
	}
	return s.Drawings
}

// lateLine is a histogram as a picture has it.
func lateLine(key picture.Key, bins []result.LateBin) picture.LateLine {
	line := picture.LateLine{Key: key}
	for _, b := range bins {
		line.Bins = append(line.Bins, picture.LateBin{To: b.ToUS, Samples: b.Samples})
	}
	return line
}

// onTime returns the gravest verdict of live runs, time included; "" if none was live.
func onTime(variants []*variant) (verdict string) {
	for _, v := range variants {
		for _, r := range v.runs {
			if r.host.Timing != nil && rank(r.host.Verdict) > rank(verdict) {
				verdict = r.host.Verdict
			}
		}
	}
	return verdict
}

func heads(names ...string) []cell { return words(names...) }

func words(texts ...string) (cells []cell) {
	for _, text := range texts {
		cells = append(cells, cell{Text: text})
	}
	return cells
}

// quantileCells returns cells with a dash for unmeasured values.
func quantileCells(values ...*float64) (cells []cell) {
	for _, value := range values {
		text := "-"
		if value != nil {
			text = decimal(*value)
		}
		cells = append(cells, cell{Text: text})
	}
	return cells
}

func decimal(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
