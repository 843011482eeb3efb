package recovery

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// across is a flow between two leaves, with faults, further settings of NICs and an algorithm.
func across(faults, nic, algorithm string) string {
	return fmt.Sprintf(`
name: across
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 2, rate: 10Gbps, uplink_rate: 10Gbps}
traffic: [{name: b, from: h1, to: h3, size: 2MB}]
faults: [%s]
nic: {%s}
run: {limit: 200ms}
algorithm: %s
`, faults, nic, algorithm)
}

// about returns the verdict's findings on a subject.
func about(r *lab.Run, subject result.Subject) (texts []string) {
	for _, f := range r.Verdict.Findings {
		if f.Subject == subject {
			texts = append(texts, f.Text)
		}
	}
	return texts
}

// timeouts is the number of times that a timer of 4 ms runs out in an outage from 300 us to 50 ms.
const timeouts = 13

var _ = Describe("a link of a host that is down for 50 ms", Label("loss", "outage"), func() {
	DescribeTable("harms the flow on it and nothing else: its frames are dropped, no switch is paused, the timers run",
		func(link string) {
			r := lab.Do(lab.Plans(across("{link: "+link+", down: 300us, up: 50ms}", "", "none"))[0], lab.Options{})
			Expect(r.Verdict.Status).To(Equal(result.Pass))
			f := r.Flows[0].Sender
			Expect(f.Timeouts).To(BeEquivalentTo(timeouts))
			Expect(f.Completed).To(BeNumerically("<", 60*unit.Millisecond))
			Expect(lab.Metric("drops_watchdog")(r)).To(BeZero())
			Expect(lab.Metric("pauses")(r)).To(BeZero())
			Expect(r.Summary.Drops).To(Equal(r.Summary.LinkLost))
			Expect(about(r, result.Outages)).To(ConsistOf(MatchRegexp(`^link %s was down from 300us to 50ms: `+
				`b/h1-h3 stood still from (299|30\d)\.\d+us until 2\.\d+ms after it; `+
				`it took 52\.\d+ms from the outage on: 49\.7ms the link, 2\.\d+ms the retransmission timer, `+
				`[\d.]+us the rest; routes do not avoid a link that is down$`, link)))
		},
		Entry("at the receiver", "h3-leaf1"),
		Entry("at the sender", "h1-leaf0"),
	)
})

var _ = Describe("a QP whose retries are bounded", Label("loss", "outage", "timeout"), func() {
	const retries, wait = 3, 4096 * unit.Nanosecond << 6
	const window = "{name: fixed, params: {window: 10KB}}" // so that the port is idle when the timer runs out
	settings := fmt.Sprintf("rto: {mode: fixed, ack_timeout: 6, retries: %d}", retries)

	// lastProgress returns the arrival of the last ACK at h1 before an instant.
	lastProgress := func(file []byte, before unit.Time) (last unit.Time) {
		for _, f := range lab.Frames(file) {
			if f.Direction == pcapng.Inbound && f.At < before && !strings.Contains(f.Comment, "dropped") &&
				!lab.IsData(lab.BTH(f.Decode())) {
				last = max(last, f.At)
			}
		}
		return last
	}

	It("is in error at the last progress and all timeouts after it, to the picosecond, which ends the run", func() {
		p := lab.Plans(across("{link: h3-leaf1, down: 300us, up: 50ms}", settings, window))[0]
		r, file := lab.Capture(p, lab.Options{}, "h1:0")
		f := r.Flows[0].Sender
		last := lastProgress(file, unit.Time(unit.Millisecond))
		Expect(last).To(BeNumerically("~", 300*unit.Microsecond, 20*unit.Microsecond))
		Expect(f.Failed).To(Equal(last.Add((retries + 1) * wait)))
		Expect(lab.Metric("qp_errors")(r)).To(BeEquivalentTo(1))
		Expect(r.Exhausted).To(BeFalse())
		Expect(r.End).To(BeNumerically("<", f.Failed.Add(unit.Millisecond)))
		Expect(about(r, result.Outages)).To(ConsistOf(ContainSubstring(", and 1 QP went into the error state")))
	})

	DescribeTable("lives if the link is up before the last retry, and only then",
		func(up string, completes bool) {
			r := lab.Do(lab.Plans(across("{link: h3-leaf1, down: 300us, up: "+up+"}", settings, window))[0], lab.Options{})
			Expect(r.Flows[0].Sender.Completed < r.End).To(Equal(completes))
			Expect(r.Flows[0].Sender.Failed == 0).To(Equal(completes))
			Expect(r.Flows[0].Sender.Timeouts).To(BeEquivalentTo(retries + map[bool]int{false: 1}[completes]))
		},
		// The last of three retries is at some 300 us + 3 x 262.1 us = 1.087 ms.
		Entry("20 us before", "1060us", true),
		Entry("20 us after", "1110us", false),
	)
})

var _ = Describe("a job whose link is down in one iteration", Label("loss", "outage"), func() {
	It("is told which iteration it was, and how much longer it took", func() {
		r := lab.Simulate(`
name: job
topology: {kind: star, hosts: 4}
algorithm: dcqcn
nic: {rto: {floor: 100us, initial: 200us}}
traffic: [{name: train, operation: all-reduce, size: 400KB, iterations: 8, compute: 100us}]
faults: [{link: h1-s0, down: 450us, up: 750us}]
`)
		Expect(about(r, result.Outages)).To(ConsistOf(MatchRegexp(`^link h1-s0 was down from 450us to 750us: 2 ` +
			`flows stood still, the last of them train/h1-h2 from 450\.\d+us until \d\.\d+us after it; it took ` +
			`30\d\.\d+us from the outage on: 300us the link, [^;]*the rest; iteration 2 of train met it, and ` +
			`took up to 2\.\d+ times the median of the others; routes do not avoid a link that is down$`)))
	})
})

var _ = Describe("a train of outages", Label("loss", "outage"), func() {
	It("has a time without packets for each of them", func() {
		var faults []string
		for i := range 3 {
			faults = append(faults, fmt.Sprintf("{link: h3-leaf1, down: %dus, up: %dus}", 300+600*i, 500+600*i))
		}
		r := lab.Do(lab.Plans(across(strings.Join(faults, ", "), "", "none"))[0], lab.Options{})
		Expect(r.Flows[0].Receiver.Gaps).To(HaveLen(3))
		for i, gap := range r.Flows[0].Receiver.Gaps {
			Expect(gap.From).To(BeNumerically("~", unit.Time(300+600*i)*unit.Time(unit.Microsecond), 20*unit.Microsecond))
			Expect(gap.Length).To(BeNumerically("~", 200*unit.Microsecond, 40*unit.Microsecond))
		}
		Expect(about(r, result.Outages)).To(HaveLen(3))
	})
})

var _ = Describe("an incast whose receiver's link goes down while its senders are paused", Label("outage"), func() {
	It("frees the memory of what waited there, so that the senders go on at once with what is for others", func() {
		r := lab.Simulate(`
name: freed
topology: {kind: star, hosts: 4}
algorithm: none
traffic:
  - {name: in, kind: incast, senders: h0..h1, receiver: h2, size: 4MB}
  - {name: other, from: h0, to: h3, size: 4MB}
faults: [{link: h2-s0, down: 400us, up: 50ms}]
run: {until: 3ms}
expect: {completed: any}
switch: {buffer: 2MB}
`)
		Expect(lab.Metric("pauses")(r)).To(BeNumerically(">", 2), "the senders were paused")
		Expect(r.Summary.Drops).To(Equal(r.Summary.LinkLost))
		Expect(r.NICs[2].RxLostFrames).To(BeNumerically("<", 40), "what was on the link, and nothing that waited")
		Expect(r.Flows[2].Sender.Completed).To(BeNumerically("<", 1500*unit.Microsecond))
		for _, host := range r.NICs[:2] {
			Expect(host.Classes.At(3).Paused).To(And(BeNumerically(">", unit.Microsecond),
				BeNumerically("<", 402*unit.Microsecond)))
		}
	})
})
