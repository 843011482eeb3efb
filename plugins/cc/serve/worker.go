//go:build linux && !mem

package serve

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
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/ring"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The files that a plugin inherits, after stdin, stdout and stderr.
const (
	pageFile = 3 + iota
	lifelineFile
	_ // see process.newLink
	lastFile
)

// worker is the plugin's end of the ring.
type worker struct {
	page   *ring.Page
	served uint64

	// mu makes calls into the author's code come one at a time, from the ring and
	// from package control.
	mu          sync.Mutex
	controllers []cc.Controller
	ends        []end
	// values is the number of values that the algorithm names.
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
	if err := unix.Fstat(pageFile, &stat); err != nil || stat.Size != int64(ring.PageSize) {
		return nil, fmt.Errorf("file %d is not the host's shared page of %d B", pageFile, ring.PageSize)
	}
	for fd := pageFile; fd <= lastFile; fd++ {
		unix.CloseOnExec(fd)
	}
	memory, err := unix.Mmap(pageFile, 0, ring.PageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map the shared page: %w", err)
	}
	return &worker{page: (*ring.Page)(unsafe.Pointer(&memory[0]))}, nil
}

// run serves the ring for ever.
func (w *worker) run() {
	runtime.LockOSThread()
	for {
		for seen := w.page.Plugin.Load(); w.page.Posted.Load() == w.served; seen = w.page.Plugin.Load() {
			if w.page.Plugin.WaitBriefly(seen) || w.page.Posted.Load() != w.served {
				continue
			}
			if err := w.page.Plugin.WaitLong(seen, time.Hour); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		w.mu.Lock()
		for posted := w.page.Posted.Load(); w.served != posted; {
			w.serve(&w.page.Slots[w.served%ring.Slots])
			w.served++
			w.page.Answered.Store(w.served) // one by one: the host sees how far a batch came
		}
		w.mu.Unlock()
		w.page.Host.Ring()
	}
}

// serve handles one message.
func (w *worker) serve(slot *ring.Slot) {
	switch slot.Verb {
	case ring.VerbHandle, ring.VerbNext:
		end := &w.ends[slot.Of]
		decision := slot.Decision()
		if slot.Verb == ring.VerbNext {
			*decision = end.last
		}
		hosting.Clear(decision, slot.Event().Kind, slot.Fired)
		end.sender.Handle(slot.Event(), decision)
		end.last = *decision
		end.last.Rate = min(decision.Rate, end.limit)
	case ring.VerbValues:
		hosting.ReadValues(w.ends[slot.Of].sender, slot.Values()[:w.values])
	case ring.VerbData:
		w.ends[slot.Of].receiver.Data(slot.Arrival(), slot.Feedback())
	case ring.VerbGroup:
		w.ends[slot.Of].receiver.Group(*slot.Group())
	case ring.VerbSender, ring.VerbReceiver:
		slot.Of = w.add(slot.Verb, w.controllers[slot.Of], slot.Setup())
	}
}

// add makes an end of a flow and returns its number.
func (w *worker) add(verb ring.Verb, controller cc.Controller, setup *ring.Setup) uint32 {
	facts := setup.Facts
	if setup.Chance != [4]uint64{} {
		facts.Chance = chance.Resume(setup.Chance)
	}
	added := end{limit: facts.LineRate}
	if verb == ring.VerbSender {
		added.sender = controller.NewSender(facts)
	} else {
		added.receiver = controller.NewReceiver(facts)
	}
	if added.sender == nil && added.receiver == nil {
		return ring.NoEnd
	}
	w.ends = append(w.ends, added)
	return uint32(len(w.ends) - 1)
}
