package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// flowsDrawn is the maximum number of flows with a line each; more are drawn as a band.
const flowsDrawn = 32

// flowFacts is a flow in flows.csv.
type flowFacts struct {
	name, to string
	// start and end are picoseconds; end is the largest number if it did not complete.
	start, end int64
}

// flows reads a run's flows.
func (r *run) flows() (list []flowFacts, err error) {
	err = r.rows("flows.csv", func(row row) error {
		f := flowFacts{
			name:  row.Text("flow"),
			to:    row.Text("to"),
			start: row.picoseconds("start_us"),
			end:   math.MaxInt64,
		}
		if at := row.Time("completed_us"); at != unit.Never {
			f.end = int64(at)
		}
		list = append(list, f)
		return nil
	})
	return list, err
}

// signals are the events of a flow that are marked on its line, if the file has them.
var signals = []struct{ column, name string }{
	{"cnps_received", "CNP"}, {"naks_received", "NAK"}, {"timeouts", "timeout"},
}

// ratePlot shows the rates of a variant's flows, a view for each of its first seeds, and for the rate that an algorithm
// decided if that is in the file.
func ratePlot(v *variant, seeds int) (*plot, error) {
	p := &plot{
		ID:     fmt.Sprintf("rate-plot-%d", v.hue),
		Title:  "Rate of each flow: " + v.label,
		Unit:   "Gb/s",
		Choice: "rate",
		Share:  "rate",
	}
	for _, r := range v.runs[:min(seeds, len(v.runs))] {
		if err := p.addRates(v, r); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *plot) addRates(v *variant, r *run) error {
	columns := []string{"goodput_gbps", "rate_gbps"}
	for _, s := range signals {
		columns = append(columns, s.column)
	}
	f, err := r.readSeries("series_flows.csv", []string{"flow"}, columns)
	if err == nil && len(f.order) == 0 {
		// Of a large run there are the sums of each group of traffic.
		f, err = r.readSeries("series_groups.csv", []string{"group"}, columns)
		p.Title = "Rate of each group of flows: " + v.label
	}
	if err != nil || len(f.order) == 0 {
		return err
	}
	flows, err := r.flows()
	if err != nil {
		return err
	}
	var fair *line
	if f.name == "series_flows.csv" {
		if fair, err = r.fairShare(flows, f.width, f.span()); err != nil {
			return err
		}
	}
	places := map[string]string{}
	if len(f.order) > flowsAlike {
		if places, err = r.places(); err != nil {
			return err
		}
	}
	for _, kind := range []struct{ column, label string }{
		{"goodput_gbps", "goodput"}, {"rate_gbps", "rate that the algorithm decided"},
	} {
		at := view{Label: kind.label}
		if len(v.runs) > 1 {
			at.Label = fmt.Sprintf("seed %d: %s", r.summary.Seed, kind.label)
		}
		if len(f.order) > flowsDrawn {
			at.addBand(v, r, f, kind.column)
			at.addFlows(v, r, f, kind.column, f.placed(places), places)
		} else {
			at.addFlows(v, r, f, kind.column, f.restFirst(places), places)
		}
		if fair != nil && len(at.Lines) > 0 {
			line := *fair
			line.Hue = v.hue
			at.Lines = append(at.Lines, line)
		}
		if len(at.Lines) > 0 {
			p.Views = append(p.Views, at)
		}
	}
	return p.addValues(v, r, flows, places)
}

// addFlows adds a line for each of some series, with marks of the events of its flow; places are the flows' places.
func (v *view) addFlows(
	of *variant, r *run, f *seriesFile, column string, series []string, places map[string]string,
) {
	count := mergedBins(2*len(f.order), f.span())
	var marks []line
	for _, name := range series {
		k := f.series[name]
		drawn, ok := f.lineOf(r, k, column, gap, count, mean)
		if !ok {
			continue
		}
		flow := strings.TrimSuffix(name, "\x00")
		drawn.Name, drawn.Hue = flow, of.hue
		if len(places) > 0 {
			drawn.Mark = cmp.Or(places[flow], restOfFlows)
		}
		on := len(v.Lines)
		v.Lines = append(v.Lines, drawn)
		for _, s := range signals {
			if k.columns[s.column].zero() {
				continue
			}
			if dots, ok := f.lineOf(r, k, s.column, 0, count, sum); ok {
				dots.Name, dots.Hue, dots.Kind, dots.On = s.name, of.hue, dotLine, on
				marks = append(marks, dots)
			}
		}
	}
	v.Lines = append(v.Lines, marks...)
}

// addBand adds, for many flows, the 5th and the 95th percentile and the median of the flows that had a value in a bin.
func (v *view) addBand(of *variant, r *run, f *seriesFile, column string) {
	bins := make([][]int64, f.span())
	decimals := 0
	for _, name := range f.order {
		k := f.series[name]
		first, values := k.bins(k.columns[column], f.width, gap)
		for i, value := range values {
			if value != gap {
				bins[first+int64(i)] = append(bins[first+int64(i)], value)
			}
		}
		if c := k.columns[column]; c != nil {
			decimals = max(decimals, c.decimals)
		}
	}
	parts := []struct {
		name, kind string
		percent    int
	}{{"5th percentile", lowLine, 5}, {"95th percentile", highLine, 95}, {"median", stepLine, 50}}
	values := make([][]int64, len(parts))
	any := false
	for _, bin := range bins {
		slices.Sort(bin)
		for i, part := range parts {
			value := int64(gap)
			if len(bin) > 0 {
				value, any = bin[result.Rank(len(bin), part.percent)-1], true
			}
			values[i] = append(values[i], value)
		}
	}
	if !any {
		return
	}
	count := mergedBins(2*len(parts), f.span())
	for i, part := range parts {
		_, merged := merge(0, values[i], count, mean)
		v.Lines = append(v.Lines, line{
			Name:     fmt.Sprintf("%s of %d flows", part.name, len(f.order)),
			Hue:      of.hue,
			Kind:     part.kind,
			Width:    f.width * count,
			Merged:   count,
			Decimals: decimals,
			Count:    len(merged),
			Data:     encodeValues(merged),
			values:   merged,
			File:     r.key(f.name),
			Column:   column,
		})
	}
}

// fairShare returns the rate of the receiver's link over the number of active flows, if all flows have one receiver;
// otherwise nil.
func (r *run) fairShare(flows []flowFacts, width, bins int64) (*line, error) {
	if len(flows) < 2 || width <= 0 || bins == 0 {
		return nil, nil
	}
	for _, f := range flows {
		if f.to != flows[0].to {
			return nil, nil
		}
	}
	rate := 0.0
	err := r.rows("ports.csv", func(row row) error {
		if row.Text("peer") == flows[0].to {
			rate = max(rate, row.OrZero("rate_gbps"))
		}
		return nil
	})
	if err != nil || rate == 0 {
		return nil, err
	}
	count := mergedBins(1, bins)
	shares := make([]int64, (bins+count-1)/count)
	for i := range shares {
		from, to := int64(i)*width*count, int64(i+1)*width*count
		active := 0
		for _, f := range flows {
			if f.start < to && f.end >= from {
				active++
			}
		}
		shares[i] = gap
		if active > 0 {
			shares[i] = unit.Whole[int64](math.Round(rate * 1000 / float64(active)))
		}
	}
	return &line{
		Name:     "fair share of the link",
		Kind:     fairLine,
		Width:    width * count,
		Merged:   count,
		Decimals: 3,
		Count:    len(shares),
		Data:     encodeValues(shares),
		values:   shares,
	}, nil
}
