package tune

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// Within is the allowed extra cost of the advice over the candidate that its rule takes on unseen patterns, and the
// least saving for which a candidate counts as cheaper.
const Within = 0.05

// Missed reports whether the advice breaks its promise on what the search did not see: its first score is beyond Slack
// there, or it is certain to cost more than Within beyond the candidate that the rule takes there. So it does if a run
// of it counts for nothing there.
func (a *Answer) Missed() bool {
	if a.Chosen < 0 || len(a.search.Unseen) == 0 {
		return false
	}
	return a.Check == nil || a.Check.First > 1+a.search.Slack || a.Check.CostInterval.Low > 1+Within
}

// Document is the answer for all formats. Facts are lines about the advice from the caller; axes are the names of the
// search's axes.
func (a *Answer) Document(axes []string, facts, warnings []string) *page.Document {
	d := &page.Document{Title: "Tuning", Kind: "tune", Record: a.Record(facts, warnings)}
	s := a.search
	if a.Nothing != "" {
		d.Say("Nothing is recommended: %s.", a.Nothing)
		warn(d, warnings)
		a.sayBad(d)
		if a.Seen != nil {
			d.Add(page.Gap{}, a.table(a.Seen, a.shown(a.Seen)))
		}
		return d
	}
	d.Say("Recommended: %s", a.Advice().Name)
	for _, fact := range facts {
		d.Say("  %s", fact)
	}
	a.sayWhy(d)
	for _, axis := range a.atEnds() {
		d.Say("warning: it is at the end of the range tried for %s", axes[axis])
	}
	warn(d, warnings)
	d.Add(page.Gap{})
	d.Say("The search: %d candidates and %d known rules on these patterns of traffic, %d runs%s. Figures are multiples "+
		"of the best candidate's geometric mean over patterns and seeds, with 95 %% intervals. It began with seeds %s and "+
		"went on to %d.",
		len(s.Candidates), len(s.Known), a.Runs, a.remembered(), seedsText(s.Seeds), len(a.Seeds))
	for _, pattern := range s.Patterns {
		d.Say("  %s", pattern.Name)
	}
	d.Add(page.Gap{}, a.table(a.Seen, a.shown(a.Seen)))
	a.sayBad(d)
	a.addSides(d, axes)
	if len(s.Unseen) > 0 {
		d.Add(page.Gap{})
		d.Say("On patterns and seeds that the search did not see, seeds %s:", seedsText(s.UnseenSeeds))
		for _, pattern := range s.Unseen {
			d.Say("  %s", pattern.Name)
		}
		d.Add(page.Gap{}, a.table(a.Unseen, a.shown(a.Unseen)))
		d.Say("%s", a.verdict())
	}
	return d
}

func warn(d *page.Document, warnings []string) {
	for _, warning := range warnings {
		d.Say("warning: %s", warning)
	}
}

// sayWhy explains the choice of the advice, and names the candidates that are as good as far as one knows.
func (a *Answer) sayWhy(d *page.Document) {
	s, x := a.search, a.Seen[a.Chosen]
	d.Say("Why: its %s is within %g %% of the best, x %.3f (%.3f to %.3f), and it has the lowest %s of all "+
		"candidates that are certainly within "+
		"that.", s.Objectives[0].Metric.Name, 100*s.Slack, x.Score[0], x.Intervals[0].Low,
		x.Intervals[0].High, a.others())
	if len(a.Tied) > 0 {
		const most = 5
		var names []string
		for _, i := range a.Tied[:min(len(a.Tied), most)] {
			names = append(names, a.all[i].Name)
		}
		if more := len(a.Tied) - most; more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		d.Say("Not distinguishable from it: %s.", strings.Join(names, "; "))
	}
	if a.Unmarked {
		d.Say("It works by not marking at all: no frame was marked in any of its runs.")
	}
}

// verdict is the result of the advice on unseen patterns.
func (a *Answer) verdict() string {
	c, first := a.Check, a.search.Objectives[0].Metric.Name
	if c == nil {
		return "Missed: there, a run of the advice does not complete without fault."
	}
	text := fmt.Sprintf("there, its %s is x %.3f (%.3f to %.3f) of the best; promised is x %.3f", first, c.First, c.Of.Low,
		c.Of.High, 1+a.search.Slack)
	if len(a.search.Objectives) > 1 {
		text += fmt.Sprintf(". Its %s is x %.3f (%.3f to %.3f) of that of %s, which the same rule takes there", a.others(),
			c.Cost, c.CostInterval.Low, c.CostInterval.High, a.all[c.Pick].Name)
	}
	if a.Missed() {
		return "Missed: " + text + "."
	}
	return "Held: " + text + "."
}

func (a *Answer) others() string {
	var names []string
	for _, o := range a.search.Objectives[1:] {
		names = append(names, o.Metric.Name)
	}
	if len(names) == 0 {
		return a.search.Objectives[0].Metric.Name
	}
	return strings.Join(names, " times ")
}

func (a *Answer) remembered() string {
	if a.Remembered == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them already finished", a.Remembered)
}

func (a *Answer) sayBad(d *page.Document) {
	if len(a.Bad) == 0 {
		return
	}
	d.Say("%d of the candidates count for nothing, such as %s.", len(a.Bad), a.Bad[0])
}

// mostShown is the number of candidates up to which a table has all of them.
const mostShown = 12

// shown are the candidates in a table: the advice, the rest of the front, the ones not distinguished from it, the ones
// next to it and the known rules, and if there are few all others that were run.
func (a *Answer) shown(of []*standing) (places []int) {
	if a.Chosen >= 0 {
		places = append(places, a.Chosen)
	}
	for _, i := range slices.Concat(a.Front, a.Tied) {
		if !slices.Contains(places, i) {
			places = append(places, i)
		}
	}
	for i := range a.all {
		beside := of[i] != nil && (len(a.all) <= mostShown || a.Chosen >= 0 && a.all[i].nextTo(a.Advice()))
		if (a.all[i].Known() || beside) && !slices.Contains(places, i) {
			places = append(places, i)
		}
	}
	return places
}

// table shows standings of candidates; what counts for nothing has dashes.
func (a *Answer) table(of []*standing, places []int) *page.Table {
	titles := []string{"candidate", "is", "seeds"}
	for _, o := range a.search.Objectives {
		titles = append(titles, o.Metric.Name)
	}
	t := page.New(titles...)
	for _, i := range places {
		row := []any{a.all[i].Name, a.role(i)}
		x := of[i]
		if x == nil {
			t.Add(append(row, slices.Repeat([]any{"-"}, len(a.search.Objectives)+1)...)...)
			continue
		}
		row = append(row, x.Seeds)
		for o := range x.Score {
			cell := fmt.Sprintf("x %.3f", x.Score[o])
			if x.Seeds > 1 {
				cell += fmt.Sprintf(" (%.3f to %.3f)", x.Intervals[o].Low, x.Intervals[o].High)
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	t.AlignFigures()
	return t
}

// role is the role of a candidate in a table.
func (a *Answer) role(place int) string {
	switch {
	case place == a.Chosen:
		return "advice"
	case slices.Contains(a.Front, place) && a.all[place].Known():
		return "rule, front"
	case a.all[place].Known():
		return "rule"
	case slices.Contains(a.Tied, place):
		return "not distinguished"
	case slices.Contains(a.Front, place):
		return "front"
	}
	if a.Chosen >= 0 && a.all[place].nextTo(a.Advice()) {
		return "beside"
	}
	return "worse"
}

// addSides adds what changes beside the advice.
func (a *Answer) addSides(d *page.Document, axes []string) {
	if len(a.Sides) == 0 {
		return
	}
	titles := []string{"one step of", "to"}
	for _, o := range a.search.Objectives {
		titles = append(titles, o.Metric.Name)
	}
	t := page.New(titles...)
	for _, side := range a.Sides {
		way := "down"
		if side.Up {
			way = "up"
		}
		row := []any{axes[side.Axis] + " " + way, a.all[side.Place].Name}
		for i := range a.search.Objectives {
			if side.Change == nil {
				row = append(row, "-")
				continue
			}
			row = append(row, fmt.Sprintf("%+.1f %%", 100*side.Change[i]))
		}
		t.Add(row...)
	}
	t.AlignFigures()
	t.Caption = "How sensitive it is:"
	d.Add(page.Gap{}, t)
}

func seedsText(seeds []uint64) string {
	var texts []string
	for _, seed := range seeds {
		texts = append(texts, fmt.Sprint(seed))
	}
	return strings.Join(texts, ", ")
}
