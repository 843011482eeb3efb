package tune

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// Within is how far behind the front the advice may lie on what the search did not see.
const Within = 0.05

// Missed reports whether the advice lies further behind the front than Within on what the
// search did not see, or its runs there count for nothing.
func (a *Answer) Missed() bool {
	return a.Chosen >= 0 && len(a.search.Unseen) > 0 && (!a.Checked || a.Excess > Within)
}

// Document is the answer for all formats. Facts are lines about the advice that whoever asked
// knows; axes are the names of the search's axes.
func (a *Answer) Document(axes []string, facts, warnings []string) *page.Document {
	d := &page.Document{Title: "Tuning", Kind: "tune", Record: a.Record(facts, warnings)}
	s := a.search
	if a.Nothing != "" {
		d.Say("Nothing is recommended: %s.", a.Nothing)
		warn(d, warnings)
		a.sayBad(d)
		return d
	}
	d.Say("Recommended: %s", a.Advice().Name)
	for _, fact := range facts {
		d.Say("  %s", fact)
	}
	d.Say("Why: its %s is within %g %% of the best that was found, and of all candidates of which that is true it has "+
		"the least %s.", s.Objectives[0].Metric.Name, 100*s.Slack, a.others())
	for _, axis := range a.atEnds() {
		d.Say("warning: it lies at the end of what was tried of %s", axes[axis])
	}
	warn(d, warnings)
	d.Add(page.Gap{})
	d.Say("The search: %d candidates and %d known rules on these patterns of traffic, %d runs%s. Figures are multiples "+
		"of the best candidate's geometric mean over the patterns, of medians over seeds %s.",
		len(s.Candidates), len(s.Known), a.Runs, a.remembered(), seedsText(s.Seeds))
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

// verdict says how the advice did on what the search did not see.
func (a *Answer) verdict() string {
	switch {
	case !a.Checked:
		return "Missed: there, a run of the advice does not complete without fault."
	case a.Missed():
		return fmt.Sprintf("Missed: there, the advice lies %.1f %% behind the front; allowed are %g %%.",
			100*a.Excess, 100*Within)
	}
	return fmt.Sprintf("Held: there, the advice lies %.1f %% behind the front; allowed are %g %%.",
		100*a.Excess, 100*Within)
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
	return fmt.Sprintf(", of which %d were there", a.Remembered)
}

func (a *Answer) sayBad(d *page.Document) {
	if len(a.Bad) == 0 {
		return
	}
	d.Say("%d of the candidates count for nothing, such as %s.", len(a.Bad), a.Bad[0])
}

// shown are the candidates that a table has: the advice, the rest of the front, and then
// those next to the advice and the known rules that are not on it.
func (a *Answer) shown(of Scored) (places []int) {
	places = append(places, a.Chosen)
	for _, i := range a.Front {
		if i != a.Chosen {
			places = append(places, i)
		}
	}
	for i := range a.all {
		beside := a.all[i].nextTo(a.Advice()) && i < len(of.Scores) && of.Scores[i] != nil
		if (a.all[i].Known() || beside) && !slices.Contains(places, i) {
			places = append(places, i)
		}
	}
	return slices.DeleteFunc(places, func(i int) bool { return i >= len(of.Scores) })
}

// table shows scores of candidates; what counts for nothing has dashes.
func (a *Answer) table(of Scored, places []int) *page.Table {
	titles := []string{"candidate", "is"}
	for _, o := range a.search.Objectives {
		titles = append(titles, o.Metric.Name)
	}
	t := page.New(append(titles, "behind the front")...)
	for _, i := range places {
		row := []any{a.all[i].Name, a.role(i)}
		x := of.Scores[i]
		if x == nil {
			for range a.search.Objectives {
				row = append(row, "-")
			}
			t.Add(append(row, "-")...)
			continue
		}
		for _, part := range x {
			row = append(row, fmt.Sprintf("x %.3f", part))
		}
		t.Add(append(row, fmt.Sprintf("%.1f %%", 100*Excess(x, of.Scores)))...)
	}
	t.AlignFigures()
	return t
}

// role is what a candidate is in a table.
func (a *Answer) role(place int) string {
	switch {
	case place == a.Chosen:
		return "advice"
	case slices.Contains(a.Front, place) && a.all[place].Known():
		return "rule, front"
	case a.all[place].Known():
		return "rule"
	case slices.Contains(a.Front, place):
		return "front"
	}
	return "beside"
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
