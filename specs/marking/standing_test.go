package marking

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// standing is 5000 packets of 1024 B that wait behind a pause: record R13, by which chips with virtual output queues
// decide on marks as a packet comes, and others as it leaves. %s are the keys under test.
const standing = `
mtu: 1024B
algorithm: %s
topology: {kind: star, hosts: 2}
switch: {buffer: 100MB, alpha: 8, ecn: {kmin: 800KB, kmax: 1200KB, pmax: 1%s}, pause_response: 0s}
nic: {rto: {floor: 1s, initial: 1s}}
traffic: [{from: h0, to: h1, size: 5120000B}]
faults: [{kind: pfc-storm, host: h1, class: 3, from: 0us, to: 1ms}]
run: {until: 2ms}
`

// marksOf returns which of the packets, in their order, came with CE.
func marksOf(algorithm, keys string) (marked []bool) {
	_, file := lab.Capture(lab.Plans(fmt.Sprintf(standing, algorithm, keys))[0], lab.Options{Lossy: true}, "h1:0")
	for _, f := range lab.Frames(file) {
		packet := f.Decode()
		if f.Direction == pcapng.Inbound && lab.IsData(lab.BTH(packet)) {
			marked = append(marked, lab.IPv4(packet).TOS&wire.ECNMask == wire.CE)
		}
	}
	return marked
}

// A frame is 1082 B in queues: 14 + 20 + 8 + 12 + 1024 + 4; the first one of the message has 16 B of an address beside.
// Mutant: the point is not asked for; the queue counts the packet that leaves.
var _ = Describe("a queue that stood behind a pause", Label("short", "marking"), func() {
	const packets, frame, kmin, kmax = 5000, 1082, 800_000, 1_200_000

	It("has marked, as packets leave, those with more than Kmax behind them, and of the rest some above Kmin", func() {
		marks, ramp := marksOf("dcqcn", ""), 0
		Expect(marks).To(HaveLen(packets))
		for i, marked := range marks {
			switch behind := (packets - 1 - i) * frame; {
			case behind > kmax:
				Expect(marked).To(BeTrue(), "packet %d", i)
			case behind <= kmin:
				Expect(marked).To(BeFalse(), "packet %d", i)
			case marked:
				ramp++
			}
		}
		Expect(ramp).To(BeNumerically("~", (kmax-kmin)/frame/2, 40))
		Expect(marks[0]).To(BeTrue())
		Expect(marks[packets-1]).To(BeFalse())
	})

	It("has marked, as packets come, those that met more than Kmax", func() {
		marks := marksOf("dcqcn", ", point: enqueue")
		Expect(marks).To(HaveLen(packets))
		first := 0
		for i, marked := range marks {
			if marked && first == 0 {
				first = i
			}
			if met := i * frame; met > kmax+16+frame {
				Expect(marked).To(BeTrue(), "packet %d", i)
			}
		}
		Expect(marks[0]).To(BeFalse())
		Expect(first * frame).To(BeNumerically(">=", kmin-frame))
		Expect(marks[packets-1]).To(BeTrue())
	})
})
