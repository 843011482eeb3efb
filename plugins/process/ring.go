//go:build linux && !mem

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
func (r *ring) exchange(link *link, limit time.Duration) error {
	link.page.posted.Store(link.posted)
	r.plugin.ring()
	for range 3 { // the bell may still report an earlier ring
		if link.page.answered.Load() == link.posted {
			return nil
		}
		if !r.wait.waitBriefly() {
			break
		}
	}
	return r.waitForAnswer(link, limit)
}

// checkInterval is the longest wait between two looks at the process.
const checkInterval = 100 * time.Millisecond

// waitForAnswer waits for an answer that is slow to come. Each answer within a batch
// has the whole limit to itself.
func (r *ring) waitForAnswer(link *link, limit time.Duration) error {
	since, reached := time.Now(), link.done
	for {
		gone := link.exited() // asked first: what it answered before it ended counts
		switch answered := link.page.answered.Load(); {
		case answered == link.posted:
			return nil
		case answered < link.done || answered > link.posted:
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
		if err := r.wait.waitLong(max(min(left, checkInterval), time.Millisecond)); err != nil {
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
