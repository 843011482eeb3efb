package dctcp

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// progress is the position of a flow, in bytes of payload: una is acknowledged, nxt the next to be sent (SND.UNA and
// SND.NXT of RFC 9293). Going back takes nxt back too.
type progress struct{ una, nxt unit.Bytes }

func (p *progress) take(event *cc.Event) {
	p.una += event.Acked
	p.nxt = p.una + event.Inflight
}

// reduction keeps a sender from being cut twice for one window of data: after a
// cut it is in state CWR until all that was sent before is acknowledged (RFC
// 3168, section 6.1.2).
type reduction struct {
	cwr  bool
	high unit.Bytes // what was sent at the cut
}

func (r *reduction) leave(progress *progress) {
	if r.cwr && progress.una > r.high {
		r.cwr = false
	}
}

func (r *reduction) enter(progress *progress) { r.cwr, r.high = true, progress.nxt }
