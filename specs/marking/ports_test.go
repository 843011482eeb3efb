package marking

import (
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/sonic"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// differing is the scenario of a configuration whose ports differ, with traffic of its own. Of its ports Ethernet0 and
// Ethernet4 mark class 3, Ethernet8 and Ethernet12 do not; Ethernet0 has a STRICT queue for CNPs and a watchdog.
func differing(traffic string, changes ...string) string {
	text, err := os.ReadFile("../../emulator/sonic/testdata/mixed.json")
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	read, err := sonic.Import("mixed.json", text)
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	scenario, _, _ := strings.Cut(string(read.Scenario), "algorithm:")
	for i := 0; i < len(changes); i += 2 {
		ExpectWithOffset(1, scenario).To(ContainSubstring(changes[i]))
	}
	return strings.NewReplacer(changes...).Replace(scenario) + traffic
}

// The queues of the ports that the flows below fill, and of the CNPs and ACKs that go back.
const (
	marking, strict, other = 0, 0, 1
	unmarked               = 2
	data, control          = 3, 6
)

// crossed are flows that fill the ports of Ethernet0 and Ethernet4, so that what goes back to either waits beside
// them.
const crossed = `
algorithm: dcqcn
traffic:
  - {name: a, from: Ethernet0, to: Ethernet4, size: 2MB}
  - {name: b, from: Ethernet8, to: Ethernet4, size: 2MB}
  - {name: c, from: Ethernet4, to: Ethernet0, size: 2MB}
  - {name: d, from: Ethernet12, to: Ethernet0, size: 2MB}
`

var _ = Describe("ports with settings of their own", Label("ecn", "sonic"), func() {
	It("mark where their configuration has them mark, and nowhere else", func() {
		r := lab.Simulate(differing(`
algorithm: dcqcn
traffic:
  - {name: marked, kind: incast, senders: [Ethernet8, Ethernet12], receiver: Ethernet0, size: 1MB}
  - {name: unmarked, kind: incast, senders: [Ethernet0, Ethernet4], receiver: Ethernet8, size: 1MB}
`))
		t := lab.NewTable("port", "longest queue", "marks")
		ports := r.Switches[0].Ports
		for _, port := range []int{marking, unmarked} {
			q := ports[port].Queues.At(data)
			t.Row(port, q.MaxBytes, q.Marked)
			Expect(q.MaxBytes).To(BeNumerically(">", 200*unit.KB), "twice kmin of the ports that mark")
		}
		t.Report("marks at two ports of one switch, of which one marks")
		Expect(ports[marking].Queues.At(data).Marked).To(BeNumerically(">", 0))
		Expect(ports[unmarked].Queues.At(data).Marked).To(BeZero())
	})

	It("send CNPs ahead of data where their queue is STRICT, and in turn where it is not", func() {
		r := lab.Simulate(differing(crossed))
		frame := (100 * unit.Gbps).SerialTime(1200)
		t := lab.NewTable("port", "scheduling", "CNPs and ACKs", "mean wait", "longest wait")
		ports := r.Switches[0].Ports
		first, second := &ports[strict].Queues.At(control).Wait, &ports[other].Queues.At(control).Wait
		t.Row(strict, "STRICT", first.Count(), first.Mean(), first.Max())
		t.Row(other, "DWRR", second.Count(), second.Mean(), second.Max())
		t.Report("waits of CNPs and ACKs beside a full queue of data")
		Expect(r.Summary.CNPs).To(BeNumerically(">", 0))
		Expect(first.Max()).To(BeNumerically("<=", 2*frame), "one frame that was under way, and perhaps one of their own")
		Expect(second.Max()).To(BeNumerically(">", 10*frame))
		mutant := lab.Simulate(differing(crossed, "scheduling: {strict: [6]}", "scheduling: {strict: []}"))
		Expect(mutant.Switches[0].Ports[strict].Queues.At(control).Wait.Max()).To(BeNumerically(">", 10*frame))
	})

	It("break a storm where they have a watchdog, and nowhere else", func() {
		r := lab.Do(lab.Plans(differing(`
algorithm: dcqcn
traffic:
  - {name: watched, from: Ethernet4, to: Ethernet0, size: 4MB}
  - {name: unwatched, from: Ethernet12, to: Ethernet8, size: 4MB}
faults:
  - {kind: pfc-storm, host: Ethernet0, class: 3, from: 50us, to: 800us}
  - {kind: pfc-storm, host: Ethernet8, class: 3, from: 50us, to: 800us}
`, "detect: 200ms, restore: 400ms", "detect: 200us, restore: 200us"))[0], lab.Options{Lossy: true})
		ports := r.Switches[0].Ports
		Expect(ports[marking].Classes.At(data).WatchdogFired).To(BeEquivalentTo(1))
		Expect(ports[unmarked].Classes.At(data).WatchdogFired).To(BeZero())
	})
})
