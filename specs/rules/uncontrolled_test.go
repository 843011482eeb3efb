package rules

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const alone = `
topology: {kind: star, hosts: 2}
traffic: [{from: h0, to: h1}]
run: {until: 100us}
record: {interval: 10us}
`

// steady is the rate of the flow on the wire in Gb/s, once it runs.
func steady(w *watched) float64 {
	return w.WireRate(0, unit.Time(20*unit.Microsecond), unit.Time(90*unit.Microsecond))
}

var _ = Describe("fixed", Label("fixed"), func() {
	It("sends at its rate", func() {
		w := watch("algorithm: {name: fixed, params: {rate: 7Gbps}}" + alone)
		Expect(steady(w)).To(BeNumerically("~", 7, 0.1))
	})

	It("sends at line rate where no rate is given", func() {
		w := watch("algorithm: fixed" + alone)
		Expect(steady(w)).To(BeNumerically("~", 100, 1))
	})

	// A window of ten packets is a seventh of what 4.2 us hold at 100 Gb/s: ten
	// packets of 1082 B a round trip.
	It("keeps its window", func() {
		w := watch("algorithm: {name: fixed, params: {window: 10KB}}" + alone)
		log := w.senders[0]
		want := 10 * float64(log.Facts.PacketBytes) * 8 / log.Facts.BaseRTT.Seconds() / 1e9
		Expect(steady(w)).To(BeNumerically("~", want, want/20))
	})
})

var _ = Describe("none", Label("none"), func() {
	It("sends at line rate, with no window, whatever comes", func() {
		w := watch(`
algorithm: none
topology: {kind: star, hosts: 3}
traffic: [{kind: incast, size: 200KB}]
`)
		Expect(w.senders).To(HaveLen(2))
		for _, log := range w.senders {
			for _, s := range log.Steps {
				Expect(s.After.Rate).To(Equal(log.Facts.LineRate))
				Expect(s.After.Window).To(BeZero())
			}
		}
	})
})
