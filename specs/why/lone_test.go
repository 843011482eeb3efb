package why

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/specs/lab"
)

// loneFlows are random scenarios with one flow, several for each shipped algorithm.
func loneFlows() (texts []string) {
	draw := chance.New(30, "lone flows")
	one := func(of ...string) string { return of[draw.Below(uint64(len(of)))] }
	algorithms := []string{"pc4", "dcqcn", "dctcp", "hpcc", "pidnn", "swift", "timely", "fixed", "none"}
	for i := range 36 {
		algorithm := algorithms[i%len(algorithms)]
		rates := []string{"100Gbps", "200Gbps", "400Gbps"}
		if algorithm != "hpcc" { // which refuses slower ports
			rates = append(rates, "25Gbps", "40Gbps")
		}
		rate, slower := one(rates...), one(rates...)
		topology := one(
			fmt.Sprintf("kind: star, hosts: 4, rate: %s, latency: %s", rate, one("500ns", "2us", "5us")),
			fmt.Sprintf("kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 2, rate: %s, uplink_rate: %s", rate, slower),
			fmt.Sprintf("kind: dumbbell, left: 2, right: 2, rate: %s, bottleneck_rate: %s", rate, slower),
		)
		traffic := fmt.Sprintf("traffic: [{from: h0, to: h3, size: %s}]", one("100KB", "1MB", "3MB"))
		texts = append(texts, fmt.Sprintf("name: lone\nalgorithm: %s\ntopology: {%s}\n%s\n", algorithm, topology, traffic))
	}
	return texts
}

var _ = Describe("a lone flow", func() {
	It("is alone or held back by its algorithm, and nothing else", func() {
		for _, text := range loneFlows() {
			plans := lab.Plans(text)
			cause := causeOf(lab.Do(plans[0], lab.Options{}))
			none := cause.Total() - cause.Parts[attribution.Alone] - cause.Parts[attribution.HeldBack]
			Expect(none).To(BeNumerically("<=", cause.Total()/50), "%s%v", text, cause.Parts)
			for _, part := range []attribution.Part{attribution.Shared, attribution.Unfair, attribution.Collision,
				attribution.Paused, attribution.Repair, attribution.Host} {
				Expect(cause.Parts[part]).To(BeZero(), "%v: %s%v", part, text, cause.Parts)
			}
		}
	})
})
