//go:build linux

package process

import (
	"time"

	"golang.org/x/sys/unix"
)

var _ carrier = (*ring)(nil)

// ring is the host's end of the ring: the page is memory that it shares with
// the plugin.
type ring struct {
	plugin bell // rung by the host
	host   bell // rung by the plugin
	wait   waiter
}

// exchange implements carrier.
func (r *ring) exchange(l *link, limit time.Duration) error {
	l.page.posted.Store(l.posted)
	r.plugin.ring()
	for range 3 { // the bell may still tell of an earlier ring
		if l.page.answered.Load() == l.posted {
			return nil
		}
		if !r.wait.soon() {
			break
		}
	}
	return r.linger(l, limit)
}

// patrol is the longest wait between two looks at the process.
const patrol = 100 * time.Millisecond

// linger waits for an answer that is slow to come. Each answer within a batch
// has the whole limit to itself.
func (r *ring) linger(l *link, limit time.Duration) error {
	since, reached := time.Now(), l.done
	for {
		gone := l.exited() // asked first: what it answered before it ended counts
		switch answered := l.page.answered.Load(); {
		case answered == l.posted:
			return nil
		case answered < l.done || answered > l.posted:
			return errNonsense
		case answered != reached:
			since, reached = time.Now(), answered
		}
		if gone {
			return errExited
		}
		left := limit - time.Since(since)
		if left <= 0 {
			return errSilent
		}
		if err := r.wait.long(max(min(left, patrol), time.Millisecond)); err != nil {
			return err
		}
	}
}

// close gives the bells back. Once is enough; again does nothing.
func (r *ring) close() {
	for _, fd := range []*int{&r.plugin.fd, &r.host.fd, &r.wait.epoll} {
		if *fd >= 0 {
			unix.Close(*fd)
			*fd = -1
		}
	}
}
