package verbs

import (
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// responder serves the peer's requests.
type responder struct {
	qp       *QP
	config   *peer.Config
	memory   []byte
	expected uint32 // PSN
	msn      uint32
	// acked and ackedMSN are the PSN of the last SEND or WRITE packet that was taken, and the MSN behind it.
	acked, ackedMSN uint32
	// reported is set if the gap before expected was answered with a NAK, or its request was refused for
	// want of a receive: requests that follow are dropped in silence.
	reported bool
	error    bool
	syndrome uint8 // of the NAK that led to the error state

	under operation // of the message under way
	// of a WRITE under way: the place of its next byte, and what is left.
	place, left uint64
	// of a SEND under way: its bytes.
	message  []byte
	receives fifo.Queue[unit.Time] // when each receive is there
	received chain
	answers  fifo.Queue[answer] // to READs, oldest first
}

// answer is an answer to a READ: its PSNs from the first to before the last, and the number of frames of Out before it.
type answer struct {
	psn, end uint32
	before   uint64
}

func newResponder(config *peer.Config, qp *QP) responder {
	r := responder{
		qp:       qp,
		config:   config,
		memory:   Initial(config.Memory),
		expected: config.PeerPSN,
		acked:    wire.AddPSN(config.PeerPSN, -1),
		received: newChain(),
	}
	for range config.Receives {
		r.receives.Push(0)
	}
	return r
}

// take takes a request (IBA volume 1, 9.7.3.1 and 9.7.4).
func (r *responder) take(now unit.Time, f *wire.Frame) Fate {
	if r.error {
		return Refused
	}
	switch d := wire.DiffPSN(f.PSN, r.expected); {
	case d > 0:
		if r.qp.counters.Ahead++; !r.reported {
			r.reported = true
			r.qp.counters.OutOfSeqRequest++
			r.answer(now, r.expected, wire.SyndromeNAKSequence)
		}
		return Ahead
	case d < 0:
		r.qp.counters.DuplicateRequest++
		r.again(now, f)
		return Duplicate
	}
	r.reported = false
	p := partOf(f.Opcode)
	if p.operation == read && r.full() {
		r.qp.counters.Ahead++
		r.reported = true
		return Ahead
	}
	if syndrome := r.check(now, p, f); syndrome != 0 {
		if syndrome&^wire.RNRTimerMask == wire.SyndromeRNR {
			r.reported = true
			r.qp.counters.SentRNR++
		} else {
			r.error, r.syndrome = true, syndrome
		}
		r.answer(now, f.PSN, syndrome)
		return Refused
	}
	r.execute(now, p, f)
	return Taken
}

// check returns the syndrome of the NAK that answers a request with the expected PSN, 0 for none.
func (r *responder) check(now unit.Time, p part, f *wire.Frame) uint8 {
	if p.operation == atomic || p.begins != (r.under == none) || !p.begins && p.operation != r.under {
		return wire.SyndromeNAKInvalid
	}
	n, mtu := uint64(f.PayloadLen), uint64(r.config.MTU)
	if p.operation != read && (n > mtu || !p.ends && n != mtu || !p.begins && n == 0) {
		return wire.SyndromeNAKInvalid
	}
	if p.begins && p.operation != send && !r.config.Memory.Holds(f.RKey, f.VA, uint64(f.DMALen)) {
		return wire.SyndromeNAKAccess
	}
	if p.operation == write {
		left := r.left
		if p.begins {
			left = uint64(f.DMALen)
		}
		if n > left || p.ends != (n == left) {
			return wire.SyndromeNAKInvalid
		}
	}
	if p.operation == send && p.begins || p.operation == write && p.immediate {
		if r.receives.Empty() || *r.receives.First() > now {
			return wire.SyndromeRNR | r.config.RNRTimer
		}
	}
	if p.operation == send {
		switch size := r.config.ReceiveSize; {
		case size > r.config.Memory.Length:
			return wire.SyndromeNAKOperational
		case uint64(len(r.message))+n > size:
			return wire.SyndromeNAKInvalid
		}
	}
	return 0
}

// execute does what a request asks for and that check has let pass.
func (r *responder) execute(now unit.Time, p part, f *wire.Frame) {
	payload := payloadOf(f, &r.qp.scratch)
	switch p.operation {
	case read:
		r.msn = (r.msn + 1) & wire.PSNMask
		r.qp.counters.Reads++
		r.expected = r.serve(f)
		return
	case write:
		if p.begins {
			r.place, r.left = f.VA-r.config.Memory.VA, uint64(f.DMALen)
		}
		if len(payload) > 0 { // with zero bytes it may have any address
			copy(r.memory[r.place:], payload)
			r.place += uint64(len(payload))
			r.left -= uint64(len(payload))
		}
		if p.ends {
			r.qp.counters.Writes++
			if p.immediate {
				r.takeReceive(now)
				r.received.add(f.Rare.Immediate, nil)
			}
		}
	case send:
		if p.begins {
			r.takeReceive(now)
			r.message = r.message[:0]
		}
		r.message = append(r.message, payload...)
		if p.ends {
			r.qp.counters.Sends++
			immediate := uint32(0)
			if p.immediate {
				immediate = f.Rare.Immediate
			}
			r.received.add(immediate, r.message)
			r.message = r.message[:0]
		}
	}
	if r.under = p.operation; p.ends {
		r.under = none
		r.msn = (r.msn + 1) & wire.PSNMask
	}
	r.expected = wire.AddPSN(r.expected, 1)
	r.acked, r.ackedMSN = f.PSN, r.msn
	if f.AckExt&wire.AckReq != 0 {
		r.answer(now, f.PSN, r.ack(now))
	}
}

// takeReceive takes the oldest receive, and posts another.
func (r *responder) takeReceive(now unit.Time) {
	r.receives.Pop()
	r.receives.Push(now.Add(r.config.Repost))
}

// full reports whether more frames wait than a READ of the largest region has. A READ is then dropped in silence,
// together with later requests: the requester's timeout asks again.
func (r *responder) full() bool { return r.qp.waiting > uint64(peer.MaxLength/r.config.MTU) }

// waits reports whether the answer to a READ of these PSNs waits from its first frame on: it need not be made twice.
func (r *responder) waits(psn, end uint32) bool {
	left := r.qp.left()
	for i := range r.answers.Len() {
		a := r.answers.At(i)
		from := wire.DiffPSN(psn, a.psn)
		if from >= 0 && wire.DiffPSN(end, a.end) <= 0 && a.before+uint64(from) >= left {
			return true
		}
	}
	return false
}

// again answers a request that was taken before (IBA volume 1, 9.7.5.1.4): a READ is served again, all else has
// the ACK of the last SEND or WRITE. An ACK with the PSN of a READ would stand for its response: soft-RoCE then
// completes a READ whose response was lost, without its data (check_ack of rxe_comp.c).
func (r *responder) again(now unit.Time, f *wire.Frame) {
	if f.Opcode != wire.ReadRequest {
		r.qp.emit(wire.Frame{Opcode: wire.Acknowledge, PSN: r.acked, Syndrome: r.ack(now), MSN: r.ackedMSN})
		return
	}
	end := wire.AddPSN(f.PSN, int(packetsOf(uint64(f.DMALen), r.config.MTU)))
	if r.full() || r.waits(f.PSN, end) {
		return
	}
	if wire.DiffPSN(end, r.expected) <= 0 && r.config.Memory.Holds(f.RKey, f.VA, uint64(f.DMALen)) {
		r.serve(f)
	}
}

// serve sends the responses to a READ, and returns the PSN behind them.
func (r *responder) serve(f *wire.Frame) (next uint32) {
	var content []byte
	if f.DMALen > 0 {
		at := f.VA - r.config.Memory.VA
		content = r.memory[at : at+uint64(f.DMALen)]
	}
	count := packetsOf(uint64(f.DMALen), r.config.MTU)
	next = wire.AddPSN(f.PSN, int(count))
	for left := r.qp.left(); !r.answers.Empty() && r.answers.First().gone(left); {
		r.answers.Pop()
	}
	r.answers.Push(answer{f.PSN, next, r.qp.emitted})
	for i := range count {
		n := min(len(content), r.config.MTU)
		response := wire.Frame{Opcode: responseOf(i == 0, i == count-1), PSN: wire.AddPSN(f.PSN, int(i))}
		if n > 0 {
			response.Rare = &wire.Rare{Payload: append([]byte{}, content[:n]...)} // memory may change before it leaves
		}
		if response.Opcode != wire.ReadMiddle {
			response.Syndrome, response.MSN = wire.SyndromeACK, r.msn
		}
		response.SetPayload(n)
		content = content[n:]
		r.qp.emit(response)
	}
	return next
}

// gone reports whether all of an answer is among the frames that have left.
func (a *answer) gone(left uint64) bool {
	return a.before+uint64(wire.DiffPSN(a.end, a.psn)) <= left
}

func (r *responder) answer(_ unit.Time, psn uint32, syndrome uint8) {
	r.qp.emit(wire.Frame{Opcode: wire.Acknowledge, PSN: psn, Syndrome: syndrome, MSN: r.msn})
}

// ack is the syndrome of an ACK: with the receives that are there as credits, or 31.
func (r *responder) ack(now unit.Time) uint8 {
	if !r.config.Credits {
		return wire.SyndromeACK
	}
	there := 0
	for i := range r.receives.Len() {
		if *r.receives.At(i) <= now {
			there++
		}
	}
	return creditCode(there)
}

// creditCode is the largest code of credits that stands for no more than n (IBA volume 1, table 44).
func creditCode(n int) (code uint8) {
	for code < wire.SyndromeACK-1 && credits(code+1) <= n {
		code++
	}
	return code
}

// credits returns the number of receives that a code stands for: 0, 1, 2, 3, 4, 6, 8, 12, 16, 24 and on to 32768.
func credits(code uint8) int {
	switch {
	case code < 4:
		return int(code)
	case code%2 == 0:
		return 1 << (code / 2)
	}
	return 3 << (code/2 - 1)
}
