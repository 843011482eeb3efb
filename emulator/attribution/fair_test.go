package attribution

import (
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// shares compares the fair shares of all flows in the first bin, in Gb/s.
func shares(t *testing.T, f *Fabric, want ...float64) {
	t.Helper()
	f.Width, f.Bins = 100*us, 1
	f.Prepare()
	for flow := range f.Flows {
		if got := f.fairShare(flow, 0) / 1e9; math.Abs(got-want[flow]) > 1e-9 {
			t.Errorf("flow %d: %v Gb/s, want %v", flow, got, want[flow])
		}
	}
}

// active is a flow that wants to send for all of a bin, by a queue of its ports.
func active(queue int, way ...int) Flow {
	f := sender(way, bins(10), bins(90))
	for i := range f.Way {
		f.Way[i].Queue = queue
	}
	return f
}

// Max-min: of three flows two share a port of 100 with one that is bounded elsewhere to 20 (Bertsekas and Gallager,
// section 6.5.2): 20, 40, 40. Tier of all here: -short.
func TestFairShares(t *testing.T) {
	narrow := portOf(100)
	narrow.Rate = 20 * unit.Gbps
	shares(t, &Fabric{
		Ports: []Port{portOf(100), narrow},
		Flows: []Flow{active(0, 0, 1), active(0, 0), active(0, 0)},
	}, 20, 40, 40)
}

// sorting is a port that sorts frames into queues.
func sorting(weights map[int]int, strict ...int) Port {
	p := portOf(100)
	p.Weights, p.Strict = make([]int, 8), make([]bool, 8)
	for queue := range p.Weights {
		p.Weights[queue] = max(1, weights[queue])
	}
	for _, queue := range strict {
		p.Strict[queue] = true
	}
	return p
}

// Queues of weights 1 and 3 have 25 and 75, and the two flows of the second one half of that each.
func TestFairSharesOfWeights(t *testing.T) {
	shares(t, &Fabric{
		Ports: []Port{sorting(map[int]int{4: 3})},
		Flows: []Flow{active(3, 0), active(4, 0), active(4, 0)},
	}, 25, 37.5, 37.5)
}

// A queue whose flow is bounded to 10 elsewhere leaves the rest of its half to the other one.
func TestFairSharesOfUnusedWeight(t *testing.T) {
	narrow := portOf(100)
	narrow.Rate = 10 * unit.Gbps
	shares(t, &Fabric{
		Ports: []Port{sorting(nil), narrow},
		Flows: []Flow{active(3, 0, 1), active(4, 0)},
	}, 10, 90)
}

// Within a queue what one flow leaves is the other one's first: 10, 40, and 50 for the flow of the other queue.
func TestFairSharesWithinAQueue(t *testing.T) {
	narrow := portOf(100)
	narrow.Rate = 10 * unit.Gbps
	shares(t, &Fabric{
		Ports: []Port{sorting(nil), narrow},
		Flows: []Flow{active(3, 0, 1), active(3, 0), active(4, 0)},
	}, 10, 40, 50)
}

// Flows of strict priority are filled first: one that is bounded to 30 leaves 70, an unbounded one nothing.
func TestFairSharesOfStrictPriority(t *testing.T) {
	narrow := portOf(100)
	narrow.Rate = 30 * unit.Gbps
	shares(t, &Fabric{
		Ports: []Port{sorting(nil, 5, 6), narrow},
		Flows: []Flow{active(3, 0), active(6, 0, 1), active(4, 0)},
	}, 35, 30, 35)
	shares(t, &Fabric{
		Ports: []Port{sorting(nil, 5, 6)},
		Flows: []Flow{active(3, 0), active(5, 0), active(6, 0)},
	}, 0, 0, 100)
}

// A flow has nothing to wait for unfairly behind a queue of strict priority.
func TestStrictPriorityIsFair(t *testing.T) {
	first, other := sender([]int{0, 2}, bins(10), bins(90)), sender([]int{1, 2}, bins(90), bins(10))
	first.Way[1].Queue, other.Way[1].Queue = 3, 6
	port := sorting(nil, 6)
	divided(t, &Fabric{
		Bins:  1,
		Ports: []Port{portOf(10), portOf(90), port},
		Flows: []Flow{first, other},
	}, map[Part]int{Alone: 10, Shared: 90})
}
