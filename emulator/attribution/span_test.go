package attribution

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A span has the exact states that it was given, and divides the rest as the bins that it covers: of a flow that is
// held back in a first bin and shares a port in a second one, each span has its own cause, and one of half of each
// has both.
func TestSpans(t *testing.T) {
	f := &Fabric{
		Width: 100 * us,
		Bins:  2,
		Ports: []Port{portOf(50, 50), portOf(0, 50), portOf(50, 100)},
		Flows: []Flow{sender([]int{0, 2}, bins(50, 50), bins(50, 50)), sender([]int{1, 2}, bins(0, 50), bins(0, 50))},
	}
	f.Prepare()
	at := func(d int) unit.Time { return unit.Time(unit.Duration(d) * us) }
	paced := record.Spent{record.Sending: 60 * us, record.Paced: 40 * us}
	got := f.DivideSpans(0, []Span{
		{From: 0, Sent: at(100), Spent: paced},
		{
			From:   at(100),
			Sent:   at(200),
			Spent:  paced,
			Tail:   10 * us,
			Travel: 4 * us,
			Repair: 1 * us,
		},
		{From: at(50), Sent: at(150), Spent: paced},
	})
	for i, want := range []map[Part]int{
		{Alone: 60, HeldBack: 40},
		{Alone: 64, Shared: 40, Queued: 5, Repair: 1},
		{Alone: 60, HeldBack: 20, Shared: 20},
	} {
		for part := range NumParts {
			if got[i].Parts[part] != unit.Duration(want[part])*us {
				t.Errorf("span %d: %v is %v, want %d us", i, part, got[i].Parts[part], want[part])
			}
		}
	}
	if got[0].Port != 0 || got[1].Port != 1 {
		t.Errorf("at ports %d and %d", got[0].Port, got[1].Port)
	}
}
