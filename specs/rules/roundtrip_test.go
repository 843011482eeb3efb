package rules

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// chainOf is a chain of one to five switches with a host at both ends. Links differ in rate and latency, switches in
// latency and in whether they cut through. The flow sends three packets or more, each long after the ACK of the one
// before.
func chainOf(seed uint64) string {
	random := chance.New(seed, "chain")
	pick := func(list ...string) string { return list[random.Below(uint64(len(list)))] }
	count := 1 + int(random.Below(5))
	link := func(a, b string) string {
		return fmt.Sprintf("    - {endpoints: [%s, %s], rate: %s, latency: %dns}\n", a, b,
			pick("10Gbps", "25Gbps", "40Gbps", "100Gbps", "100Gbps", "400Gbps"), random.Between(120, 3000))
	}
	nodes, links, switches := "{name: a}, {name: b}", link("a", "s0"), ""
	for i := range count {
		nodes += fmt.Sprintf(", {name: s%d, kind: switch}", i)
		far := fmt.Sprintf("s%d", i+1)
		if i == count-1 {
			far = "b"
		}
		links += link(fmt.Sprintf("s%d", i), far)
		switches += fmt.Sprintf("  s%d: {latency: %dns, cut_through: %s}\n", i, random.Below(3)*random.Below(900),
			pick("true", "false"))
	}
	return fmt.Sprintf(`
accounting: %s
mtu: %dB
algorithm: {name: fixed, params: {rate: 10Mbps}}
nic: {rto: {floor: 1s, initial: 1s}}
topology:
  nodes: [%s]
  links:
%sswitches:
%straffic: [{from: a, to: b, size: %dB}]
`, pick("full", "full", "bare48"), 1024<<random.Below(4), nodes, links, switches, 3*8192)
}

// Packets in the middle of a message, and the last one, count alike; the first also has the address in memory. So the
// least RTT of packets on empty links is the base RTT. Mutant: a switch's latency is left out of either way, the header
// is of another length, or the egress's rate is not asked for.
var _ = Describe("the base RTT", Label("short"), func() {
	It("is what a lone packet and its ACK take, of any path, to the picosecond", func() {
		cut := 0
		for seed := range uint64(120) {
			text := chainOf(seed)
			p := lab.Plans(text)[0]
			run := lab.Do(p, lab.Options{})
			flow := &run.Flows[0]
			report := scenario.Analyse(p, nil)
			Expect(report.Paths).To(HaveLen(1))
			Expect(flow.Sender.RTT.Min()).To(Equal(report.Paths[0].BaseRTT), text)
			Expect(flow.BaseRTT).To(Equal(report.Paths[0].BaseRTT), text)
			if strings.Contains(text, "cut_through: true") {
				cut++
			}
		}
		Expect(cut).To(BeNumerically(">", 60))
	})

	// At 100 Gb/s: a packet of 4096 B and its ACK, each over two links of 1 us, and twice through the switch.
	It("has the latency of a switch once each way", func() {
		of := func(latency string) unit.Duration {
			p := lab.Plans("topology: {kind: star, hosts: 2}\nalgorithm: fixed\nswitch: {latency: " + latency +
				"}\ntraffic: [{from: h0, to: h1, size: 1MB}]\n")[0]
			return scenario.Analyse(p, nil).Paths[0].BaseRTT
		}
		Expect(of("600ns") - of("0s")).To(Equal(1200 * unit.Nanosecond))
	})
})

// busy is an incast with pauses, losses and telemetry on a small fabric, some switches of which cut through.
const busy = `
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 4, rate: 100Gbps, uplink_rate: 100Gbps}
switch: {cut_through: true, latency: LATENCY, buffer: 600KB, alpha: 0.5, ecn: {kmin: 20KB, kmax: 80KB}}
switches: {spine1: {cut_through: false}}
algorithm: hpcc
traffic:
  - {name: in, kind: incast, senders: [h0, h1, h2, h5, h6], receiver: h7, size: 120KB, algorithm: dcqcn}
  - {name: across, kind: flow, from: h3, to: h4, size: 80KB}
faults: [{link: h3-leaf0, loss: 0.01}, {link: h0-leaf0, down: 4us, up: 9us}]
`

// The windows are as long as without cut-through, and nothing that is handed over acts within one. Mutants: a frame
// that waits for its last bit overtakes, or is eligible at once.
var _ = Describe("a fabric that cuts through", Label("short"), func() {
	DescribeTable("has one trace whatever the windows, the workers and the codec, and conserves every byte",
		func(latency string) {
			p := lab.Plans(strings.ReplaceAll(busy, "LATENCY", latency))[0]
			want := lab.Do(p, lab.Options{Lossy: true})
			for _, workers := range []int{1, 2} {
				for _, codec := range []bool{false, true} {
					for _, part := range []unit.Duration{1, 2, 7} {
						o := lab.Options{Lossy: true}
						o.Workers, o.AllWorkers, o.Codec = workers, true, codec
						o.Cut = func(unit.Time) unit.Duration { return p.Lookahead() / part }
						Expect(lab.Do(p, o).Trace).To(Equal(want.Trace), "%d workers, codec %t, L/%d", workers, codec, part)
					}
				}
			}
		},
		Entry("without a latency", "0s"), Entry("with one", "450ns"))
})
