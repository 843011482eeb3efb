package record

import (
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Laps come back as they were added, including empty laps and laps in which a state lost time to another; a truncated
// list has the complete laps only.
func TestLaps(t *testing.T) {
	shown := []Spent{
		{Sending: 5 * unit.Microsecond, Paced: 1},
		{Sending: 5 * unit.Microsecond, Paced: 1},
		{Sending: 9 * unit.Microsecond, Paced: 1, InFlight: unit.Second},
		{Sending: 9 * unit.Microsecond, Paced: 1, Repairing: unit.Second + 7},
	}
	var l Laps
	var want []Spent
	before := Spent{}
	for i := range shown {
		l.Add(&shown[i])
		lap := shown[i]
		for state := range lap {
			lap[state] -= before[state]
		}
		want, before = append(want, lap), shown[i]
	}
	listed := func(l *Laps) (list []Spent) {
		for lap := range l.Each {
			list = append(list, *lap)
		}
		return list
	}
	if got := listed(&l); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if size := len(l.Packed); size > 40 {
		t.Errorf("4 laps take %d bytes", size)
	}
	if got := listed(&Laps{Packed: l.Packed[:len(l.Packed)-1]}); !slices.Equal(got, want[:3]) {
		t.Errorf("cut short: %v", got)
	}
}
