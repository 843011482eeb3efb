package peer

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Verb is an operation that our host asks for.
type Verb uint8

// The verbs. Random stands for one of the others but FetchAdd, drawn for each message.
const (
	Write Verb = iota
	WriteImm
	Send
	SendImm
	Read
	FetchAdd
	Random
)

// VerbNames are their names in scenarios, by number.
var VerbNames = []string{"write", "write-imm", "send", "send-imm", "read", "fetch-add", "random"}

func (v Verb) String() string { return VerbNames[v] }

// Work is a number of messages of one kind.
type Work struct {
	Verb Verb
	// Length is that of each message in bytes. With To above it there is one of each length from Length to To; a
	// random message has one from Length to To.
	Length, To uint64
	// Count is the number of times that is done, at least 1.
	Count int
	// Start is the model time of the first message, at the earliest.
	Start unit.Time
	// RKey, if not 0, is used in place of the peer's, and Offset is added to addresses, for tests of refusals.
	RKey   uint32
	Offset uint64
}

// Messages returns the number of messages of the work.
func (w *Work) Messages() uint64 {
	if w.Verb == Random {
		return uint64(w.Count)
	}
	return uint64(w.Count) * (max(w.To, w.Length) - w.Length + 1)
}

// Payload returns the bytes that the requests of the work carry, 0 for READs, atomics and random work, and the largest
// number if there are 2^63 or more.
func (w *Work) Payload() uint64 {
	if w.Verb >= Read {
		return 0
	}
	first, last := w.Length, max(w.To, w.Length)
	high, low := bits.Mul64(uint64(w.Count)*(first+last), last-first+1)
	if high != 0 {
		return math.MaxUint64
	}
	return low / 2
}

// CheckWork returns the error of a work for a peer's region of that size in bytes.
func CheckWork(w *Work, peer uint64) error {
	switch longest := max(w.Length, w.To); {
	case w.Count < 1:
		return fmt.Errorf("count is %d: allowed is 1 and more", w.Count)
	case w.To != 0 && w.To < w.Length:
		return fmt.Errorf("to is %d B: allowed is length, %d B, and more", w.To, w.Length)
	case w.Verb != Send && w.Verb != SendImm && w.RKey == 0 && w.Offset == 0 && longest > peer:
		return fmt.Errorf("%s of %d B does not fit into the peer's %d B", w.Verb, longest, peer)
	}
	return nil
}
