package lossless

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

const rate = 100 * unit.Gbps

// quantum is 512 bit times at 100 Gb/s, 5.12 ns (IEEE 802.3, 31B.2).
const quantum = 5120 * unit.Picosecond

// span is a time during which a class of a sender is held.
type span struct {
	from, to unit.Time
	// expired is set if it ended without an XON.
	expired bool
}

// wirePort is a capture of host h0 and of the switch port before it: the times at which the switch sends XOFF and XON
// of class 3, and h0's reactions.
type wirePort struct {
	// xoffs and xons are pauses as they leave the switch.
	xoffs, xons []unit.Time
	// held are the times during which h0's class 3 must be silent.
	held []span
	// data are h0's frames by DSCP, as they leave; cut counts the frames in transmission when a pause arrived.
	data map[uint8][]span
	cut  int
	// atSwitch counts h0's frames as they arrive.
	atSwitch int
	// classes and times are all class-enable vectors and pause times seen.
	classes, times map[uint16]int
}

// read runs a scenario and reads the wire between h0 and s0.
func read(yaml string) *wirePort {
	_, file := lab.Capture(lab.Plans(yaml)[0], lab.Options{Lossy: true}, "h0:0", "s0:0")
	w := &wirePort{data: map[uint8][]span{}, classes: map[uint16]int{}, times: map[uint16]int{}}
	for _, f := range lab.Frames(file) {
		p := f.Decode()
		atHost, out := f.Port == "h0:0", f.Direction == pcapng.Outbound
		pause := lab.PFC(p)
		switch {
		case pause != nil && !atHost && out:
			w.classes[pause.ClassEnable]++
			w.times[pause.Pause[3]]++
			if pause.Pause[3] != 0 {
				w.xoffs = append(w.xoffs, f.At)
			} else {
				w.xons = append(w.xons, f.At)
			}
		case pause != nil && !strings.Contains(f.Comment, "dropped"):
			w.obey(f.At, unit.Duration(pause.Pause[3])*quantum)
		case atHost && out && lab.IsData(lab.BTH(p)):
			dscp := lab.IPv4(p).TOS >> 2
			w.data[dscp] = append(w.data[dscp], span{from: f.At, to: f.End(rate)})
		case !atHost && !out && lab.IsData(lab.BTH(p)):
			w.atSwitch++
		}
	}
	return w
}

// obey applies the rule of IEEE 802.3, 31B for a station that a pause reaches: from now on, for that time, in place of
// the rest of an earlier pause.
func (w *wirePort) obey(now unit.Time, pause unit.Duration) {
	if n := len(w.held); n > 0 && now <= w.held[n-1].to {
		last := &w.held[n-1]
		last.to, last.expired = now.Add(pause), pause > 0
		return
	}
	if pause > 0 {
		w.held = append(w.held, span{now, now.Add(pause), true})
	}
}

// check checks the data of a class against the pauses: no frame starts inside one, and a backlogged sender goes on at
// the picosecond at which it ends, or at the end of the frame in transmission. A frame may start at the instant at
// which a pause ends by time, for that instant is not held any more.
func (w *wirePort) check(data []span) (resumed int) {
	i := 0
	for _, h := range w.held {
		for i < len(data) && data[i].from < h.from {
			i++
		}
		if i == len(data) {
			return resumed
		}
		underWay := unit.Time(0)
		if i > 0 && data[i-1].to > h.from {
			w.cut++
			underWay = data[i-1].to
		}
		ExpectWithOffset(1, data[i].from).To(Equal(max(h.to, underWay)), "first frame after the pause from %d to %d", h.from,
			h.to)
		resumed++
	}
	return resumed
}

func (w *wirePort) expired() (n int) {
	for _, h := range w.held {
		if h.expired {
			n++
		}
	}
	return n
}

const roce = 26 // DSCP of data, class 3

var _ = Describe("the wire of a sender that is paused", Label("pfc", "capture"), func() {
	const few = `
name: paused
algorithm: fixed
topology: {kind: star, hosts: 9}
nic: {pause_response: 0s}
traffic: [{kind: incast, size: 1MB}]
`
	It("carries XOFF with the profile's quanta for class 3 alone, and XON with time 0", func() {
		w := read(few + "switch: {buffer: 4MB, ecn: {enabled: false}}\n")
		Expect(w.classes).To(HaveLen(1))
		Expect(w.classes).To(HaveKey(uint16(1 << 3)))
		Expect(w.times).To(HaveLen(2))
		Expect(w.times).To(HaveKeyWithValue(uint16(65535), len(w.xoffs)))
		Expect(w.times).To(HaveKeyWithValue(uint16(0), len(w.xons)))
		Expect(len(w.xoffs)).To(BeNumerically(">", 10))
		Expect(w.check(w.data[roce])).To(BeNumerically(">", 10))
		Expect(w.expired()).To(BeZero(), "every pause ends by XON")
	})

	It("lets the frame under way complete and starts no other before XON, to the picosecond", func() {
		w := read(few + "switch: {buffer: 4MB, ecn: {enabled: false}}\n")
		resumed := w.check(w.data[roce])
		Expect(w.cut).To(BeNumerically(">=", resumed/2), "a sender at line rate has a frame under way at nearly every XOFF")
		Expect(w.atSwitch).To(Equal(len(w.data[roce])), "frames that the switch received of those that the sender started")
	})

	It("is refreshed at the configured share of the pause time", func() {
		// 400 quanta are 2.048 us; half of that is 1.024 us.
		w := read(few + "switch: {buffer: 4MB, ecn: {enabled: false}, pfc: {quanta: 400, refresh: 0.5}}\n")
		const every = 400 * quantum / 2
		// An ACK of 62 B, or another pause of 60 B, may be in the way.
		longest := rate.SerialTime(62 + 24)
		refreshes, exact, xon := 0, 0, 0
		for i := 1; i < len(w.xoffs); i++ {
			for xon < len(w.xons) && w.xons[xon] < w.xoffs[i-1] {
				xon++
			}
			if xon < len(w.xons) && w.xons[xon] < w.xoffs[i] {
				continue // a new pause
			}
			gap := w.xoffs[i].Sub(w.xoffs[i-1])
			Expect(gap).To(And(BeNumerically(">=", every), BeNumerically("<=", every+longest)))
			refreshes++
			if gap == every {
				exact++
			}
		}
		Expect(refreshes).To(BeNumerically(">", 20))
		Expect(exact).To(BeNumerically(">", refreshes/2), "refreshes that nothing was in the way of")
		Expect(w.check(w.data[roce])).To(BeNumerically(">", 0))
		Expect(w.expired()).To(BeZero(), "the refreshes keep every pause alive until its XON")
		t := lab.NewTable("XOFF", "refreshes", "at 1.024 us exactly", "XON")
		t.Row(len(w.xoffs), refreshes, exact, len(w.xons))
		t.Report("refresh of a pause of 400 quanta")
	})

	It("is silent no longer than the pause time when refresh and XON are lost", Label("loss"), func() {
		w := read(`
name: lost-pauses
algorithm: fixed
topology: {kind: star, hosts: 9}
nic: {pause_response: 0s}
traffic: [{kind: incast}]
run: {until: 2ms}
switch: {buffer: 4MB, ecn: {enabled: false}, pfc: {quanta: 400, refresh: 0.5}}
faults: [{link: h0-s0, loss: 0.3}]
`)
		w.check(w.data[roce])
		t := lab.NewTable("XOFF", "pauses obeyed", "ended by time")
		t.Row(len(w.xoffs), len(w.held), w.expired())
		t.Report("pauses of 400 quanta on a link that loses 30 % of its frames")
		Expect(w.expired()).To(BeNumerically(">", 10))
	})

	Describe("a flow of the same NIC to an idle port", Label("victim"), func() {
		// h0 takes part in the incast and has a second flow, to h9.
		scenario := func(dscp string) string {
			return `
name: victim
algorithm: {name: fixed, params: {rate: 40Gbps}}
topology: {kind: star, hosts: 10}
switch: {buffer: 4MB, ecn: {enabled: false}}
traffic:
  - {name: incast, kind: incast, senders: h0..h7, receiver: h8}
  - {name: victim, from: h0, to: h9, dscp: ` + dscp + `}
run: {until: 3ms}
`
		}
		share := func(yaml string) float64 {
			r := lab.Simulate(yaml)
			return float64(r.Flows[8].Receiver.Bytes) * 8 / 3e-3 / 40e9
		}
		It("goes on through every pause when it is of another class, and stands with them when it is of the same", func() {
			w := read(scenario("0"))
			victim := w.data[0]
			long, inside := 0, 0
			for _, h := range w.held {
				if h.to.Sub(h.from) < unit.Microsecond || h.to > victim[len(victim)-1].to {
					continue
				}
				long++
				if slices.ContainsFunc(victim, func(d span) bool { return d.from >= h.from && d.to <= h.to }) {
					inside++
				}
			}
			other, same := share(scenario("0")), share(scenario("26"))
			t := lab.NewTable("victim's class", "goodput / 40 Gb/s")
			t.Row("0", other)
			t.Row("3, like the incast", same)
			t.Report("a victim of 40 Gb/s beside an incast flow at one NIC")
			Expect(long).To(BeNumerically(">", 10))
			Expect(inside).To(Equal(long), "pauses of a microsecond or more in which the victim sent")
			// Payload is 1000 of 1082 B on the wire (no extension headers).
			Expect(other).To(BeNumerically(">=", 0.99*1000/1082))
			Expect(same).To(BeNumerically("<=", 0.7))
		})
	})
})
