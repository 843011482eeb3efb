package contrast

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Variant is the runs of a variant.
type Variant struct {
	Name string
	// Sound says that its results can be used: see experiment.Sound.
	Sound bool
	// Values returns a metric of summary.json by seed, NaN where it was not measured.
	Values func(metric string) []float64
}

// mostSentences bounds how many there are.
const mostSentences = 4

// Sentences say what differs most between variants: of two one sentence, of more one for
// each against the first, at most four. There is none where nothing can be told.
func Sentences(variants []Variant) (list []string) {
	variants = slices.DeleteFunc(slices.Clone(variants), func(v Variant) bool { return !v.Sound })
	if len(variants) < 2 {
		return nil
	}
	first := &variants[0]
	if len(variants) == 2 {
		text, better := sentence(first, &variants[1])
		if !better { // tell it of the one that does well
			text, _ = sentence(&variants[1], first)
		}
		if text == "" {
			return nil
		}
		return []string{text}
	}
	for i := range variants[1:] {
		if text, _ := sentence(&variants[1+i], first); text != "" && len(list) < mostSentences {
			list = append(list, text)
		}
	}
	return list
}

// sentence says how a differs from b, "" where nothing can be told. Better says that in
// what it tells first a does better.
func sentence(a, b *Variant) (text string, better bool) {
	var parts []difference
	for _, as := range endings {
		if d, tells := as.differ(a.Values(as.metric), b.Values(as.metric)); tells {
			parts = append(parts, d)
			break
		}
	}
	largest := -1
	var rest []difference
	for _, as := range others {
		if d, tells := as.differ(a.Values(as.metric), b.Values(as.metric)); tells {
			rest = append(rest, d)
			if last := len(rest) - 1; largest < 0 || d.size() > rest[largest].size() {
				largest = last
			}
		}
	}
	if largest >= 0 {
		parts = append(parts, rest[largest])
	}
	if len(parts) == 0 {
		return "", false
	}
	text = a.Name + " " + parts[0].words(b.Name, true)
	if len(parts) == 2 {
		text += " and " + parts[1].words(b.Name, false)
	}
	better = parts[0].Factor < 1
	if parts[0].metric == "goodput_gbps" {
		better = !better
	}
	seeds := min(len(a.Values(parts[0].metric)), len(b.Values(parts[0].metric)))
	return fmt.Sprintf("%s (%s)", text, evidence(seeds, parts)), better
}

// words are the difference in words; than has the other's name in them.
func (d *difference) words(other string, than bool) string {
	if d.none != "" && d.A == 0 {
		return fmt.Sprintf("%s (%s: %s)", d.none, other, count(d.B))
	}
	if d.none != "" && d.B == 0 {
		return fmt.Sprintf(d.some+" (%s: none)", count(d.A), other)
	}
	form := d.less
	if d.Factor > 1 {
		form = d.more
	}
	text := fmt.Sprintf(form, times(d.size()))
	if than {
		text += " than " + other
	}
	return text
}

// count prints a number of events; a median may lie between two.
func count(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// times prints a factor with three digits.
func times(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// evidence says on how many seeds it rests, and how sure that is.
func evidence(n int, parts []difference) string {
	seeds := fmt.Sprintf("%d seeds", n)
	if n == 1 {
		seeds = "one seed"
	}
	worst := 0.0
	for _, d := range parts {
		worst = max(worst, d.P)
	}
	switch {
	case math.IsNaN(worst): // there was no test
		return seeds
	case worst < sure:
		return seeds + ", p < 0.01"
	}
	return seeds + ", p < 0.05"
}
