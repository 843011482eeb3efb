package attribution

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// The tournament finds the same winner as a search of all ports, for any changes; among equal levels the first wins.
func TestTournament(t *testing.T) {
	random := chance.New(1, "tournament")
	for ports := range 20 {
		var cup tournament
		cup.begin(ports)
		all := make([]contender, ports)
		draw := func() contender {
			return contender{int32(random.Below(4)) - 1, float64(random.Below(6))}
		}
		for i := range all {
			all[i] = draw()
			cup.set(i, all[i])
		}
		cup.fill()
		for range 50 {
			want := contender{queue: -1}
			for _, c := range all {
				if c.queue >= 0 && (want.queue < 0 || c.level < want.level) {
					want = c
				}
			}
			if got := cup.winner(); got.queue < 0 != (want.queue < 0) || got.queue >= 0 && got != want {
				t.Fatalf("%d ports %v: %v wins, want %v", ports, all, got, want)
			}
			if ports > 0 {
				i := int(random.Below(uint64(ports)))
				all[i] = draw()
				cup.update(i, all[i])
			}
		}
	}
}

// Flows in a ring, each at two ports that it shares with a neighbour, have half of them, in whichever order ports fill.
func TestFairSharesOfARing(t *testing.T) {
	f := &Fabric{}
	for range 50 {
		f.Ports = append(f.Ports, portOf(100))
	}
	for i := range f.Ports {
		f.Flows = append(f.Flows, active(0, i, (i+1)%len(f.Ports)))
	}
	want := make([]float64, len(f.Flows))
	for i := range want {
		want[i] = 50
	}
	shares(t, f, want...)
}
