package rules

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/lab"
)

// chainOf is a chain of one to five switches with a host at both ends. Links differ in rate and latency, switches in
// latency and in whether they cut through. The flow sends three packets, each long after the ACK of the one before.
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
		switches += fmt.Sprintf("  s%d: {latency: %dns}\n", i, random.Below(3)*random.Below(900))
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
`, pick("full", "full", "bare48"), 1024<<random.Below(3), nodes, links, switches, 3*4096)
}

// Packets in the middle of a message, and the last one, count alike; the first has the address in memory beside. So
// the least RTT of three packets that meet nobody is the base RTT. Mutant: a switch's latency is left out of either
// way, the header is of another length, or the egress's rate is not asked for. Tier: -short.
var _ = Describe("the base RTT", Label("short"), func() {
	It("is what a lone packet and its ACK take, of any path, to the picosecond", func() {
		for seed := range uint64(120) {
			text := chainOf(seed)
			p := lab.Plans(text)[0]
			run := lab.Do(p, lab.Options{})
			flow := &run.Flows[0]
			report := scenario.Analyse(p, nil)
			Expect(report.Paths).To(HaveLen(1))
			Expect(flow.Sender.RTT.Min()).To(Equal(report.Paths[0].BaseRTT), text)
			Expect(flow.BaseRTT).To(Equal(report.Paths[0].BaseRTT), text)
		}
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
