package rules

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

var _ = Describe("a long-haul path", Label("wan"), func() {
	across := func(link, size, more string) string {
		return fmt.Sprintf(`
algorithm: {name: fixed, params: {rate: 10Gbps}}
topology:
  nodes: [{name: a}, {name: b}]
  links: [{endpoints: [a, b], %s}]
nic: {rto: {floor: 1s, initial: 1s}}
controller: {latency: 1s}
traffic: [{from: a, to: b, size: %s}]
%s`, link, size, more)
	}

	It("delays each way by its own length, to the picosecond, and by another from a switch of path on", func() {
		took := func(link string) unit.Duration {
			s := lab.Simulate(across(link, "1000B", "")).Flows[0].Sender
			return s.Completed.Sub(s.Started)
		}
		plain := took("latency: 1us") - 2*unit.Microsecond
		Expect(took("wan: {length: 80km, backward_length: 140km}")).To(Equal(plain + 1100*unit.Microsecond))
		// The packet is under way when the path is switched, its ACK comes later.
		Expect(took("wan: {length: 10km, timeline: [{at: 20us, length: 30km}]}")).To(Equal(plain + 200*unit.Microsecond))
	})

	// Gilbert and Elliott: a share of enter/(enter+leave) of the frames, in bursts of 1/leave in the mean.
	It("loses as many frames as asked, in bursts as long as asked", func() {
		_, file := lab.Capture(lab.Plans(across("wan: {length: 1km, burst_loss: {enter: 0.01, leave: 0.2, bad: 1}}",
			"1GB", "run: {until: 10ms}\n"))[0], lab.Options{Lossy: true}, "a:0", "b:0")
		var sent, came []unit.Time
		for _, f := range lab.Frames(file) {
			switch {
			case !lab.IsData(lab.BTH(f.Decode())):
			case f.Port == "a:0" && f.Direction == pcapng.Outbound:
				sent = append(sent, f.At)
			case f.Port == "b:0":
				came = append(came, f.At)
			}
		}
		gap := sent[1].Sub(sent[0])
		bursts := 0
		for i := range came[1:] {
			if came[i+1].Sub(came[i]) > gap+gap/2 {
				bursts++
			}
		}
		lost := float64(len(sent) - len(came))
		Expect(lost / float64(len(sent))).To(BeNumerically("~", 0.01/0.21, 0.01))
		Expect(lost / float64(bursts)).To(BeNumerically("~", 5, 1))
	})

	It("delays by its jitter at most, and lets nothing overtake", func() {
		_, file := lab.Capture(lab.Plans(across("wan: {length: 10km, jitter: 20us}", "500KB", ""))[0], lab.Options{},
			"a:0", "b:0")
		sent, delays := map[uint32]unit.Time{}, []unit.Duration{}
		last := int64(-1)
		for _, f := range lab.Frames(file) {
			switch b := lab.BTH(f.Decode()); {
			case !lab.IsData(b):
			case f.Port == "a:0" && f.Direction == pcapng.Outbound:
				sent[b.PSN] = f.End(100 * unit.Gbps)
			case f.Port == "b:0":
				delays = append(delays, f.At.Sub(sent[b.PSN]))
				Expect(int64(b.PSN)).To(BeNumerically(">", last))
				last = int64(b.PSN)
			}
		}
		Expect(delays).To(HaveLen(500))
		for _, d := range delays {
			Expect(d).To(BeNumerically(">=", 50*unit.Microsecond))
			Expect(d).To(BeNumerically("<=", 70*unit.Microsecond+unit.Microsecond))
		}
	})

	// Light is out for 100 us; the way takes as long.
	It("loses what is under way in a flap", func() {
		r := lab.Do(lab.Plans(across("wan: {length: 20km, timeline: [{at: 300us, flap: 100us}]}", "1GB",
			"run: {until: 900us}\n"))[0], lab.Options{Lossy: true})
		gap := (10 * unit.Gbps).SerialTime(1082)
		Expect(r.WANs[0].Ports[0].RxLostFrames).To(BeNumerically("~", 200*unit.Microsecond/gap, 4))
	})
})
