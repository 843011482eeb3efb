package rules

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// What a switch does beside this stands in specs/marking and specs/lossless.
var _ = Describe("a switch", Label("switch", "pfc"), func() {
	// flooded is two senders at line rate into one port of three.
	flooded := func(resumeOffset string) string {
		return fmt.Sprintf(`
algorithm: fixed
topology: {kind: star, hosts: 3}
switch: {buffer: 2MB, alpha: 0.25, alpha_rate: 0bps, headroom: 100KB, reserve: 4KB, resume_offset: %s}
traffic: [{kind: incast}]
run: {until: 300us}
`, resumeOffset)
	}

	// T = alpha (B' - used), B' the buffer without headroom and reserve of each port's
	// one lossless class (Choudhury and Hahne, equation 1). Two accounts that grow alike
	// meet it at alpha B' / (1 + 2 alpha).
	It("pauses an ingress that holds alpha times the free memory", func() {
		const shared, alpha, reserve = 2_000_000 - 3*104_000, 0.25, 4_000
		r := watch(flooded("3KB"))
		for port := range 2 {
			c := r.Switches[0].Ports[port].Classes.At(3)
			Expect(c.SentXOFF).To(BeNumerically(">", 0))
			Expect(float64(c.IngressMax)).To(BeNumerically("~", reserve+alpha*shared/(1+2*alpha), 3*1058))
		}
	})

	// Ports 4 to 7 of leaf0 lead to the spines; it only sends data through them.
	It("sends the data of flows with a path along it, and no other way", func() {
		for path := range 4 {
			r := watch(fmt.Sprintf(`
algorithm: fixed
topology: {kind: leaf-spine, leaves: 2, spines: 4, hosts_per_leaf: 4}
traffic: [{from: h0..h3, to: h4, size: 20KB, path: %d}]
`, path))
			for spine := range 4 {
				frames := 0
				if spine == path {
					frames = 4 * 20
				}
				Expect(r.Switches[0].Ports[4+spine].TxFrames).To(BeEquivalentTo(frames), "path %d, spine %d", path, spine)
			}
		}
	})

	It("has headroom for what comes after XOFF, and drops nothing", func() {
		r := watch(flooded("3KB"))
		Expect(r.Summary.Drops).To(BeZero())
		for port := range 2 {
			Expect(r.Switches[0].Ports[port].Classes.At(3).HeadroomMax).To(BeNumerically(">", 10_000))
		}
	})

	// Two accounts that drain alike give back alpha of what both release: one that is
	// to fall by d below its threshold falls by d/(1 + 2 alpha). Each drains at half of
	// the port.
	It("resumes an ingress resume_offset below its threshold", func() {
		paused := func(offset string) unit.Duration {
			_, file := lab.Capture(lab.Plans(flooded(offset))[0], lab.Options{}, "s0:0")
			var from unit.Time
			for _, f := range lab.Frames(file) {
				pause := lab.PFC(f.Decode())
				switch {
				case pause == nil || f.Direction != pcapng.Outbound:
				case pause.Pause[3] != 0 && from == 0:
					from = f.At
				case pause.Pause[3] == 0:
					return f.At.Sub(from)
				}
			}
			Fail("no pause that ended")
			return 0
		}
		longer := paused("153KB") - paused("3KB")
		drain := (50 * unit.Gbps).SerialTime(150_000*1082/1058) * 2 / 3 // 1 + 2 alpha = 3/2
		Expect(longer).To(BeNumerically("~", drain, 500*unit.Nanosecond))
	})
})
