package reproduce

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Changes are the changes of criteria that a changelog lists, by the old hash and the new one.
type Changes map[[2]string]string

// gone stands in place of a new hash if an entry was removed.
const gone = "gone"

// changeLine is a line of the section: - ENTRY: `OLD` -> `NEW`: REASON.
var changeLine = regexp.MustCompile("^- .+: `([0-9a-f]{12})` -> `([0-9a-f]{12}|gone)`: (\\S.*)$")

// ReadChanges reads the section "Criteria changed" of a changelog: of each change the hash of the entry before and
// after, and the reason.
func ReadChanges(changelog []byte) Changes {
	changes, within := Changes{}, false
	for line := range strings.Lines(string(changelog)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#") {
			within = strings.EqualFold(strings.TrimSpace(strings.TrimLeft(line, "#")), "criteria changed")
		}
		if parts := changeLine.FindStringSubmatch(line); within && parts != nil {
			changes[[2]string{parts[1], parts[2]}] = parts[3]
		}
	}
	return changes
}

// Freeze records the criteria under which the figures of a form were judged: all entries of its row that have no hash
// there yet, and among entries with another hash the ones whose change is listed.
func (f *RecordedForm) Freeze(row string, registry *Registry, changes Changes) {
	now := registry.hashes(row)
	if f.Judged == nil {
		f.Judged = map[string]string{}
	}
	for id, was := range f.Judged {
		if _, is := now[id]; !is && changes[[2]string{was, gone}] != "" {
			delete(f.Judged, id)
		}
	}
	for id, hash := range now {
		if was := f.Judged[id]; was == "" || changes[[2]string{was, hash}] != "" {
			f.Judged[id] = hash
		}
	}
}

// hashes returns the hashes of a row's entries by their IDs.
func (r *Registry) hashes(row string) map[string]string {
	now := map[string]string{}
	for _, entry := range r.entries() {
		if entry.Row == row {
			now[entry.ID] = entry.Hash()
		}
	}
	return now
}

// FreezeAll is Freeze of all that is recorded.
func (r *Recorded) FreezeAll(registry *Registry, changes Changes) {
	for id := range r.Rows {
		for _, full := range []bool{false, true} {
			if form := r.Of(id, full); form != nil {
				form.Freeze(id, registry, changes)
			}
		}
	}
}

// Check returns a line for each disagreement between a registry and the record: criteria other than those of the
// judgement, without a listed change; a claim that is missed without a reason, or that is met although a miss is
// documented; a criterion that names a figure that its row does not have.
func (r *Registry) Check(rows []*Row, recorded *Recorded, changes Changes) (lines []string) {
	told := func(was, is string) bool { return was == is || changes[[2]string{was, is}] != "" }
	for _, id := range slices.Sorted(maps.Keys(recorded.Rows)) {
		now := r.hashes(id)
		for _, full := range []bool{false, true} {
			form := recorded.Of(id, full)
			if form == nil {
				continue
			}
			for _, entry := range slices.Sorted(maps.Keys(form.Judged)) {
				was, is := form.Judged[entry], now[entry]
				if is == "" {
					is = gone
				}
				if !told(was, is) {
					lines = append(lines, fmt.Sprintf("%q was judged as `%s` in the %s form of %s and is `%s`: CHANGELOG.md, section "+
						"\"Criteria changed\", has no line with both and a reason", entry, was, formName(full), id, is))
				}
			}
			for _, entry := range slices.Sorted(maps.Keys(now)) {
				if form.Judged[entry] == "" {
					lines = append(lines, fmt.Sprintf("%q is not frozen in the %s form of %s: rocelab reproduce --record "+
						"experiments/recorded does so", entry, formName(full), id))
				}
			}
		}
	}
	standings := r.Standings(rows, recorded)
	for i := range standings {
		lines = append(lines, standings[i].wrong()...)
	}
	for _, row := range rows {
		for _, full := range []bool{false, true} {
			if form := recorded.Of(row.ID, full); form != nil {
				if err := newJudged(row, full, form.Figures).Err; err != nil {
					lines = append(lines, fmt.Sprintf("row %s, %s form: %v", row.ID, formName(full), err))
				}
			}
		}
	}
	return lines
}

// wrong describes the faults of an entry's verdicts.
func (s *Standing) wrong() (lines []string) {
	for _, verdict := range s.Verdicts {
		switch verdict.Outcome {
		case Missed:
			lines = append(lines, fmt.Sprintf("%q, %s: MISSED without a reason: %s", s.Entry.ID, verdict.Criterion.Name,
				verdict.Measured))
		case Mended:
			lines = append(lines, fmt.Sprintf("%q, %s: a miss is documented that is none", s.Entry.ID, verdict.Criterion.Name))
		}
	}
	return lines
}
