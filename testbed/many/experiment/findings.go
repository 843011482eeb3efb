package experiment

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// notes are the texts of the verdicts on a variant, gravest first, in lines that join the common parts of its seeds.
func (v *variant) notes() (lines []string) {
	var said []SeedLine
	for _, status := range []result.Status{result.Red, result.Interrupted, result.Void, result.Failed, result.Amber,
		result.Pass} {
		if status == result.Pass {
			lines = append(v.lines(said), v.effects()...)
			said = nil
		}
		for _, run := range v.runs {
			effect := effectNote(&run)
			for i, f := range run.Verdict.Findings {
				if f.Status == status && i != effect {
					word := status.String()
					if status == result.Pass {
						word = "note"
					}
					said = append(said, SeedLine{run.Summary.Seed, word + ": " + string(f.Subject) + ": " + f.Text})
				}
			}
		}
	}
	for _, run := range v.runs {
		for _, remark := range run.Remarks {
			said = append(said, SeedLine{run.Summary.Seed, "note: host: " + remark})
		}
	}
	return append(lines, v.lines(said)...)
}

// lines joins lines of seeds and puts the variant's name before them.
func (v *variant) lines(said []SeedLine) (lines []string) {
	for _, l := range MergeSeeds(said) {
		lines = append(lines, v.label(&l)+": "+l.Text)
	}
	return lines
}

// effects is the line on the mechanisms that the runs exercised.
func (v *variant) effects() []string {
	var note SeedsLine
	var summaries []*result.Summary
	var congestion [][]result.Evidence
	for _, run := range v.runs {
		if effectNote(&run) >= 0 {
			note.Seeds = append(note.Seeds, run.Summary.Seed)
			summaries, congestion = append(summaries, run.Summary), append(congestion, run.Verdict.Congestion)
		}
	}
	if len(summaries) == 0 {
		return nil
	}
	return []string{v.label(&note) + ": note: effect: " + result.EffectText(summaries, congestion)}
}

// effectNote is the place of the finding that result.EffectNote made; -1 for
// none.
func effectNote(r *campaign.Run) int {
	i := slices.IndexFunc(r.Verdict.Findings, func(f result.Finding) bool { return f.Subject == result.Effect })
	if i >= 0 && r.Verdict.Findings[i].Status != result.Pass {
		return -1
	}
	return i
}

// contrasts say what differs most between the variants, and why.
func contrasts(vs []variant) []string {
	var list []compare.Variant
	for i := range vs {
		list = append(list, Compared(vs[i].name, vs[i].runs))
	}
	return append(compare.Sentences(list), compare.Causes(list)...)
}

// Compared are runs, one for each seed, to be held against others.
func Compared(name string, runs []campaign.Run) compare.Variant {
	return compare.Variant{
		Name:  name,
		Sound: Sound(runs),
		Values: func(metric string) (values []float64) {
			m, known := result.MetricOf(metric)
			for _, run := range runs {
				if known {
					values = append(values, m.Of(run.Summary))
				}
			}
			return values
		},
		Slowest: func() (flows []*result.SlowestFlow) {
			for _, run := range runs {
				flows = append(flows, run.SlowestFlow)
			}
			return flows
		},
	}
}

// slowestFlows say of each variant which flow was the slowest of all seeds, and why; a variant
// without a slow flow has no line.
func slowestFlows(vs []variant) (lines []string) {
	for i := range vs {
		var slowest *campaign.Run
		for j := range vs[i].runs {
			run := &vs[i].runs[j]
			if run.Slowest != nil && (slowest == nil || run.Slowest.SlowerThan(slowest.Slowest)) {
				slowest = run
			}
		}
		if slowest == nil {
			continue
		}
		name := vs[i].name
		if len(vs[i].runs) > 1 {
			name += fmt.Sprintf(", seed %d", slowest.Summary.Seed)
		}
		lines = append(lines, terminal.Line(name+": slowest flow: "+slowest.Slowest.String()))
	}
	return lines
}
