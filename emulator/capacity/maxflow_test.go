package capacity

import "testing"

// The largest flow of the network in Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, figure 26.1, is
// 23. Tier: -short. Red if a flow cannot be taken back.
func TestMaxFlow(t *testing.T) {
	n := newNetwork(6)
	n.join(0, 1, 16, 0)
	n.join(0, 2, 13, 0)
	n.join(2, 1, 4, 0)
	n.join(1, 3, 12, 0)
	n.join(3, 2, 9, 0)
	n.join(2, 4, 14, 0)
	n.join(4, 3, 7, 0)
	n.join(3, 5, 20, 0)
	n.join(4, 5, 4, 0)
	if got := n.maxFlow(0, 5); got != 23 {
		t.Errorf("the largest flow is %d, want 23", got)
	}
	// The shortest way takes a link of each of two longer ones, and must give back the link between them.
	n = newNetwork(8)
	for _, link := range [][2]int{{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 5}, {5, 2}, {1, 6}, {6, 7}, {7, 3}} {
		n.join(link[0], link[1], 1, 0)
	}
	if got := n.maxFlow(0, 3); got != 2 {
		t.Errorf("the largest flow is %d, want 2", got)
	}
	if got := newNetwork(2).maxFlow(0, 1); got != 0 {
		t.Errorf("a flow of %d where nothing is joined", got)
	}
}
