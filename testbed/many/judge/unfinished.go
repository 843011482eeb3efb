package judge

import (
	"maps"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/model"
)

// judgeOnce carries a check out, unless the same judgement did so before it was interrupted: of the behaviour only,
// which follows from the algorithm, its parameters and the seeds, and takes most of the time. What a plugin's fault,
// the host, its clock or an interruption decided is not kept.
func judgeOnce(t *trial, check *Check) (row Row) {
	id := idOf(t, check)
	if id != "" {
		if _, found := t.Unfinished.Find(id, &row); found {
			return row
		}
	}
	row = t.judgeCheck(check)
	if id != "" && t.err == nil && !t.over && row.Result != NotRun && row.Result != Skipped {
		t.Unfinished.Keep(id, &row, nil)
	}
	return row
}

// idOf returns the ID of a check's row among the unfinished, "" if it is not kept.
func idOf(t *trial, check *Check) campaign.ID {
	if t.Unfinished == nil || !slices.Contains(check.Labels, Behaviour) || check.clocked || t.refused != nil {
		return ""
	}
	given := maps.Clone(t.Given) // names of files do not identify their content
	if model.EmbedFiles(t.about.Name, given, t.about.Params) != nil {
		return ""
	}
	var beside []result.Algorithm
	if t.Beside != nil {
		var err error
		if beside, err = t.Beside(); err != nil {
			return ""
		}
	}
	sum := ""
	if main := t.main(); main.Path != "" {
		program, err := campaign.ProgramOf(main)
		if err != nil {
			return ""
		}
		sum = program.SHA256
	}
	id, err := campaign.IDOf("check", check.Name, sum, t.about.Name, t.about.Version, t.interpreter, given, t.Seeds,
		t.OnVeth, t.Shipped, beside, t.Options.Limits, t.StartLimit)
	if err != nil {
		return ""
	}
	return id
}
