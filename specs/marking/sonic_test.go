package marking

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/sonic"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// switchConfig is a configuration of a SONiC switch with three ports, whose queue 4 is marked.
const switchConfig = `{
"PORT": {"Ethernet0": {"speed": "100000"}, "Ethernet4": {"speed": "100000"}, "Ethernet8": {"speed": "100000"}},
"CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m", "Ethernet4": "40m", "Ethernet8": "40m"}},
"DSCP_TO_TC_MAP": {"AZURE": {"3": "3", "4": "4", "48": "6"}},
"PORT_QOS_MAP": {"Ethernet0,Ethernet4,Ethernet8": {"dscp_to_tc_map": "AZURE", "pfc_enable": "4"}},
"BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "64000000"}},
"QUEUE": {"Ethernet0,Ethernet4,Ethernet8|4": {"wred_profile": "AZURE_LOSSLESS"}},
"WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_all", "wred_green_enable": "true",
    "green_min_threshold": "250000", "green_max_threshold": "1000000", "green_drop_probability": "20"}}
}`

// imported is the scenario of a configuration, with two senders that overwhelm the port of Ethernet8 slowly.
func imported(config string) string {
	read, err := sonic.Import("config_db.json", []byte(config))
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	scenario, _, _ := strings.Cut(string(read.Scenario), "algorithm:")
	return scenario + "algorithm: {name: fixed, params: {rate: " + slow + "}}\n" +
		"traffic: [{kind: incast, receiver: Ethernet8, stop: 2.6ms}]\nrun: {until: 20ms}\n"
}

var _ = Describe("a switch that was imported from SONiC", Label("ecn", "capture", "sonic"), func() {
	profile := curve{250_000, 1000_000, 0.2}

	It("marks from green_min_threshold on, by the curve up to green_max_threshold, all above", func() {
		list := departures(imported(switchConfig))
		t := lab.NewTable(columns...)
		c := criteria(list, profile, left, t)
		t.Report("marks by the length of the queue left behind, as SONiC configures it")
		Expect(c.Missed).To(BeEmpty())
	})

	DescribeTable("misses the criteria of its profile", Label("mutant"),
		func(was, is string) {
			c := criteria(departures(imported(strings.Replace(switchConfig, was, is, 1))), profile, left, nil)
			Expect(c.Missed).NotTo(BeEmpty())
		},
		Entry("with a threshold that is doubled", `"250000"`, `"500000"`),
		Entry("with a percentage that is halved", `"20"`, `"10"`),
		Entry("with the profile at another queue", `Ethernet8|4"`, `Ethernet8|3"`),
		Entry("with a profile that marks yellow packets alone", `"ecn_all"`, `"ecn_yellow"`),
	)
})
