package veth

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// Two interventions on one testbed of two hosts and a switch. Tier: everyday, as root.
var _ = Describe("why a flow was slow", Label("veth"), func() {
	const scenario = `
name: why
topology: {kind: star, hosts: 2}
algorithm: {name: fixed, params: CAUSE
traffic: [{name: f, from: h0, to: h1, size: 400KB}]
`
	const line = "{window: 100KB}}"
	causes := []struct {
		part          attribution.Part
		with, without string
	}{
		{attribution.HeldBack, "{rate: 20Gbps}}", line},
		{attribution.Paused, line + "\nfaults: [{kind: pfc-storm, host: h1, class: 3, from: 20us, to: 220us}]", line},
	}

	It("is in why.csv, byte for byte as in memory, with a cause and without it", func() {
		planned := func(cause string) *lab.Run {
			return inMemory(lab.Plans(strings.Replace(scenario, "CAUSE", cause, 1))[0])
		}
		b := deploy(planned(line).Plan, veth.Config{})
		for _, c := range causes {
			var parts [2]attribution.Parts
			for i, cause := range []string{c.with, c.without} {
				want := planned(cause)
				got := runOn(b, want.Plan, veth.Options{})
				Expect(want.Files()).To(HaveKey("why.csv"))
				Expect(got.Files()["why.csv"]).To(Equal(want.Files()["why.csv"]), "%v: %s", c.part, cause)
				parts[i] = got.Why[0].Parts
			}
			loss := parts[0].Total() - parts[0][attribution.Alone]
			Expect(parts[0][c.part]).To(BeNumerically(">=", loss*6/10), "with its cause: %v", parts[0])
			Expect(parts[1][c.part]).To(BeNumerically("<", parts[0][c.part]/100), "without its cause: %v", parts[1])
		}
	})
})
