package report

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

const (
	// livesShown is the maximum number of flows with an event log on a page, and lifeBins the minimum number of bins of
	// their time, at most twice that.
	livesShown = 4
	lifeBins   = 1000
	// longestLog is the size up to which a log is drawn.
	longestLog = 256 << 20
)

// quantity is a value of a flow over time in an event log.
type quantity struct {
	id, title, unit string
	decimals        int
	how             merging
	// own is the algorithm's own value that it is; nil for one of the contract.
	own *cc.Value
	// of returns the value at a call, and whether the call has one; nil for an own value.
	of func(*eventlog.Step) (int64, bool)
}

var quantities = []quantity{
	{"rate", "decided rate", "Gb/s", 9, last, nil, func(s *eventlog.Step) (int64, bool) {
		return int64(s.After.Rate), true
	}},
	{"window", "decided window", "B", 0, last, nil, func(s *eventlog.Step) (int64, bool) {
		return int64(s.After.Window), s.After.Window > 0
	}},
	{"inflight", "in flight, the most in a bin", "B", 0, largest, nil, func(s *eventlog.Step) (int64, bool) {
		return int64(s.Event.Inflight), true
	}},
	{"rtt", "round-trip time that it was told, the longest in a bin", "us", 6, largest, nil,
		func(s *eventlog.Step) (int64, bool) { return int64(s.Event.RTT), s.Event.RTT > 0 }},
	{"delay", "one-way queueing delay that it was told, the longest in a bin", "us", 6, largest, nil,
		func(s *eventlog.Step) (int64, bool) { return int64(s.Event.OneWayDelay), s.Event.OneWayDelay != 0 }},
}

// marked are the events that are marked on the line of the rate.
var marked = map[cc.EventKind]string{cc.EventCNP: "CNP", cc.EventNak: "NAK", cc.EventTimeout: "timeout"}

// life is an event log of a flow in a run.
type life struct {
	variant *variant
	run     *run
	file    string
	log     *eventlog.Log
}

func lifeSection(variants []*variant) (section, error) {
	s := section{
		ID:    "life",
		Title: "Life of a flow",
		Lead: "Events of the sender's algorithm, its decisions and the values that it reports, from the event log " +
			"of the flow. All pictures have the same time axis.",
	}
	lives := map[string][]life{}
	var order, left []string
	for _, v := range variants {
		for _, r := range v.runs {
			logs, err := r.logs()
			if err != nil {
				return s, err
			}
			for _, name := range logs {
				if len(order) == livesShown && !slices.Contains(order, path.Base(name)) {
					left = append(left, name)
					continue
				}
				log, err := r.log(name)
				if err != nil {
					return s, err
				}
				if log == nil {
					left = append(left, name)
					continue
				}
				if !slices.Contains(order, path.Base(name)) {
					order = append(order, path.Base(name))
				}
				lives[path.Base(name)] = append(lives[path.Base(name)], life{v, r, name, log})
			}
		}
	}
	for i, name := range order {
		s.Plots = append(s.Plots, lifePlots(i, lives[name])...)
	}
	switch {
	case len(s.Plots) == 0 && len(left) > 0:
		s.Empty = fmt.Sprintf("No event log is drawn: %s is longer than %d MB.", left[0], longestLog>>20)
	case len(left) > 0:
		s.Notes = append(s.Notes, fmt.Sprintf("%d further event logs are not drawn, such as %s.", len(left), left[0]))
	}
	return s, nil
}

// logs are the event logs of senders, in the order of their names.
func (r *run) logs() ([]string, error) {
	names, err := fs.Glob(r.folder.files, r.file("events/*.sender.jsonl"))
	if err != nil {
		return nil, nil // a folder's name that is no pattern has none
	}
	var list []string
	for _, name := range names {
		if r.folder.has(name) {
			list = append(list, strings.TrimPrefix(name, r.id.Folder+"/"))
		}
	}
	return list, nil
}

// log reads an event log; nil for one that is too long to draw.
func (r *run) log(name string) (*eventlog.Log, error) {
	if info, err := fs.Stat(r.folder.files, r.file(name)); err == nil && info.Size() > longestLog {
		return nil, nil
	}
	file, err := r.folder.open(r.file(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	log, err := eventlog.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", r.folder.title(), r.file(name), err)
	}
	return log, nil
}

// lifePlots are the plots of a flow, one below the other, a line a run.
func lifePlots(number int, lives []life) (plots []*plot) {
	from, to := int64(-1), int64(0)
	for _, l := range lives {
		for i := range l.log.Steps {
			at := max(0, int64(l.log.Steps[i].Event.Now))
			if from < 0 || at < from {
				from = at
			}
			to = max(to, at)
		}
	}
	if from < 0 {
		return nil
	}
	width := int64(1)
	for (to-from)/width >= 2*lifeBins {
		width *= 2
	}
	for _, q := range append(slices.Clone(quantities), ownQuantities(lives)...) {
		at := view{}
		for _, l := range lives {
			at.addLife(l, q, width)
		}
		if len(at.Lines) > 0 {
			plots = append(plots, &plot{
				ID:    fmt.Sprintf("life-%d-%s", number, q.id),
				Title: lives[0].log.Name + ": " + q.title,
				Unit:  q.unit,
				Time:  lives[0].run.folder.time,
				Views: []view{at},
			})
		}
	}
	return plots
}

// ownQuantities returns the values that the algorithms of a flow's runs report about themselves, with as many decimals
// as an exact number has room for.
func ownQuantities(lives []life) (list []quantity) {
	var named []cc.Value
	for _, l := range lives {
		for _, value := range l.log.Values {
			if !slices.Contains(named, value) {
				named = append(named, value)
			}
		}
	}
	for i, value := range named {
		most := 1.0
		for _, l := range lives {
			at := slices.Index(l.log.Values, value)
			for s := range l.log.Steps {
				if at >= 0 {
					most = math.Max(most, math.Abs(l.log.Steps[s].Values[at].Number))
				}
			}
		}
		decimals := max(0, min(9, 14-unit.Whole[int](math.Ceil(math.Log10(most)))))
		list = append(list, quantity{
			id:       fmt.Sprintf("own-%d", i),
			title:    "reported by the algorithm: " + value.Name,
			unit:     value.Unit,
			decimals: decimals,
			how:      last,
			own:      &value,
		})
	}
	return list
}

// scaled is a number as a whole one of its last decimal, and whether there is room for it.
func (q *quantity) scaled(number float64) (int64, bool) {
	value := math.Round(number * math.Pow10(q.decimals))
	return unit.Whole[int64](value), math.Abs(value) < 1<<50
}

// at returns the value at a call of a flow, and whether the call has one.
func (q *quantity) at(log *eventlog.Log, step *eventlog.Step) (int64, bool) {
	if q.own == nil {
		return q.of(step)
	}
	at := slices.Index(log.Values, *q.own)
	if at < 0 || !step.Values[at].Known {
		return gap, at >= 0 // what was told before holds no longer
	}
	return q.scaled(step.Values[at].Number)
}

// addLife adds a quantity of a flow in a run: the last value of a decision in each bin, the largest of a measured
// value.
func (v *view) addLife(l life, q quantity, width int64) {
	holds := q.how == last
	drawn := line{
		Name:     l.variant.name(l.run),
		Hue:      l.variant.hue,
		Kind:     stepLine,
		Width:    width,
		Decimals: q.decimals,
		File:     l.run.key(l.file),
		Column:   q.id,
	}
	if q.own != nil {
		drawn.Column = q.own.Name
	}
	var values []int64
	counts := map[string][]int64{}
	for i := range l.log.Steps {
		step := &l.log.Steps[i]
		bin := max(0, int64(step.Event.Now)) / width
		if len(values) == 0 {
			drawn.First = bin
		}
		if bin < drawn.First {
			continue // a damaged log
		}
		for int64(len(values)) <= bin-drawn.First {
			held := int64(gap)
			if n := len(values); n > 0 && holds {
				held = values[n-1]
			}
			values = append(values, held)
		}
		at := bin - drawn.First
		if value, ok := q.at(l.log, step); ok && (holds || value > values[at]) {
			values[at] = value
		}
		if name := marked[step.Event.Kind]; name != "" && (q.id == "rate" || q.own != nil) {
			for int64(len(counts[name])) <= at {
				counts[name] = append(counts[name], 0)
			}
			counts[name][at]++
		}
	}
	if !slices.ContainsFunc(values, func(value int64) bool { return value != gap }) {
		return
	}
	drawn.Data, drawn.Count = encodeValues(values), len(values)
	on := len(v.Lines)
	v.Lines = append(v.Lines, drawn)
	for _, kind := range []cc.EventKind{cc.EventCNP, cc.EventNak, cc.EventTimeout} {
		if name := marked[kind]; counts[name] != nil {
			dots := drawn
			dots.Name, dots.Kind, dots.On, dots.Decimals, dots.Column = name, dotLine, on, 0, kind.String()
			dots.Data, dots.Count = encodeValues(counts[name]), len(counts[name])
			v.Lines = append(v.Lines, dots)
		}
	}
}
