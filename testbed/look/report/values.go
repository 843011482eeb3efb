package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ownValues are the values of one name that the algorithms of a run report about themselves, in the order of the flows.
type ownValues struct {
	name, unit string
	flows      []string
	series     map[string]*keyed
}

// addValues adds a view for each value that algorithms report about themselves, such as the alpha of DCQCN: a line a
// flow, for at most as many as have a line of their rate. places are the marks of flows.
func (p *plot) addValues(v *variant, r *run, flows []flowFacts, places map[string]string) error {
	list, width, err := r.ownValues()
	if err != nil || width == 0 {
		return err
	}
	ends := map[string]int64{}
	for _, f := range flows {
		ends[f.name] = f.end
	}
	for _, own := range list {
		at := view{Label: "reported by the algorithm: " + own.name, Unit: &own.unit}
		if len(v.runs) > 1 {
			at.Label = fmt.Sprintf("seed %d: %s", r.summary.Seed, at.Label)
		}
		for _, flow := range flowsOfPicture(own.flows, places) {
			before := len(at.Lines)
			at.addHeld(v, r, own.series[flow], flow, width, ends[flow])
			if len(places) > 0 && len(at.Lines) > before {
				at.Lines[before].Mark = cmp.Or(places[flow], restOfFlows)
			}
		}
		if len(at.Lines) > 0 {
			p.Views = append(p.Views, at)
		}
	}
	return nil
}

// ownValues reads series_values.csv; all its times are multiples of width.
func (r *run) ownValues() (list []*ownValues, width int64, err error) {
	byName := map[[2]string]*ownValues{}
	latest := int64(0)
	err = r.rows("series_values.csv", func(row row) error {
		name := [2]string{row.Text("name"), row.Text("unit")}
		own := byName[name]
		if own == nil {
			own = &ownValues{name: strings.Clone(name[0]), unit: strings.Clone(name[1]), series: map[string]*keyed{}}
			byName[[2]string{own.name, own.unit}] = own
			list = append(list, own)
		}
		k := own.series[row.Text("flow")]
		if k == nil {
			k = newKeyed(row, []string{"flow", "name"}, []string{"value"})
			own.flows = append(own.flows, strings.Clone(row.Text("flow")))
			own.series[own.flows[len(own.flows)-1]] = k
		}
		instant := row.Time("time_us")
		if instant == unit.Never {
			return row.Damage("time_us", fmt.Errorf("\"\" %w", errTime))
		}
		at := int64(instant)
		width, latest = divisor(width, at), max(latest, at)
		k.times = append(k.times, at)
		if c := k.columns["value"]; c != nil {
			if err := c.addValue(row.Text("value")); err != nil {
				return row.Damage("value", err)
			}
			return nil
		}
		return row.Damage("value", errors.New("there is no such column"))
	})
	if err == nil && width > 0 && latest/width > longestSeries {
		err = r.damaged("series_values.csv", fmt.Errorf("%d bins of %d ps: %w", latest/width, width, errTime))
	}
	return list, width, err
}

// addValue adds a value that an algorithm reports about itself, with nine decimals at most.
func (c *column) addValue(text string) error {
	if text == "" {
		return c.add(text)
	}
	value, err := runfolder.ParseValue(text)
	if err != nil {
		return err
	}
	_, fraction, _ := strings.Cut(text, ".")
	switch exponent := strings.Contains(text, "e"); {
	case math.Abs(value) > 1e9 && (exponent || fraction != ""):
		text = strconv.FormatFloat(value, 'f', 0, 64)
	case exponent || len(fraction) > 9:
		text = strings.TrimRight(strings.TrimRight(strconv.FormatFloat(value, 'f', 9, 64), "0"), ".")
	}
	return c.add(text)
}

// addHeld adds a line that holds from row to row, up to the end of its flow.
func (v *view) addHeld(of *variant, r *run, k *keyed, flow string, width, end int64) {
	first, values := k.bins(k.columns["value"], width, gap)
	if !slices.ContainsFunc(values, func(value int64) bool { return value != gap }) {
		return
	}
	count := mergedBins(1, first+int64(len(values)))
	if count > 1 {
		first, values = merge(first, values, count, last)
	}
	drawn := line{
		Name:     flow,
		Hue:      of.hue,
		Kind:     holdLine,
		First:    first,
		Width:    width * count,
		Merged:   count,
		Decimals: k.columns["value"].decimals,
		File:     r.key("series_values.csv"),
		Where:    k.where,
		Column:   "value",
		Asks:     r.asks("series_values.csv", k.where, "value", count),
	}
	for end < math.MaxInt64 && (first+int64(len(values)))*drawn.Width < end && len(values) < 2*mostBins {
		values = append(values, gap)
	}
	drawn.Count, drawn.Data = len(values), encodeValues(values)
	v.Lines = append(v.Lines, drawn)
}
