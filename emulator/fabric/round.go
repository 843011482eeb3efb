package fabric

import "iter"

// Answers are those to questions that a node has asked of algorithms in another process.
type Answers interface {
	// Exchange returns once all that was asked there is answered, by any node.
	Exchange()
}

// Asking is a node that may wait for answers; Asks reports whether it will.
type Asking interface{ Asks() bool }

// Asks reports whether a node may wait for answers.
func Asks(node Node) bool {
	a, ok := node.(Asking)
	return ok && a.Asks()
}

// Round runs the parts of a window, one for each node, so that nodes wait for answers together: one that has to wait is
// left at its place, the next is run, and when no part can go on all questions are answered in one exchange. It runs
// one part at a time, on the caller's thread, and each part from its beginning to its end: their results do not depend
// on which of them wait, and how often.
type Round struct {
	part func(int)
	// Parts from next up to parts have not begun.
	next, parts int
	// running is the coroutine that runs, nil between them. Each runs parts, one after the other, until none
	// is left that has not begun.
	running       *coroutine
	idle          []*coroutine
	waiting, rest []waiting
}

// coroutine runs parts of a round.
type coroutine struct {
	// resume runs it until it waits for answers, which it returns, or is idle: nil.
	resume func() (Answers, bool)
	stop   func()
	wait   func(Answers) bool
}

// waiting is a coroutine that waits for answers.
type waiting struct {
	*coroutine
	answers Answers
}

// NewRound returns a round whose parts are run by part. The caller closes it.
func NewRound(part func(int)) *Round { return &Round{part: part} }

// Run runs the parts of a window, 0 to parts-1, and returns when all are over. It must always be called on the same
// goroutine.
func (r *Round) Run(parts int) {
	r.next, r.parts = 0, parts
	for r.next < r.parts || len(r.waiting) > 0 {
		for _, w := range r.waiting {
			w.answers.Exchange()
		}
		resumed := r.waiting
		r.waiting, r.rest = r.rest[:0], resumed
		for _, w := range resumed {
			r.resume(w.coroutine)
		}
		for r.next < r.parts {
			r.resume(r.takeIdle())
		}
	}
}

// resume runs a coroutine until it waits or is idle.
func (r *Round) resume(c *coroutine) {
	r.running = c
	answers, _ := c.resume()
	r.running = nil
	if answers != nil {
		r.waiting = append(r.waiting, waiting{c, answers})
	} else {
		r.idle = append(r.idle, c)
	}
}

// takeIdle returns a coroutine that is idle.
func (r *Round) takeIdle() *coroutine {
	if n := len(r.idle) - 1; n >= 0 {
		c := r.idle[n]
		r.idle = r.idle[:n]
		return c
	}
	c := new(coroutine)
	c.resume, c.stop = iter.Pull(func(wait func(Answers) bool) {
		for c.wait = wait; ; {
			for r.next < r.parts {
				r.next++
				r.part(r.next - 1)
			}
			if !wait(nil) {
				return
			}
		}
	})
	return c
}

// Close ends the coroutines of a round, which may be nil; none of them may wait for answers. It must be called on the
// goroutine of Run.
func (r *Round) Close() {
	if r == nil {
		return
	}
	for _, c := range r.idle {
		c.stop()
	}
	r.idle = nil
}

// Await returns when what the node asked is answered: at once if the node is not run in a round.
func (o *Outbox) Await(asked Answers) {
	if o.Round == nil || o.Round.running == nil {
		asked.Exchange()
		return
	}
	node, hash, held := o.node, o.hash, o.held
	o.held = nil
	o.Round.running.wait(asked)
	o.node, o.hash, o.held = node, hash, held
}
