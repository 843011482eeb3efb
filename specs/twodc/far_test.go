package twodc

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/lab"
)

var _ = Describe("congestion beyond the fibre", Ordered, Label("R1", "R2", "D6", "dci", "proximal"), func() {
	// At the far spine: four senders, each at a leaf of its own, two servers at
	// one leaf, to which each spine has 50 Gb/s. At the far leaf: one server, and
	// wide links to it.
	places := []struct {
		name string
		t    training
	}{
		{"far spine", parameterServers(4, "uplink_rate: 50Gbps", "b-h0, a-h0, a-h2", "b-h1, a-h4, a-h6")},
		{"far leaf", parameterServers(4, "uplink_rate: 200Gbps", "b-h0, a-h0, a-h2, a-h4, a-h6")},
	}

	It("is no further away for a notification than for a CNP of the receiver", func() {
		table := lab.NewTable("congestion at", "congestion control", "feedback, us", "iteration, ms", "drops",
			"longest queue, MB", "notifications", "switches' CNPs")
		for _, p := range places {
			ecn := measure(p.t, ecnOnly, lab.Seeds[:1])
			row := func(name string, f figures) {
				table.Row(p.name, name, f.Feedback, f.Iteration, f.Drops, f.Queue, f.Notifications, f.CNPs)
			}
			row("end-to-end ECN", ecn)
			for _, x := range []struct{ name, settings string }{{"proximal CNP", scheme}, {"without learning", unlearned},
				{"without learning, one CNP", oneCNP}, {"pauses for CNPs", pausing}} {
				f := measure(p.t, x.settings, lab.Seeds[:1])
				row(x.name, f)
				if x.settings == scheme {
					// 600 us of fibre are in both; what is saved is the way to the
					// receiver and back.
					Expect(f.Feedback.Median).To(BeNumerically("<=", ecn.Feedback.Median), p.name)
					Expect(f.Feedback.Median).To(BeNumerically(">", 600), p.name)
				}
			}
		}
		table.Remark("Void for R1: end-to-end ECN alone loses nothing here, and the scheme saves 2 %% of the " +
			"feedback's time.")
		table.Report("R1 and R2 beyond the fibre, 4 iterations, seed 1")
	})
})
