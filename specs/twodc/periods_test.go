package twodc

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/lab"
)

// actions calls visit for each thing that a switch did for proximal CNP.
func actions(r *lab.Run, visit func(sw int, a *record.ProximalAction)) {
	for i := range r.Switches {
		for j := range r.Switches[i].Proximal.Actions {
			visit(i, &r.Switches[i].Proximal.Actions[j])
		}
	}
}

// periods are what switches said and held in each iteration of the first job,
// counted from the end of its computation.
type period struct {
	notifications int
	queue         unit.Bytes
	passed        bool
}

func periodsOf(r *lab.Run) []period {
	c := &r.Plan.Collectives[0]
	p := c.Places[0]
	var begins []unit.Time
	for i, at := range r.Phases[p.NIC][p.Rank] {
		if i%p.PhasesPerIteration == 0 {
			begins = append(begins, at)
		}
	}
	list := make([]period, len(begins))
	of := func(at unit.Time) *period {
		i, _ := slices.BinarySearch(begins, at+1)
		return &list[max(i-1, 0)]
	}
	actions(r, func(sw int, a *record.ProximalAction) {
		switch {
		case a.Kind == record.ProximalCongested && a.Peer != sw:
			of(a.At).notifications++
		case a.Kind == record.ProximalPass:
			of(a.At).passed = true
		}
	})
	for i := range r.Switches {
		if !strings.Contains(r.Plan.Switches[i].Name, "spine") {
			continue
		}
		for j := range r.Switches[i].Ports {
			d := &r.Switches[i].Ports[j].Queue[3].Depth
			for bin, depth := range d.Bins {
				at := of(unit.Time(bin) * unit.Time(d.Interval))
				at.queue = max(at.queue, unit.Bytes(depth))
			}
		}
	}
	return list
}

var _ = Describe("a training of equal periods", Label("R4", "proximal", "learning"), func() {
	It("needs few notifications from the third period on, once switches foresee its congestion", func() {
		t := exchange(7)
		t.record = "100us"
		run := func(settings string) *lab.Run {
			return lab.OverSeeds(t.yaml(settings), lab.Options{Seeds: lab.Seeds[:1]})[0]
		}
		with, without := run(scheme), run(unlearned)
		table := lab.NewTable("period", "notifications", "longest queue", "notifications without learning", "longest queue")
		p, q := periodsOf(with), periodsOf(without)
		worst, worstQueue := 0.0, 0.0
		for i := range p {
			table.Row(i+1, p[i].notifications, p[i].queue, q[i].notifications, q[i].queue)
			if i >= 2 && !p[i].passed {
				worst = max(worst, float64(p[i].notifications)/float64(p[0].notifications))
				worstQueue = max(worstQueue, float64(p[i].queue)/float64(p[0].queue))
			}
		}
		Expect(p[0].notifications).To(BeNumerically(">", 100))
		Expect(worst).To(BeNumerically("<=", 0.2))
		Expect(with.Summary.PreemptiveCNPs).To(BeNumerically(">", 0))
		table.Target(true, fmt.Sprintf("at most 20 %% of the first period's notifications from the third on: %.1f %%",
			100*worst), "")
		table.Target(worstQueue <= 0.5, fmt.Sprintf("queues of at most half of the first period's: %.2f of it", worstQueue),
			"alpha decays between bursts, so that five CNPs at the start of one cut little, and the congested switch is "+
				"asked to be silent: the queue is left to end-to-end ECN")
		slower := with.Summary.Iteration.Mean / without.Summary.Iteration.Mean
		table.Target(slower <= 1.05, fmt.Sprintf("iterations at most 5 %% longer than without learning: %.3f times as long",
			slower), "of the same")
		table.Report("R4: exchange across the fibre, 7 iterations, seed 1")
	})
})

var _ = Describe("traffic that moves to other flows", Label("R5", "proximal", "learning"), func() {
	It("is forgotten after three periods, and gets no CNP any more", func() {
		t := training{}
		job := func(host int, start string, iterations int) {
			t.jobs = append(t.jobs, fmt.Sprintf("name: job%d, operation: permute, hosts: [a-h%d, b-h%d], size: 16MB, "+
				"compute: 5ms, iterations: %d, start: %s", host, host, host, iterations, start))
		}
		for host := range 8 {
			if host%2 == 0 {
				job(host, "0s", 4)
			} else {
				job(host, "100ms", 10)
			}
		}
		const moved = unit.Time(100 * unit.Millisecond)
		r := lab.OverSeeds(t.yaml("proximal: {enabled: true, learning: {age: 0s}}"), lab.Options{Seeds: lab.Seeds[:1]})[0]
		learned, aged, late := 0, 0, 0
		last := unit.Time(0)
		actions(r, func(_ int, a *record.ProximalAction) {
			old := (a.SrcIP-plan.FirstIP)%2 == 0
			switch {
			case a.SrcIP == 0 || !old:
			case a.Kind == record.ProximalLearn:
				learned++
			case a.Kind == record.ProximalAge:
				aged++
				last = max(last, a.At)
			case a.At > moved:
				late++
			}
		})
		Expect(learned).To(BeNumerically(">", 0), "void: nothing was learned that could be forgotten")
		Expect(aged).To(Equal(8), "the flows of the first jobs, both ways")
		Expect(late).To(BeZero(), "what switches did for flows that had ended")
		// A period is some 15 ms; entries go as the first burst of others begins.
		Expect(last).To(BeNumerically("<", moved+unit.Time(4*8*15*unit.Millisecond)))
	})
})
