package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Grid determines the division of model time into bins. The zero Grid records nothing.
type Grid struct {
	// Width is the width of a bin at the start of the run.
	Width unit.Duration
	// Most is the largest number of bins: beyond it pairs merge and the width doubles. 0 for any number, of the one
	// width.
	Most int
}

// On reports whether anything is recorded.
func (g Grid) On() bool { return g.Width > 0 }

// WidthAt returns the width of the bins of a run that ends at an instant, the same for all series: the smallest that
// needs at most Most bins.
func (g Grid) WidthAt(end unit.Time) unit.Duration {
	width := g.Width
	for g.Most > 0 && int64(end)/int64(width) >= int64(g.Most) {
		width *= 2
	}
	return width
}

// Timeline is the progress of a few series that are written together. The counts of the open bin are its owner's:
// nothing is written until that bin is over, which costs one comparison with End for each event.
type Timeline struct {
	// End is the end of the open bin: a caller that counts something at or after End turns to the bin of that instant
	// first. unit.Never if nothing is recorded.
	End unit.Time
	// Open is the number of the open bin.
	Open  int
	width unit.Duration
	most  int
	// series are the series that follow it.
	series []*Series
}

// newTimeline returns a timeline at the start of a run.
func newTimeline(grid Grid, series ...*Series) Timeline {
	if !grid.On() {
		return Timeline{End: unit.Never}
	}
	t := Timeline{End: unit.Time(grid.Width), width: grid.Width, most: grid.Most}
	for _, s := range series {
		t.Follow(s)
	}
	return t
}

// Follow adds a series, which has what its owner puts there from the open bin on.
func (t *Timeline) Follow(series *Series) {
	series.room = t.most
	t.series = append(t.series, series)
}

// grid returns the grid of the present bins. A run that ends later has bins of this width, or wider ones.
func (t *Timeline) grid() Grid { return Grid{Width: t.width, Most: t.most} }

// Width returns the present width of the bins.
func (t *Timeline) Width() unit.Duration { return t.width }

// startOf is the start of a bin.
func startOf(bin int, width unit.Duration) unit.Time { return unit.Time(bin) * unit.Time(width) }

// Turn makes the bin of now the open one, which was put into all series. now must not be before it.
// It returns the number that the bin has now that was open; it may be the open one again.
func (t *Timeline) Turn(now unit.Time) (was int) {
	if now < t.End {
		return t.Open
	}
	was = t.Open
	t.Open++
	if t.End += unit.Time(t.width); now >= t.End {
		t.Open = int(now / unit.Time(t.width))
	}
	for t.most > 0 && t.Open >= t.most {
		t.widen()
		was /= 2
	}
	t.End = unit.Time(t.Open+1) * unit.Time(t.width)
	return was
}

func (t *Timeline) widen() {
	for _, s := range t.series {
		s.merge()
	}
	t.width *= 2
	t.Open /= 2
}

// Widen gives all series the bins of a wider width, a power of two times theirs.
func (t *Timeline) Widen(width unit.Duration) {
	for t.width > 0 && t.width < width {
		t.widen()
		t.End = unit.Time(t.Open+1) * unit.Time(t.width)
	}
}
