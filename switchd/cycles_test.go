package switchd

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// waits makes a fabric with a switch of one port for each node of a graph: the queue of switch n waits for the account
// of port 0 of switch n, in which the queues of next[n] hold frames. peer maps port 1+n of switch 0 to port n of the
// accounts.
func waits(next [][]int) (blocked [][]Blocked, peer func(PortRef) (PortRef, bool)) {
	list := make([]Blocked, len(next))
	for n := range next {
		list[n] = Blocked{Port: n, Class: 3}
	}
	for n, of := range next {
		for _, m := range of {
			list[m].From = append(list[m].From, Source{n, 3})
		}
	}
	return [][]Blocked{list}, func(p PortRef) (PortRef, bool) { return p, true }
}

// row is a row of n queues that each wait for the next; every spacing of them are a pair that waits for each other, if
// spacing is above 0.
func row(n, spacing int) [][]int {
	next := make([][]int, n)
	for i := range n - 1 {
		next[i] = append(next[i], i+1)
		if spacing > 0 && i%spacing == 0 {
			next[i+1] = append(next[i+1], i)
		}
	}
	return next
}

// random is a graph of n nodes with the given average number of edges per node.
func random(n int, edges float64, luck *rand.Rand) [][]int {
	next := make([][]int, n)
	for i := range next {
		for j := range n {
			if luck.Float64() < edges/float64(n) {
				next[i] = append(next[i], j)
			}
		}
	}
	return next
}

// before returns, for each node, the one before it on a shortest way of one or more waits from n, -1 if
// there is none: breadth-first search.
func before(next [][]int, n int) []int {
	from := slices.Repeat([]int{-1}, len(next))
	for todo := []int{n}; len(todo) > 0; todo = todo[1:] {
		for _, m := range next[todo[0]] {
			if from[m] < 0 {
				from[m] = todo[0]
				todo = append(todo, m)
			}
		}
	}
	return from
}

// slowCycles finds the cycles as Cycles defines them, by a search from every node.
func slowCycles(next [][]int) (cycles [][]QueueRef) {
	done := make([]bool, len(next))
	for n := range next {
		from := before(next, n)
		if done[n] || from[n] < 0 {
			continue
		}
		for m := range next {
			done[m] = done[m] || from[m] >= 0 && before(next, m)[n] >= 0
		}
		cycle := []QueueRef{{0, n, 3}}
		for m := from[n]; m != n; m = from[m] {
			cycle = append(cycle, QueueRef{0, m, 3})
		}
		slices.Reverse(cycle[1:])
		cycles = append(cycles, cycle)
	}
	return cycles
}

func TestCyclesAreThoseOfASearchFromEveryQueue(t *testing.T) {
	luck := rand.New(rand.NewPCG(1, 2))
	graphs := [][][]int{nil, {nil}, {{0}}, {{1}, {0}}, row(9, 0), row(9, 1), row(30, 3)}
	for range 300 {
		graphs = append(graphs, random(1+luck.IntN(30), 3*luck.Float64(), luck))
	}
	several := 0
	for _, next := range graphs {
		t.Run(fmt.Sprint(next), func(t *testing.T) {
			got, want := Cycles(waits(next)), slowCycles(next)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v: cycles %v, want %v", next, got, want)
			}
			if len(want) > 1 {
				several++
			}
		})
	}
	if several < 20 {
		t.Errorf("only %d graphs have several cycles", several)
	}
}

// A search goes along each edge twice at most, once for the components and once for a cycle of one.
func TestCyclesFollowEachWaitTwice(t *testing.T) {
	luck := rand.New(rand.NewPCG(3, 4))
	for name, next := range map[string][][]int{
		"a row":                          row(20_000, 0),
		"a row of pairs":                 row(20_000, 3),
		"one knot of pairs":              row(20_000, 1),
		"at random, few":                 random(2000, 0.9, luck),
		"at random, one large component": random(2000, 4, luck),
	} {
		t.Run(name, func(t *testing.T) {
			edges := 0
			for _, of := range next {
				edges += len(of)
			}
			graph := newWaitGraph(waits(next))
			graph.cycles()
			if graph.followed < edges || graph.followed > 2*edges {
				t.Errorf("%s: it followed %d waits, of which there are %d", name, graph.followed, edges)
			}
		})
	}
}

// A queue stands still since its pause, or since the first frame that waits, with the switch's latency.
func TestBlockedSince(t *testing.T) {
	for _, c := range []struct {
		name    string
		latency unit.Duration
		pause   unit.Time
		frames  unit.Time
		want    unit.Time
	}{
		{"paused before", 0, 1 * us, 2 * us, 2 * us},
		{"paused while full", 0, 2600 * ns, 2 * us, 2600 * ns},
		{"with a latency", 500 * unit.Nanosecond, 1 * us, 2 * us, 2500 * ns},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := star(4)
			config.Profile.Latency = c.latency
			b := newBench(t, config)
			b.arrive(2, c.pause, pfc(65535, 3))
			for i := range uint32(20) {
				b.arrive(0, c.frames+100*ns*unit.Time(i), data(2, 0))
				b.arrive(1, c.frames+100*ns*unit.Time(i), data(2, 0))
			}
			b.run(5 * us)
			// The pause is sent once more, which changes nothing.
			b.arrive(2, 6*us, pfc(65535, 3))
			b.run(7 * us)
			got := b.s.Blocked()
			if len(got) != 1 || got[0].Since != c.want {
				t.Errorf("%s: %v, want since %v", c.name, got, c.want)
			}
		})
	}
}

// BenchmarkCycles finds the cycles among 100 000 blocked queues, whose frames came by four accounts each.
func BenchmarkCycles(b *testing.B) {
	const queues = 100_000
	luck := rand.New(rand.NewPCG(5, 6))
	// Switches of 64 ports; frames of a queue came by ports at random.
	var blocked [][]Blocked
	for n := range queues {
		if n%64 == 0 {
			blocked = append(blocked, nil)
		}
		var from []Source
		for _, port := range luck.Perm(64)[:4] {
			from = append(from, Source{port, 3})
		}
		slices.SortFunc(from, func(a, b Source) int { return a.Port - b.Port })
		last := len(blocked) - 1
		blocked[last] = append(blocked[last], Blocked{Port: n % 64, Class: 3, From: from})
	}
	far := luck.Perm(queues)
	for _, c := range []struct {
		name string
		peer func(PortRef) (PortRef, bool)
	}{
		{"one component", func(p PortRef) (PortRef, bool) {
			m := far[p.Switch*64+p.Port]
			return PortRef{m / 64, m % 64}, true
		}},
		{"no cycle", func(p PortRef) (PortRef, bool) {
			return PortRef{p.Switch + 1, p.Port}, p.Switch+1 < len(blocked)
		}},
		{"a cycle each three switches", func(p PortRef) (PortRef, bool) {
			next := p.Switch - p.Switch%3 + (p.Switch+1)%3
			return PortRef{next, p.Port}, next < len(blocked)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			found := 0
			for b.Loop() {
				found = len(Cycles(blocked, c.peer))
			}
			b.ReportMetric(float64(found), "cycles")
		})
	}
}

// BenchmarkBlocked lists the queues of a switch of 64 ports whose buffer is full.
func BenchmarkBlocked(b *testing.B) {
	const ports = 64
	config := star(ports)
	s, err := New(config)
	if err != nil {
		b.Fatal(err)
	}
	for i := range s.ports {
		port := &s.ports[i]
		port.pauses.Receive(3, unit.Millisecond, 0, port.rec.Classes.At(3))
		s.updateBlocked(port)
		for k := range 8000 / ports {
			port.push(3, &entry{frame: data(0, 0), ingress: uint16((i + k) % ports), class: 3})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(s.Blocked()) != ports {
			b.Fatal(fmt.Sprint(s.Blocked()))
		}
	}
}
