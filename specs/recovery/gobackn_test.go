package recovery

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// lossy is a connection over one switch, with a base RTT of four latencies and a bit, whose second link loses frames
// both ways.
func lossy(latency string, loss float64, packets int, nak string) string {
	return fmt.Sprintf(`
name: lossy
algorithm: fixed
topology: {kind: star, hosts: 2, latency: %s}
mtu: 4096B
traffic: [{name: write, from: h0, to: h1, size: %dB, message: 65536B}]
faults: [{link: h1-s0, loss: %g}]
nic: %s
`, latency, packets*4096, loss, nak)
}

// judged returns what both ends of a run did, and what the checks make of it.
func judged(yaml string, packets int64) (told string, sender, receiver error) {
	GinkgoHelper()
	_, file := lab.Capture(lab.Plans(yaml)[0], lab.Options{Lossy: true}, "h0:0", "h1:0")
	frames := lab.Frames(file)
	seen := func(port string) []packet {
		trace, err := Seen(frames, port)
		Expect(err).NotTo(HaveOccurred())
		return trace
	}
	s, sender := checkSender(seen("h0:0"), packets)
	r, receiver := checkReceiver(seen("h1:0"), packets)
	told = fmt.Sprintf("%d sent, %d lost, %d gaps, %d NAKs of which %d came, %d timeouts",
		s.Data, r.Lost, r.Gaps, r.Naks, s.Naks, s.Timeouts)
	return told, sender, receiver
}

var _ = Describe("go-back-N, by the rules of Lumina's checks", Label("loss", "nak"), func() {
	// until, if not empty, is the end of a run that is to show a broken rule.
	of := func(rule, until string) func(latency string, loss float64, packets int) {
		return func(latency string, loss float64, packets int) {
			yaml := lossy(latency, loss, packets, rule)
			if until != "" {
				yaml += "run: {until: " + until + "}\n"
			}
			told, sender, receiver := judged(yaml, int64(packets))
			AddReportEntry("seen", fmt.Sprintf("%s; sender %v, receiver %v", told, sender, receiver),
				ReportEntryVisibilityFailureOrVerbose)
			if until == "" {
				Expect(sender).NotTo(HaveOccurred())
				Expect(receiver).NotTo(HaveOccurred())
			} else {
				Expect(receiver).To(MatchError(ContainSubstring("which has not come")))
			}
		}
	}
	DescribeTable("is kept at both ends with one NAK a gap", of("{nak: gap}", ""),
		Entry("8 us, 0.05 %", "2us", 0.0005, 4096),
		Entry("8 us, 1 %", "2us", 0.01, 2048),
		Entry("8 us, 5 %", "2us", 0.05, 1024),
		Entry("1.2 ms, 0.05 %", "300us", 0.0005, 4096),
		Entry("1.2 ms, 1 %", "300us", 0.01, 1024),
		Entry("1.2 ms, 5 %", "300us", 0.05, 256),
	)
	// A rule shows itself only where a repair is lost, or takes longer than the interval.
	DescribeTable("is broken by a receiver that repeats its NAK each 500 us", of("{nak: interval}", "5ms"),
		Entry("8 us, 5 %", "2us", 0.05, 4096),
		Entry("1.2 ms, 0.05 %", "300us", 0.0005, 4096),
		Entry("1.2 ms, 1 %", "300us", 0.01, 2048),
		Entry("1.2 ms, 5 %", "300us", 0.05, 1600),
	)
	DescribeTable("is broken by a receiver that repeats its NAK each round of sending", of("{nak: round}", "60ms"),
		Entry("8 us, 1 %", "2us", 0.01, 8192),
		Entry("8 us, 5 %", "2us", 0.05, 1024),
		Entry("1.2 ms, 1 %", "300us", 0.01, 1536),
		Entry("1.2 ms, 5 %", "300us", 0.05, 256),
	)
})
