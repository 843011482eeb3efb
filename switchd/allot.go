package switchd

import (
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// allot answers a point's congestion by a rate, with the profile's Rate: a flow that sends more, or less, than it may
// there gets one CNP that carries the rate, in place of as many as would bring it there. A point's message is valid for
// two intervals, within which it would be repeated.
func (x *proximity) allot(entry *proximal.Entry, s *said, loop unit.Duration) {
	allotted := s.reading.Allotment()
	if allotted.Least == 0 {
		return
	}
	rate := entry.Allot(s.at, allotted, x.sw.now.Add(loop+2*x.profile.Interval), x.sw.now)
	if rate == 0 {
		return
	}
	entry.Ignore(s.at, x.sw.now.Add(loop))
	entry.Told(rate, x.sw.now.Add(x.Access[entry.SrcIP-x.firstIP]))
	x.noteReaction(entry, s.Message, 1, rate)
	x.rec.CNPs++
	x.rec.Rated++
	// It leaves alpha as it is, and need not keep a distance from the one before. A NIC that knows nothing of
	// rates takes it as any CNP.
	x.sw.originate(x.newCNP(entry, rate))
}
