package verbs

import (
	"bytes"

	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// acknowledged takes an ACK or a NAK (IBA volume 1, 9.7.5.2 and 9.7.6).
func (r *requester) acknowledged(now unit.Time, f *wire.Frame) Fate {
	packet := r.packetOf(f.PSN)
	if r.status != Unfinished || packet >= r.high || packet < r.una-1 {
		return Duplicate // never sent, or acknowledged long ago
	}
	switch f.Syndrome >> 5 {
	case 0: // ACK
		r.advance(now, packet+1)
		r.credit(f)
	case 1: // RNR
		r.qp.counters.ReceivedRNR++
		r.advance(now, packet)
		r.back(now, packet)
		r.wait = now.Add(RNRTime(f.Syndrome & wire.RNRTimerMask))
		r.deadline = r.wait.Add(r.config.Timeout)
	case 3: // NAK
		r.advance(now, packet)
		switch f.Syndrome {
		case wire.SyndromeNAKSequence:
			r.qp.counters.ReceivedSeqErr++
			r.back(now, packet)
		case wire.SyndromeNAKInvalid:
			r.fail(RemoteInvalidRequest)
		case wire.SyndromeNAKAccess:
			r.fail(RemoteAccess)
		default:
			r.fail(RemoteOperational)
		}
	default:
		return Refused
	}
	return Taken
}

// credit takes the credits of an ACK: how many messages beyond its MSN find a receive.
func (r *requester) credit(f *wire.Frame) {
	if code := f.Syndrome & wire.SyndromeACK; code == wire.SyndromeACK {
		r.limit = 1<<32 - 1
	} else {
		r.limit = r.receivesTaken() + uint32(credits(code))
	}
}

// receivesTaken returns the number of our messages that took a receive and are complete.
func (r *requester) receivesTaken() uint32 {
	for i := range r.pending {
		if m := &r.pending[i]; m.takesReceive() {
			return m.number - 1
		}
	}
	return r.sequence
}

// advance takes all packets before to for acknowledged. Only its responses complete a READ: an ACK behind
// it means that they are lost.
func (r *requester) advance(now unit.Time, to int64) {
	if to <= r.una {
		return
	}
	for len(r.pending) > 0 && r.una < to {
		m := &r.pending[0]
		if m.verb == peer.Read {
			r.askAgain(now, m)
			return
		}
		r.progress(now, min(to, m.to))
		if r.una == m.to {
			r.complete()
		}
	}
}

// progress moves una.
func (r *requester) progress(now unit.Time, to int64) {
	r.una, r.retries, r.deadline = to, 0, unit.Never
	r.next = max(r.next, to)
	if r.una < r.next {
		r.deadline = now.Add(r.config.Timeout)
	}
}

// complete ends the oldest message.
func (r *requester) complete() {
	m := &r.pending[0]
	r.completed++
	switch m.verb {
	case peer.Write, peer.WriteImm:
		if m.rkey == 0 && m.beyond == 0 {
			r.pattern(m, r.shadow[m.offset:m.offset+m.length])
		}
	case peer.Read:
		if m.wrong {
			r.wrong++
		}
	}
	switch m.verb {
	case peer.Send, peer.SendImm:
		content := make([]byte, m.length)
		r.pattern(m, content)
		r.sentMessages.add(m.immediate, content)
	case peer.WriteImm:
		r.sentMessages.add(m.immediate, nil)
	}
	r.pending = r.pending[1:]
}

// pattern fills b with what a message carried.
func (r *requester) pattern(m *message, b []byte) {
	for packet := m.from; len(b) > 0; packet++ {
		n := min(len(b), r.config.MTU)
		wire.Pattern(r.config.PeerQP, r.psn(packet), b[:n])
		b = b[n:]
	}
}

// response takes a READ response.
func (r *requester) response(now unit.Time, f *wire.Frame) Fate {
	packet := r.packetOf(f.PSN)
	if r.status != Unfinished || packet < r.una || packet >= r.high {
		return Duplicate
	}
	m := r.holding(packet)
	if m.verb != peer.Read {
		return Refused
	}
	r.advance(now, m.from)
	if m = &r.pending[0]; packet != m.from+m.got || m.verb != peer.Read {
		r.askAgain(now, r.firstRead())
		return Ahead
	}
	at := uint64(m.got) * uint64(r.config.MTU)
	content := payloadOf(f, &r.qp.scratch)
	if uint64(len(content)) != min(uint64(r.config.MTU), m.length-at) {
		return Refused
	}
	m.wrong = m.wrong || m.rkey == 0 && m.beyond == 0 && !bytes.Equal(content, r.shadow[m.offset+at:][:len(content)])
	m.got++
	r.progress(now, packet+1)
	if r.una == m.to {
		r.complete()
	}
	return Taken
}

// firstRead is the oldest READ.
func (r *requester) firstRead() *message {
	for i := range r.pending {
		if r.pending[i].verb == peer.Read {
			return &r.pending[i]
		}
	}
	return nil
}

// askAgain sends a READ again from its first missing response on, and all behind it: once, until that comes or
// the timeout ends.
func (r *requester) askAgain(now unit.Time, m *message) {
	missing := m.from + m.got
	if r.asked == missing {
		return
	}
	r.asked = missing
	r.qp.counters.ReadGaps++
	r.back(now, missing)
}

// RNRTime is the time that a timer code of an RNR NAK stands for (IBA volume 1, table 45).
func RNRTime(code uint8) unit.Duration {
	return unit.Duration(rnrHundredths[code&wire.RNRTimerMask]) * 10 * unit.Microsecond
}

var rnrHundredths = [32]int{65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
	1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152}
