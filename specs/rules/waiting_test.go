package rules

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/dcqcn"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/switchd/proximal"
)

var _ = Describe("queues that wait for each other", Label("switch", "pfc"), func() {
	// ring joins port 1 of each of three switches to port 2 of the next.
	ring := func(p switchd.PortRef) (switchd.PortRef, bool) {
		if p.Port == 1 {
			return switchd.PortRef{Switch: (p.Switch + 1) % 3, Port: 2}, true
		}
		return switchd.PortRef{}, false
	}
	// waits is a queue towards the next switch that is paused, with frames that came by a port.
	waits := func(class uint8, from switchd.Source) []switchd.Blocked {
		return []switchd.Blocked{{Port: 1, Class: class, From: []switchd.Source{from}}}
	}

	It("are a deadlock in a ring, which is named once, and none in a chain or of two classes", func() {
		before, host := switchd.Source{Port: 2, Class: 3}, switchd.Source{Port: 0, Class: 3}
		round := waits(3, before)
		Expect(fmt.Sprint(switchd.Cycles([][]switchd.Blocked{round, round, round}, ring))).To(
			Equal("[[0:1/3 1:1/3 2:1/3]]"))
		Expect(switchd.Cycles([][]switchd.Blocked{round, waits(3, host), round}, ring)).To(BeEmpty())
		Expect(switchd.Cycles([][]switchd.Blocked{round, waits(4, before), round}, ring)).To(BeEmpty())
	})
})

var _ = Describe("proximal CNP", Label("switch", "proximal"), func() {
	// dcqcn is a reaction point as package plugins/dcqcn has it, with the switch's CNPs
	// after delay, and what the switch knows of it.
	const delay = unit.Microsecond
	type point struct {
		sender   cc.Sender
		decision cc.Decision
		known    proximal.Entry
		settings profile.Proximal
	}
	start := func(params map[string]string) *point {
		parsed, err := hosting.Parse(dcqcn.Algorithm{}.Describe(), params)
		Expect(err).NotTo(HaveOccurred())
		controller, err := dcqcn.Algorithm{}.New(parsed)
		Expect(err).NotTo(HaveOccurred())
		settings := profile.DefaultProximal()
		settings.MaxCNPs = profile.MaxCNPsAtOnce
		return &point{sender: controller.NewSender(cctest.Facts()), settings: settings}
	}
	// run lets the point's clocks tick up to and including until.
	run := func(p *point, until unit.Time) {
		cctest.Timers(GinkgoT(), p.sender, &p.decision, cc.Event{}, until)
	}
	// give makes a switch send n CNPs from now on, and returns the time at which the last has cut.
	give := func(p *point, now unit.Time, n int) unit.Time {
		for range n {
			next := p.known.OnCNP(now, &p.settings)
			run(p, now.Add(delay)-1) // a CNP comes before what ticks at its instant
			p.sender.Handle(&cc.Event{Kind: cc.EventCNP, Now: now.Add(delay)}, &p.decision)
			now = now.Add(next)
		}
		run(p, now.Add(delay))
		return now.Add(delay)
	}

	// draft-ji-ccwg-distributed-lossless-mechanism-00 leaves the number open: as many cuts as leave r of the rate.
	It("sends as many CNPs as leave a sender no less than its share, and with one more it had less", func() {
		// Nothing raises a rate meanwhile.
		quiet := func(more map[string]string) map[string]string {
			more["rpg_time_reset"], more["rpg_byte_reset"] = "1s", "0B"
			return more
		}
		paper := func(p *point) {
			p.settings.Spacing, p.settings.Gain, p.settings.GainPeriod = 50*unit.Microsecond, 1.0/256, 55*unit.Microsecond
		}
		for _, x := range []struct {
			params map[string]string
			fit    func(*point)
		}{{quiet(map[string]string{}), func(*point) {}}, {quiet(map[string]string{"set": "paper"}), paper}} {
			luck, most := chance.New(1, "share"), 0
			for range 30 {
				p := start(x.params)
				x.fit(p)
				p.sender.Handle(&cc.Event{Kind: cc.EventStart}, &p.decision)
				now := unit.Time(luck.Below(uint64(unit.Millisecond)))
				for least := 0.08; least < 0.97; least += 0.4 * luck.Float64() {
					before := float64(p.decision.Rate)
					n := p.known.Cuts(now, least, &p.settings)
					most = max(most, n)
					now = give(p, now, n)
					Expect(float64(p.decision.Rate)).To(BeNumerically(">=", least*before*(1-2e-3)), "after %d", n)
					now = give(p, now, 1)
					Expect(float64(p.decision.Rate)).To(BeNumerically("<", least*before*(1+2e-3)), "after %d", n+1)
					now = now.Add(unit.Duration(luck.Below(uint64(2 * unit.Millisecond))))
				}
			}
			Expect(most).To(BeNumerically(">", 1))
		}
	})

	// A share is C/N less the rate that drains the excess over the threshold in a millisecond, at least half of C/N.
	It("gives each flow of a queue its share of the port, and asks no flow that sends less", func() {
		reading := proximal.Reading{Depth: 1150 * unit.KB, Rate: 100 * unit.Gbps, Threshold: 400 * unit.KB, Live: 4}
		Expect(reading.Fair()).To(Equal(unit.BitRate(25e9 * (1 - 750e3*8/100e6))))
		reading.Depth = 60 * unit.MB
		Expect(reading.Fair()).To(Equal(12_500 * unit.Mbps))
		settings := profile.DefaultProximal()
		for _, x := range []struct {
			rate unit.BitRate
			want int
		}{{11 * unit.Mbps, 0}, {12 * unit.Gbps, 0}, {24 * unit.Gbps, 0}, {25 * unit.Gbps, 1}, {50 * unit.Gbps, 2}} {
			var e proximal.Entry
			e.Meter.Begin(0)
			for at := unit.Time(0); at < 100*microsecond; at = at.Add(x.rate.SerialTime(4178)) {
				e.Meter.Count(at, 4178)
			}
			Expect(e.CNPs(100*microsecond, &settings, &reading, 0.25, 0.25)).To(Equal(x.want), "%v", x.rate)
		}
	})

	// Of 100 Gb/s, four flows have 25 each; if two have 5 % of the queue each, the other two have 45.
	It("tells a sender of too much the most that it may send, and one of too little its share, as a rate", func() {
		reading := proximal.Reading{Rate: 100 * unit.Gbps, Threshold: 400 * unit.KB, Live: 4}
		var census proximal.Census
		for qp, b := range []unit.Bytes{180 * unit.KB, 180 * unit.KB, 20 * unit.KB, 20 * unit.KB} {
			census.Add(proximal.Flow{DstQP: uint32(qp)}, 1, b, func(proximal.Flow) int { return 0 })
		}
		reading.Level = census.Level()
		Expect(reading.Level).To(BeNumerically("~", 0.45, 1e-9))
		for _, x := range []struct{ rate, other, want unit.BitRate }{
			{5 * unit.Gbps, 100 * unit.Gbps, 25 * unit.Gbps},
			{30 * unit.Gbps, 100 * unit.Gbps, 0},
			{50 * unit.Gbps, 100 * unit.Gbps, 45 * unit.Gbps},
			{50 * unit.Gbps, 20 * unit.Gbps, 20 * unit.Gbps}, // another point has less for it
			{5 * unit.Gbps, 5 * unit.Gbps, 0},
		} {
			var e proximal.Entry
			e.Meter.Begin(0)
			for at := unit.Time(0); at < 100*microsecond; at = at.Add(x.rate.SerialTime(4178)) {
				e.Meter.Count(at, 4178)
			}
			now, until := 100*microsecond, 200*microsecond
			e.Allot(proximal.Point{Port: 1}, proximal.Allotment{Least: x.other, Most: x.other}, until, now)
			Expect(e.Allot(proximal.Point{Port: 2}, reading.Allotment(), until, now)).To(Equal(x.want), "%v", x.rate)
		}
	})

	It("has a sender that is told a rate go on from there towards its line", func() {
		p := start(nil)
		handle := func(kind cc.EventKind, at unit.Time, rate unit.BitRate) unit.BitRate {
			p.sender.Handle(&cc.Event{Kind: kind, Now: at, CNPRate: rate}, &p.decision)
			return p.decision.Rate
		}
		handle(cc.EventStart, 0, 0)
		Expect(handle(cc.EventCNP, 10*microsecond, 8*unit.Gbps)).To(Equal(8 * unit.Gbps))
		Expect(p.decision.WakeAt).To(Equal(310 * microsecond))
		Expect(handle(cc.EventTimer, p.decision.WakeAt, 0)).To(Equal(54 * unit.Gbps))
	})

	// r = (C - 8 (q1 - Kmin) / within) / A, A = C + 8 (q1 - q0) / t.
	It("pauses a sender so that the arrivals are what drains the queue within the loop", func() {
		for _, above := range []unit.Bytes{100 * unit.KB, 400 * unit.KB, 750 * unit.KB} {
			reading := proximal.Reading{
				Depth:     400*unit.KB + above,
				Before:    400 * unit.KB,
				Elapsed:   20 * unit.Microsecond,
				Rate:      100 * unit.Gbps,
				Threshold: 400 * unit.KB,
				Kmax:      1600 * unit.KB,
			}
			got, known := reading.Wanted(1200 * unit.Microsecond)
			Expect(known).To(BeTrue())
			left := (100e9 - 8*float64(above)/1.2e-3) / (100e9 + 8*float64(above)/20e-6)
			Expect(got).To(BeNumerically("~", left, 1e-9), "%v above", above)
		}
	})

	It("says nothing of a flow until the time for which it was asked to be silent is over", func() {
		var s proximal.Silence
		quiet, other := proximal.Flow{}, proximal.Flow{}
		quiet.SrcIP, other.SrcIP = 1, 2
		s.Set(quiet, 0, 100*microsecond, 4)
		Expect(s.Covers(quiet, 100*microsecond-1)).To(BeTrue())
		Expect(s.Covers(other, 50*microsecond)).To(BeFalse())
		Expect(s.Covers(quiet, 100*microsecond)).To(BeFalse())
		s.Set(quiet, 200*microsecond, 205*microsecond, 4)
		s.Set(quiet, 201*microsecond, 300*microsecond, 4) // for longer
		Expect(s.Covers(quiet, 206*microsecond)).To(BeTrue())
		s.Set(quiet, 210*microsecond, 0, 0) // it is to speak again
		Expect(s.Covers(quiet, 220*microsecond)).To(BeFalse())
	})

	// The share is the port's rate over the number of flows in the last report: 25 of 100 Gb/s for four.
	It("holds a learned flow to its share of the point where it met congestion, as that says, and no other", func() {
		settings := profile.DefaultProximal().Learning
		settings.Enabled = true
		met, other := proximal.Point{Device: 1}, proximal.Point{Device: 2}
		reading := func(live int) *proximal.Reading { return &proximal.Reading{Rate: 100 * unit.Gbps, Live: live} }
		var e proximal.Entry
		wanted := func() float64 { // of a flow that was metered at 50 Gb/s for 100 us
			e.Meter.Restart(0)
			e.Meter.Count(0, (50 * unit.Gbps).BytesIn(100*unit.Microsecond))
			return e.Wanted(100 * microsecond)
		}
		e.Packet(0, 1000, &settings)
		e.Heard(met, reading(4))
		Expect(wanted()).To(Equal(1.0), "not learned")
		for burst := range unit.Time(2) {
			Expect(e.Learned()).To(BeFalse())
			e.SlowedDown(met, reading(4))
			e.Packet((burst+1)*10*millisecond, 1000, &settings)
		}
		Expect(e.Learned()).To(BeTrue())
		Expect(wanted()).To(BeNumerically("~", 0.97*25/50, 1e-3))
		e.Heard(other, reading(10))
		Expect(wanted()).To(BeNumerically("~", 0.97*25/50, 1e-3), "another point is congested")
		e.Heard(met, reading(5))
		Expect(wanted()).To(BeNumerically("~", 0.97*20/50, 1e-3), "five flows share the port")
	})

	// Bursts that four flows share by the point's report, or another number.
	It("forgets a learned flow when the number of flows is another, and learns it when two bursts have one", func() {
		settings := profile.DefaultProximal().Learning
		settings.Enabled = true
		var e proximal.Entry
		at, learned := unit.Time(0), ""
		for _, live := range []int{4, 4, 4, 6, 6, 6, 7, 4, 6, 6} {
			e.Packet(at, 1000, &settings)
			learned += map[bool]string{true: "x", false: "."}[e.Learned()]
			e.SlowedDown(proximal.Point{Device: 1}, &proximal.Reading{Rate: 100 * unit.Gbps, Live: live})
			at += 10 * millisecond
		}
		Expect(learned).To(Equal("..xx.xxx.."), "7 is less than a quarter more than 6")
	})
})
