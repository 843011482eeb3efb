package lossless

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/mem"
)

// stormy is an incast to h3 at leaf0, whose NIC breaks down, and three others:
// one from a sender of the incast, one that only shares the way to leaf0, and
// one that shares nothing.
const stormy = `
name: storm
algorithm: dcqcn
topology: {kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: 4}
switch: {buffer: 2MB, watchdog: {detect: 300us, restore: 200us}, headroom_rule: frames, pause_response: 0s}
nic: {pause_response: 0s, rto: {floor: 500us, initial: 1ms}}
traffic:
  - {name: own, kind: incast, senders: h4..h6, receiver: h3, size: 1MB}
  - {name: sender, from: h4, to: h2, size: 1MB}
  - {name: way, from: h7, to: h1, size: 1MB}
  - {name: apart, from: h0, to: h2, size: 1MB}
`

const (
	broken   = "faults: [{kind: pfc-storm, host: h3, class: 3, from: 50us, to: 1050us}]\n"
	from, to = unit.Time(50 * unit.Microsecond), unit.Time(1050 * unit.Microsecond)
	disabled = "switches: {\"*\": {watchdog: {enabled: false}}}\n"
	forward  = "switches: {\"*\": {watchdog: {action: forward}}}\n"
)

// sentXOFF counts the XOFF of class 3 from each kind of node to each peer that
// got one.
func sentXOFF(r *lab.Run) map[string]uint64 {
	sent := map[string]uint64{}
	for i := range r.Plan.Switches {
		for port, link := range r.Plan.Switches[i].Links {
			l := &r.Plan.Links[link]
			far := l.A
			if far == (plan.End{Node: plan.NodeID(i), Port: port}) {
				far = l.B
			}
			if n := r.Switches[i].Ports[port].Classes.At(3).SentXOFF; n > 0 {
				sent[r.Plan.Switches[i].Name+" to "+r.Plan.NodeName(far.Node)] = n
			}
		}
	}
	return sent
}

// about are the texts of a verdict's findings on storms that begin like this.
func about(r *lab.Run, prefix string) (texts []string) {
	for _, f := range r.Verdict.Findings {
		if f.Subject == result.Storm && strings.HasPrefix(f.Text, prefix) {
			texts = append(texts, f.Text)
		}
	}
	return texts
}

// still returns how long a flow's receiver had nothing.
func still(r *lab.Run, name string) unit.Duration {
	for i := range r.Plan.Flows {
		if strings.HasPrefix(r.Plan.Flows[i].Name, name) {
			return r.Flows[i].Receiver.Silence
		}
	}
	Fail("there is no flow " + name)
	return 0
}

// stormCriteria are the criteria of a storm that spreads: back to every sender behind it and to no other, it holds up
// senders that have no part in it, and nothing is lost as long as watchdogs do not drop.
func stormCriteria(r *lab.Run) (c lab.Criteria) {
	xoff := sentXOFF(r)
	for _, hop := range []string{"leaf0 to spine0", "spine0 to leaf1", "leaf1 to h4", "leaf1 to h5",
		"leaf1 to h6", "leaf1 to h7"} {
		c.Want(xoff[hop] > 0, "no XOFF from %s", hop)
	}
	c.Want(len(xoff) == 6, "XOFF: %v", xoff)
	for _, name := range []string{"sender", "way"} {
		c.Want(still(r, name) > 200*unit.Microsecond, "%s stood still for %v", name, still(r, name))
	}
	c.Want(still(r, "apart") < 20*unit.Microsecond, "apart stood still for %v", still(r, "apart"))
	c.Want(r.Summary.Victims == 2 && len(about(r, "victim: sender")) == 1 && len(about(r, "victim: way")) == 1,
		"%d victims: %q", r.Summary.Victims, about(r, "victim"))
	c.Want(r.Summary.Incomplete == 0, "%d flows incomplete", r.Summary.Incomplete)
	c.Want(r.Summary.Deadlocks == 0, "%d deadlocks", r.Summary.Deadlocks)
	c.Want(r.Verdict.Status == result.Pass, "verdict %v", r.Verdict.Status)
	return c
}

var _ = Describe("an incast to a host whose NIC pauses its class for a millisecond", Label("pfc", "storm"), func() {
	run := func(change string) *lab.Run { return lab.Do(lab.Plans(stormy + change)[0], lab.Options{}) }

	It("stops all senders behind the storm, and what shares their way, until it ends", func() {
		r := run(broken + disabled)
		Expect(stormCriteria(r).Missed).To(BeEmpty())
		// Timers of 500 us send again what only stands.
		Expect(r.Summary.Drops + r.Summary.NAKs + r.Summary.WatchdogFired).To(BeZero())
		Expect(about(r, "h3 paused")).To(
			ConsistOf(HavePrefix("h3 paused class 3 from 50us to 1.05ms: it sent 6 XOFF, and leaf0:3 stood for ")))
	})

	It("is freed by the watchdog, which drops what is for the storm alone", func() {
		r := run(broken)
		Expect(stormCriteria(r).Missed).To(BeEmpty())
		Expect(about(r, "the watchdog")).To(ConsistOf(HavePrefix("the watchdog of leaf0:3, class 3, fired at ")))
		storms := r.Switches[0].Ports[3].Storms
		Expect(storms).To(HaveLen(1))
		// The queue began to stand one flight after the XOFF, at most a frame
		// later.
		Expect(storms[0].At.Sub(from)).To(BeNumerically("~", 301*unit.Microsecond, 200*unit.Nanosecond))
		Expect(storms[0].Until.Sub(to)).To(BeNumerically("~", 201*unit.Microsecond, 200*unit.Nanosecond))
		Expect(storms[0].Flushed + storms[0].Dropped).To(Equal(r.Summary.Drops))
		Expect(lab.Metric("drops_watchdog")(r)).To(Equal(float64(r.Summary.Drops)))
		for i := range r.Flows {
			lost := r.Flows[i].Receiver.OutOfOrder+r.Flows[i].Sender.Timeouts > 0
			Expect(lost).To(Equal(r.Plan.NICs[r.Plan.Flows[i].Dst].Name == "h3"), r.Plan.Flows[i].Name)
		}
		without := run(broken + disabled)
		t := lab.NewTable("watchdog", "sender stood us", "way stood us", "apart stood us", "drops", "us")
		for _, x := range []struct {
			name string
			*lab.Run
		}{{"drops", r}, {"lets pass", run(broken + forward)}, {"off", without}} {
			t.Row(x.name, still(x.Run, "sender").Microseconds(), still(x.Run, "way").Microseconds(),
				still(x.Run, "apart").Microseconds(), x.Summary.Drops, x.Summary.DurationUS)
		}
		t.Report("a storm of 1 ms, detected after 300 us")
		Expect(still(r, "way")).To(BeNumerically("<", still(without, "way")/2))
	})

	It("loses nothing where the watchdog lets frames pass", func() {
		r := run(broken + forward)
		Expect(stormCriteria(r).Missed).To(BeEmpty())
		Expect(r.Summary.Drops + r.Summary.Retransmits).To(BeZero())
		Expect(r.Summary.WatchdogFired).To(Equal(uint64(1)))
		Expect(still(r, "own")).To(BeNumerically("<", 400*unit.Microsecond))
	})

	It("is paused from the stated instant to the stated instant, without a gap", func() {
		_, file := lab.Capture(lab.Plans(stormy + broken + disabled)[0], lab.Options{}, "h3:0", "leaf0:3")
		var sent, obeyed, data []unit.Time
		for _, f := range lab.Frames(file) {
			p := f.Decode()
			pause, atHost, out := lab.PFC(p), f.Port == "h3:0", f.Direction == pcapng.Outbound
			switch {
			case pause != nil && atHost && out:
				Expect(pause.ClassEnable).To(Equal(uint16(1 << 3)))
				if f.At < to {
					Expect(pause.Pause[3]).To(Equal(uint16(65535)))
				} else {
					Expect(pause.Pause[3]).To(BeZero())
				}
				sent = append(sent, f.At)
			case pause != nil && !atHost && !out:
				obeyed = append(obeyed, f.At)
			case !atHost && out && lab.IsData(lab.BTH(p)):
				data = append(data, f.At)
			}
		}
		// An ACK of 86 B may be under way when a PFC frame is due.
		const ack = unit.Duration(7 * unit.Nanosecond)
		Expect(sent[0].Sub(from)).To(And(BeNumerically(">=", 0), BeNumerically("<", ack)))
		Expect(sent[len(sent)-1].Sub(to)).To(And(BeNumerically(">=", 0), BeNumerically("<", ack)))
		for i := range sent[1:] {
			Expect(sent[i+1].Sub(sent[i])).To(BeNumerically("<", 65535*quantum), "between pause %d and the next", i)
		}
		before, after := 0, 0
		for _, at := range data {
			switch {
			case at < obeyed[0]:
				before++
			case at >= obeyed[len(obeyed)-1]:
				after++
			default:
				Fail(fmt.Sprintf("data left for h3 at %v, in the storm", at))
			}
		}
		Expect(before).To(BeNumerically(">", 100))
		Expect(after).To(BeNumerically(">", 100))
	})

	It("is the same with any number of workers, windows, and frames as bytes", func() {
		for _, change := range []string{broken, broken + disabled} {
			p := lab.Plans(stormy + change)[0]
			want := lab.Do(p, lab.Options{}).Trace
			for _, workers := range []int{1, 2, 4} {
				for _, codec := range []bool{false, true} {
					o := lab.Options{Options: mem.Options{Workers: workers, Codec: codec}}
					o.AllWorkers = true
					o.Cut = func(unit.Time) unit.Duration { return p.Lookahead() / unit.Duration(workers) }
					Expect(lab.Do(p, o).Trace).To(Equal(want), "%d workers, codec %v", workers, codec)
				}
			}
		}
	})

	DescribeTable("misses these criteria when the storm is not one", Label("mutant"),
		func(change string) {
			c := stormCriteria(run(change))
			AddReportEntry("mutant", c.String(), ReportEntryVisibilityFailureOrVerbose)
			Expect(c.Missed).NotTo(BeEmpty())
		},
		Entry("no storm", disabled),
		Entry("a storm of one quantum's length", strings.Replace(broken, "to: 1050us", "to: 50006ns", 1)+disabled),
		Entry("a storm that never begins", strings.Replace(strings.Replace(broken, "from: 50us", "from: 50ms", 1),
			"to: 1050us", "to: 60ms", 1)+disabled),
	)
})
