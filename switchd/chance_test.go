package switchd

import "testing"

// Each queue has a stream of its own: what one queue draws never shifts the
// draws of another.
func TestQueuesDrawTheirOwnChance(t *testing.T) {
	draws := func(before int) (first, second float64) {
		s := newBench(t, star(2)).s
		a, b := &s.ports[0], &s.ports[1]
		for range before {
			b.queue(3).draw(&s.streams)
		}
		return a.queue(3).draw(&s.streams), b.queue(3).draw(&s.streams)
	}
	a, b := draws(0)
	if a == b {
		t.Errorf("both ports drew %v first", a)
	}
	if again, _ := draws(5); again != a {
		t.Errorf("draws of port 1 shifted those of port 0: %v, then %v", a, again)
	}
}
