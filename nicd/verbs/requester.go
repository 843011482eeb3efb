package verbs

import (
	"bytes"
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
	// sequence numbers the messages that take a receive at the peer; limit is the number of them that its credits
	// allow.
	sequence, limit uint32
	// deadline is that of the timeout, wait the end of an RNR, at when pump has something to do by itself: at the end of
	// an RNR, or at the start of the next work.
	deadline, wait, at unit.Time
	retries            int
	// asked is the response for which a READ was last sent again, -1 for none.
	asked int64

	status       Status
	completed    uint64
	wrong        uint64 // READs that brought other bytes than the shadow has
	shadow       []byte
	sentMessages chain
}

// message is one message of our host.
type message struct {
	request
	from, to int64 // packets
	got      int64 // responses to a READ
	number   uint32
	wrong    bool
}

func (m *message) takesReceive() bool {
	return m.verb == peer.Send || m.verb == peer.SendImm || m.verb == peer.WriteImm
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

// packet is that of a PSN which the peer names, the one nearest to una.
func (r *requester) packet(psn uint32) int64 { return r.una + int64(wire.DiffPSN(psn, r.psn(r.una))) }

func (r *requester) done() bool {
	return r.status != Unfinished || len(r.pending) == 0 && len(r.source.work) == 0
}

// due returns the time of the next work of pump or expire.
func (r *requester) due() unit.Time {
	if r.status != Unfinished {
		return unit.Never
	}
	return min(r.deadline, r.at)
}

// pump sends what may leave.
func (r *requester) pump(now unit.Time) {
	if r.at = unit.Never; r.status != Unfinished {
		return
	}
	if now < r.wait {
		r.at = r.wait
		return
	}
	for r.next-r.una < r.config.Window {
		if r.next == r.end && !r.begin(now) {
			return
		}
		m := r.holding(r.next)
		if !r.allowed(m) {
			return
		}
		r.send(now, m)
	}
}

// begin takes the next message of the host.
func (r *requester) begin(now unit.Time) bool {
	q, at, ok := r.source.next(now)
	if !ok {
		r.at = at
		return false
	}
	m := message{request: q, from: r.end, to: r.end + packetsOf(q.length, r.config.MTU)}
	if q.verb == peer.FetchAdd {
		m.to = m.from + 1
	}
	if m.takesReceive() {
		r.sequence++
		m.number = r.sequence
	}
	r.end = m.to
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

// send sends the next packet.
func (r *requester) send(now unit.Time, m *message) {
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
	r.qp.emit(f)
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

// acknowledged takes an ACK or a NAK (IBA volume 1, 9.7.5.2 and 9.7.6).
func (r *requester) acknowledged(now unit.Time, f *wire.Frame) Fate {
	packet := r.packet(f.PSN)
	if r.status != Unfinished || packet >= r.high || packet < r.una-1 {
		return Duplicate // of packets that were never sent, or acknowledged long ago
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

// receivesTaken returns the number of our complete messages that take a receive.
func (r *requester) receivesTaken() uint32 {
	for i := range r.pending {
		if m := &r.pending[i]; m.takesReceive() {
			return m.number - 1
		}
	}
	return r.sequence
}

// advance takes all packets before to for acknowledged. A READ is complete only by its responses: an ACK behind it
// means that they are lost.
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
	packet := r.packet(f.PSN)
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

// RNRTime is the time that a timer code of an RNR NAK stands for (IBA volume 1, table 45).
func RNRTime(code uint8) unit.Duration {
	return unit.Duration(rnrHundredths[code&wire.RNRTimerMask]) * 10 * unit.Microsecond
}

var rnrHundredths = [32]int{65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536,
	2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152}
