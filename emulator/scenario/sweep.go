package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Sweep is a scenario's section of that name: its list of runs.
type Sweep struct {
	// Grid are keys, each with each of its values. List are combinations of keys that change
	// together; all have the same keys. Draw are keys whose values are drawn, Draws times.
	Grid  []Axis
	List  [][]Setting
	Draw  []Range
	Draws int
	// DrawSeed seeds the draws.
	DrawSeed uint64
	// Variants are the variants to run, empty for all; Seeds are the seeds of each, empty for the scenario's own.
	Variants []string
	Seeds    []uint64
	// Record keeps the time series of the runs.
	Record bool

	variantsAt position
}

func newSweep() Sweep { return Sweep{DrawSeed: 1} }

// Axis is a key with values.
type Axis struct {
	Path   string
	Values []Setting
}

// Setting is a value of a key. Text is as written, in one line.
type Setting struct {
	Path, Text string

	at    position
	value *node
}

// NewSetting returns the setting of a key's path to a text as --set takes it; where is its name in messages, such as
// "--grid switch.buffer". An error is an Errors.
func NewSetting(where, path, text string) (Setting, error) {
	found := newProblems()
	s := Setting{Path: path, Text: strings.TrimSpace(text), at: position{File: where, Line: 1, Column: 1}}
	if s.Text == "" {
		found.add(s.at, "no value: write some, such as switch.buffer=16MB,32MB")
	} else if s.value = parseTree(where, []byte(s.Text), found); s.value != nil {
		s.Text = s.value.Write()
	}
	checkSweepPath(s.at, path, found)
	return s, found.err("")
}

// apply lays the setting over a tree.
func (s *Setting) apply(root *node, found *problems) {
	at, value := s.at, s.value
	if value == nil {
		if at = (position{File: "--set " + s.Path, Line: 1, Column: 1}); s.at.File != "" {
			at = s.at
		}
		if value = parseTree(at.File, []byte(s.Text), found); value == nil {
			return
		}
	}
	applyOverride(root, s.Path, at, value, found)
}

// checkSweepPath refuses paths that no sweep changes.
func checkSweepPath(at position, path string, found *problems) {
	switch first, _, _ := strings.Cut(path, "."); first {
	case "variants":
		found.add(at, "variants cannot be a key of a sweep: name those to run in sweep.variants, or with --variant")
	case "seed":
		found.add(at, "seed cannot be a key of a sweep: write sweep.seeds, or --seeds")
	case "name", "sweep":
		found.add(at, "%s cannot be a key of a sweep: no run depends on it", first)
	}
}

// Sweep returns the scenario's sweep. An error is an Errors.
func (s *Scenario) Sweep() (*Sweep, error) {
	r := &reader{problems: newProblems(), options: s.opts}
	root := parseTree(s.File, s.Source, r.problems)
	applyOverrides(root, s.opts.overrides, r.problems)
	sweep := newSweep()
	if section := root.Child("sweep"); section != nil {
		sweepKeys.read(r, section, &sweep)
	}
	names := namesIn(childOrEmpty(root, "variants"))
	for _, name := range sweep.Variants {
		switch {
		case slices.Contains(names, name):
		case len(names) == 0:
			r.add(sweep.variantsAt, "the scenario has no variants")
		default:
			r.add(sweep.variantsAt, "%s", unknown("variant", name, names))
		}
	}
	return &sweep, r.err(s.File)
}

// childOrEmpty returns the value of a mapping's key, or an empty one.
func childOrEmpty(n *node, key string) *node {
	if c := n.Child(key); c != nil {
		return c
	}
	return &node{}
}

// YAML returns the section's text in one line, as --set sweep= takes it.
func (s *Sweep) YAML() string {
	out := &node{Kind: document.Mapping}
	add := func(to *node, key string, value *node) {
		to.Entries = append(to.Entries, entry{Key: key, Value: value})
	}
	text := func(text string) *node { return &node{Kind: document.Scalar, Text: text} }
	number := func(n uint64) *node { return text(strconv.FormatUint(n, 10)) }
	if len(s.Grid) > 0 {
		grid := &node{Kind: document.Mapping}
		for _, axis := range s.Grid {
			values := &node{Kind: document.Sequence}
			for i := range axis.Values {
				values.Items = append(values.Items, axis.Values[i].value)
			}
			add(grid, axis.Path, values)
		}
		add(out, "grid", grid)
	}
	if len(s.List) > 0 {
		list := &node{Kind: document.Sequence}
		for _, row := range s.List {
			item := &node{Kind: document.Mapping}
			for i := range row {
				add(item, row[i].Path, row[i].value)
			}
			list.Items = append(list.Items, item)
		}
		add(out, "list", list)
	}
	if len(s.Draw) > 0 {
		draw := &node{Kind: document.Mapping}
		for i := range s.Draw {
			add(draw, s.Draw[i].Path, &node{Kind: document.Scalar, Text: s.Draw[i].Text, Quoted: true})
		}
		add(out, "draw", draw)
		add(out, "draws", number(uint64(s.Draws)))
		add(out, "draw_seed", number(s.DrawSeed))
	}
	if len(s.Variants) > 0 {
		names := &node{Kind: document.Sequence}
		for _, name := range s.Variants {
			names.Items = append(names.Items, text(name))
		}
		add(out, "variants", names)
	}
	if len(s.Seeds) > 0 {
		seeds := &node{Kind: document.Sequence}
		for _, seed := range s.Seeds {
			seeds.Items = append(seeds.Items, number(seed))
		}
		add(out, "seeds", seeds)
	}
	if s.Record {
		add(out, "record", text("true"))
	}
	return out.Write()
}

// Range is a key whose value is drawn between two, both included.
type Range struct {
	// Path is the key's, Text the range as written: LOW..HIGH, or LOW..HIGH:log.
	Path, Text string

	at        position
	low, high float64
	log       bool
	// unit is the unit of the drawn values, "" for numbers; whole is set if they are whole.
	unit  string
	whole bool
}

// NewRange reads a range; where is its name in messages. An error is an Errors.
func NewRange(where, path, text string) (Range, error) {
	found := newProblems()
	r := newRange(position{File: where, Line: 1, Column: 1}, path, text, found)
	return r, found.err("")
}

func newRange(at position, path, text string, found *problems) Range {
	r := Range{Path: path, Text: strings.TrimSpace(text), at: at}
	checkSweepPath(at, path, found)
	span, isLog := strings.CutSuffix(r.Text, ":log")
	low, high, ok := strings.Cut(span, "..")
	r.log = isLog
	if !ok || !r.ends(strings.TrimSpace(low), strings.TrimSpace(high)) {
		found.add(at, "%s: %q is not a range: write the lowest and the highest value, such as 100KB..1MB, "+
			"0.01..0.2 or 1..8, and :log after it for as many draws in each decade", path, shorten(text))
		return r
	}
	switch {
	case r.low >= r.high:
		found.add(at, "%s: %s is not a range: its low end must be below its high end", path, shorten(text))
	case r.log && r.low <= 0:
		found.add(at, "%s: %s cannot be drawn by its logarithm: its low end must be above 0", path, shorten(text))
	}
	return r
}

// ends reads the two ends: whole numbers, numbers, or quantities of one kind.
func (r *Range) ends(low, high string) bool {
	a, err1 := strconv.ParseInt(low, 10, 52)
	b, err2 := strconv.ParseInt(high, 10, 52)
	if err1 == nil && err2 == nil {
		r.low, r.high, r.whole = float64(a), float64(b), true
		return true
	}
	r.low, err1 = strconv.ParseFloat(low, 64)
	r.high, err2 = strconv.ParseFloat(high, 64)
	if err1 == nil && err2 == nil {
		return !math.IsInf(r.low-r.high, 0) && !math.IsNaN(r.low-r.high)
	}
	for _, kind := range []struct {
		unit  string
		parse func(string) (int64, error)
	}{
		{"B", func(s string) (int64, error) { v, err := unit.ParseBytes(s); return int64(v), err }},
		{"ps", func(s string) (int64, error) { v, err := unit.ParseDuration(s); return int64(v), err }},
		{"bps", func(s string) (int64, error) { v, err := unit.ParseBitRate(s); return int64(v), err }},
		{"mm", func(s string) (int64, error) { v, err := unit.ParseLength(s); return int64(v), err }},
	} {
		a, err1 := kind.parse(low)
		b, err2 := kind.parse(high)
		if err1 == nil && err2 == nil {
			r.low, r.high, r.unit, r.whole = float64(a), float64(b), kind.unit, true
			return true
		}
	}
	return false
}

// At returns the draw of a number, from 0: it does not depend on other draws.
func (r *Range) At(seed uint64, number int) Setting {
	share := chance.New(seed, fmt.Sprintf("sweep %s %d", r.Path, number)).Float64()
	value := 0.0
	switch {
	case r.log:
		value = r.low * power(r.high/r.low, share)
	case r.whole && r.unit == "":
		value = math.Floor(r.low + float64(share*(r.high-r.low+1)))
	default:
		value = r.low + float64(share*(r.high-r.low))
	}
	if r.unit != "" || !r.whole {
		value = significant(value)
	}
	if r.whole {
		value = math.Round(value)
	}
	value = min(max(value, r.low), r.high)
	text := strconv.FormatFloat(value, 'g', -1, 64)
	if r.whole {
		text = strconv.FormatInt(unit.Whole[int64](value), 10) + r.unit
	}
	return Setting{Path: r.Path, Text: text, at: r.at}
}

// power returns base to a share below 1. It takes square roots and products alone, whose last
// bit is the same on every processor, so that a draw is.
func power(base, share float64) float64 {
	result := 1.0
	for root := base; share > 0; {
		root, share = math.Sqrt(root), 2*share
		if share >= 1 {
			result, share = float64(result*root), share-1
		}
	}
	return result
}

// significant rounds to four digits, as no one reads more.
func significant(value float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'e', 3, 64), 64)
	if err != nil {
		panic(err) // a number that was printed is one
	}
	return rounded
}
