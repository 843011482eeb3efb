package diff

import (
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
)

// Report has the differences between two sides.
type Report struct {
	A, B *Side
	// Variants are the pairs of runs, by variant.
	Variants []variant
	// Alone are the runs that have no partner.
	Alone []string
}

// variant has the differences between the runs of one variant of each side.
type variant struct {
	Pairs  []PairReport
	Inputs *inputs
	// Figures are the metrics that differ, of All that both know.
	Figures []figure
	All     int
}

// PairReport has the differences between two runs.
type PairReport struct {
	Pair
	// Same is set if they have one trace.
	Same bool
	// Parting is the place where the hashes part, nil for runs with one trace and if Unknown gives the reason why it is
	// not known.
	Parting *parting
	Unknown string
	// Search is the result of searching for the first frame, nil if there was no search.
	Search *Outcome
	// Files are the files that differ though the trace is the same.
	Files []string
	// Rows are the flows' rows that differ though the trace is one, nil for none: a run has the flows of its trace.
	Rows *rows
}

// Outcome is the result of a search.
type Outcome struct {
	// First is the first frame that differs, nil if Reason gives the reason why there is none.
	First  *First
	Reason string
	// Unlike are the sides that cannot be made again as they were.
	Unlike []Unlike
}

// Unlike is a run that cannot be made again as it was recorded.
type Unlike struct {
	Side *Side
	Run  result.RunID
	// Text describes the time from which on the runs differ, and the difference.
	Text string
	// Captured is the first frame in its capture that differs from the repeated run's, which is A; nil if there is
	// none, for the reason in Hint.
	Captured *First
	Hint     string
}

// Compare compares two sides, by the content of their folders.
func Compare(a, b *Side) (*Report, error) {
	r := &Report{A: a, B: b}
	var pairs []Pair
	pairs, r.Alone = match(a, b)
	for len(pairs) > 0 {
		var group, rest []Pair
		for _, p := range pairs {
			if p.A.Variant == pairs[0].A.Variant && p.B.Variant == pairs[0].B.Variant {
				group = append(group, p)
			} else {
				rest = append(rest, p)
			}
		}
		v, err := compareVariant(a, b, group)
		if err != nil {
			return nil, err
		}
		r.Variants = append(r.Variants, *v)
		pairs = rest
	}
	return r, nil
}

// compareVariant compares the runs of a variant.
func compareVariant(a, b *Side, pairs []Pair) (v *variant, err error) {
	v = &variant{}
	if v.Inputs, err = inputsOf(a, b, pairs); err != nil {
		return nil, err
	}
	if v.Figures, v.All, err = Figures(a, b, pairs); err != nil {
		return nil, err
	}
	for _, pair := range pairs {
		p, err := comparePair(a, b, pair)
		if err != nil {
			return nil, err
		}
		v.Pairs = append(v.Pairs, p)
	}
	return v, nil
}

// comparePair compares two runs.
func comparePair(a, b *Side, pair Pair) (p PairReport, err error) {
	p = PairReport{Pair: pair, Same: pair.A.Trace == pair.B.Trace}
	if p.Same {
		if pair.A.Variant == pair.B.Variant { // else their first column differs
			p.Files = filesThatDiffer(a, b, pair)
		}
		if slices.Contains(p.Files, flowsName) {
			p.Rows, err = rowsThatDiffer(a, b, pair)
		}
		return p, err
	}
	was, err := instantsOf(a, pair.A)
	if err != nil {
		p.Unknown = err.Error()
		return p, nil
	}
	is, err := instantsOf(b, pair.B)
	if err != nil {
		p.Unknown = err.Error()
		return p, nil
	}
	p.Parting = part(was, is)
	return p, nil
}

// filesThatDiffer are the files of two runs that do not have the same bytes.
func filesThatDiffer(a, b *Side, pair Pair) (names []string) {
	sums := func(s *Side, run result.RunID) map[string]string {
		list := map[string]string{}
		for _, file := range s.Manifest.Files {
			if name, of := strings.CutPrefix(file.Name, run.Folder+"/"); of {
				list[name] = file.SHA256
			}
		}
		return list
	}
	for _, setting := range differ(sums(a, pair.A), sums(b, pair.B)) {
		names = append(names, setting.Key)
	}
	return names
}

// Same reports whether all runs have a partner with the same trace, the same metrics and the same rows of flows.
func (r *Report) Same() bool {
	if len(r.Alone) > 0 {
		return false
	}
	return !slices.ContainsFunc(r.Variants, func(v variant) bool {
		return len(v.Figures) > 0 || slices.ContainsFunc(v.Pairs, func(p PairReport) bool { return !p.Same || p.Rows != nil })
	})
}
