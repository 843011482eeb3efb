package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Variant is the runs of a variant.
type Variant struct {
	Name string
	// Sound is set if its results can be used: see experiment.Sound.
	Sound bool
	// Values returns a metric of summary.json by seed, NaN if it was not measured.
	Values func(metric string) []float64
	// Slowest returns the slowest flow of each run, nil for one whose causes are not known; it may be nil.
	Slowest func() []*result.SlowestFlow
}

// mostSentences bounds how many there are.
const mostSentences = 4

// leastTold is the factor below which no sentence is made.
const leastTold = 1.01

// Sentences returns the largest differences between variants: for two one sentence, for more one for each against the
// first, at most four. There is none if no difference is certain.
func Sentences(variants []Variant) []string { return eachAgainstFirst(variants, sentence) }

// eachAgainstFirst are the sentences about each of the variants that can be used and the first of them; the last
// argument of of is true if there are two.
func eachAgainstFirst(variants []Variant, of func(first, other *Variant, two bool) string) (list []string) {
	variants = slices.DeleteFunc(slices.Clone(variants), func(v Variant) bool { return !v.Sound })
	if len(variants) < 2 {
		return nil
	}
	for i := range variants[1:] {
		if text := of(&variants[0], &variants[1+i], len(variants) == 2); text != "" && len(list) < mostSentences {
			list = append(list, text)
		}
	}
	return list
}

// sentence describes how other differs from first, "" if no difference is certain. With ofBetter it is about the better
// one of the two in the first part.
func sentence(first, other *Variant, ofBetter bool) string {
	parts := partsOf(first, other)
	if len(parts) == 0 {
		return ""
	}
	seeds := min(len(first.Values(parts[0].metric)), len(other.Values(parts[0].metric)))
	about, than := other.Name, first.Name
	if ofBetter && !parts[0].gains() {
		about, than = than, about
		for i := range parts {
			parts[i].A, parts[i].B = parts[i].B, parts[i].A
		}
	}
	text := about + " " + parts[0].words(than, true)
	if len(parts) == 2 {
		text += " and " + parts[1].words(than, false)
	}
	return fmt.Sprintf("%s (%s)", text, evidence(seeds, parts))
}

// part is the difference of a variant, with median B, from another, with median A, in an aspect.
type part struct {
	aspect
	Difference
}

// partsOf are the first ending that differs, and what else differs by the largest factor.
func partsOf(first, other *Variant) (parts []part) {
	differs := func(as aspect) (part, bool) {
		m, _ := result.MetricOf(as.metric)
		d := Between(first.Values(as.metric), other.Values(as.metric), m)
		size := d.size()
		zero := as.none == "" && (d.A == 0 || d.B == 0) // which there are no words for
		return part{as, d}, d.Tells() && size >= leastTold && !math.IsInf(size, 0) && !zero
	}
	for _, as := range endings {
		if p, tells := differs(as); tells {
			parts = append(parts, p)
			break
		}
	}
	var largest part
	found := false
	for _, as := range others {
		if p, tells := differs(as); tells && (!found || p.size() > largest.size()) {
			largest, found = p, true
		}
	}
	if found {
		parts = append(parts, largest)
	}
	return parts
}

// gains reports whether the variant does better than the other.
func (p *part) gains() bool {
	if p.Metric.Better == result.Higher {
		return p.factor() > 1
	}
	return p.factor() < 1
}

// words are the difference in words; than has the other's name in them.
func (p *part) words(other string, than bool) string {
	if p.none != "" && p.B == 0 {
		return fmt.Sprintf("%s (%s: %s)", p.none, other, count(p.A))
	}
	if p.none != "" && p.A == 0 {
		return fmt.Sprintf(p.some+" (%s: none)", count(p.B), other)
	}
	form := p.less
	if p.factor() > 1 {
		form = p.more
	}
	text := fmt.Sprintf(form, times(p.size()))
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

// evidence is the number of seeds that it rests on, and how sure that is.
func evidence(n int, parts []part) string {
	seeds := seedsOf(n)
	worst := Sure
	for _, p := range parts {
		worst = min(worst, p.Certainty)
	}
	switch worst {
	case Sure:
		return fmt.Sprintf("%s, p < %v", seeds, SureP)
	case Likely:
		return fmt.Sprintf("%s, p < %v", seeds, LikelyP)
	}
	return seeds // there was no test
}

func seedsOf(n int) string {
	if n == 1 {
		return "one seed"
	}
	return unit.Count(n, "seed")
}
