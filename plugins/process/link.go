//go:build linux && !mem

package process

import (
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/sealed"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/ring"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// link is the host's end of the way to a process: messages in the slots of a
// page, and what carries them there.
type link struct {
	page   *ring.Page
	memory []byte
	// carrier is the ring, unless the program asks for a stream.
	carrier carrier
	pidfd   int // the keeper's to close; -1 where the kernel has none
	// lifeline closes with the host.
	lifeline *os.File
	// posted counts messages put into slots, done those whose answers were read or are no longer wanted. reached is the
	// number of answers at the last look: those up to it are in their slots. The page may say anything.
	posted, done, reached uint64
	// asked are the messages in the slots, to name them: the page may say anything.
	asked [ring.Slots]question
}

// question names a message.
type question struct {
	verb ring.Verb
	// of is the end of a flow that is meant, in a set-up the number of the flow.
	of   uint32
	kind cc.EventKind
	now  unit.Time
}

// carrier takes the posted messages to the process and brings the answers back.
type carrier interface {
	// exchange returns once all that was posted is answered. Its error is one
	// of those below, or wraps it.
	exchange(link *link, limit time.Duration) error
	close()
}

// Why an exchange failed.
var (
	errExited   = errors.New("the process ended")
	errSilent   = errors.New("no answer")
	errNonsense = errors.New("its answers are nonsense")
	errTooLong  = fmt.Errorf("its answer is longer than %d MB", largestAnswer>>20)
)

// newLink makes the shared page, and returns the files for the plugin to inherit,
// which the caller closes once it runs.
func newLink() (made *link, inherit []*os.File, err error) {
	made = &link{carrier: memory{}, pidfd: -1}
	defer func() {
		if err != nil {
			closeAll(inherit)
			made.close()
		}
	}()
	file, err := sealed.Memory("rocelab-plugin", ring.PageSize)
	if err != nil {
		return made, nil, err
	}
	inherit = append(inherit, file)
	if made.memory, err = unix.Mmap(int(file.Fd()), 0, ring.PageSize, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED); err != nil {
		return made, inherit, fmt.Errorf("map the shared page: %w", err)
	}
	made.page = (*ring.Page)(unsafe.Pointer(&made.memory[0]))
	end, lifeline, err := os.Pipe()
	if err != nil {
		return made, inherit, err
	}
	made.lifeline = lifeline
	// Programs of protocol version 1 have bells in files 4 and 5 and their lifeline in
	// 6: so they live until they have said their version.
	return made, append(inherit, end, end, end), nil
}

func (l *link) full() bool { return l.posted-l.done == ring.Slots }

// next returns the slot of the next message; the link must not be full.
func (l *link) next(asked question) *ring.Slot {
	i := l.posted % ring.Slots
	l.asked[i] = asked
	slot := &l.page.Slots[i]
	slot.Verb, slot.Of = asked.verb, asked.of
	l.posted++
	return slot
}

// exchange makes the plugin handle the posted messages and waits until it has.
func (l *link) exchange(limit time.Duration) error {
	if err := l.carrier.exchange(l, limit); err != nil {
		return err
	}
	l.done, l.reached = l.posted, l.posted
	return nil
}

// exited reports whether the process has ended, as far as the kernel reports it.
func (l *link) exited() bool {
	if l.pidfd < 0 {
		return false
	}
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(l.pidfd), Events: unix.POLLIN}}, 0)
	return err == nil && n > 0
}

// unanswered returns the first message that has no answer, nil if all have.
func (l *link) unanswered() *question {
	if l.reached >= l.posted {
		return nil
	}
	return &l.asked[l.reached%ring.Slots]
}

// ambiguous reports whether only the program could name the message that it failed
// at, and did not.
func (l *link) ambiguous(cause error) bool {
	_, streaming := l.carrier.(*stream)
	var own problem
	return streaming && !errors.As(cause, &own) && !errors.Is(cause, errNonsense)
}

// close releases everything; the link must not be used any more.
func (l *link) close() {
	l.carrier.close()
	if l.lifeline != nil {
		l.lifeline.Close()
	}
	if l.memory != nil {
		unix.Munmap(l.memory)
		l.page = nil
	}
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
