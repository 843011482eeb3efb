//go:build linux && !mem

package process

import "time"

var _ carrier = ring{}

// ring is the host's end of the ring: the page is memory that it shares with
// the plugin.
type ring struct{}

// exchange implements carrier.
func (r ring) exchange(link *link, limit time.Duration) error {
	page := link.page
	seen := page.host.Load()
	page.posted.Store(link.posted)
	page.plugin.ring()
	for range 3 { // the wait may end early
		if page.answered.Load() == link.posted {
			return nil
		}
		if !page.host.waitBriefly(seen) {
			break
		}
		seen = page.host.Load()
	}
	return r.waitForAnswer(link, limit)
}

// checkInterval is the longest wait between two looks at the process.
const checkInterval = 10 * time.Millisecond

// waitForAnswer waits for an answer that is slow to come. Each answer within a batch
// has the whole limit to itself.
func (ring) waitForAnswer(link *link, limit time.Duration) error {
	page, since := link.page, time.Now()
	for {
		seen := page.host.Load()
		gone := link.exited() // asked first: what it answered before it ended counts
		switch answered := page.answered.Load(); {
		case answered == link.posted:
			return nil
		case answered < link.reached || answered > link.posted:
			return errNonsense
		case answered != link.reached:
			since, link.reached = time.Now(), answered
		}
		if gone {
			return errExited
		}
		left := limit - time.Since(since)
		if left <= 0 {
			return errSilent
		}
		if err := page.host.waitLong(seen, max(min(left, checkInterval), time.Millisecond)); err != nil {
			return err
		}
	}
}

func (ring) close() {}
