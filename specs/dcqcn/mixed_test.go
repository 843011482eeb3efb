package dcqcn

import (
	"fmt"
	"reflect"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// group is an entry of the traffic, three flows of one algorithm.
type group struct{ name, algorithm string }

var (
	dcqcn = group{"dcqcn", "dcqcn"}
	pc4   = group{"pc4", "pc4"}
	fixed = group{"fixed", "{name: fixed, params: {rate: 8Gbps}}"}
	none  = group{"none", "none"}
)

// mixture has the groups in one fabric of twelve hosts, three senders each: the
// first group's are h0 to h2, the second's h3 to h5. Their receivers are h9 for
// all, or h9, h10 and h11.
func mixture(apart bool, groups ...group) string {
	var entries strings.Builder
	for i, g := range groups {
		to := 9
		if apart {
			to += i
		}
		if g.name != "" {
			fmt.Fprintf(&entries, "  - {name: %s, from: h%d..h%d, to: h%d, jitter: 1us, algorithm: %s}\n", g.name, 3*i,
				3*i+2, to, g.algorithm)
		}
	}
	return `
topology: {kind: star, hosts: 12}
traffic:
` + entries.String() + `run: {until: 15ms}
record: {interval: 100us}
expect: {congestion: required, checks: [drops == 0]}
`
}

// part is the result of a group.
type part struct {
	// Rate is that of its flows together from 5 ms to the end, in Gb/s on the
	// wire, RTT the mean of their means in us.
	Rate, RTT float64
	// Decisions and CNPs are the sums over all its flows.
	Decisions, CNPs uint64
}

func parts(r *lab.Run) map[string]part {
	groups := map[string]part{}
	for i := range r.Flows {
		s := r.Flows[i].Sender
		name := r.Plan.Flows[i].Group
		p := groups[name]
		p.Rate += r.WireRate(i, unit.Time(5*unit.Millisecond), unit.Time(15*unit.Millisecond))
		p.RTT += s.RTT.Mean().Microseconds() / 3
		p.Decisions += s.Decisions
		p.CNPs += s.CNPs
		groups[name] = p
	}
	return groups
}

// mix runs a mixture with one seed.
func mix(o lab.Options, groups ...group) *lab.Run {
	return lab.OverSeeds(mixture(false, groups...), lab.Options{Algorithms: o.Algorithms, Seeds: lab.Seeds[:1]})[0]
}

// eachByItsOwn are the criteria of three groups that share one port: each is
// ruled by the algorithm of its entry.
func eachByItsOwn(r *lab.Run) (c lab.Criteria) {
	p := parts(r)
	c.Want(p["dcqcn"].CNPs > 0 && p["pc4"].CNPs == 0 && p["fixed"].CNPs == 0,
		"CNPs: DCQCN %d, PC4 %d, fixed %d; only DCQCN's data can be marked",
		p["dcqcn"].CNPs, p["pc4"].CNPs, p["fixed"].CNPs)
	c.Want(p["fixed"].Decisions == 3, "%d decisions of three fixed flows, wanted is one each", p["fixed"].Decisions)
	c.Want(p["fixed"].Rate >= 0.99*24 && p["fixed"].Rate <= 1.01*24, "fixed flows have %.3f Gb/s, wanted is 3 x 8",
		p["fixed"].Rate)
	c.Want(p["pc4"].Rate <= p["dcqcn"].Rate/3, "PC4 has %.3f Gb/s beside DCQCN's %.3f, wanted is at most a third",
		p["pc4"].Rate, p["dcqcn"].Rate)
	return c
}

// oneForAll gives every flow DCQCN, for any name in its entry.
func oneForAll(string) (cc.Algorithm, bool) {
	a, ok := shipped.Find("dcqcn")
	return anyParams{a}, ok
}

// anyParams takes any parameters and ignores them.
type anyParams struct{ cc.Algorithm }

func (a anyParams) Describe() cc.Description {
	d := a.Algorithm.Describe()
	d.Params = append(d.Params, cc.Rate("rate", "").In(0, cc.MostRate).Doc("").From(""))
	return d
}

var _ = Describe("groups of flows with different algorithms in one fabric", Label("mixed", "dcqcn", "pc4"), func() {
	It("each follow their own, beside each other on one port, and lose nothing", func() {
		r := mix(lab.Options{}, dcqcn, pc4, fixed)
		Expect(r.Verdict.Status).To(Equal(result.Pass), "%v", r.Verdict.Findings)
		Expect(r.Summary.Algorithm).To(Equal("dcqcn+pc4+fixed"))
		c := eachByItsOwn(r)
		Expect(c.Missed).To(BeEmpty())
	})

	It("are told from flows that all run one algorithm", Label("mutant"), func() {
		r := mix(lab.Options{Algorithms: oneForAll}, dcqcn, pc4, fixed)
		c := eachByItsOwn(r)
		Expect(c.Missed).NotTo(BeEmpty())
	})

	// DCQCN lets a queue of Kmin, 400 KB or 32 us, stand. PC4 reads that as
	// congestion, and goes down to its floor. Flows without control fill the
	// buffer, so that PFC shares the port among the senders' links.
	It("give and take: what answers to delay yields to what answers to marks, and both to what answers to nothing",
		func() {
			table := lab.NewTable("groups of three", "rates, Gb/s", "mean RTT, us", "decisions", "CNPs", "pauses", "verdict")
			for _, groups := range [][]group{{dcqcn, dcqcn}, {pc4, pc4}, {dcqcn, pc4}, {dcqcn, fixed}, {pc4, fixed},
				{dcqcn, none}, {pc4, none}, {dcqcn, pc4, fixed}} {
				if groups[0] == groups[1] {
					groups[1].name += "-too"
				}
				r := mix(lab.Options{}, groups...)
				Expect(r.Verdict.Status).To(Equal(result.Pass), "%v", r.Verdict.Findings)
				p := parts(r)
				cell := func(of func(part) string) string {
					var texts []string
					for _, g := range groups {
						texts = append(texts, of(p[g.name]))
					}
					return strings.Join(texts, " + ")
				}
				var names []string
				for _, g := range groups {
					names = append(names, g.name)
				}
				table.Row(strings.Join(names, " + "), cell(func(p part) string { return fmt.Sprintf("%.1f", p.Rate) }),
					cell(func(p part) string { return fmt.Sprintf("%.1f", p.RTT) }),
					cell(func(p part) string { return fmt.Sprint(p.Decisions) }),
					cell(func(p part) string { return fmt.Sprint(p.CNPs) }), r.Summary.Pauses, r.Verdict.Status)
				switch groups[1] {
				case fixed:
					Expect(p["fixed"].Rate).To(BeNumerically("~", 24, 0.24))
				case pc4:
					Expect(p["pc4"].Rate).To(BeNumerically("<", p["dcqcn"].Rate))
				case none:
					Expect(p["none"].Rate).To(BeNumerically(">", p[groups[0].name].Rate))
					Expect(r.Summary.Pauses).To(BeNumerically(">", 0))
				}
			}
			table.Report("mixed groups onto one port of 100 Gb/s, seed 1")
		})

	It("do, with receivers of their own, what each does alone, to the picosecond", func() {
		Expect(disturbed(true)).To(BeEmpty())
		Expect(disturbed(false)).To(HaveLen(9), "and on one port nobody does")
	})
})

// disturbed names the flows that behave differently beside the other groups than without them.
func disturbed(apart bool) (names []string) {
	groups := []group{dcqcn, pc4, fixed}
	together := lab.Simulate(mixture(apart, groups...))
	flow := 0
	for i := range groups {
		only := make([]group, len(groups))
		only[i] = groups[i]
		alone := lab.Simulate(mixture(apart, only...))
		for j := range alone.Flows {
			name := alone.Plan.Flows[j].Name
			Expect(together.Plan.Flows[flow].Name).To(Equal(name))
			if !reflect.DeepEqual(together.Flows[flow].Sender, alone.Flows[j].Sender) {
				names = append(names, name)
			}
			flow++
		}
	}
	Expect(flow).To(Equal(len(together.Flows)))
	return names
}
