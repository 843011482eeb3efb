package rules

import (
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
)

var _ = Describe("a live run", Label("edge"), func() {
	It("begins no window before its time", func() {
		const windows = 20
		until := unit.Time(windows * unit.Millisecond)
		p, err := lockstep.Create(lockstep.Setup{
			Participants: 1,
			Lookahead:    unit.Microsecond,
			Schedule:     engine.Schedule{Until: until, Limit: until},
			Sampled:      make([]bool, 1),
			Clock:        &lockstep.Pace{Dilation: 2},
		})
		Expect(err).NotTo(HaveOccurred())
		defer p.Close()
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		m := p.Join(0)
		m.Complete(0)
		began, first := 0, int64(0)
		for m.Arrive(0); ; began++ {
			if _, verdict := m.Await(); verdict != lockstep.Granted {
				break
			}
			c, ok := p.Clock()
			Expect(ok).To(BeTrue())
			now := pace.Now()
			if began == 0 {
				first = c.Epoch // when it began, which a busy host may let this see later
			}
			Expect(now).To(And(BeNumerically(">=", c.Wall(p.Now())), BeNumerically(">=", first+int64(began)*2e6)))
			m.Arrive(p.Now().Add(unit.Millisecond))
		}
		Expect(began).To(Equal(windows))
		Expect(p.Early()).To(BeZero())
	})

	// An instant due within a nanosecond of the wall is due at its end.
	It("has a clock whose instants are never before their model time", func() {
		for _, dilation := range []int64{1, 3, 1000} {
			c := pace.Clock{Epoch: 12345, Dilation: dilation}
			for _, at := range []unit.Time{0, 1, 333, 999, 1000, 1001, millisecond, millisecond + 1} {
				wall := c.Wall(at)
				Expect((wall - c.Epoch) * 1000).To(And(BeNumerically(">=", int64(at)*dilation),
					BeNumerically("<", int64(at)*dilation+1000)))
				Expect(c.Model(wall)).To(BeNumerically(">=", at))
				Expect(c.Model(wall - 1)).To(BeNumerically("<", at))
			}
		}
	})

	// R is 400 us; a thousand frames, some of them late.
	DescribeTable("is judged by when its frames left:", func(late int, by unit.Duration, want result.Status) {
		t := result.Timing{Dilation: 1, Reference: 400_000, Edges: make([]result.EdgeTiming, 1)}
		for i := range 1000 {
			if i < late {
				t.Edges[0].Lateness.Add(by.Nanoseconds())
			} else {
				t.Edges[0].Lateness.Add(0)
			}
		}
		Expect(t.Status()).To(Equal(want))
	},
		Entry("green with half of them at R/4", 600, 100*unit.Microsecond, result.Pass),
		Entry("amber with half above R/4", 600, 101*unit.Microsecond, result.Amber),
		Entry("green with a hundredth at R/2", 20, 200*unit.Microsecond, result.Pass),
		Entry("amber with a hundredth above R/2", 20, 201*unit.Microsecond, result.Amber),
		Entry("red with a hundredth above R", 20, 401*unit.Microsecond, result.Red),
		Entry("amber with a thousandth above 2R", 2, 801*unit.Microsecond, result.Amber),
		Entry("red with a thousandth above 10R", 2, 4001*unit.Microsecond, result.Red),
	)

	It("is not green where a frame was lost outside the models", func() {
		t := result.Timing{Dilation: 1, Reference: 400_000, Edges: make([]result.EdgeTiming, 1)}
		t.Edges[0].Lateness.Add(0)
		Expect(t.Colour()).To(Equal("green"))
		t.Edges[0].Unfit = 1 // which crossed
		Expect(t.Colour()).To(Equal("green"))
		t.Edges[0].Lost[result.RingFull] = 1
		Expect(t.Colour()).To(Equal("amber"))
	})
})
