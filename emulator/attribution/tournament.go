package attribution

// tournament finds the port of a pass that is full first while the levels of single ports change, without a look at all
// of them: in a large fabric each of them is full once. Of equal levels the first port's counts.
type tournament struct {
	// places is the number of ports, a power of two. nodes are a binary tree: the ports from places on, and before them
	// the winner of each pair, node 1 of all.
	places int
	nodes  []contender
}

// contender is the queue of a port that is full first, and the rate of its flows then; -1 is none.
type contender struct {
	queue int32
	level float64
}

// begin clears the tree for the given number of ports.
func (t *tournament) begin(ports int) {
	for t.places = 1; t.places < ports; {
		t.places *= 2
	}
	t.nodes = t.nodes[:0]
	for range 2 * t.places {
		t.nodes = append(t.nodes, contender{queue: -1})
	}
}

// set sets the state of a port without a match; fill computes all winners once every port is set.
func (t *tournament) set(place int, now contender) { t.nodes[t.places+place] = now }

func (t *tournament) fill() {
	for n := t.places - 1; n > 0; n-- {
		t.match(n)
	}
}

// update sets the state of a port after fill and replays its matches, up to the first with the same result as before.
func (t *tournament) update(place int, now contender) {
	t.set(place, now)
	for n := (t.places + place) / 2; n > 0 && t.match(n); {
		n /= 2
	}
}

// match sets the winner of a pair and reports whether it is another one than before.
func (t *tournament) match(n int) bool {
	a, b := t.nodes[2*n], t.nodes[2*n+1]
	if a.queue < 0 || b.queue >= 0 && b.level < a.level {
		a = b
	}
	before := t.nodes[n]
	t.nodes[n] = a
	return a != before
}

// winner is the port that is full first.
func (t *tournament) winner() contender { return t.nodes[1] }
