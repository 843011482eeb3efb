//go:build linux

package process

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// The files that a plugin inherits, after stdin, stdout and stderr.
const (
	pageFile = 3 + iota
	pluginBellFile
	hostBellFile
	lifelineFile
)

// worker is the plugin's end of the ring.
type worker struct {
	page   *page
	wait   waiter
	host   bell
	served uint64

	// mu has calls into the author's code come one at a time: those of the
	// ring, and those of package control.
	mu          sync.Mutex
	controllers []cc.Controller
	ends        []end
}

// end is one end of a flow; one of sender and receiver is set.
type end struct {
	sender   cc.Sender
	receiver cc.Receiver
	// standing is the sender's last answer, limit the rate that bounds it.
	standing cc.Decision
	limit    unit.BitRate
}

// newWorker takes the inherited files into use.
func newWorker() (*worker, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(pageFile, &stat); err != nil || stat.Size != int64(pageSize) {
		return nil, fmt.Errorf("file %d is not the host's shared page of %d B", pageFile, pageSize)
	}
	for fd := pageFile; fd <= lifelineFile; fd++ {
		unix.CloseOnExec(fd)
	}
	memory, err := unix.Mmap(pageFile, 0, pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map the shared page: %w", err)
	}
	wait, err := newWaiter(bell{pluginBellFile}, -1)
	if err != nil {
		return nil, err
	}
	return &worker{page: (*page)(unsafe.Pointer(&memory[0])), wait: wait, host: bell{hostBellFile}}, nil
}

// run serves the ring for ever.
func (w *worker) run() {
	runtime.LockOSThread()
	for {
		for w.page.posted.Load() == w.served {
			if w.wait.soon() {
				continue
			}
			if w.page.posted.Load() != w.served {
				break
			}
			if err := w.wait.long(-1); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		w.mu.Lock()
		for posted := w.page.posted.Load(); w.served != posted; {
			w.serve(&w.page.slots[w.served%slots])
			w.served++
			w.page.answered.Store(w.served) // one by one: it tells the host how far a batch came
		}
		w.mu.Unlock()
		w.host.ring()
	}
}

// serve handles one message.
func (w *worker) serve(s *slot) {
	switch s.verb {
	case verbHandle, verbNext:
		e := &w.ends[s.of]
		d := s.decision()
		if s.verb == verbNext {
			*d = e.standing
		}
		d.Clear(s.event().Kind, s.fired)
		e.sender.Handle(s.event(), d)
		e.standing = *d
		e.standing.Rate = min(d.Rate, e.limit)
	case verbData:
		w.ends[s.of].receiver.Data(s.arrival(), s.feedback())
	case verbGroup:
		w.ends[s.of].receiver.Group(*s.group())
	case verbSender, verbReceiver:
		s.of = w.add(s.verb, w.controllers[s.of], s.setup())
	}
}

// add makes an end of a flow and returns its number.
func (w *worker) add(v verb, c cc.Controller, s *setup) uint32 {
	facts := s.facts
	if s.chance != [4]uint64{} {
		facts.Chance = chance.Resume(s.chance)
	}
	e := end{limit: facts.LineRate}
	if v == verbSender {
		e.sender = c.NewSender(facts)
	} else {
		e.receiver = c.NewReceiver(facts)
	}
	if e.sender == nil && e.receiver == nil {
		return noEnd
	}
	w.ends = append(w.ends, e)
	return uint32(len(w.ends) - 1)
}
