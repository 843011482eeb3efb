package live

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/stack"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// sight records whether a host had a carrier, and until when in model time that was seen.
type sight struct {
	at  time.Duration
	has bool
}

// hasCarrier reports what a host sees at its interface, as /sys/class/net/eth0/carrier does there.
func hasCarrier(h *stack.Host) (has bool) {
	defer GinkgoRecover()
	Expect(netns.In(h.Namespace, func() error {
		l, err := netlink.LinkByName(stack.Interface)
		if err == nil {
			has = l.Attrs().RawFlags&unix.IFF_LOWER_UP != 0
		}
		return err
	})).To(Succeed())
	return has
}

// seen has what a host sees at times of model time, as a run goes on.
func seen(h *stack.Host, list *[]sight) func(model.Progress) {
	return func(p model.Progress) {
		*list = append(*list, sight{time.Duration(p.Now.Sub(0).Nanoseconds()), hasCarrier(h)})
	}
}

// between are the sights from one time to another, with what may be late left out.
func between(list []sight, from, to time.Duration) (has []bool) {
	const late = 100 * time.Millisecond
	for _, s := range list {
		if s.at > from+late && s.at < to-late {
			has = append(has, s.has)
		}
	}
	return has
}

var _ = Describe("the carrier of an edge", Label("live"), func() {
	const ms = time.Millisecond

	// Control: a run that sets no carrier.
	It("is what the faults of the scenario make it, and is back after the run", func() {
		hosts, middle := pairOfHosts(1500)
		before := network(middle)
		p := twoEdges(middle, 2500*ms, `
faults:
  - {link: a-s0, down: 600ms, up: 1500ms}
  - {link: b-s0, down: 2s}`)
		b := deploy(p, veth.Pool)
		var first, second []sight
		look, other := seen(hosts[0], &first), seen(hosts[1], &second)
		got := runLive(b, p, veth.Options{Dilation: 1, Progress: func(p model.Progress) { look(p); other(p) }})
		Expect(between(first, 0, 600*ms)).To(And(Not(BeEmpty()), HaveEach(BeTrue())))
		Expect(between(first, 600*ms, 1500*ms)).To(And(Not(BeEmpty()), HaveEach(BeFalse())))
		Expect(between(first, 1500*ms, 2500*ms)).To(And(Not(BeEmpty()), HaveEach(BeTrue())))
		Expect(between(second, 0, 2000*ms)).To(And(Not(BeEmpty()), HaveEach(BeTrue())))
		Expect(between(second, 2000*ms, 2500*ms)).To(And(Not(BeEmpty()), HaveEach(BeFalse())))
		for _, h := range hosts {
			Expect(hasCarrier(h)).To(BeTrue())
		}
		Expect(network(middle).Since(before)).To(BeEmpty())
		Expect(got.Interrupted).To(BeFalse())
		Expect(got.Time.Unplugged).To(BeEmpty())
		Expect(got.Remarks).To(ContainElements(HavePrefix("edge a: out0 was set down 1 time by faults of the scenario"),
			HavePrefix("edge b: out1 was set down 1 time by faults of the scenario")))
		Expect(lostOutside(got)).To(BeZero())
	})

	// Control: a carrier that is not given back.
	It("is back after Ctrl-C in an outage", func() {
		hosts, middle := pairOfHosts(1500)
		before := network(middle)
		p := twoEdges(middle, 20*time.Second, "\nfaults:\n  - {kind: switch-reboot, switch: s0, down: 200ms}")
		b := deploy(p, veth.Pool)
		got := meanwhile(b, p, func() {
			for _, h := range hosts {
				Eventually(func() bool { return hasCarrier(h) }).WithTimeout(10 * time.Second).Should(BeFalse())
			}
		})
		Expect(got.Time.Unplugged).To(BeEmpty())
		for _, h := range hosts {
			Expect(hasCarrier(h)).To(BeTrue())
		}
		Expect(network(middle).Since(before)).To(BeEmpty())
	})

	// Control: a run that does not watch.
	DescribeTable("that goes by itself ends the run, which is void", func(what string, do func(middle string)) {
		_, middle := pairOfHosts(1500)
		p := twoEdges(middle, 50*time.Second, "\nfaults: [{link: b-s0, flaps: {from: 50ms, times: 5, down: 10ms, up: 10ms}}]")
		b := deploy(p, veth.Pool)
		begun := onceBegun(func() {
			go func() {
				time.Sleep(400 * ms)
				do(middle)
			}()
		})
		start := time.Now()
		out, err := b.Run(context.Background(), p, veth.Options{Dilation: 1, Progress: begun})
		Expect(err).NotTo(HaveOccurred())
		Expect(time.Since(start)).To(BeNumerically("<", 20*time.Second))
		got := lab.Judge(out)
		Expect(got.Verdict.Status).To(Equal(result.Void))
		Expect(result.ExitCode(got.Verdict)).To(Equal(exit.CodeVerdict))
		Expect(got.Verdict.WasInterrupted()).To(BeTrue())
		Expect(said(got, result.Timeliness)).To(MatchRegexp(`void: edge a \(out0\): its interface ` + what +
			` at [\d.]+m?s, and no fault of the scenario takes it down then: the run ended by that`))
		Expect(got.Time.Unplugged).To(HaveLen(1))
		Expect(got.Time.Unplugged[0].At).To(BeNumerically("~", out.End, unit.Second/2))
		AddReportEntry(said(got, result.Timeliness))
	},
		Entry("set down", "was set down", func(middle string) { change(middle, "out0", netlink.LinkSetDown) }),
		Entry("removed", "was removed or moved away", func(middle string) { change(middle, "out0", netlink.LinkDel) }),
	)
})
