package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// boundOf returns the bound of a plan in which each flow takes the first of its paths.
func boundOf(p *plan.Plan) *plan.Bound {
	return p.BoundOf(func(flow int, leave func(plan.End, float64)) {
		f, end := &p.Flows[flow], plan.End{Node: p.NICNode(p.Flows[flow].Src)}
		for range p.Nodes() {
			leave(end, 1)
			at := p.Node(end.Node)
			far := p.Node(p.Peer(at.Links[end.Port], end).Node)
			if far.Kind != plan.KindSwitch {
				return
			}
			sw := &p.Switches[far.Index]
			end = plan.End{Node: far.ID, Port: int(sw.NextHops[sw.Routes[f.Dst]][0])}
		}
	})
}

// The bound by hand, of jobs in all shapes; x is 4 packets of 1082 B at 10 Gb/s, 3.4624 us, and an
// ACK 86 B, 0.0688 us.
func TestBoundByHand(t *testing.T) {
	const fabric = `
algorithm: none
topology: {kind: two-dc, scale: 1/64, spines: 1, dci_links: 1, rate: 10Gbps, uplink_rate: 10Gbps, latency: 1us,
           uplink_latency: 1us, dci_rate: 10Gbps, dci_wan: {length: 1km}}
`
	const (
		us     = float64(unit.Microsecond)
		x, ack = 3.4624, 4 * 0.0688
		local  = 4 + 3*0.8656 // behind the NIC through leaf, spine and leaf
		ring   = x + ack + local
		back   = 4*0.0688 + 4 // an ACK
		across = 4 + 4*0.8656 // behind the NIC through one spine more, but for the fibre
		home   = 5*0.0688 + 4 // an ACK likewise
		one    = 10 + x + ack + across + home
	)
	for _, c := range []struct {
		what, traffic                string
		one, fibre, step, free, load float64
		said                         string
	}{
		{"a permute waits for its ACK across the fibre",
			"{operation: permute, hosts: [a-h0, b-h0], size: 4kB, compute: 10us}",
			one, 10, one + 10, one + 10, 1, ""},
		{"two of them share the port, alone or together",
			"{operation: permute, hosts: [a-h0, b-h0], size: 4kB, compute: 10us}, " +
				"{operation: permute, hosts: [a-h2, b-h2], size: 4kB, compute: 10us}", one, 10, one + x + 10, one + 10, 2,
			"0.03901 ms an iteration at the least if all jobs reach the fibre together: 0.02554 ms in one site (one) + " +
				"0.003462 ms at a-spine0:4, (L - 1) x with L = 2, + 0.01 ms of fibre (d); x = 0.003462 ms is one flow's " +
				"crossing, L = 2 the rate of the flows at a-spine0:4 over the port's; 0.03554 ms if jobs drift apart"},
		{"short computation: the port is the bound of jobs that drift",
			"{operation: permute, hosts: [a-h0, b-h0, a-h2, b-h2, a-h4, b-h4, a-h6, b-h6], size: 400kB}",
			one - 10 + 99*(x+ack), 10, one - 10 + 99*(x+ack) + 300*x + 10, one - 10 + 99*(x+ack) + 300*x + 10, 4, ""},
		{"a hierarchy has two rings and the exchange",
			"{operation: all-reduce, method: hierarchical, hosts: [a-h0, a-h2, b-h0, b-h2], size: 8kB, compute: 10us}",
			10 + 2*ring + x + ack + across + back, 5, 10 + 2*ring + 2*x + ack + across + back + 5,
			10 + 2*ring + 2*x + ack + across + back + 5, 2, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := plansOf(t, fabric+"traffic: ["+c.traffic+"]")[0]
			if reason := p.Unbounded(); reason != "" {
				t.Errorf("%s: %s", c.what, reason)
				return
			}
			b := boundOf(p)
			near := func(what string, got unit.Duration, want float64) {
				if diff := float64(got)/us - want; diff > 0.01 || diff < -0.01 {
					t.Errorf("%s: %s is %v, want %.4f us", c.what, what, got, want)
				}
			}
			near("one", b.One, c.one)
			near("d", b.Fibre, c.fibre)
			near("step", b.Step, c.step)
			near("free", b.Free, c.free)
			if c.said != "" && b.String() != c.said {
				t.Errorf("%s: %s", c.what, b)
			}
			if b.Load != c.load {
				t.Errorf("%s: L is %v, want %v", c.what, b.Load, c.load)
			}
		})
	}
}

// If no bound is known the reason is reported, in case the scenario demands that congestion costs.
func TestNoBound(t *testing.T) {
	const job = "{name: job, operation: permute, hosts: [a-h0, b-h0], size: 1MB"
	for _, c := range []struct{ fabric, traffic, want string }{
		{"", "{from: a-h0, to: b-h0, size: 1MB}", "there is no collective"},
		{", sites: 1", job + "}", "no switch has a port to a long-haul path"},
		{"", job + "}, {name: other, from: a-h1, to: b-h1, size: 1MB}",
			"flow other/a-h1-b-h1, which belongs to no collective, crosses a long-haul path"},
		{"", "{name: job, operation: all-reduce, hosts: [a-h0, b-h0], size: 1MB}",
			"job is all-reduce by ring: a bound is known of hierarchical and of permute"},
		{"", job + ", compute: 1ms, stragglers: {a-h0: 2}}", "the ranks of job compute for different times"},
		{"", "{name: job, operation: permute, hosts: [a-h0, a-h1], size: 1MB}",
			"job sends nothing over a long-haul path"},
		{"", "{name: job, operation: all-reduce, method: hierarchical, hosts: [a-h0, b-h0, a-h1, b-h1], size: 1MB}",
			"a ring of job crosses a long-haul path, from a-h0 to b-h0"},
	} {
		t.Run(fmt.Sprintf("fabric=%s,want=%s", c.fabric, c.want), func(t *testing.T) {
			src := "algorithm: none\ntopology: {kind: two-dc, scale: 1/64" + c.fabric + "}\ntraffic: [" + c.traffic + "]\n"
			p := plansOf(t, src)[0]
			if got := p.Unbounded(); !strings.Contains(got, c.want) {
				t.Errorf("%s: %q, want %q", c.traffic, got, c.want)
			}
			if boundOf(p) != nil {
				t.Errorf("%s: has a bound", c.traffic)
			}
			s, err := Parse("test.yaml", []byte(src+"expect: {congestion: costly}\n"), known)
			if err == nil {
				_, err = s.Plans()
			}
			want := "congestion is costly, and no bound is known of iterations: " + c.want
			if err == nil || !strings.Contains(err.Error(), want) ||
				!strings.Contains(err.Error(), "allowed are any and required") {
				t.Errorf("%s: %v, want %q", c.traffic, err, want)
			}
		})
	}
	src := "algorithm: none\ntopology: {kind: two-dc, scale: 1/64}\ntraffic: [" + job + "}]\n" +
		"expect: {congestion: costly, checks: [iteration_mean_us <= 1.02 * bound_us, iteration_mean_us >= free_us]}\n"
	p := plansOf(t, src)[0]
	if !p.Expect.Costly || !p.Expect.Congestion ||
		p.Expect.Checks[0].Of != "bound_us" || p.Expect.Checks[0].Value != 1.02 ||
		p.Expect.Checks[1].Of != "free_us" || p.Expect.Checks[1].Value != 1 {
		t.Errorf("expects %+v", p.Expect)
	}
}
