package collectives

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// wire is W, the time in us of a message of the given bytes at 100 Gb/s; way is L.
func wire(bytes int) float64 { return float64(bytes/1000*1082+16) * 8e-5 }

const (
	way = 2 + 1082*8e-5 // two links, and the last packet once more at the switch
	// slack is the allowed loss: one ACK for 64 packets shares the links, packets meet at the switch, and a rank is
	// done with its last ACK.
	slack, last = 0.01, 3.0
)

// method is a way to carry out an operation and the least time in us that it
// takes.
type method struct {
	entry string
	ranks int
	least float64
}

const (
	size    = 840_000 // divides by all that follows
	compute = 50
)

var methods = []method{
	{"operation: all-reduce, method: ring", 8, 14 * (wire(size/8) + way)},
	{"operation: all-reduce, method: ring", 3, 4 * (wire(size/3) + way)},
	{"operation: all-reduce, method: halving-doubling", 8, 2 * (wire(size/2) + wire(size/4) + wire(size/8) + 3*way)},
	// A full tree of three levels; a rank takes from two at once, and sends to two.
	{"operation: all-reduce, method: tree", 7, 4 * (2*wire(size) + way)},
	{"operation: all-reduce, method: parameter-server", 8, 2 * (7*wire(size) + way)},
	// Two groups of four: three steps around, one across, three around; four of two:
	// a rank gives its piece to three others.
	{"operation: all-reduce, method: hierarchical", 8, 7 * (wire(size/4) + way)},
	{"operation: all-reduce, method: hierarchical, groups: 4", 8, 2*(wire(size/2)+way) + 3*wire(size/2) + way},
	{"operation: all-gather, method: ring", 8, 7 * (wire(size/8) + way)},
	{"operation: all-gather, method: halving-doubling", 8, wire(size/2) + wire(size/4) + wire(size/8) + 3*way},
	{"operation: reduce-scatter, method: ring", 8, 7 * (wire(size/8) + way)},
	{"operation: reduce-scatter, method: halving-doubling", 8, wire(size/2) + wire(size/4) + wire(size/8) + 3*way},
	{"operation: all-to-all, method: direct", 8, 7*wire(size/8) + way},
	{"operation: broadcast, method: tree", 7, 2 * (2*wire(size) + way)},
	// Seven hops, the chunks close behind each other.
	{"operation: broadcast, method: ring, chunks: 10", 8, 7*(wire(size/10)+way) + 9*wire(size/10)},
	{"operation: permute", 8, wire(size) + way},
}

// ideal is a fabric without trouble.
func (m *method) ideal() string {
	return fmt.Sprintf(`
algorithm: none
topology: {kind: star, hosts: %d}
switch: {buffer: 1GB}
nic: {ack_every: 64}
traffic: [{%s, size: %dB, iterations: 2, compute: %dus}]
`, m.ranks, m.entry, size, compute)
}

// criteria: the quicker of the two iterations, the median, takes the method's time. (In the other, ranks that were done
// early with the first wait for slower ones.)
func (m *method) criteria(r *lab.Run) (c lab.Criteria) {
	s := r.Summary
	c.Want(s.IterationsDone == 2 && s.Incomplete == 0, "%d of 2 iterations done", s.IterationsDone)
	c.Want(s.Drops == 0 && s.Pauses == 0, "%d drops, %d pauses", s.Drops, s.Pauses)
	c.Want(s.Collective.P50 >= m.least, "%.3f us is less than %.3f us, which the messages need", s.Collective.P50, m.least)
	c.Want(s.Collective.P50 <= m.least*(1+slack)+last, "%.3f us is more than %.3f us and %.0f %%", s.Collective.P50,
		m.least, 100*slack)
	if strings.HasPrefix(m.entry, "operation: all-reduce") { // nobody begins the second before all computed for it
		c.Want(s.DurationUS >= 2*m.least+compute, "both took %.3f us, less than %.3f us and the computation between",
			s.DurationUS, 2*m.least)
	}
	return c
}

var _ = Describe("on a network without trouble", func() {
	It("every method takes the time that its messages need", func() {
		t := lab.NewTable("collective", "ranks", "least/us", "measured/us", "busbw GB/s")
		for i := range methods {
			m := &methods[i]
			r := lab.Simulate(m.ideal())
			t.Row(m.entry, m.ranks, fmt.Sprintf("%.3f", m.least), fmt.Sprintf("%.3f", r.Summary.Collective.P50),
				fmt.Sprintf("%.3f", r.Summary.BusBW))
			Expect(m.criteria(r).Missed).To(BeEmpty(), "%s over %d ranks", m.entry, m.ranks)
		}
		t.Report("methods")
	})

	It("pairwise exchange takes a round trip a step", func() {
		m := method{"operation: all-to-all, method: pairwise", 8, 7 * (wire(size/8) + 2*2)}
		Expect(m.criteria(lab.Simulate(m.ideal())).Missed).To(BeEmpty())
	})

	It("is missed by messages that wait for nothing", Label("mutant"), func() {
		for i := range methods {
			m := &methods[i]
			p := lab.Plans(m.ideal())[0]
			waits := false
			for f := range p.Flows {
				for k := range p.Flows[f].Messages {
					kept := p.Flows[f].Messages[k].After[:0:0]
					for _, a := range p.Flows[f].Messages[k].After {
						if a.Flow == plan.OwnPhases && a.Count == 1 {
							kept = append(kept, a) // the first computation stays
						}
					}
					waits = waits || len(kept) < len(p.Flows[f].Messages[k].After)
					p.Flows[f].Messages[k].After = kept
				}
			}
			Expect(waits).To(BeTrue(), m.entry)
			c := m.criteria(lab.Do(p, lab.Options{}))
			Expect(c.Missed).NotTo(BeEmpty(), "%s over %d ranks", m.entry, m.ranks)
		}
	})
})
