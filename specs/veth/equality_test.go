package veth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// file returns the plans of an example, with flows smaller than there.
func file(name, size string) []*plan.Plan {
	return lab.Load("../scenarios/"+name, map[string]string{"traffic.size": size})
}

// full are the plans of an example as it is.
func full(name string) []*plan.Plan { return lab.Load("../scenarios/"+name, nil) }

// halfIncast is the example of an incast with half as many senders.
func halfIncast(size string) []*plan.Plan {
	return lab.Load("../scenarios/incast.yaml", map[string]string{
		"topology.hosts": "9", "traffic.senders": "8", "traffic.receiver": "h8", "traffic.size": size})
}

// lossy is an all-to-all over links that lose frames, one of which is out for a while and one of which loses only ACKs,
// once with each kind of receiver.
const lossy = `
name: lossy
algorithm: dcqcn
topology: {kind: star, hosts: 5}
switch: {buffer: 450KB, ecn: {kmin: 20KB, kmax: 80KB}, pfc: {quanta: 1000}}
nic: {rto: {floor: 100us, initial: 200us}}
traffic: [{kind: all-to-all, size: 100KB}]
faults:
  - {link: h*-s0, loss: 0.01}
  - {link: h2-s0, down: 20us, up: 320us}
  - {link: h1-s0, loss: 0.05, frames: acks, toward: h1}
record: {interval: 10us}
variants:
  - {name: gbn}
  - {name: ooo, nic: {receiver: ooo}}
  - {name: selective, nic: {receiver: selective}}
`

// hosted has NICs that wait for their hosts, and QPs that restart after an idle time, in a fabric that loses.
const hosted = `
name: hosted
algorithm: {name: dcqcn, params: {loss: both}}
topology: {kind: star, hosts: 4}
switch: {buffer: 300KB, ecn: {kmin: 20KB, kmax: 80KB}, pfc: {lossless: []}}
nic:
  {profile: connectx5, message_latency: 1us, message_cost: 300ns, receive_rate: 60Gbps, receive_buffer: 60KB,
   idle_time: 10us, idle_restart: slow}
traffic:
  - {operation: all-reduce, method: ring, size: 60KB, iterations: 3, compute: 30us}
  - {kind: incast, size: 100KB, message: 10KB}
faults: [{link: h*-s0, loss: 0.002}]
record: {interval: 10us}
variants:
  - {name: drop}
  - {name: pause, nic: {receive_full: pause, idle_restart: line}, switch: {pfc: {lossless: [3]}}}
`

// delayed has decisions that take effect later than the events that they answer.
const delayed = `
name: delayed
topology: {kind: star, hosts: 5}
nic: {decision_delay: 3us}
traffic: [{kind: incast, size: 200KB}]
variants:
  - {name: pc4, algorithm: pc4}
  - {name: dcqcn, algorithm: dcqcn, switch: {ecn: {kmin: 20KB, kmax: 80KB}}}
`

// unequal has a link that is three hundred times as long as the others. A window
// is as long as the shortest, so for hundreds of them frames come to s1 before it
// has an event of its own, more than its ring has room for: it must be woken to
// empty that.
const unequal = `
name: unequal
algorithm: fixed
topology:
  kind: explicit
  nodes: [{name: s0, kind: switch}, {name: s1, kind: switch}, {name: a0}, {name: a1}, {name: b0}, {name: b1}]
  links:
    - {endpoints: [a0, s0]}
    - {endpoints: [a1, s0]}
    - {endpoints: [s0, s1], latency: 300us}
    - {endpoints: [s1, b0]}
    - {endpoints: [s1, b1]}
switch: {buffer: 2GB}
controller: {latency: 1ms}
traffic:
  - {from: a0, to: b0, size: 2MB}
  - {from: a1, to: b1, size: 2MB}
`

// reacting has pauses that are obeyed late, at a NIC and at a switch, and frames that are cut through: at the first
// switch, whose egress is no faster than the ingress, and after a pause again.
const reacting = `
name: reacting
algorithm: none
topology: {kind: dumbbell, left: 3, right: 2}
switch: {buffer: 400KB, ecn: {enabled: false}}
traffic:
  - {name: lone, from: h2, to: h4, size: 20KB}
  - {name: burst, kind: incast, senders: [h0, h1], receiver: h3, size: 150KB, start: 20us}
variants:
  - {name: standard}
  - {name: set, switch: {pause_response: 700ns}, nic: {pause_response: 3us}}
  - {name: cut-through, switch: {cut_through: true, latency: 300ns}}
`

// compare runs each plan in memory, as pointers and as bytes, and on one
// testbed, with algorithms built in and as processes.
func compare(plans []*plan.Plan, daemons veth.Daemons) {
	GinkgoHelper()
	b := deploy(plans[0], veth.Config{Daemons: daemons, Plugins: shippedPlugins()})
	t := lab.NewTable("variant", "hops", "windows", "trace", "built in k/s", "processes k/s")
	for _, p := range plans {
		heard := &lastReport{}
		want := lab.Do(p, lab.Options{Lossy: true, Options: mem.Options{Progress: heard.hear}})
		heard.expect(want, "in memory")
		expectSame(want, lab.Do(p, lab.Options{Lossy: true, Options: mem.Options{Codec: true}}),
			"%s, frames as bytes in memory", p.Name)
		builtin := runOn(b, p, veth.Options{Progress: heard.hear})
		heard.expect(builtin, "on veth")
		expectSame(want, builtin, "%s on veth, algorithms built in", p.Name)
		processes := runOn(b, p, veth.Options{Plugins: shippedPlugins()})
		expectSame(want, processes, "%s on veth, algorithms as processes", p.Name)
		t.Row(p.Name, want.Hops, builtin.Windows, fmt.Sprintf("%016x", want.Trace), rate(builtin), rate(processes))
	}
	t.Report(fmt.Sprintf("mem = codec = veth, a daemon per %s", b.Daemons))
}

// rerouted runs some fabrics of each kind with failover.
func rerouted(seeds uint64) {
	GinkgoHelper()
	for _, topology := range []string{lab.SmallTree, lab.SmallClos} {
		var b *veth.Testbed
		for seed := range seeds {
			p := lab.Plans(lab.Rerouted(topology, seed))[0]
			if b == nil {
				b = deploy(p, veth.Config{Daemons: veth.Pool})
			}
			want := lab.Do(p, lab.Options{Lossy: true})
			expectSame(want, runOn(b, p, veth.Options{}), "%s, seed %d on veth", topology, seed)
		}
	}
}

// rate is in thousands of frame-hops a second.
func rate(r *lab.Run) string { return fmt.Sprintf("%.0f", float64(r.Hops)/r.Wall.Seconds()/1e3) }

var _ = Describe("a run on containers", Label("veth"), func() {
	DescribeTable("has the trace and the files of the run in memory",
		func(plans func() []*plan.Plan, daemons veth.Daemons) { compare(plans(), daemons) },
		Entry("an incast with PC4 and with DCQCN", func() []*plan.Plan { return file("incast.yaml", "200KB") },
			veth.PerServer),
		Entry("an incast, a daemon for each node", func() []*plan.Plan { return halfIncast("200KB") }, veth.PerNode),
		Entry("PC4 under clock noise, a pool for all", func() []*plan.Plan { return file("clock-noise.yaml", "100KB") },
			veth.Pool),
		Entry("an all-to-all on a leaf-spine", func() []*plan.Plan { return file("leaf-spine-all-to-all.yaml", "20KB") },
			veth.PerServer),
		Entry("PC4 on servers of eight NICs", func() []*plan.Plan { return file("pc4-servers.yaml", "6KB") },
			veth.PerServer),
		Entry("every algorithm in one fabric", func() []*plan.Plan { return lab.Plans(lab.Mixed) }, veth.PerServer),
		Entry("losses and an outage", func() []*plan.Plan { return lab.Plans(lossy) }, veth.PerServer),
		Entry("decisions that come late", func() []*plan.Plan { return lab.Plans(delayed) }, veth.PerServer),
		Entry("a long-haul path on which everything happens", func() []*plan.Plan { return lab.Plans(lab.LongHaul) },
			veth.PerServer),
		Entry("links of unequal latency", func() []*plan.Plan { return lab.Plans(unequal) }, veth.PerServer),
	)

	It("has the trace of the run in memory with each kind of fault, a pool for all", func() {
		plans := lab.Plans(lab.Broken)
		b := deploy(plans[0], veth.Config{Daemons: veth.Pool})
		for _, p := range plans {
			expectSame(lab.Do(p, lab.Options{Lossy: true}), runOn(b, p, veth.Options{}), "%s on veth", p.Name)
		}
	})

	It("has the trace of the run in memory when routes follow links that go down, in three fabrics of each kind", func() {
		rerouted(3)
	})

	It("has the trace of the run in memory when routes follow links that go down, in sixty fabrics", Label("night"),
		func() {
			lab.SkipUnlessNight()
			rerouted(30)
		})

	// The same in other ways, and what takes long.
	DescribeTable("has the trace and the files of the run in memory", Label("slow"),
		func(plans func() []*plan.Plan, daemons veth.Daemons) {
			lab.SkipUnlessSlow()
			compare(plans(), daemons)
		},
		Entry("an incast, a pool for all", func() []*plan.Plan { return file("incast.yaml", "200KB") }, veth.Pool),
		Entry("PC4 on servers of eight NICs, a daemon for each NIC",
			func() []*plan.Plan { return file("pc4-servers.yaml", "3KB") }, veth.PerNode),
		Entry("pauses obeyed late, and cut-through", func() []*plan.Plan { return lab.Plans(reacting) }, veth.PerServer),
		Entry("collectives", func() []*plan.Plan { return file("allreduce.yaml", "160KB") }, veth.PerServer),
		Entry("hosts that hold up", func() []*plan.Plan { return lab.Plans(hosted) }, veth.PerServer),
		Entry("a long-haul path, a daemon for each node", func() []*plan.Plan { return lab.Plans(lab.LongHaul) },
			veth.PerNode),
		Entry("a long-haul path, a pool for all", func() []*plan.Plan { return lab.Plans(lab.LongHaul) }, veth.Pool),
		Entry("a training over two data centres", func() []*plan.Plan { return lab.Plans(lab.TwoDC) }, veth.PerServer),
		Entry("a training over two data centres, with CNPs and with pauses of switches, a pool for all", twoDC, veth.Pool),
		Entry("the example of two data centres, a pool for all", func() []*plan.Plan {
			return file("two-dc.yaml", "1MB")[1:] // the first has another graph
		}, veth.Pool),
		Entry("links of unequal latency, a daemon for each node", func() []*plan.Plan { return lab.Plans(unequal) },
			veth.PerNode),
		Entry("links of unequal latency, a pool for all", func() []*plan.Plan { return lab.Plans(unequal) }, veth.Pool),
		Entry("an incast of 10 MB", func() []*plan.Plan { return full("incast.yaml") }, veth.Pool),
		Entry("PFC storms at full size", func() []*plan.Plan { return full("pfc-storm.yaml") }, veth.PerServer),
	)

	DescribeTable("has the trace and the files of the run in memory at full size", Label("night"),
		func(name string) {
			lab.SkipUnlessNight()
			compare(full(name), veth.PerServer)
		},
		Entry("an incast of 10 MB", "incast.yaml"),
		Entry("PC4 under clock noise", "clock-noise.yaml"),
		Entry("an all-to-all on a leaf-spine", "leaf-spine-all-to-all.yaml"),
		Entry("PC4 on servers of eight NICs", "pc4-servers.yaml"),
		Entry("long flows and short ones", "long-short.yaml"),
	)

	It("exercises in these scenarios what it is meant to", func() {
		for _, p := range lab.Plans(lossy) {
			s := inMemory(p).Summary
			Expect([]uint64{s.Marks, s.CNPs, s.Pauses, s.LinkLost, s.Retransmits, s.Timeouts}).To(
				HaveEach(BeNumerically(">", 0)), p.Name)
		}
		for i, p := range lab.Plans(delayed) {
			prompt := lab.Plans(strings.Replace(delayed, "decision_delay: 3us", "", 1))[i]
			Expect(inMemory(p).Trace).NotTo(Equal(inMemory(prompt).Trace), p.Name)
		}
		traces := map[uint64]string{}
		for _, p := range file("clock-noise.yaml", "100KB") {
			traces[inMemory(p).Trace] = p.Name
		}
		Expect(traces).To(HaveLen(5))
	})
})

var _ = Describe("a testbed that is kept", Label("veth"), Ordered, func() {
	const star = `
name: kept
algorithm: dcqcn
topology: {kind: star, hosts: 4}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
traffic: [{kind: incast, size: 100KB}]
`
	change := func(is, becomes string) *plan.Plan {
		yaml := strings.Replace(star, is, becomes, 1)
		Expect(yaml).NotTo(Equal(star))
		return lab.Plans(yaml)[0]
	}
	var p *plan.Plan
	var b *veth.Testbed
	var want *lab.Run

	BeforeAll(func() {
		p = lab.Plans(star)[0]
		want = inMemory(p)
		b = deploy(p, veth.Config{})
	})

	It("gives the same trace each time", func() {
		for range 3 {
			expectSame(want, runOn(b, p, veth.Options{}), "again")
		}
	})

	DescribeTable("takes a scenario in which differs what is no graph", func(is, becomes string) {
		other := change(is, becomes)
		expected := inMemory(other)
		Expect(expected.Trace).NotTo(Equal(want.Trace))
		expectSame(expected, runOn(b, other, veth.Options{}), "%s", becomes)
	},
		Entry("a latency", "hosts: 4", "hosts: 4, latency: 300ns"),
		Entry("a rate", "hosts: 4", "hosts: 4, rate: 400Gbps"),
		Entry("an algorithm", "dcqcn", "pc4"),
		Entry("the traffic", "kind: incast", "kind: all-to-all"),
		Entry("a smaller MTU", "name: kept", "name: kept\nmtu: 512B"),
	)

	DescribeTable("refuses another graph", func(is, becomes, why string) {
		_, err := b.Run(GinkgoT().Context(), change(is, becomes), veth.Options{})
		var unfit *veth.FitError
		Expect(errors.As(err, &unfit)).To(BeTrue(), "%v", err)
		Expect(err).To(MatchError(ContainSubstring(why)))
		Expect(err).To(MatchError(ContainSubstring(b.Name)))
	},
		Entry("a host more", "hosts: 4", "hosts: 5", "has another graph"),
		Entry("servers of two NICs", "hosts: 4", "hosts: 4, nics_per_server: 2", "has another graph"),
		Entry("larger frames", "name: kept", "name: kept\nmtu: 4096B", "carries frames of up to"),
	)

	It("takes one run at a time", func() {
		during(b, change("size: 100KB", "size: 100GB"), veth.Options{}, func() {
			_, err := b.Run(context.Background(), p, veth.Options{})
			Expect(err).To(MatchError(ContainSubstring("busy with another run")))
		})
		expectSame(want, runOn(b, p, veth.Options{}), "after a cancelled run")
	})

	It("is found by its name, with all it consists of", func() {
		s, err := veth.Load(b.Name)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Ready).To(BeTrue())
		Expect([]int{len(s.Containers), len(s.Nodes), len(s.Links)}).To(Equal([]int{5, 5, 4}))
	})
})

var _ = Describe("two testbeds of one scenario", Label("veth"), func() {
	It("run at the same time, and neither knows of the other", func() {
		p := lab.Plans(lossy)[0]
		endless := lab.Plans(strings.Replace(lossy, "size: 100KB", "size: 100GB", 1))[0]
		want := inMemory(p)
		a, b := deploy(p, veth.Config{}), deploy(p, veth.Config{})
		during(a, endless, veth.Options{}, func() {
			expectSame(want, runOn(b, p, veth.Options{}), "while the other runs")
		})
		during(b, endless, veth.Options{}, func() {
			expectSame(want, runOn(a, p, veth.Options{}), "while the other runs")
		})
		Expect(a.Destroy(context.Background())).To(Succeed())
		expectSame(want, runOn(b, p, veth.Options{}), "when the other is gone")
	})
})
