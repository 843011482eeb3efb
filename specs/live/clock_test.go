package live

import (
	"encoding/binary"
	"errors"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// clockLabel is the label of the spec which sets the machine's clock. It runs only if the filter of labels names it: a
// run of all specs does not ask for that.
const clockLabel = "sets-the-clock"

// setClock sets CLOCK_REALTIME, in nanoseconds.
var setClock = func(to int64) error {
	t := unix.NsecToTimespec(to)
	return unix.ClockSettime(unix.CLOCK_REALTIME, &t)
}

// stepClock steps the machine's clock by the given time, and puts it right again after a while by the clock that is
// never set, in any case.
func stepClock(by, after time.Duration) (err error) {
	began, right := pace.Now(), time.Now().UnixNano()
	defer func() { err = errors.Join(err, setClock(right+pace.Now()-began)) }()
	if err := setClock(right + int64(by)); err != nil {
		return err
	}
	time.Sleep(after)
	return nil
}

var _ = Describe("a host whose clock is set", Label("live", "night", clockLabel), func() {
	// Control: pace.Stamps without steps takes every frame an hour late, or early.
	It("by an hour, and put right again, loses no frame, and says so", func() {
		tier.Night(GinkgoT())
		if !strings.Contains(GinkgoLabelFilter(), clockLabel) {
			Skip("sets the machine's clock by an hour for a moment; -ginkgo.label-filter=" + clockLabel + " runs it")
		}
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, 59*time.Second, "")
		b := deploy(p, veth.Pool)
		from, at := port(hosts[0]), port(hosts[1])
		const frames = 600
		var came []uint64
		var stepped error
		var setting sync.WaitGroup
		DeferCleanup(setting.Wait) // the clock is right again before anything ends
		got := meanwhile(b, p, func() {
			setting.Go(func() {
				time.Sleep(500 * time.Millisecond)
				stepped = stepClock(time.Hour, 700*time.Millisecond)
				time.Sleep(500 * time.Millisecond)
				stepped = errors.Join(stepped, stepClock(-time.Hour, 700*time.Millisecond))
			})
			for n := range uint64(frames) { // 3 s
				from.Send(ethernet(0xBEEF, binary.BigEndian.AppendUint64(nil, n)))
				from.Flush()
				frame := receive(at, sender, 5*time.Millisecond)
				for ; frame != nil; frame = receive(at, sender, time.Millisecond) {
					came = append(came, binary.BigEndian.Uint64(frame[14:]))
				}
			}
			for frame := receive(at, sender, time.Second); frame != nil; frame = receive(at, sender, time.Second) {
				came = append(came, binary.BigEndian.Uint64(frame[14:]))
			}
			setting.Wait()
		})
		if errors.Is(stepped, unix.EPERM) {
			Skip("the clock cannot be set: CAP_SYS_TIME is missing")
		}
		Expect(stepped).NotTo(HaveOccurred())
		report("a clock that is set by an hour", got)
		Expect(len(came) + lostOutside(got)).To(BeNumerically(">=", frames))
		for i := range came[1:] {
			Expect(came[i+1]).To(BeNumerically(">", came[i]))
		}
		Expect(got.Time.ClockSteps).To(Equal(uint64(4)))
		Expect(said(got, result.Timeliness)).To(ContainSubstring("the host's clock was set 4 times"))
		Expect(got.Time.Edges[0].MovedMost).To(BeNumerically("<", 60*unit.Second))
		Expect(got.Time.Edges[1].Lateness.Max()).To(BeNumerically("<", int64(time.Minute)))
	})
})
