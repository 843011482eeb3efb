package nicd

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Memory is a region of the receiving host's memory, which the peer may write to with its key.
type Memory struct {
	// RKey is the key that a WRITE must carry, Address the region's first byte, as the peer
	// addresses it, Length its size in bytes.
	RKey            uint32
	Address, Length uint64
}

// Receive is a receive that the receiving host posts. A SEND takes one, and so does a WRITE with
// immediate data, the oldest first.
type Receive struct {
	// Posted is the time from which on it is there. Receives are listed in the order of time.
	Posted unit.Time
	// Room is the number of bytes of a SEND that it can take.
	Room unit.Bytes
}

// operation is the operation of a message's requests.
type operation uint8

// The operations. READs and atomics are served by no NIC here.
const (
	between  operation = iota // of none: the next request begins a message
	sends                     // SEND
	writes                    // WRITE
	unserved                  // READ, CmpSwap, FetchAdd
)

// request is a responder's reading of an opcode: the operation, whether it begins and ends a message, and whether it
// takes a receive. isRequest distinguishes requests from all else.
type request struct {
	operation                          operation
	isRequest, begins, ends, immediate bool
}

// requests are the requests of reliable connections, by opcode (IBA volume 1, 9.2.1 and 9.4).
var requests = func() (table [256]request) {
	for offset, operation := range map[wire.Opcode]operation{wire.SendFirst: sends, wire.WriteFirst: writes} {
		for place := range wire.Opcode(6) { // First, Middle, Last, Last with immediate, Only, Only with immediate
			table[offset+place] = request{
				operation: operation,
				isRequest: true,
				begins:    place == 0 || place >= 4,
				ends:      place >= 2,
				immediate: place == 3 || place == 5,
			}
		}
	}
	for _, op := range []wire.Opcode{wire.ReadRequest, wire.CompareSwap, wire.FetchAdd} {
		table[op] = request{operation: unserved, isRequest: true, begins: true, ends: true}
	}
	return table
}()

// responder checks, for the receiving end of a QP, a request whose PSN is the expected one, in the order of IBA
// volume 1, 9.7.4: that it continues the message under way or begins one, that the operation is served, that memory may
// be written, and that a receive is there. A request that fails is answered by a NAK and not taken. All failures but a
// receiver that is not ready put the QP into the error state, in which it answers nothing.
type responder struct {
	under operation // of the message under way
	error bool      // the state
	// keeps is set if packets are taken out of order, so that there is never a message under way.
	keeps bool
	host  *host // nil of a host that takes what comes: WRITEs anywhere, and SENDs without end
}

// host is the host of a responder, as far as it serves its peer.
type host struct {
	memory   *Memory // nil: all of it
	receives fifo.Queue[Receive]
	endless  bool  // receives without end
	timer    uint8 // of an RNR NAK
	// left is the room in the receive that the SEND under way takes.
	left unit.Bytes
}

// newResponder returns the responder of a receiving end. The error names the fault of its host and the allowed values.
func newResponder(config *ReceiverConfig, keeps bool) (r responder, err error) {
	r.keeps = keeps
	if config.Memory == nil && config.Receives == nil {
		return r, nil
	}
	r.host = &host{memory: config.Memory, endless: config.Receives == nil, timer: config.RNRTimer}
	last := unit.Time(0)
	for _, receive := range config.Receives {
		if receive.Posted < last || receive.Room < 0 {
			return r, fmt.Errorf("a receive of %d B is posted at %v, allowed is 0 B and more, no earlier than the one before",
				receive.Room, receive.Posted)
		}
		last = receive.Posted
		r.host.receives.Push(receive)
	}
	switch {
	case keeps:
		return r, errors.New("memory and receives of the host need packets in order, the NIC keeps early ones")
	case config.RNRTimer > wire.RNRTimerMask:
		return r, fmt.Errorf("timer of RNR NAKs is %d, allowed is 0 to %d", config.RNRTimer, wire.RNRTimerMask)
	}
	return r, nil
}

// check returns the syndrome of the NAK that answers a request, 0 for one that is to be taken, which
// it notes.
func (r *responder) check(frame *wire.Frame, now unit.Time) (syndrome uint8) {
	q := &requests[frame.Opcode]
	if q.operation == unserved {
		return wire.SyndromeNAKInvalid
	}
	if r.keeps {
		return 0
	}
	if q.begins != (r.under == between) || !q.begins && q.operation != r.under {
		return wire.SyndromeNAKInvalid
	}
	if r.host != nil {
		if syndrome = r.host.check(q, frame, now); syndrome != 0 {
			return syndrome
		}
	}
	if r.under = q.operation; q.ends {
		r.under = between
	}
	return 0
}

// check is responder.check of what the host has.
func (h *host) check(q *request, frame *wire.Frame, now unit.Time) (syndrome uint8) {
	if q.operation == writes && q.begins && !h.memory.writable(frame) {
		return wire.SyndromeNAKAccess
	}
	if h.endless {
		return 0
	}
	if q.operation == sends && q.begins || q.operation == writes && q.immediate {
		if h.receives.Empty() || h.receives.First().Posted > now {
			return wire.SyndromeRNR | h.timer
		}
		h.left = h.receives.Pop().Room
	}
	if q.operation == sends {
		if h.left -= unit.Bytes(frame.PayloadLen); h.left < 0 {
			return wire.SyndromeNAKOperational
		}
	}
	return 0
}

// writable reports whether the WRITE that begins with the frame stays in the region; one without bytes touches nothing
// (IBA volume 1, 9.7.4.1.5).
func (m *Memory) writable(frame *wire.Frame) bool {
	if m == nil || frame.DMALen == 0 {
		return true
	}
	end, beyond := bits.Add64(frame.VA, uint64(frame.DMALen), 0)
	return frame.RKey == m.RKey && beyond == 0 && frame.VA >= m.Address && end <= m.Address+m.Length
}

// refuse answers a request with the expected PSN by a NAK, and drops it. An early one, if such are kept, is dropped and
// comes again.
func (q *receiver) refuse(nic *NIC, now unit.Time, syndrome uint8, frame *wire.Frame) {
	if frame.PSN != q.sequence.psn(q.sequence.expected) {
		q.record.OutOfOrder++
		nic.drop(now, fabric.DropOutOfOrder, frame)
		return
	}
	if syndrome&^wire.RNRTimerMask == wire.SyndromeRNR {
		// What follows comes too early, and gets no NAK of its own until this request comes again.
		q.sequence.mayNAK(now, nic.profile.NAKInterval)
	} else {
		q.responder.error = true
	}
	q.reject(nic, syndrome)
	nic.drop(now, fabric.DropUnknownQP, frame)
}
