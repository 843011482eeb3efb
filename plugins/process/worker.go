//go:build linux && !mem

package process

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The files that a plugin inherits, after stdin, stdout and stderr.
const (
	pageFile = 3 + iota
	lifelineFile
	_ // see newLink
	lastFile
)

// worker is the plugin's end of the ring.
type worker struct {
	page   *page
	served uint64

	// mu makes calls into the author's code come one at a time, from the ring and
	// from package control.
	mu          sync.Mutex
	controllers []cc.Controller
	ends        []end
	// values is how many the algorithm names.
	values int
}

// end is one end of a flow; one of sender and receiver is set.
type end struct {
	sender   cc.Sender
	receiver cc.Receiver
	// last is the sender's last answer, limit the rate that bounds it.
	last  cc.Decision
	limit unit.BitRate
}

// newWorker takes the inherited files into use.
func newWorker() (*worker, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(pageFile, &stat); err != nil || stat.Size != int64(pageSize) {
		return nil, fmt.Errorf("file %d is not the host's shared page of %d B", pageFile, pageSize)
	}
	for fd := pageFile; fd <= lastFile; fd++ {
		unix.CloseOnExec(fd)
	}
	memory, err := unix.Mmap(pageFile, 0, pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map the shared page: %w", err)
	}
	return &worker{page: (*page)(unsafe.Pointer(&memory[0]))}, nil
}

// run serves the ring for ever.
func (w *worker) run() {
	runtime.LockOSThread()
	for {
		for seen := w.page.plugin.Load(); w.page.posted.Load() == w.served; seen = w.page.plugin.Load() {
			if w.page.plugin.waitBriefly(seen) || w.page.posted.Load() != w.served {
				continue
			}
			if err := w.page.plugin.waitLong(seen, time.Hour); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		w.mu.Lock()
		for posted := w.page.posted.Load(); w.served != posted; {
			w.serve(&w.page.slots[w.served%slots])
			w.served++
			w.page.answered.Store(w.served) // one by one: the host sees how far a batch came
		}
		w.mu.Unlock()
		w.page.host.ring()
	}
}

// serve handles one message.
func (w *worker) serve(slot *slot) {
	switch slot.verb {
	case verbHandle, verbNext:
		end := &w.ends[slot.of]
		decision := slot.decision()
		if slot.verb == verbNext {
			*decision = end.last
		}
		decision.Clear(slot.event().Kind, slot.fired)
		end.sender.Handle(slot.event(), decision)
		end.last = *decision
		end.last.Rate = min(decision.Rate, end.limit)
	case verbValues:
		cc.ReadValues(w.ends[slot.of].sender, slot.values()[:w.values])
	case verbData:
		w.ends[slot.of].receiver.Data(slot.arrival(), slot.feedback())
	case verbGroup:
		w.ends[slot.of].receiver.Group(*slot.group())
	case verbSender, verbReceiver:
		slot.of = w.add(slot.verb, w.controllers[slot.of], slot.setup())
	}
}

// add makes an end of a flow and returns its number.
func (w *worker) add(verb verb, controller cc.Controller, setup *setup) uint32 {
	facts := setup.facts
	if setup.chance != [4]uint64{} {
		facts.Chance = chance.Resume(setup.chance)
	}
	added := end{limit: facts.LineRate}
	if verb == verbSender {
		added.sender = controller.NewSender(facts)
	} else {
		added.receiver = controller.NewReceiver(facts)
	}
	if added.sender == nil && added.receiver == nil {
		return noEnd
	}
	w.ends = append(w.ends, added)
	return uint32(len(w.ends) - 1)
}
