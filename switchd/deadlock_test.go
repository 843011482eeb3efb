package switchd

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ring3 joins port 1 of each of three switches to port 2 of the next.
func ring3(p PortRef) (PortRef, bool) {
	switch p.Port {
	case 1:
		return PortRef{(p.Switch + 1) % 3, 2}, true
	case 2:
		return PortRef{(p.Switch + 2) % 3, 1}, true
	}
	return PortRef{}, false
}

func TestCycles(t *testing.T) {
	on := func(port int, class uint8, from ...Source) Blocked { return Blocked{port, class, 0, from} }
	around := Source{2, 3} // came from the switch before
	local := Source{0, 3}  // came from a NIC
	for _, x := range []struct {
		name    string
		blocked [][]Blocked
		want    string
	}{
		{"ring", [][]Blocked{{on(1, 3, around)}, {on(1, 3, local, around)}, {on(1, 3, around)}}, "[[0:1/3 1:1/3 2:1/3]]"},
		{"open ring", [][]Blocked{{on(1, 3, around)}, {on(1, 3, local)}, {on(1, 3, around)}}, "[]"},
		{"one not paused", [][]Blocked{{on(1, 3, around)}, nil, {on(1, 3, around)}}, "[]"},
		{"another class", [][]Blocked{{on(1, 3, around)}, {on(1, 3, Source{2, 4})}, {on(1, 3, around)}}, "[]"},
		{"both ways round", [][]Blocked{
			{on(1, 3, around), on(2, 3, Source{1, 3})},
			{on(1, 3, around), on(2, 3, Source{1, 3})},
			{on(1, 3, around), on(2, 3, Source{1, 3})}}, "[[0:1/3 1:1/3 2:1/3] [0:2/3 2:2/3 1:2/3]]"},
		{"a pair", [][]Blocked{{on(1, 3, Source{1, 3})}, {on(2, 3, Source{2, 3})}, nil}, "[[0:1/3 1:2/3]]"},
		{"two classes", [][]Blocked{
			{on(1, 3, around), on(1, 4, Source{2, 4})}, {on(1, 3, around), on(1, 4, Source{2, 4})},
			{on(1, 3, around), on(1, 4, Source{2, 4})}}, "[[0:1/3 1:1/3 2:1/3] [0:1/4 1:1/4 2:1/4]]"},
		{"waits for the port after those that frames came by", [][]Blocked{
			{on(1, 0, Source{2, 0})}, {on(1, 0, Source{1, 0})}, {on(1, 0, Source{0, 0})}}, "[]"},
		{"waits for the NIC", [][]Blocked{{on(0, 3, around)}, nil, nil}, "[]"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := fmt.Sprint(Cycles(x.blocked, ring3)); got != x.want {
				t.Errorf("%s: %s, want %s", x.name, got, x.want)
			}
		})
	}
}

// TestBlockedLists: port 2 is paused with frames from two ports; port 3 is
// paused and empty, port 1 full and not paused.
func TestBlockedLists(t *testing.T) {
	b := newBench(t, star(4))
	b.arrive(2, 1*us, pfc(65535, 3))
	b.arrive(3, 1*us, pfc(65535, 3))
	for i := range 4 {
		b.arrive(0, 2*us+100*ns*unit.Time(i), data(1+i%2, 0))
		b.arrive(1, 2*us+100*ns*unit.Time(i), data(2, 0))
	}
	b.run(2300 * ns)
	want := []Blocked{{Port: 2, Class: 3, Since: 2 * us, From: []Source{{0, 3}, {1, 3}}}}
	if got := b.s.Blocked(); !reflect.DeepEqual(got, want) {
		t.Errorf("blocked %v, want %v", got, want)
	}
	b.arrive(2, 3*us, pfc(0, 3))
	b.run(3 * us)
	if got := b.s.Blocked(); got != nil {
		t.Errorf("after XON: %v", got)
	}
}
