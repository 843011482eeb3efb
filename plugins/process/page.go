//go:build linux && !mem

package process

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/rocelab/rocelab/plugins/cc"
)

// slots is the number of messages that can be under way, a power of two.
const slots = 256

// page is the memory that host and plugin share. Message n is in slot n modulo
// slots from the time it is posted until the host has read its answer.
type page struct {
	// posted counts the messages that the host has put there, answered those
	// that the plugin has handled. Each has a cache line to itself.
	posted atomic.Uint64
	// plugin is rung by the host, host by the plugin.
	plugin   bell
	_        [13]uint32
	answered atomic.Uint64
	host     bell
	_        [13]uint32
	slots    [slots]slot
}

const pageSize = int(unsafe.Sizeof(page{}))

// verb is what a message asks for.
type verb uint32

const (
	verbSender   verb = iota // make a sender; body is setup
	verbReceiver             // make a receiver; body is setup
	verbHandle               // Sender.Handle; body is cc.Event, answer cc.Decision
	verbNext                 // the same, from the sender's last answer on
	verbData                 // Receiver.Data; body is cc.Arrival, answer cc.Feedback
	verbGroup                // Receiver.Group; body is cc.Group, no answer
	verbValues               // Valued.Values, asked only of programs that name some; no body, answer values
)

// noEnd answers a set-up where the author's code returned nil.
const noEnd = ^uint32(0)

// slot is one message and its answer.
type slot struct {
	verb verb
	// of is the sender or receiver that is meant. In a set-up it is the
	// controller, and in its answer the new sender or receiver.
	of uint32
	// fired is cc.Step.Fired.
	fired  int64
	answer [answerWords]int64
	body   [bodyWords]int64
}

// The places for a body and for an answer have room for the largest of each.
const (
	answerWords = (max(unsafe.Sizeof(cc.Decision{}), unsafe.Sizeof(cc.Feedback{}), unsafe.Sizeof(values{})) + 7) / 8
	bodyWords   = (max(unsafe.Sizeof(setup{}), unsafe.Sizeof(cc.Event{}), unsafe.Sizeof(cc.Arrival{}),
		unsafe.Sizeof(cc.Group{})) + 7) / 8
)

// values are the first of a sender's own values.
type values [cc.MostValues]float64

// setup is what a flow end is made from.
type setup struct {
	facts  cc.Facts // without Chance
	chance [4]uint64
}

func (s *slot) decision() *cc.Decision { return (*cc.Decision)(unsafe.Pointer(&s.answer)) }
func (s *slot) values() *values        { return (*values)(unsafe.Pointer(&s.answer)) }
func (s *slot) feedback() *cc.Feedback { return (*cc.Feedback)(unsafe.Pointer(&s.answer)) }
func (s *slot) setup() *setup          { return (*setup)(unsafe.Pointer(&s.body)) }
func (s *slot) event() *cc.Event       { return (*cc.Event)(unsafe.Pointer(&s.body)) }
func (s *slot) arrival() *cc.Arrival   { return (*cc.Arrival)(unsafe.Pointer(&s.body)) }
func (s *slot) group() *cc.Group       { return (*cc.Group)(unsafe.Pointer(&s.body)) }

// layoutDigest is a digest of how this program lays out the page: the names,
// kinds and places of all fields. Two programs with the same digest understand
// each other's slots.
func layoutDigest() uint64 {
	hash := fnv.New64a()
	for _, typ := range []reflect.Type{
		reflect.TypeFor[page](),
		reflect.TypeFor[setup](),
		reflect.TypeFor[cc.Event](),
		reflect.TypeFor[cc.Decision](),
		reflect.TypeFor[cc.Arrival](),
		reflect.TypeFor[cc.Feedback](),
		reflect.TypeFor[cc.Group](),
	} {
		describeLayout(hash, typ, 0)
	}
	return hash.Sum64()
}

func describeLayout(w interface{ Write([]byte) (int, error) }, typ reflect.Type, at uintptr) {
	switch typ.Kind() {
	case reflect.Struct:
		for f := range typ.Fields() {
			fmt.Fprintf(w, "%s@%d ", f.Name, at+f.Offset)
			describeLayout(w, f.Type, at+f.Offset)
		}
	case reflect.Array:
		fmt.Fprintf(w, "[%d]", typ.Len())
		describeLayout(w, typ.Elem(), at)
	default:
		fmt.Fprintf(w, "%s/%d;", typ.Kind(), typ.Size())
	}
}
