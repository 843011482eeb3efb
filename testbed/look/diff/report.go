package diff

import (
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
)

// Report is what differs between two sides.
type Report struct {
	A, B *Side
	// Variants are the pairs of runs, by variant.
	Variants []Variant
	// Alone are the runs that have no partner.
	Alone []string
}

// Variant is what differs between the runs of one variant of a side and those of one of the other.
type Variant struct {
	Pairs  []PairReport
	Inputs *Inputs
	// Figures are the metrics that differ, of All that both know.
	Figures []Figure
	All     int
}

// PairReport is what differs between two runs.
type PairReport struct {
	Pair
	// Same says that they have one trace.
	Same bool
	// Parting is where the hashes part, nil of runs that have one trace and where Unknown says why it is not known.
	Parting *Parting
	Unknown string
	// Search is what came of looking for the first frame, nil where nobody looked.
	Search *Outcome
	// Files are those that differ though the trace is one.
	Files []string
	// Rows are the flows' rows that differ though the trace is one, nil for none: a run has the flows of its trace.
	Rows *Rows
}

// Outcome is what came of a search.
type Outcome struct {
	// First is the first frame that differs, nil where Reason says why there is none.
	First  *First
	Reason string
	// Unlike are the sides that cannot be made again as they were.
	Unlike []Unlike
}

// Unlike is a run that cannot be made again as it was recorded.
type Unlike struct {
	Side *Side
	Run  result.RunID
	// Text says from when on it is another run, and by what.
	Text string
	// Captured is the first frame in its capture that is not the one of the run that was made again, which is A; nil
	// where there is none, and Hint says why.
	Captured *First
	Hint     string
}

// Compare compares two sides, by what is in their folders.
func Compare(a, b *Side) (*Report, error) {
	r := &Report{A: a, B: b}
	var pairs []Pair
	pairs, r.Alone = Match(a, b)
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
func compareVariant(a, b *Side, pairs []Pair) (v *Variant, err error) {
	v = &Variant{}
	if v.Inputs, err = InputsOf(a, b, pairs); err != nil {
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
	was, err := InstantsOf(a, pair.A)
	if err != nil {
		p.Unknown = err.Error()
		return p, nil
	}
	is, err := InstantsOf(b, pair.B)
	if err != nil {
		p.Unknown = err.Error()
		return p, nil
	}
	p.Parting = Part(was, is)
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
	return !slices.ContainsFunc(r.Variants, func(v Variant) bool {
		return len(v.Figures) > 0 || slices.ContainsFunc(v.Pairs, func(p PairReport) bool { return !p.Same || p.Rows != nil })
	})
}
