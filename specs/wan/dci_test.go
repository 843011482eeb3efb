package wan

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// stalls is a transfer at line rate across 20 km, an RTT of 200 us and a BDP of 2.5
// MB, whose receiver takes nothing in three spans of 1 ms. At 1 MB of shared buffer a
// DCI port could not be part of it.
const stalls = `
algorithm: %s
topology: {kind: dumbbell, left: 1, right: 1, bottleneck_wan: {length: 20km}}
switch: {buffer: 1MB, dci: %s}
nic: {rto: {floor: 20ms, initial: 20ms}}
traffic: [{from: h0, to: h1, size: 60MB}]
faults:
  - {host: h1, from: 50us, to: 1050us}
  - {host: h1, from: 2500us, to: 3500us}
  - {host: h1, from: 5000us, to: 6000us}
`

// used is the share of the time in which the receiver let its link carry data during which the link carried some.
func used(r *lab.Run) float64 {
	willing := r.Flows[0].Receiver.Last.Sub(0) - 3*unit.Millisecond - 50*unit.Microsecond
	return float64(r.Switches[1].Ports[0].Busy) / float64(willing)
}

var _ = Describe("PFC across the fibre", Label("wan", "pfc"), func() {
	It("loses nothing with the headroom that follows from the length, and keeps the path full with XON at one BDP",
		func() {
			t := lab.NewTable("XON", "link used", "XOFF across", "paused", "DCI memory")
			for _, x := range []struct {
				dci  string
				full bool
			}{
				{"{pfc: {enabled: true}}", true},
				{"{pfc: {enabled: true, xon: 2.5MB}}", true},
				{"{pfc: {enabled: true, xon: 100KB}}", false},
				{"{pfc: {enabled: true, xon: 10KB}}", false},
			} {
				r := lab.Simulate(fmt.Sprintf(stalls, "none", x.dci))
				far, near := r.Switches[1].Ports[1], r.Switches[0].Ports[1]
				Expect(r.Summary.Drops).To(BeZero())
				Expect(r.Summary.Retransmits).To(BeZero())
				Expect(r.Summary.Incomplete).To(BeZero())
				Expect(far.Classes.At(3).SentXOFF).To(BeNumerically(">=", 3))
				Expect(near.Classes.At(3).Paused).To(BeNumerically(">", unit.Millisecond))
				// The pause goes on to the host, in the small shared buffer of s0.
				Expect(r.Switches[0].Ports[0].Classes.At(3).SentXOFF).To(BeNumerically(">", 0))
				Expect(r.Switches[1].BufferMax).To(BeZero())
				if x.full {
					Expect(used(r)).To(BeNumerically(">", 0.995))
				} else {
					// Each stall is followed by most of an RTT without data: 0.6 of 5.4 ms.
					Expect(used(r)).To(BeNumerically("<", 0.92))
				}
				t.Row(x.dci, fmt.Sprintf("%.4f", used(r)), far.Classes.At(3).SentXOFF, near.Classes.At(3).Paused, far.PoolMax)
			}
			t.Report("100 Gb/s over 20 km, a receiver that stands three times for 1 ms")
		})

	It("drops for lack of headroom where it is set a few frames below what is used", func() {
		r := lab.Simulate(fmt.Sprintf(stalls, "none", "{pfc: {enabled: true}}"))
		high := r.Switches[1].Ports[1].Classes.At(3).HeadroomMax
		text := fmt.Sprintf("{pfc: {enabled: true, headroom: %dB}}", high-2200)
		short := lab.Do(lab.Plans(fmt.Sprintf(stalls, "none", text))[0],
			lab.Options{}) // a finding, not red: the scenario says so
		Expect(short.Summary.ByReason[fabric.DropHeadroom]).To(BeNumerically(">", 0))
	})
})

var _ = Describe("a DCI port without PFC", Label("wan", "loss"), func() {
	It("drops what its memory does not hold, for a reason of its own, and the verdict is not red", func() {
		r := lab.Simulate(fmt.Sprintf(stalls, "dcqcn", "{buffer: 1MB}"))
		far := r.Switches[1].Ports[1]
		Expect(far.Drops[fabric.DropDCIBuffer]).To(BeNumerically(">", 0))
		Expect(r.Summary.Drops).To(Equal(far.Drops[fabric.DropDCIBuffer]))
		Expect(r.Verdict.Status).NotTo(Equal(result.Red))
		Expect(far.PoolMax).To(And(BeNumerically("<=", unit.MB), BeNumerically(">", unit.MB-1200)))
		Expect(r.Summary.DCIBufferMaxBytes).To(BeEquivalentTo(far.PoolMax))
		// Nothing of it is in the shared buffers, and nothing is paused for it.
		Expect(r.Summary.BufferMaxBytes).To(BeZero())
		Expect(r.WANs[0].Ports[0].TxPFCFrames + r.WANs[0].Ports[1].TxPFCFrames).To(BeZero())
		Expect(r.Switches[0].Ports[0].TxPFCFrames).To(BeZero())
		Expect(r.Summary.Incomplete).To(BeZero())
	})

	It("holds a stall of the receiver with the memory that follows from the length", func() {
		// A span of the two RTTs and a half that the memory has, at line rate.
		const stall = `
algorithm: none
topology: {kind: dumbbell, left: 1, right: 1, bottleneck_wan: {length: 20km}}
traffic: [{from: h0, to: h1, size: 20MB}]
faults: [{host: h1, from: 300us, to: %s}]
`
		r := lab.Simulate(fmt.Sprintf(stall, "790us"))
		Expect(r.Summary.Drops).To(BeZero())
		Expect(r.Summary.DCIBufferMaxBytes).To(BeNumerically(">", 5.8e6))
		long := lab.Simulate(fmt.Sprintf(stall, "850us"))
		Expect(long.Summary.ByReason[fabric.DropDCIBuffer]).To(BeNumerically(">", 0))
	})

	It("is marked by thresholds of its own, from its length", func() {
		// Two senders for one path: the queue at s0 grows by 100 Gb/s.
		const two = `
algorithm: dcqcn
topology: {kind: dumbbell, left: 2, right: 2, bottleneck_wan: {length: 20km}}
traffic: [{from: h0, to: h2, size: %[1]s}, {from: h1, to: h3, size: %[1]s}]
`
		below := lab.Simulate(fmt.Sprintf(two, "1.7MB"))
		Expect(below.Summary.QueueMaxBytes).To(And(BeNumerically(">", 1.7e6),
			BeNumerically("<", 1.875e6))) // above 1.6 MB, where an ordinary port marks all
		Expect(below.Summary.Marks).To(BeZero())
		above := lab.Simulate(fmt.Sprintf(two, "3MB"))
		Expect(above.Summary.Marks).To(BeNumerically(">", 0))
	})
})
