package link

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// notices are the spans during which an end considers its link down, if it does not know all at once. The zero value is
// an end that knows all at once.
type notices struct {
	late  bool
	down  bool
	spans Outages
}

func newNotices(known *fabric.Knowledge) notices {
	if known == nil {
		return notices{}
	}
	return notices{late: true, spans: NewOutages(known.Down)}
}

// IsLate reports whether the end learns of outages later than they begin: then NextNotice and Notice say what it knows.
func (f *Faults) IsLate() bool { return f.notices.late }

// NextNotice returns when an end that is late takes its link for down or up next, unit.Never if it does not.
func (f *Faults) NextNotice() unit.Time {
	switch next, ok := f.notices.spans.Next(); {
	case !ok:
		return unit.Never
	case f.notices.down:
		return next.To
	default:
		return next.From
	}
}

// Notice makes a late end learn that its link is down, or up again, and reports whether it is down.
func (f *Faults) Notice() (down bool) {
	if f.notices.down {
		f.notices.spans.RemoveFirst()
	}
	f.notices.down = !f.notices.down
	return f.notices.down
}
