package reproduce

import (
	"fmt"
	"slices"
	"strings"
)

// score is the score of all claims, and a table by source.
func (m *markdown) score(papers []*Paper, standings []Standing) {
	m.fold("**%v.** A claim is judged by the largest form that is recorded; a quick form that is smaller than the "+
		"published experiment is a smoke test, and its claims are owed.", ScoreOf(standings, ""))
	m.line("")
	m.head("source", "claims", "met", "missed", "untestable", "owed", "printed numbers met")
	total := func(name string, n Score) {
		m.cells(name, fmt.Sprint(n.Claims), fmt.Sprint(n.Met), fmt.Sprint(n.Missed), fmt.Sprint(n.Untestable),
			fmt.Sprint(n.Owed), fmt.Sprintf("%d of %d judged", n.Printed, n.OfPrinted))
	}
	for _, paper := range papers {
		total(fmt.Sprintf("[%s](#%s)", paper.Name, claimsAnchor(paper)), ScoreOf(standings, paper.Name))
	}
	total("all", ScoreOf(standings, ""))
}

func claimsAnchor(paper *Paper) string { return "claims-of-" + paper.Name }

// claims lists the right and wrong claims of a source, and their evidence.
func (m *markdown) claims(paper *Paper, standings []Standing, rows []*Row) {
	m.line("\n## Claims of %s\n", paper.Name)
	m.fold("%s. %v.", paper.Title, ScoreOf(standings, paper.Name))
	for _, part := range []struct {
		title string
		of    func(*Standing) bool
	}{
		{"Right", func(s *Standing) bool { return s.Outcome.Holds() }},
		{"Wrong", func(s *Standing) bool {
			return !s.Outcome.Holds() && s.Outcome != untestable && s.Outcome != stillOwed
		}},
		{"Owed", func(s *Standing) bool { return s.Outcome == stillOwed }},
		{"Untestable", func(s *Standing) bool { return s.Outcome == untestable }},
	} {
		first := true
		for i := range standings {
			s := &standings[i]
			if !s.Entry.Counts() || s.Entry.Source != paper.Name || !part.of(s) {
				continue
			}
			if first {
				m.line("\n### %s in %s\n", part.title, paper.Name)
				first = false
			}
			m.claim(s, rows)
		}
	}
}

// claim is a sentence, what it came to, and how one would know.
func (m *markdown) claim(s *Standing, rows []*Row) {
	text := fmt.Sprintf("%s (%s, %s): %s", s.Entry.ID, s.Entry.Place, s.Entry.Grade, quoted(s.Entry.Quote)+".")
	if s.Outcome == untestable || s.Outcome == stillOwed {
		m.item("%s %s.", text, s.Said())
		return
	}
	note := ""
	if s.Entry.Note != "" {
		note = "; " + s.Entry.Note
	}
	m.item("%s How one would know: %s, %s%s.", text, rowLink(s.Entry.Row, rows), s.Said(), note)
	for i := range s.Verdicts {
		v := &s.Verdicts[i]
		mark := "met"
		if !v.Outcome.Holds() {
			mark = "**missed**"
		}
		m.line("%s", prose.Fold(fmt.Sprintf("  - %s, %s: %s: %s%s", mark, v.Criterion.Name, v.Criterion.Text, v.Measured,
			v.inProse()), 4))
	}
}

// rowLink is a row's name, and where its figures are.
func rowLink(id string, rows []*Row) string {
	at := slices.IndexFunc(rows, func(row *Row) bool { return row.ID == id })
	return fmt.Sprintf("[%s](#%s)", id, anchor(rows[at]))
}

// quoted is a quote in code, so that its signs stay as they are, in quotation marks.
func quoted(quote string) string { return "\"`" + strings.Join(strings.Fields(quote), " ") + "`\"" }

// apart lists the unscored entries, by kind.
func (m *markdown) apart(standings []Standing) {
	m.line("\n## Apart\n")
	m.fold("Not scored: controls of set-ups and opponents, invariants of our own code, criteria of ours that no " +
		"source has, claims in another set-up than their source's, and softer or second forms of a claim.")
	m.line("")
	m.head("entry", "what", "row", "criteria", "note")
	for i := range standings {
		s := &standings[i]
		if s.Entry.Counts() {
			continue
		}
		var parts []string
		for j := range s.Verdicts {
			parts = append(parts, fmt.Sprintf("%s: %s", s.Verdicts[j].Criterion.Name, s.Verdicts[j].Outcome))
		}
		m.cells(s.Entry.ID, string(s.Entry.Kind), s.Entry.Row, strings.Join(parts, "; "), s.Entry.Note)
	}
}
