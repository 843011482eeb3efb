package rules

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/emulator/wire/layers"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// What a NIC does with pauses, losses and marks beside this stands in specs/lossless,
// specs/recovery and with DCQCN.
var _ = Describe("a NIC", Label("nic"), func() {
	wireOf := func(algorithm, nic, until string) []lab.Captured {
		_, file := lab.Capture(lab.Plans(fmt.Sprintf(`
algorithm: %s
topology: {kind: star, hosts: 2}
traffic: [{from: h0, to: h1}]
nic: {%s}
run: {until: %s}
`, algorithm, nic, until))[0], lab.Options{Lossy: true}, "h0:0")
		return lab.Frames(file)
	}

	// 1082 B, preamble and gap included, at 10 Gb/s.
	It("starts packets as far apart as the last one's bytes on the wire take at its rate", func() {
		var last unit.Time
		gaps := 0
		for _, f := range wireOf("{name: fixed, params: {rate: 10Gbps}}", "", "50us") {
			if f.Direction == pcapng.Outbound && lab.IsData(lab.BTH(f.Decode())) {
				if last != 0 {
					gaps++
					Expect(f.At.Sub(last)).To(Equal((10 * unit.Gbps).SerialTime(unit.Bytes(len(f.Bytes) + 24))))
				}
				last = f.At
			}
		}
		Expect(gaps).To(BeNumerically(">=", 40))
	})

	// A cut from 100 Gb/s to 100 Mb/s, a step up to 50 Gb/s 20 us later: the gap of a
	// data packet of 1082 B at 100 Mb/s is 86.56 us.
	repaced := func(repace bool) (gaps []unit.Duration) {
		_, file := lab.Capture(lab.Plans(disturbed("120us", "rpg_gd: 10, rpg_min_dec_fac: 0, initial_alpha: 1, g: 0, "+
			"rpg_min_rate: 100Mbps, rpg_time_reset: 20us, min_time_between_cnps: 1ms", "20us") +
			fmt.Sprintf("nic: {repace: %t}\n", repace))[0],
			lab.Options{Lossy: true}, "h0:0")
		var last unit.Time
		for _, f := range lab.Frames(file) {
			if f.Direction == pcapng.Outbound && lab.IsData(lab.BTH(f.Decode())) {
				if gap := f.At.Sub(last); last != 0 && gap > 10*unit.Microsecond {
					gaps = append(gaps, gap)
				}
				last = f.At
			}
		}
		return gaps
	}

	It("times the gap under way anew when the rate changes", func() {
		gaps := repaced(true)
		Expect(gaps).NotTo(BeEmpty())
		Expect(gaps[0]).To(BeNumerically("~", 20*unit.Microsecond, 100*unit.Nanosecond)) // from the cut to the step up
	})

	It("keeps the gap under way when the rate changes, without repace", func() {
		gaps := repaced(false)
		Expect(gaps).NotTo(BeEmpty())
		Expect(gaps[0]).To(Equal((100 * unit.Mbps).SerialTime(1082)))
	})

	DescribeTable("lets a packet go while less than its window is in flight", func(window string, packets int) {
		inFlight, most := 0, 0
		for _, f := range wireOf("{name: fixed, params: {window: "+window+"}}", "", "100us") {
			b := lab.BTH(f.Decode())
			switch {
			case f.Direction == pcapng.Outbound && lab.IsData(b):
				inFlight++
				most = max(most, inFlight)
			case f.Direction == pcapng.Inbound && b != nil && b.Opcode == wire.Acknowledge:
				inFlight--
			}
		}
		Expect(most).To(Equal(packets))
	},
		Entry("of one packet and a byte", "1001B", 2),
		Entry("of two packets", "2KB", 2),
	)

	It("answers each ack_every packets with one ACK", func() {
		data, acks := 0, 0
		for _, f := range wireOf("{name: fixed, params: {rate: 50Gbps}}", "ack_every: 8, ack_flush: 100us", "200us") {
			b := lab.BTH(f.Decode())
			switch {
			case f.Direction == pcapng.Outbound && lab.IsData(b):
				data++
			case f.Direction == pcapng.Inbound && b != nil && b.Opcode == wire.Acknowledge:
				acks++
			}
		}
		Expect(float64(data) / float64(acks)).To(BeNumerically("~", 8, 0.5))
	})

	// Three packets of 4096 B fill the window; 32 share an ACK. A round trip is four links of 1 us, a switch that
	// stores each frame, three packets on one link, and the rest.
	It("asks for an ACK with the last packet that its window lets through", func() {
		run := lab.Simulate(`
algorithm: {name: fixed, params: {window: 12KB}}
mtu: 4096B
topology: {kind: star, hosts: 2}
traffic: [{from: h0, to: h1}]
nic: {ack_every: 32}
run: {until: 1ms}
`)
		Expect(lab.Metric("goodput_gbps")(run)).To(BeNumerically("~", 3*4096*8/5400.0, 0.5))
	})

	// The timer runs from the last progress: rto.floor, or rto.factor times the last
	// RTT, whichever is longer.
	DescribeTable("goes back when nothing was acknowledged for",
		func(rto string, want func(rtt unit.Duration) unit.Duration) {
			_, steps := first(fmt.Sprintf(`
algorithm: swift
topology: {kind: star, hosts: 2}
traffic: [{from: h0, to: h1}]
nic: {rto: {%s}}
faults: [{link: h1-s0, down: 100us, up: 1ms}]
run: {until: 900us}
`, rto))
			var progress unit.Time
			var rtt unit.Duration
			for _, s := range steps {
				switch s.Event.Kind {
				case cc.EventAck:
					progress = s.Event.Now
					if s.Event.RTT > 0 {
						rtt = s.Event.RTT
					}
				case cc.EventTimeout:
					Expect(s.Event.Now.Sub(progress)).To(BeNumerically("~", want(rtt), 100*unit.Nanosecond))
					return
				}
			}
			Fail("no timeout")
		},
		Entry("rto.floor", "floor: 150us", func(unit.Duration) unit.Duration { return 150 * unit.Microsecond }),
		Entry("rto.factor RTTs", "floor: 1us, factor: 60", func(rtt unit.Duration) unit.Duration { return 60 * rtt }),
	)

	// A frame may be on its way when the NAK arrives; what starts after it is the packet
	// that is missing.
	It("sends again from the packet that a NAK reports", func() {
		_, file := lab.Capture(lab.Plans(`
algorithm: {name: fixed, params: {rate: 20Gbps}}
topology: {kind: star, hosts: 2}
traffic: [{from: h0, to: h1}]
faults: [{link: h1-s0, loss: 0.01}]
run: {until: 2ms}
`)[0], lab.Options{Lossy: true}, "h0:0")
		var wanted uint32
		waits, again := false, 0
		for _, f := range lab.Frames(file) {
			p := f.Decode()
			b := lab.BTH(p)
			if b == nil {
				continue
			}
			if a, ok := p.Layer(layers.LayerTypeAETH).(*layers.AETH); ok && f.Direction == pcapng.Inbound {
				if a.Syndrome == wire.SyndromeNAKSequence {
					waits, wanted = true, b.PSN
				}
			} else if waits && f.Direction == pcapng.Outbound {
				Expect(b.PSN).To(Equal(wanted))
				waits = false
				again++
			}
		}
		Expect(again).To(BeNumerically(">=", 10))
	})

	// One NAK when the gap appears; as long as packets come ahead of it, another one
	// each nak_interval, for the packet that was sent again may be lost too.
	It("reports a gap once in a nak_interval", func() {
		_, file := lab.Capture(lab.Plans(`
algorithm: {name: fixed, params: {rate: 20Gbps}}
topology: {kind: star, hosts: 2}
traffic: [{from: h0, to: h1}]
nic: {nak: interval, nak_interval: 20us}
faults: [{link: h1-s0, loss: 0.2}]
run: {until: 2ms}
`)[0], lab.Options{Lossy: true}, "h1:0")
		last := map[uint32]unit.Time{}
		naks, again := 0, 0
		for _, f := range lab.Frames(file) {
			p := f.Decode()
			b := lab.BTH(p)
			if f.Direction != pcapng.Outbound || b == nil || b.Opcode != wire.Acknowledge {
				continue
			}
			if a, ok := p.Layer(layers.LayerTypeAETH).(*layers.AETH); !ok || a.Syndrome != wire.SyndromeNAKSequence {
				continue
			}
			naks++
			if at, ok := last[b.PSN]; ok {
				again++
				// it may have waited for a frame under way
				Expect(f.At.Sub(at)).To(BeNumerically(">=", 19*unit.Microsecond))
			}
			last[b.PSN] = f.At
		}
		Expect(naks).To(BeNumerically(">=", 20))
		Expect(again).To(BeNumerically(">=", 1))
	})
})
