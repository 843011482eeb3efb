package engine

import (
	"runtime"
	"sync/atomic"

	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// team is the workers beyond the first, each a plain goroutine that spins for
// its next window and parks when none comes for a while. The caller of run is
// the first worker. A barrier of spinning goroutines costs a fraction of a
// microsecond; one of channels costs several.
type team struct {
	members []*member
	epoch   atomic.Uint64 // windows begun
	done    atomic.Int64  // members that finished the current one
	over    atomic.Bool
	horizon unit.Time
	bank    int
}

type member struct {
	worker *worker
	parked atomic.Bool
	wake   chan struct{}
	_      [64]byte
}

// Spins before giving way to another goroutine, and before parking.
const (
	spinsPerYield = 2000
	yieldsPerPark = 50
)

func newTeam(workers []*worker) *team {
	t := &team{}
	for _, w := range workers {
		m := &member{worker: w, wake: make(chan struct{}, 1)}
		t.members = append(t.members, m)
		go t.serve(m)
	}
	return t
}

// run begins a window on all members.
func (t *team) run(horizon unit.Time, bank int) {
	t.horizon, t.bank = horizon, bank
	t.done.Store(0)
	t.signal()
}

func (t *team) signal() {
	t.epoch.Add(1)
	for _, m := range t.members {
		if m.parked.CompareAndSwap(true, false) {
			m.wake <- struct{}{}
		}
	}
}

// wait returns when all members finished the window.
func (t *team) wait() {
	for spins := 1; t.done.Load() != int64(len(t.members)); spins++ {
		if spins%spinsPerYield == 0 {
			runtime.Gosched()
		}
	}
}

// dismiss ends the members' goroutines.
func (t *team) dismiss() {
	t.over.Store(true)
	t.signal()
}

func (t *team) serve(member *member) {
	defer crash.Guard()()
	defer member.worker.own.Close()
	for seen := uint64(0); ; {
		t.await(member, seen)
		if t.over.Load() {
			return
		}
		seen++
		member.worker.run(t.horizon, t.bank, member.worker.own)
		t.done.Add(1)
	}
}

// await returns when a window after the seen one has begun.
func (t *team) await(member *member, seen uint64) {
	for yields := 0; ; yields++ {
		for range spinsPerYield {
			if t.epoch.Load() != seen {
				return
			}
		}
		runtime.Gosched()
		if yields < yieldsPerPark {
			continue
		}
		member.parked.Store(true)
		if t.epoch.Load() != seen {
			if member.parked.CompareAndSwap(true, false) {
				return
			}
			// signal saw the flag first: its token is on the way.
		}
		<-member.wake
		// The token may be late: a signal that was held up between the epoch
		// and the flag wakes a member that has run that window since, and must
		// not run it again. The epoch decides.
		yields = 0
	}
}
