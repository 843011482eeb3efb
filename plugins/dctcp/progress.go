package dctcp

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// progress is where a flow stands, in bytes of payload: una is acknowledged,
// nxt the next to be sent (SND.UNA and SND.NXT of RFC 9293). Going back takes
// nxt back too.
type progress struct{ una, nxt unit.Bytes }

func (p *progress) take(e *cc.Event) {
	p.una += e.Acked
	p.nxt = p.una + e.Inflight
}

// reduction keeps a sender from being cut twice for one window of data: after a
// cut it is in state CWR until all that was sent before is acknowledged (RFC
// 3168, section 6.1.2).
type reduction struct {
	cwr  bool
	high unit.Bytes // what was sent at the cut
}

func (r *reduction) leave(p *progress) {
	if r.cwr && p.una > r.high {
		r.cwr = false
	}
}

func (r *reduction) enter(p *progress) { r.cwr, r.high = true, p.nxt }
