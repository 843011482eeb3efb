package verbs

import (
	"sort"

	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// requester sends the work of our host. Packets are numbered from 0, without wrapping; a READ has as many as it has
// responses (IBA volume 1, 9.7.2).
type requester struct {
	qp     *QP
	config *peer.Config
	source source
	// pending are the messages that are not complete, in order. They have packets una to end; next goes next, and
	// high is the first that was never sent.
	pending              []message
	una, next, high, end int64
	// sequence numbers the messages that take a receive at the peer; limit is the last that its credits allow.
	sequence, limit uint32
	// deadline is that of the timeout, wait the end of an RNR, at when pump has something to do by itself: at the end of
	// an RNR, or at the start of the next work.
	deadline, wait, at unit.Time
	retries            int
	// asked is the missing response that a READ was last sent again for, -1 for none.
	asked int64
	// driven is set if the owner pulls packets, held if the last call of ready found one that waits for an ACK; payload is
	// that of all WRITEs and SENDs begun.
	driven, held bool
	payload      uint64

	status       Status
	completed    uint64
	wrong        uint64 // READs that brought other bytes than the shadow has
	shadow       []byte
	sentMessages chain
}

// message is one message of our host; before is the payload of WRITEs and SENDs before it.
type message struct {
	request
	from, to int64 // packets
	got      int64 // responses to a READ
	before   uint64
	number   uint32
	wrong    bool
}

func (m *message) takesReceive() bool {
	return m.verb == peer.Send || m.verb == peer.SendImm || m.verb == peer.WriteImm
}

// payload returns the payload of the requests of the message.
func (m *message) payload() uint64 {
	if m.verb == peer.Read || m.verb == peer.FetchAdd {
		return 0
	}
	return m.length
}

func newRequester(config *peer.Config, qp *QP) requester {
	return requester{
		qp:     qp,
		config: config,
		source: source{
			work: config.Work,
			room: config.Peer.Length,
			rng:  chance.New(config.Seed, "verbs"),
		},
		deadline:     unit.Never,
		at:           0,
		asked:        -1,
		limit:        1<<32 - 1,
		shadow:       make([]byte, config.Peer.Length),
		sentMessages: newChain(),
	}
}

func (r *requester) psn(packet int64) uint32 {
	return wire.AddPSN(r.config.FirstPSN, int(packet&int64(wire.PSNMask)))
}

// packetOf is that of a PSN which the peer names, the one nearest to una.
func (r *requester) packetOf(psn uint32) int64 { return r.una + int64(wire.DiffPSN(psn, r.psn(r.una))) }

func (r *requester) done() bool {
	return r.status != Unfinished || len(r.pending) == 0 && len(r.source.work) == 0
}

// due returns the time of the next call of pump or expire that has something to do.
func (r *requester) due() unit.Time {
	if r.status != Unfinished {
		return unit.Never
	}
	return min(r.deadline, r.at)
}

// pump sends what may leave.
func (r *requester) pump(now unit.Time) {
	r.at = unit.Never
	for m := r.ready(now); m != nil && !r.driven; m = r.ready(now) {
		r.qp.emit(r.packet(now, m))
	}
}

// ready returns the message of the next packet if that may leave now, else nil, with the time of the next try in at
// unless a frame of the peer must come first.
func (r *requester) ready(now unit.Time) *message {
	r.held = false
	switch {
	case r.status != Unfinished:
		return nil
	case now < r.wait:
		r.at = r.wait
		return nil
	case r.next-r.una >= r.config.Window:
		r.held = r.next < r.end || r.source.due(now)
		return nil
	}
	if r.next == r.end {
		if begun := r.begin(now); !begun {
			return nil
		}
	}
	if m := r.holding(r.next); r.allowed(m) {
		return m
	}
	r.held = true
	return nil
}

// begin takes the next message of the host.
func (r *requester) begin(now unit.Time) bool {
	q, at, ok := r.source.next(now)
	if !ok {
		r.at = at
		return false
	}
	m := message{request: q, before: r.payload, from: r.end}
	m.to = m.from + packetsOf(q.length, r.config.MTU)
	if q.verb == peer.FetchAdd {
		m.to = m.from + 1
	}
	if m.takesReceive() {
		r.sequence++
		m.number = r.sequence
	}
	r.end = m.to
	r.payload += m.payload()
	r.pending = append(r.pending, m)
	return true
}

// holding returns the message of a packet.
func (r *requester) holding(packet int64) *message {
	i := sort.Search(len(r.pending), func(i int) bool { return r.pending[i].to > packet })
	return &r.pending[i]
}

// allowed reports whether a message may go on: READs are bounded in number, and one that takes a receive beyond the
// peer's credits goes when nothing else is out (IBA volume 1, 9.7.7.2).
func (r *requester) allowed(m *message) bool {
	if m.verb == peer.Read && r.next == m.from {
		out := 0
		for i := range r.pending {
			if other := &r.pending[i]; other.verb == peer.Read && other.from < r.next {
				out++
			}
		}
		return out < r.config.Reads
	}
	return r.credited(m) || r.next == r.una
}

// credited reports whether the rest of a message has a receive at the peer: by its credits, or, of a SEND, since its
// first packet was taken.
func (r *requester) credited(m *message) bool {
	return !m.takesReceive() || m.number <= r.limit || m.verb != peer.WriteImm && r.una > m.from
}

// packet makes the next packet, which leaves now.
func (r *requester) packet(now unit.Time, m *message) wire.Frame {
	f := wire.Frame{PSN: r.psn(r.next)}
	resent := r.next < r.high
	switch {
	case m.verb == peer.Read:
		at := uint64(r.next-m.from) * uint64(r.config.MTU)
		f.Opcode = wire.ReadRequest
		r.address(&f, m, at)
		f.DMALen = uint32(m.length - at)
		f.AckExt = wire.AckReq
		r.next = m.to
	case m.verb == peer.FetchAdd:
		f.Opcode = wire.FetchAdd
		r.address(&f, m, 0)
		f.Rare = &wire.Rare{SwapAdd: 1}
		f.AckExt = wire.AckReq
		r.next = m.to
	default:
		r.part(&f, m)
	}
	if r.high = max(r.high, r.next); resent {
		r.qp.counters.Resent++
	}
	if r.deadline == unit.Never {
		r.deadline = now.Add(r.config.Timeout)
	}
	return f
}

// part makes f the next packet of a SEND or a WRITE.
func (r *requester) part(f *wire.Frame, m *message) {
	mtu := uint64(r.config.MTU)
	at := uint64(r.next-m.from) * mtu
	p := part{operation: write, begins: r.next == m.from, ends: r.next == m.to-1}
	p.immediate = m.verb == peer.WriteImm || m.verb == peer.SendImm
	if m.verb == peer.Send || m.verb == peer.SendImm {
		p.operation = send
	}
	f.Opcode = opcodeOf(p)
	f.SetPayload(int(min(mtu, m.length-at)))
	if p.operation == write && p.begins {
		r.address(f, m, 0)
		f.DMALen = uint32(m.length)
	}
	if p.ends && p.immediate {
		f.Rare = &wire.Rare{Immediate: m.immediate}
	}
	r.next++
	// A window that is full waits for an ACK, and so does a quarter of one, so that it does not run dry.
	quarter := max(1, r.config.Window/4)
	if p.ends || r.next-r.una >= r.config.Window || r.next%quarter == 0 || !r.credited(m) {
		f.AckExt = wire.AckReq
	}
}

// address writes the RETH or the AtomicETH of a message from its byte at on.
func (r *requester) address(f *wire.Frame, m *message, at uint64) {
	f.RKey = r.config.Peer.RKey
	if m.rkey != 0 {
		f.RKey = m.rkey
	}
	f.VA = r.config.Peer.VA + m.offset + m.beyond + at
}

// back has a packet and all after it sent again.
func (r *requester) back(now unit.Time, to int64) {
	if to = max(to, r.una); to < r.next {
		r.next = to
		r.deadline = now.Add(r.config.Timeout)
	}
}

// expire is the timeout.
func (r *requester) expire(now unit.Time) {
	if r.deadline > now || r.status != Unfinished {
		return
	}
	r.deadline, r.asked = unit.Never, -1
	if r.una == r.next {
		return
	}
	r.qp.counters.Retries++
	if r.retries++; r.config.Retries > 0 && r.retries > r.config.Retries {
		r.fail(RetryExceeded)
		return
	}
	r.back(now, r.una)
}

// fail ends the connection with an error.
func (r *requester) fail(status Status) {
	r.status, r.deadline, r.at = status, unit.Never, unit.Never
}
