package bare

import "testing"

// A late window is put down to the host only if the bare timer was late in the same time, and to rocelab only if the
// timer could have been.
func TestALateWindowAndTheTimerBesideIt(t *testing.T) {
	const us = 1000
	for _, c := range []struct {
		what             string
		timer            func(b *Beside)
		due, now         int64
		late, seen, both uint64
	}{
		{"a window in time", func(b *Beside) { b.Sleep(5000 * us) }, 5000 * us, 5200 * us, 0, 0, 0},
		{"no timer", func(*Beside) {}, 5000 * us, 9000 * us, 1, 0, 0},
		{"the timer still sleeps", func(b *Beside) { b.Sleep(5500 * us) }, 5000 * us, 5701 * us, 1, 1, 1},
		{"it may wake yet", func(b *Beside) { b.Sleep(5500 * us) }, 5000 * us, 5700 * us, 1, 0, 0},
		{"it was late before the window was due", func(b *Beside) {
			b.Woke(3000*us, 4999*us)
			b.Sleep(5900 * us)
		}, 5000 * us, 5500 * us, 1, 0, 0},
		{"it was late, and woke first", func(b *Beside) {
			b.Woke(3000*us, 5001*us)
			b.Sleep(6000 * us)
		}, 5000 * us, 5500 * us, 1, 1, 1},
		{"it woke in time", func(b *Beside) {
			b.Woke(5100*us, 5300*us)
			b.Sleep(6100 * us)
		}, 5000 * us, 5500 * us, 1, 1, 0},
		{"its instant came just before the window began", func(b *Beside) {
			b.Woke(5301*us, 5310*us)
			b.Sleep(6301 * us)
		}, 5000 * us, 5500 * us, 1, 0, 0},
		{"its instants were before and after", func(b *Beside) {
			b.Woke(4999*us, 5000*us)
			b.Sleep(5999 * us)
		}, 5000 * us, 5500 * us, 1, 0, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			var b Beside
			c.timer(&b)
			b.Window(c.due, c.now)
			if late, seen, both := b.Together(); late != c.late || seen != c.seen || both != c.both {
				t.Errorf("%d late, %d seen, %d both, want %d, %d, %d", late, seen, both, c.late, c.seen, c.both)
			}
		})
	}
}
