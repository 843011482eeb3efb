package recovery

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

var _ = Describe("a flow that loses its very last packet", Label("loss", "timeout"), func() {
	DescribeTable("is saved by the timer, sends that packet alone again, and completes",
		func(size, receiver string, wait unit.Duration) {
			yaml := fmt.Sprintf(`
name: last
algorithm: fixed
topology: {kind: star, hosts: 2}
traffic: [{name: write, from: h0, to: h1, size: %s}]
nic: {receiver: %s}
`, size, receiver)
			clean := lab.Simulate(yaml).Flows[0]
			// The link is down while the last packet's last bit arrives, and not for any other packet: these are 86.56
			// ns apart.
			fault := fmt.Sprintf("faults: [{link: h1-s0, down: %dps, up: %dps}]\n", clean.Receiver.Last-20_000,
				clean.Receiver.Last+20_000)
			r, file := lab.Capture(lab.Plans(yaml + fault)[0], lab.Options{}, "h1:0")
			lost := 0
			for _, f := range lab.Frames(file) {
				p := f.Decode()
				if strings.Contains(f.Comment, "dropped") {
					Expect(f.Comment).To(Equal("dropped: link_down"))
					Expect(f.At).To(Equal(clean.Receiver.Last))
					Expect(lab.IsData(lab.BTH(p))).To(BeTrue())
					lost++
				}
			}
			Expect(lost).To(Equal(1))
			f := r.Flows[0]
			Expect(f.Sender.Timeouts).To(BeEquivalentTo(1))
			Expect(f.Sender.Resent).To(BeEquivalentTo(1))
			Expect(f.Receiver.NAKs + f.Receiver.Duplicate).To(BeZero())
			// The timer runs from the last progress: the ACK before the missing
			// one, or the start of the only packet. Then a round trip follows.
			late := f.Sender.Completed.Sub(clean.Sender.Completed)
			Expect(late).To(And(BeNumerically(">=", wait), BeNumerically("<", wait+clean.BaseRTT)))
			AddReportEntry("late by", late.String(), ReportEntryVisibilityFailureOrVerbose)
		},
		Entry("of 100, after the timer's floor", "100KB", "gbn", 4*unit.Millisecond),
		Entry("of 100, with a receiver that keeps packets out of order", "100KB", "ooo", 4*unit.Millisecond),
		Entry("of one, after the timer's initial value, for there was no sample", "1KB", "gbn", 16*unit.Millisecond),
	)
})

// account follows every packet of a flow of h0 to h1 over a switch to its end.
// The flow is complete, and the run long enough for all to have arrived.
func account(r *lab.Run) (c lab.Criteria) {
	f := &r.Flows[0]
	packets := uint64((f.Sender.Acked + 999) / 1000)
	ports := r.Switches[0].Ports
	lostData := r.NICs[1].RxLostFrames + ports[0].Drops[fabric.DropPortDown]
	lostAnswers := ports[1].RxLostFrames + ports[1].Drops[fabric.DropPortDown]
	same := func(what string, a, b uint64) { c.Want(a == b, "%s: %d and %d", what, a, b) }
	same("sent, and needed or sent again", f.Sender.Packets, packets+f.Sender.Resent)
	same("sent, and arrived or lost", f.Sender.Packets,
		f.Receiver.Packets+f.Receiver.OutOfOrder+f.Receiver.Duplicate+lostData)
	same("delivered, and needed", f.Receiver.Packets, packets)
	same("ACKs and NAKs sent, and arrived or lost", f.Receiver.ACKs+f.Receiver.NAKs,
		f.Sender.Acks+f.Sender.NAKs+lostAnswers)
	same("sent again, and discarded, duplicate or lost", f.Sender.Resent,
		f.Receiver.OutOfOrder+f.Receiver.Duplicate+lostData)
	c.Want(f.Sender.NAKs <= f.Receiver.NAKs, "%d NAKs arrived of %d", f.Sender.NAKs, f.Receiver.NAKs)
	c.Want(f.Sender.NAKs+f.Sender.Timeouts > 0, "no recovery")
	return c
}

var _ = Describe("the counters of a flow over a link that loses frames", Label("loss"), func() {
	DescribeTable("agree at both ends, packet by packet",
		func(nic string) {
			for _, r := range lab.OverSeeds(stretch(0.003, nic), lab.Options{}) {
				c := account(r)
				Expect(c.Missed).To(BeEmpty(), "seed %d", r.Plan.Seed)
			}
		},
		Entry("under go-back-N", "{}"),
		Entry("with a receiver that keeps packets out of order", "{receiver: ooo, reorder_depth: 16}"),
		Entry("with an ACK for every eighth packet", "{ack_every: 8}"),
	)
})

var _ = Describe("a flow whose PSNs wrap around", Label("loss", "psn"), func() {
	// The first PSN is drawn by the seed: one is wanted that leaves fewer than
	// 8000 packets before the wrap.
	wrapping := func() (seed uint64) {
		name := lab.Plans(stretch(0, "{}"))[0].Flows[0].Name
		for seed = 1; ; seed++ {
			c := chance.New(seed, "flow/"+name)
			c.Below(1 << 14)
			if c.Below(1<<24) > 1<<24-8000 {
				return seed
			}
		}
	}
	DescribeTable("recovers from losses before and after as at any other PSN",
		func(nic string) {
			p := lab.Plans(fmt.Sprintf("seed: %d\n", wrapping()) + stretch(0.003, nic))[0]
			r, file := lab.Capture(p, lab.Options{}, "h0:0")
			var last uint32
			wraps, back := 0, 0
			for _, f := range lab.Frames(file) {
				bth := lab.BTH(f.Decode())
				if f.Direction != pcapng.Outbound {
					continue
				}
				if last == 1<<24-1 && bth.PSN == 0 {
					wraps++
				}
				if last < 1<<23 && bth.PSN > 1<<23 {
					back++
				}
				last = bth.PSN
			}
			AddReportEntry("on the wire", fmt.Sprintf("seed %d: %d steps from 0xffffff to 0, %d back across", p.Seed, wraps,
				back), ReportEntryVisibilityFailureOrVerbose)
			Expect(wraps).To(BeNumerically(">=", 1))
			c := account(r)
			Expect(c.Missed).To(BeEmpty())
		},
		Entry("under go-back-N", "{}"),
		Entry("with a receiver that keeps packets out of order", "{receiver: ooo, reorder_depth: 16}"),
	)

	It("recovers when the wrap itself is lost", func() {
		// The link is down while the packets around the wrap arrive.
		p := lab.Plans(fmt.Sprintf("seed: %d\n", wrapping()) + stretch(0, "{}"))[0]
		_, file := lab.Capture(p, lab.Options{}, "h1:0")
		at := unit.Time(0)
		for _, f := range lab.Frames(file) {
			if bth := lab.BTH(f.Decode()); lab.IsData(bth) && bth.PSN == 0 {
				at = f.At
			}
		}
		Expect(at).NotTo(BeZero())
		p.Links[1].Outages = append(p.Links[1].Outages, fabric.Outage{From: at - 200_000, To: at + 200_000})
		r, file := lab.Capture(p, lab.Options{}, "h0:0")
		back := 0
		var last uint32
		for _, f := range lab.Frames(file) {
			if bth := lab.BTH(f.Decode()); f.Direction == pcapng.Outbound {
				if last < 1<<23 && bth.PSN > 1<<23 && last != 0 {
					back++
				}
				last = bth.PSN
			}
		}
		Expect(back).To(Equal(1), "the sender goes back across the wrap")
		Expect(r.NICs[1].RxLostFrames).To(BeNumerically(">=", 4))
		Expect(r.Flows[0].Sender.NAKs).To(BeEquivalentTo(1))
		Expect(r.Flows[0].Sender.Timeouts+r.Flows[0].Receiver.Duplicate).To(BeZero(),
			"packets beyond the wrap are ahead of those before it")
		c := account(r)
		Expect(c.Missed).To(BeEmpty())
	})
})

var _ = Describe("a link that is down for a millisecond", Label("loss", "outage"), func() {
	const yaml = `
name: outage
topology: {kind: star, hosts: 4}
traffic:
  - {name: hit, from: h0, to: h1, size: 40MB}
  - {name: bystander, from: h2, to: h3, size: 40MB}
`
	DescribeTable("costs the flow over it that time and a timeout at most, and others nothing",
		func(algorithm string) {
			clean := lab.Simulate(yaml + "algorithm: " + algorithm + "\n")
			r := lab.Simulate(yaml + "algorithm: " + algorithm + "\nfaults: [{link: h1-s0, down: 1ms, up: 2ms}]\n")
			hit, before := &r.Flows[0], &clean.Flows[0]
			t := lab.NewTable("completed at, without", "with", "packets lost", "sent again", "NAKs", "timeouts")
			t.Row(before.Sender.Completed, hit.Sender.Completed, r.Summary.LinkLost, hit.Sender.Resent, hit.Sender.NAKs,
				hit.Sender.Timeouts)
			t.Report("40 MB at 100 Gb/s, " + algorithm)
			Expect(r.Summary.Incomplete).To(BeZero())
			Expect(r.Summary.LinkLost).To(BeNumerically(">", 0))
			Expect(r.Summary.Drops).To(Equal(r.Summary.LinkLost), "losses elsewhere")
			Expect(r.NICs[1].RxLostFrames+r.Switches[0].Ports[1].RxLostFrames+
				r.Switches[0].Ports[0].Drops[fabric.DropPortDown]).To(Equal(r.Summary.LinkLost), "losses elsewhere")
			// 1 ms of outage, at worst on to the end of a timer of 4 ms that
			// began with it, and a few round trips.
			late := hit.Sender.Completed.Sub(before.Sender.Completed)
			Expect(late).To(And(BeNumerically(">=", unit.Millisecond-10*unit.Microsecond),
				BeNumerically("<=", 4100*unit.Microsecond)))
			Expect(r.Flows[1].Sender.Completed).To(Equal(clean.Flows[1].Sender.Completed),
				"the bystander's completion, to the picosecond")
			Expect(r.Flows[1].Sender.Resent).To(BeZero())
		},
		Entry("with a window of one BDP", "{name: fixed, params: {window: 52375B}}"),
		Entry("without a window", "fixed"),
	)
})
