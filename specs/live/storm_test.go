package live

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/stack"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// threeEdges is a switch between the devices of three hosts, with the rate of the first and further settings of the
// second.
func threeEdges(middle, rate, second string) *plan.Plan {
	GinkgoHelper()
	return lab.Plans(fmt.Sprintf(`
name: three
run: {until: 60s}
switch: {buffer: 1MB, watchdog: {detect: 200ms, restore: 200ms}}
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: a, kind: edge, interface: out0, namespace: %[1]s}
    - {name: b, kind: edge, interface: out1, namespace: %[1]s%[2]s}
    - {name: c, kind: edge, interface: out2, namespace: %[1]s}
  links:
    - {endpoints: [a, s0], rate: %[3]s}
    - {endpoints: [b, s0], rate: 1Gbps}
    - {endpoints: [c, s0], rate: 1Gbps}
`, middle, second, rate))[0]
}

// unanswered returns the number of a ping's requests without an answer.
func unanswered(said string) int {
	GinkgoHelper()
	counts := regexp.MustCompile(`(\d+) packets transmitted, (\d+) received`).FindStringSubmatch(said)
	Expect(counts).NotTo(BeNil(), said)
	sent, err := strconv.Atoi(counts[1])
	Expect(err).NotTo(HaveOccurred())
	answered, err := strconv.Atoi(counts[2])
	Expect(err).NotTo(HaveOccurred())
	Expect(answered).To(BeNumerically(">", 0), said)
	return sent - answered
}

// lostOutside returns the number of frames lost outside the models.
func lostOutside(r *lab.Run) (n int) {
	for i := range r.Time.Edges {
		n += int(r.Time.Edges[i].LostOutside())
	}
	return n
}

// steadily sends a frame many times a second, as nearly as it can, and returns how many were taken.
func steadily(p *device.Port, frame []byte, perSecond, frames int) uint64 {
	const most = 1000 // at once, where the machine was slow
	began := time.Now()
	for sent := 0; sent < frames; time.Sleep(time.Millisecond) {
		due := int(time.Since(began).Seconds() * float64(perSecond))
		for range min(due-sent, frames-sent, most) {
			p.Send(frame)
			sent++
		}
		p.Flush()
	}
	return p.Counters().Sent
}

// quanta is a pause of a class, for times of 512 bits.
func quanta(class uint8, times uint16) []byte {
	b := make([]byte, 20)
	copy(b, []byte{1, 1, 0, 1 << class})
	binary.BigEndian.PutUint16(b[4+2*int(class):], times)
	return to([]byte{1, 0x80, 0xC2, 0, 0, 1}, ethernet(0x8808, b))
}

// bulk is a full frame for a station, from an unused address.
func bulk(from, dst int) []byte {
	r := route{plan.StationIP(from), plan.StationIP(dst)}
	return to([]byte{2, 0, 0, 7, 7, byte(dst)}, ethernet(0x0800, r.udp(9, make([]byte, 1500-28))))
}

// pings pings one host from another, fifty times in a second. It waits for late answers.
func pings(from, dst *stack.Host) *running {
	return start(from, fmt.Sprintf("ping -n -c 50 -i 0.02 -W 10 %s", dst.IP))
}

var _ = Describe("a device that holds up others", Label("live", "slow"), func() {
	BeforeEach(func() {
		lab.SkipUnlessSlow()
		lab.Tool("ping")
	})

	// What may cross is of the model's time, which does not pass the wall's; and each frame that the machine itself
	// loses is counted at an edge. Control: a bridge whose bound is never reached.
	It("has its storm of broadcasts cut to 1 % of its link, and others' pings go on", func() {
		hosts, middle := hostsFrom(3, 1500, 0)
		p := threeEdges(middle, "1Gbps", "")
		b := deploy(p, veth.Pool)
		storm := port(hosts[0])
		frame := to([]byte{255, 255, 255, 255, 255, 255}, ethernet(0xBEEF, nil))
		sent, missing := uint64(0), 0
		got := meanwhile(b, p, func() {
			ping := pings(hosts[1], hosts[2])
			sent = steadily(storm, frame, 100_000, 100_000)
			missing = unanswered(ping.said(30 * time.Second))
			// Once there is an answer to what came after it, all of the storm was taken.
			unanswered(start(hosts[1], "ping -n -c 5 -i 0.1 -W 10 "+hosts[2].IP.String()).said(30 * time.Second))
		})
		report("a storm of 100,000 broadcasts", got)
		at := &got.Devices[0].Ports[0]
		Expect(at.SourcedFrames).To(BeNumerically(">=", sent-uint64(lostOutside(got))))
		dropped := got.Summary.ByReason[fabric.DropFlood]
		crossed := at.SourcedFrames - at.Drops[fabric.DropNICQueue] - dropped
		// A burst of 64 KB, then 10 Mb/s, in frames of 60 B.
		bound := (64_000 + uint64(got.End)/uint64(unit.Millisecond)*1250 + 1250) / 60
		AddReportEntry(fmt.Sprintf("%d crossed of %d, at most %d may; %d pings unanswered", crossed, sent, bound, missing))
		Expect(crossed).To(BeNumerically("<=", bound))
		Expect(crossed).To(BeNumerically(">", 64_000/60))
		Expect(dropped).To(BeNumerically(">", 0))
		Expect(missing).To(BeNumerically("<=", lostOutside(got)))
	})

	// Control: a bridge whose ports have no share of the table.
	It("speaks from thousands of addresses: it gets its share of the table, and others are known as before", func() {
		lab.Tool("ip")
		hosts, middle := hostsFrom(3, 1500, 0)
		for i, h := range hosts { // which nobody of the fabric has, so that they are bridged
			Expect(start(h, fmt.Sprintf("ip addr add 192.0.2.%d/24 dev eth0", i)).said(10 * time.Second)).To(BeEmpty())
		}
		p := threeEdges(middle, "1Gbps", "")
		b := deploy(p, veth.Pool)
		liar := port(hosts[0])
		overheard := 0
		got := meanwhile(b, p, func() {
			ask := func() { unanswered(start(hosts[1], "ping -n -c 5 -i 0.1 -W 10 192.0.2.2").said(30 * time.Second)) }
			ask()
			for n := range uint32(3000) {
				frame := to(hosts[2].MAC, ethernet(0xBEEF, nil))
				binary.BigEndian.PutUint32(frame[8:], n)
				liar.Send(frame)
				if n%64 == 63 {
					liar.Flush()
					time.Sleep(time.Millisecond)
				}
			}
			liar.Flush()
			ask()
			for frame := range received(liar, hosts[1].MAC) {
				if binary.BigEndian.Uint16(frame[12:]) == 0x0800 {
					overheard++
				}
			}
		})
		report("a device of 3000 addresses", got)
		table := &got.Switches[0].Ports[0].Bridge
		Expect(table.Stations).To(BeNumerically("<=", 4096/3))
		Expect(table.Unlearned).To(BeNumerically(">", 0))
		Expect(table.Stations + table.Unlearned + uint64(lostOutside(got))).To(BeNumerically(">=", 3000))
		Expect(overheard).To(BeZero(), "frames from one to the other came by")
	})

	// The second host obeys, so that it would stop sending to anyone once the switch is full of frames that the first
	// does not take. Control: a watchdog that is never stalled.
	It("pauses for ever: a watchdog breaks the storm, which is named, and others go on", func() {
		hosts, middle := hostsFrom(3, 1500, 0)
		p := threeEdges(middle, "100Mbps", ", pfc: here, queue: 10MB")
		b := deploy(p, veth.Pool)
		pauser, sender := port(hosts[0]), port(hosts[1])
		missing := 0
		got := meanwhile(b, p, func() {
			over, pausing := make(chan bool), sync.WaitGroup{}
			stop := sync.OnceFunc(func() {
				close(over)
				pausing.Wait()
			})
			defer stop()
			pausing.Go(func() {
				for {
					select {
					case <-over:
						return
					case <-time.After(5 * time.Millisecond): // each holds for 335 ms
						pauser.Send(quanta(3, 65535))
						pauser.Flush()
					}
				}
			})
			time.Sleep(100 * time.Millisecond)
			steadily(sender, bulk(1, 0), 50_000, 2000) // 3 MB, where there is 1 MB of room
			missing = unanswered(pings(hosts[1], hosts[2]).said(30 * time.Second))
			stop()
			// Once it is quiet, it is served again.
			unanswered(start(hosts[1], "ping -n -c 12 -i 0.1 -W 10 "+hosts[0].IP.String()).said(30 * time.Second))
		})
		report("a device that pauses for ever", got)
		Expect(missing).To(BeNumerically("<=", lostOutside(got)))
		reasons := got.Summary.ByReason
		Expect(reasons[fabric.DropWatchdog]).To(BeNumerically(">", 1000))
		reasons[fabric.DropWatchdog] = 0
		Expect(reasons).To(HaveEach(BeZero()))
		Expect(got.Devices[0].Ports[0].PausesOut.Own().XOFF[3]).To(BeNumerically(">", 10))
		Expect(said(got, result.Losslessness)).To(ContainSubstring("the watchdog of s0:0, class 3, fired at "))
		Expect(got.Switches[0].Ports[1].Classes.At(3).SentXOFF).To(BeNumerically(">", 0), "the second host was never held")
	})

	// Control: an edge that does not obey, which pfc: host means; and one that claims to and does not.
	DescribeTable("that obeys no pause", func(pfc string, lossless bool) {
		hosts, middle := pairOfHosts(1500)
		p := lab.Plans(fmt.Sprintf(`
name: pauses
run: {until: 60s}
switch: {buffer: 500KB}
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: a, kind: edge, interface: out0, namespace: %[1]s, pfc: %[2]s, queue: 10MB}
    - {name: b, kind: edge, interface: out1, namespace: %[1]s}
  links:
    - {endpoints: [a, s0], rate: 1Gbps}
    - {endpoints: [b, s0], rate: 100Mbps}
`, middle, pfc))[0]
		b := deploy(p, veth.Pool)
		from, at := port(hosts[0]), port(hosts[1])
		came := uint64(0)
		got := meanwhile(b, p, func() {
			taken := steadily(from, bulk(0, 1), 50_000, 2000)
			for came < taken && receive(at, sender, 2*time.Second) != nil {
				came++
			}
		})
		report("pfc: "+pfc, got)
		near := &got.Devices[0].Ports[0]
		Expect(got.Switches[0].Ports[0].Classes.At(3).SentXOFF).To(BeNumerically(">", 0))
		Expect(near.Drops[fabric.DropNICQueue]).To(BeZero())
		reasons := got.Summary.ByReason
		if !lossless {
			Expect(near.PausesIn.Own().XOFF[3]).To(BeNumerically(">", 0))
			Expect(reasons[fabric.DropHeadroom]).To(BeNumerically(">", 0))
			return
		}
		Expect(near.Classes.At(3).ReceivedXOFF).To(BeNumerically(">", 0))
		Expect(near.Classes.At(3).Paused).To(BeNumerically(">", 0))
		Expect(reasons).To(HaveEach(BeZero()))
		Expect(came + got.Time.Edges[1].LostOutside()).To(BeNumerically(">=", near.SourcedFrames))
		Expect(came).To(BeNumerically(">", 1000))
	},
		Entry("has the edge obey in its place, and nothing is lost", "here", true),
		Entry("overruns the switch's headroom where nobody obeys", "host", false),
	)
})

// said returns a verdict's findings on a subject.
func said(r *lab.Run, subject result.Subject) string {
	var list []string
	for _, f := range r.Verdict.Findings {
		if f.Subject == subject {
			list = append(list, fmt.Sprint(f.Status, ": ", f.Text))
		}
	}
	return strings.Join(list, "\n")
}
