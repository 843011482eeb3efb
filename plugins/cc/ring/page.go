//go:build linux && !mem

package ring

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Slots is the number of messages that can be under way, a power of two.
const Slots = 256

// Page is the memory that host and plugin share. Message n is in slot n modulo
// Slots from the time it is posted until the host has read its answer.
type Page struct {
	// Posted counts the messages that the host has put there, Answered the messages that the plugin has handled. Each
	// has a cache line to itself.
	Posted atomic.Uint64
	// Plugin is rung by the host, Host by the plugin.
	Plugin   Bell
	_        [13]uint32
	Answered atomic.Uint64
	Host     Bell
	_        [13]uint32
	Slots    [Slots]Slot
}

// PageSize is the size of the memory, in bytes.
const PageSize = int(unsafe.Sizeof(Page{}))

// Verb is the request of a message.
type Verb uint32

// The requests.

const (
	VerbSender   Verb = iota // make a sender; body is Setup
	VerbReceiver             // make a receiver; body is Setup
	VerbHandle               // Sender.Handle; body is cc.Event, answer cc.Decision
	VerbNext                 // the same, from the sender's last answer on
	VerbData                 // Receiver.Data; body is cc.Arrival, answer cc.Feedback
	VerbGroup                // Receiver.Group; body is cc.Group, no answer
	VerbValues               // Valued.Values, asked only of programs that name some; no body, answer values
)

// NoEnd answers a set-up if the author's code returned nil.
const NoEnd = ^uint32(0)

// Slot is one message and its answer.
type Slot struct {
	Verb Verb
	// Of is the sender or receiver that is meant. In a set-up it is the
	// controller, and in its answer the new sender or receiver.
	Of uint32
	// Fired is hosting.Step.Fired.
	Fired  int64
	answer [answerWords]int64
	body   [bodyWords]int64
}

// The places for a body and for an answer have room for the largest of each.
const (
	answerWords = (max(unsafe.Sizeof(cc.Decision{}), unsafe.Sizeof(cc.Feedback{}), unsafe.Sizeof(Values{})) + 7) / 8
	bodyWords   = (max(unsafe.Sizeof(Setup{}), unsafe.Sizeof(cc.Event{}), unsafe.Sizeof(cc.Arrival{}),
		unsafe.Sizeof(cc.Group{})) + 7) / 8
)

// Values are the first of a sender's own values.
type Values [cc.MostValues]float64

// Setup is the description of an end of a flow.
type Setup struct {
	Facts cc.Facts // without Chance
	// Chance is the state of Facts.Chance, all zero if it is nil.
	Chance [4]uint64
}

// Decision is the answer to Handle, and the standing decision before it.
func (s *Slot) Decision() *cc.Decision { return (*cc.Decision)(unsafe.Pointer(&s.answer)) }

// Values is the answer to Values.
func (s *Slot) Values() *Values { return (*Values)(unsafe.Pointer(&s.answer)) }

// Feedback is the answer to Data, and the standing feedback before it.
func (s *Slot) Feedback() *cc.Feedback { return (*cc.Feedback)(unsafe.Pointer(&s.answer)) }

// Setup is the body of a set-up.
func (s *Slot) Setup() *Setup { return (*Setup)(unsafe.Pointer(&s.body)) }

// Event is the body of Handle and Next.
func (s *Slot) Event() *cc.Event { return (*cc.Event)(unsafe.Pointer(&s.body)) }

// Arrival is the body of Data.
func (s *Slot) Arrival() *cc.Arrival { return (*cc.Arrival)(unsafe.Pointer(&s.body)) }

// Group is the body of Group.
func (s *Slot) Group() *cc.Group { return (*cc.Group)(unsafe.Pointer(&s.body)) }

// Digest is a digest of how this program lays out the page: the names,
// kinds and places of all fields. Two programs with the same digest understand
// each other's slots.
func Digest() uint64 {
	hash := fnv.New64a()
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Page](),
		reflect.TypeFor[Setup](),
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
