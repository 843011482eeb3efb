package nicd

import "github.com/rocelab/rocelab/plugins/cc/unit"

// notifier is the notification point of DCQCN for one flow (Zhu et al.,
// SIGCOMM 2015, section 3.1): the first packet that arrives marked CE is
// answered with a CNP at once, and while marked packets keep arriving there is
// at most one CNP per interval. Nothing runs between packets: a CNP is always
// the answer to the marked packet that arrives when one may be sent.
type notifier struct {
	interval unit.Duration
	next     unit.Time // when the next CNP may leave
}

// allow reports whether the marked packet that arrives now gets a CNP.
func (p *notifier) allow(now unit.Time) bool {
	if now < p.next {
		return false
	}
	p.next = now.Add(p.interval)
	return true
}
