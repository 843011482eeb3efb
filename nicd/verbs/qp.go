package verbs

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Config is what an end is made from.
type Config struct {
	// MTU is the payload of a full packet in bytes: 256, 512, 1024, 2048 or 4096, the smaller of both ends'.
	MTU int
	// PeerQP is the peer's QP number, of which the pattern of our payload depends.
	PeerQP uint32
	// FirstPSN is that of our first request, PeerPSN that of the peer's: 24 bits.
	FirstPSN, PeerPSN uint32
	// Memory is our region, Peer is the peer's.
	Memory, Peer Region
	// Receives is how many receives the host has posted, each of ReceiveSize bytes; 0 means that SENDs and
	// immediates are answered with RNR forever. One that was taken is posted again Repost later. Credits
	// has ACKs carry how many there are, in place of 31 for no limit. A ReceiveSize above the region's length
	// is a malformed receive: the SEND that meets it is answered with NAK 0x63.
	Receives    int
	ReceiveSize uint64
	Repost      unit.Duration
	Credits     bool
	// RNRTimer is the timer code of our RNR NAKs: 0 to 31 (IBA volume 1, table 45).
	RNRTimer uint8
	// Window is how many packets may be unacknowledged, at least 1; Reads how many READs may be.
	Window int64
	Reads  int
	// Timeout is the retransmission timeout; Retries how many in a row end the connection, 0 for no limit.
	Timeout unit.Duration
	Retries int
	// Work is what our host asks for, Seed that of its random part.
	Work []Work
	Seed uint64
}

// Check joins what is wrong with the config.
func (c *Config) Check() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if PathMTU(c.MTU) != c.MTU {
		refuse("MTU is %d B, allowed is 256, 512, 1024, 2048 and 4096", c.MTU)
	}
	if c.FirstPSN > wire.PSNMask || c.PeerPSN > wire.PSNMask {
		refuse("PSNs are %#x and %#x, allowed is 0 to %#x", c.FirstPSN, c.PeerPSN, wire.PSNMask)
	}
	for _, r := range []Region{c.Memory, c.Peer} {
		if r.Length > MaxLength || r.VA+r.Length < r.VA {
			refuse("region is %d B at %#x, allowed is up to %d B that end by the last address", r.Length, r.VA, MaxLength)
		}
	}
	if c.RNRTimer > wire.RNRTimerMask {
		refuse("RNR timer is %d, allowed is 0 to %d", c.RNRTimer, wire.RNRTimerMask)
	}
	if c.Window < 1 || c.Reads < 1 || c.Timeout <= 0 {
		refuse("window is %d packets, READs are %d and the timeout is %v, allowed is above 0", c.Window, c.Reads, c.Timeout)
	}
	if c.Receives < 0 || c.Repost < 0 || c.Retries < 0 {
		refuse("receives are %d, reposted after %v, and retries are %d, allowed is 0 and more", c.Receives, c.Repost, c.Retries)
	}
	return errors.Join(errs...)
}

// PathMTU returns the largest MTU of InfiniBand that is not above n bytes, 0 if none is (IBA volume 1, 9.5).
func PathMTU(n int) int {
	for mtu := 4096; mtu >= 256; mtu /= 2 {
		if mtu <= n {
			return mtu
		}
	}
	return 0
}

// QP is one end of the connection. Make one with New.
type QP struct {
	config    Config
	responder responder
	requester requester
	counters  Counters
	out       []wire.Frame
	scratch   []byte
}

// Fate is what became of a frame that was taken.
type Fate uint8

// The fates.
const (
	Taken     Fate = iota
	Duplicate      // taken before, and answered again
	Ahead          // a request beyond the next, dropped
	Refused        // answered by a NAK, or nothing for this end
)

// New returns an end in the state ready to send and to receive (RTS).
func New(config Config) (*QP, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	q := &QP{config: config}
	q.responder = newResponder(&q.config, q)
	q.requester = newRequester(&q.config, q)
	return q, nil
}

// Take takes a frame from the peer.
func (q *QP) Take(now unit.Time, f *wire.Frame) (fate Fate) {
	q.counters.Received++
	switch op := f.Opcode; {
	case partOf(op).operation != none:
		fate = q.responder.take(now, f)
	case op == wire.Acknowledge:
		fate = q.requester.acknowledged(now, f)
	case op >= wire.ReadFirst && op <= wire.ReadOnly:
		fate = q.requester.response(now, f)
	case op == wire.CNP:
		q.counters.CNPs++
	default:
		fate = Refused
	}
	q.requester.pump(now)
	return fate
}

// Advance does what is due by now.
func (q *QP) Advance(now unit.Time) {
	q.requester.expire(now)
	q.requester.pump(now)
}

// Next returns when Advance has something to do, unit.Never if a frame of the peer must come first.
func (q *QP) Next() unit.Time { return q.requester.due() }

// Out hands over the frames that are to leave, in their order; the slice is valid until the next call of the QP. They
// have everything behind BTH's destination QP; addresses and the QP itself are the owner's, and so is the
// payload where Rare has none: the pattern of that QP.
func (q *QP) Out() []wire.Frame {
	out := q.out
	q.out = q.out[:0]
	return out
}

func (q *QP) emit(f wire.Frame) {
	q.counters.Sent++
	q.out = append(q.out, f)
}

// Done reports whether all work is complete, or the connection ended with an error.
func (q *QP) Done() bool { return q.requester.done() }

// Record returns what the QP did so far.
func (q *QP) Record() Record {
	a, b := &q.responder, &q.requester
	r := Record{
		Counters:    q.counters,
		Status:      b.status,
		Completed:   b.completed,
		ReadErrors:  b.wrong,
		Received:    a.received.messages,
		ReceivedSum: a.received.String(),
		MemorySum:   fmt.Sprintf("%x", sha256.Sum256(a.memory)),
		ShadowSum:   fmt.Sprintf("%x", sha256.Sum256(b.shadow)),
		SentSum:     b.sentMessages.String(),
	}
	if b.status == Unfinished && b.done() {
		r.Status = Success
	}
	if a.error {
		r.Refused = a.syndrome
	}
	return r
}
