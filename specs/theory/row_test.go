package theory

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// row is a closed form that a run is held to.
type row struct {
	// name is the row's sentence, unique; of is the quantity with its unit.
	name, of string
	// source is paper and equation, or clause of the standard.
	source string
	// predicted is the closed form, worked out without a run; measured makes the runs.
	predicted, measured func() float64
	// tolerance bounds |measured / predicted - 1|. It was frozen before the first run.
	tolerance float64
	// least marks a closed form that is a lower bound: measured may lie above it by the tolerance, not below.
	least bool
	// slow rows run in the slow tier.
	slow bool
	// why is the source of the error of a row that fits, misses that of a row that does not.
	why string
}

// outcome is a row with its figures.
type outcome struct {
	*row
	want, got float64
}

// error is measured / predicted - 1.
func (o *outcome) error() float64 { return o.got/o.want - 1 }

// fits reports whether the row is within its tolerance.
func (o *outcome) fits() bool {
	const rounding = 1e-9
	if o.least {
		return o.error() >= -rounding && o.error() <= o.tolerance
	}
	return math.Abs(o.error()) <= o.tolerance
}

// outcomes are those of the rows that ran, by name.
var outcomes = map[string]*outcome{}

// hold runs a row.
func hold(r *row) {
	if r.slow {
		lab.SkipUnlessSlow()
	}
	o := &outcome{row: r, want: r.predicted(), got: r.measured()}
	outcomes[r.name] = o
	text := fmt.Sprintf("%s: predicted %.4g, measured %.4g, error %+.2f %%, tolerance %.2f %%",
		r.of, o.want, o.got, 100*o.error(), 100*r.tolerance)
	AddReportEntry(r.name, text, ReportEntryVisibilityFailureOrVerbose)
	if *rewrite {
		return
	}
	Expect(o.fits()).To(Equal(misses[r.name] == ""), text)
}

// entries are the rows as entries of a table.
func entries(rows []*row) (list []TableEntry) {
	for _, r := range rows {
		var labels Labels
		if r.slow {
			labels = append(labels, lab.Slow)
		}
		list = append(list, Entry(r.name, labels, r))
	}
	return list
}
