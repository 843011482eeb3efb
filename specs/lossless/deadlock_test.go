package lossless

import (
	"fmt"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// Tier: everyday. Red without engine.observeQuiet: 11 of the 12 rings pass then.
var _ = Describe("rocelab run specs/scenarios/deadlock-ring.yaml", Label("pfc", "deadlock"), func() {
	const ring = "../scenarios/deadlock-ring.yaml"
	const cycle = "s0:1/3 -> s1:2/3 -> s2:2/3 -> s3:2/3 -> s4:2/3"
	locked := func(more ...string) *told {
		return run(exit.CodeVerdict, append([]string{ring, "--variant", "locked"}, more...)...)
	}

	It("is red at the second sample after the lock, for all latencies and buffers, and names when it began", func() {
		for _, latency := range []string{"500ns", "1us", "2us", "5us"} {
			for _, buffer := range []struct{ size, since string }{{"800KB", "(29|30)"}, {"1MB", "3[5-7]"}, {"3MB", "10[89]"}} {
				where := fmt.Sprintf("%s, %s", latency, buffer.size)
				r := locked("--set", "topology.latency="+latency, "--set", "switch.buffer="+buffer.size)
				Expect(r.Verdict).To(Equal("red"), where)
				Expect(r.texts("red")).To(ConsistOf(MatchRegexp("^not lossless: deadlock at 2ms of "+cycle+
					`, which have stood still since %s(\.\d+)?us$`, buffer.since)), where)
				Expect(r.Metrics["deadlocks"]).To(Equal(1.0), where)
			}
		}
	})

	It("says the same with frames as bytes, and of a run until a set time", func() {
		want := locked()
		Expect(locked("--codec").Findings).To(Equal(want.Findings))
		until := locked("--set", "run.until=2500us")
		Expect(until.texts("red")).To(ConsistOf(HavePrefix("not lossless: deadlock at 1.25ms of " + cycle)))
	})

	It("names the cycle that a watchdog breaks before it does, and again when it comes back", func() {
		r := run(exit.CodeVerdict, ring, "--variant", "watchdog")
		red := r.texts("red")
		Expect(red).To(ContainElement(MatchRegexp("^not lossless: deadlock at 1ms of " + cycle + ", .* since 109")))
		Expect(red).To(ContainElement(MatchRegexp(`^not lossless: deadlock at 5ms of .* since 4\.\d+ms$`)))
		Expect(red).To(ContainElement(MatchRegexp(`^not lossless: the watchdog of s\d:\d, class 3, fired at 2\.109`)))
		Expect(r.Metrics["deadlocks"]).To(BeNumerically(">", 1))
	})

	It("passes if no link closes the ring", func() {
		r := run(exit.CodePass, ring, "--variant", "locked", "--set", "topology.latency=1us", "--set",
			"traffic.f3.to=h4", "--set", "traffic.f4.from=h3", "--set", "traffic.f4.to=h2", "--set", "run.limit=100ms")
		Expect(r.Metrics).To(HaveKeyWithValue("pauses", BeNumerically(">", 0)))
		Expect(r.Metrics).NotTo(HaveKeyWithValue("deadlocks", BeNumerically(">", 0)))
	})
})

var _ = Describe("a ring of five switches that has locked up", Label("pfc", "deadlock"), func() {
	It("is a deadlock at the second sample after that, and its queues have stood still since the last of them was paused",
		func() {
			text, err := os.ReadFile("../scenarios/deadlock-ring.yaml")
			Expect(err).NotTo(HaveOccurred())
			r := lab.Do(lab.Plans(string(text))[0], lab.Options{Lossy: true})
			Expect(r.Deadlocks).To(HaveLen(1))
			Expect(r.Deadlocks[0].At).To(Equal(unit.Time(2 * unit.Millisecond)))
			Expect(r.Deadlocks[0].Queues).To(Equal([]string{"s0:1/3", "s1:2/3", "s2:2/3", "s3:2/3", "s4:2/3"}))
			// It lasts to the end: the queue that was paused last was so for the rest of the run.
			least := unit.Duration(unit.Never)
			for sw, port := range []int{1, 2, 2, 2, 2} {
				least = min(least, r.Switches[sw].Ports[port].Classes.At(3).Paused)
			}
			Expect(r.Deadlocks[0].Since).To(BeNumerically("~", r.End.Add(-least), unit.Time(unit.Microsecond)))
		})
})

// nearMidFar is 24 senders of DCQCN, over 1, 2 and 4 switches, eight each, to one port.
const nearMidFar = "testdata/near-mid-far.yaml"

// Tier: everyday. Red with a default of 2 ms if it is not raised to the bound by buffers, which is 10.24 ms: the
// watchdog of s2:0 drops 110358 frames. Red with a bound of each switch's own buffer: that of s1:0 drops 778263 frames.
var _ = Describe("the PFC watchdog and ordinary congestion", Label("pfc", "watchdog"), func() {
	It("lets queues stand that a full buffer holds for milliseconds, and drops nothing", func() {
		r := run(exit.CodePass, nearMidFar)
		Expect(r.Metrics).To(HaveKeyWithValue("pauses", BeNumerically(">", 1000)))
		Expect(r.Metrics["drops"] + r.Metrics["watchdog_fired"]).To(BeZero())
		Expect(rocelab(exit.CodePass, "validate", nearMidFar)).NotTo(ContainSubstring("watchdog"))
	})

	It("drops frames, and validate warns of that, if it waits shorter than the buffer takes to drain", func() {
		const short = "switch.watchdog.detect=2ms"
		r := run(exit.CodeVerdict, nearMidFar, "--set", short)
		Expect(r.texts("red")).To(ContainElement(HavePrefix("not lossless: the watchdog of s2:0, class 3, fired at ")))
		Expect(r.Metrics["drops"]).To(BeNumerically(">", 10_000))
		Expect(rocelab(exit.CodePass, "validate", nearMidFar, "--set", short, "--format", "json")).To(ContainSubstring(
			"watchdog.detect is 2ms, below 4 x buffer / the slowest port's rate, which is 10.24ms at s0: the " +
				"watchdog may take ordinary congestion for a storm, and drop frames without one; s0"))
	})

	It("lets queues stand that wait for the buffer of another switch, and validate warns if it does not", func() {
		const slowPort = "testdata/slow-port.yaml"
		r := run(exit.CodePass, slowPort)
		Expect(r.Metrics["drops"] + r.Metrics["watchdog_fired"]).To(BeZero())
		Expect(rocelab(exit.CodePass, "validate", slowPort)).NotTo(ContainSubstring("watchdog"))

		const shipped = "switch.watchdog.detect=200ms"
		r = run(exit.CodeVerdict, slowPort, "--set", shipped)
		Expect(r.texts("red")).To(ContainElement(HavePrefix("not lossless: the watchdog of s1:0, class 3, fired at ")))
		Expect(rocelab(exit.CodePass, "validate", slowPort, "--set", shipped, "--format", "json")).To(ContainSubstring(
			"watchdog.detect is 200ms, below 4 x buffer / the slowest port's rate, which is 3.2s at s0: "))
	})
})
