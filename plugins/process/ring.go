//go:build linux && !mem

package process

import "time"

var _ carrier = memory{}

// memory is the host's end of the ring: the page is memory that it shares with the
// plugin.
type memory struct{}

// exchange implements carrier.
func (m memory) exchange(link *link, limit time.Duration) error {
	page := link.page
	seen := page.Host.Load()
	page.Posted.Store(link.posted)
	page.Plugin.Ring()
	for range 3 { // the wait may end early
		if page.Answered.Load() == link.posted {
			return nil
		}
		if !page.Host.WaitBriefly(seen) {
			break
		}
		seen = page.Host.Load()
	}
	return m.waitForAnswer(link, limit)
}

// checkInterval is the longest wait between two looks at the process.
const checkInterval = 10 * time.Millisecond

// waitForAnswer waits for an answer that is slow to come. Each answer within a batch
// has the whole limit to itself.
func (memory) waitForAnswer(link *link, limit time.Duration) error {
	page, since := link.page, time.Now()
	for {
		seen := page.Host.Load()
		gone := link.exited() // asked first: what it answered before it ended counts
		switch answered := page.Answered.Load(); {
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
		if err := page.Host.WaitLong(seen, max(min(left, checkInterval), time.Millisecond)); err != nil {
			return err
		}
	}
}

func (memory) close() {}
