package why

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/lab"
)

// causeOf is why the first flow of a run took so long. The parts of every flow add up to its time, and none is
// negative; series add up to what the clocks and ports counted.
func causeOf(run *lab.Run) *result.Cause {
	GinkgoHelper()
	Expect(run.Why).To(HaveLen(len(run.Flows)))
	for i := range run.Why {
		sender, total := &run.Flows[i].Sender, unit.Duration(0)
		if sender.Started < run.End {
			total = min(sender.Completed, run.End).Sub(sender.Started)
		}
		Expect(run.Why[i].Total()).To(Equal(total), run.Plan.Flows[i].Name)
		Expect(sender.Spent.Total()).To(Equal(total), run.Plan.Flows[i].Name)
		for part, time := range run.Why[i].Parts {
			Expect(time).To(BeNumerically(">=", 0), "%s: %v", run.Plan.Flows[i].Name, attribution.Part(part))
		}
	}
	for i := range run.Flows {
		sender := &run.Flows[i].Sender
		held := sender.Spent[record.Paced] + sender.Spent[record.WindowClosed]
		Expect(sumOf(&sender.Sends.Sending)).To(Equal(sender.Spent[record.Sending]))
		Expect(sumOf(&sender.Sends.PortBusy)).To(Equal(sender.Spent[record.PortBusy]))
		Expect(sumOf(&sender.Sends.Held)).To(Equal(held))
	}
	for _, port := range run.NICs {
		Expect(sumOf(port.Load)).To(Equal(port.Busy))
	}
	for _, sw := range run.Switches {
		for _, port := range sw.Ports {
			Expect(sumOf(port.Load)).To(Equal(port.Busy))
		}
	}
	return &run.Why[0]
}

// sumOf adds up a series of times.
func sumOf(series *record.Series) (sum unit.Duration) {
	for bin := range series.Len() {
		sum += unit.Duration(series.At(bin))
	}
	return sum + unit.Duration(series.Rest)
}

// lossOf is the time of a flow that is not alone.
func lossOf(cause *result.Cause) unit.Duration { return cause.Total() - cause.Parts[attribution.Alone] }

// intervention is a scenario in which a part is most of the loss, and what takes its cause away.
type intervention struct {
	part          attribution.Part
	with, without string // what stands for CAUSE in the scenario
	scenario      string
}

var _ = DescribeTable("a part is most of the loss, and goes with its cause", func(i intervention) {
	run := func(cause string) *result.Cause {
		GinkgoHelper()
		text := strings.ReplaceAll(i.scenario, "CAUSE", cause)
		return causeOf(lab.Do(lab.Plans("name: why\n" + text)[0], lab.Options{Lossy: true}))
	}
	with, without := run(i.with), run(i.without)
	loss := lossOf(with)
	Expect(with.Parts[i.part]).To(BeNumerically(">=", loss*6/10), "with its cause: %v", with.Parts)
	Expect(with.Parts[attribution.Unresolved]).To(BeNumerically("<=", with.Total()/50), "unresolved")
	Expect(without.Parts[i.part]).To(BeNumerically("<", with.Parts[i.part]/100), "without its cause: %v", without.Parts)
	// The time falls by the part, but for what other parts make of it, which the loss of the other run has.
	Expect(with.Total() - without.Total()).To(BeNumerically("~", loss-lossOf(without), loss/50))
},
	Entry("shared: four windows that hold one delay; the others are not there", intervention{
		part: attribution.Shared,
		with: "- {kind: incast, senders: [h1, h2, h3], receiver: h4, size: 1MB}",
		scenario: `
topology: {kind: star, hosts: 5}
algorithm: swift
traffic:
  - {name: f, from: h0, to: h4, size: 1MB}
  CAUSE
`}),
	Entry("shared: a port that sixteen share by their targets", intervention{
		part: attribution.Shared,
		with: "- {kind: incast, senders: 15, receiver: h16, size: 500KB}",
		scenario: `
topology: {kind: star, hosts: 17}
algorithm: pc4
traffic:
  - {name: f, from: h15, to: h16, size: 500KB}
  CAUSE
`}),
	Entry("unfair: nine times its rate beside it, then the same", intervention{
		part: attribution.Unfair, with: "10Gbps", without: "50Gbps",
		scenario: `
topology: {kind: star, hosts: 3}
traffic:
  - {name: f, from: h0, to: h2, size: 1MB, algorithm: {name: fixed, params: {rate: CAUSE}}}
  - {name: greedy, from: h1, to: h2, size: 10MB, algorithm: {name: fixed, params: {rate: 90Gbps}}}
switch: {buffer: 64MB}
run: {until: 900us}
`}),
	Entry("held back: a fifth of the line's rate", intervention{
		part: attribution.HeldBack, with: "{rate: 20Gbps}", without: "{rate: 100Gbps}",
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: {name: fixed, params: CAUSE}
traffic: [{name: f, from: h0, to: h1, size: 1MB}]
`}),
	Entry("held back: a window of a quarter of the BDP, of 41 KB on this way", intervention{
		part: attribution.HeldBack, with: "{window: 10KB}", without: "{window: 100KB}",
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: {name: fixed, params: CAUSE}
traffic: [{name: f, from: h0, to: h1, size: 1MB}]
`}),
	Entry("collision: two windows on one spine, and none on the other", intervention{
		part: attribution.Collision, with: "path: 0", without: "path: 1",
		scenario: `
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 2}
algorithm: swift
traffic:
  - {name: f, from: h0, to: h2, size: 2MB, CAUSE}
  - {name: g, from: h1, to: h3, size: 4MB, path: 0}
`}),
	Entry("queued: one packet behind a burst", intervention{
		part: attribution.Queued,
		with: "- {kind: incast, senders: [h1, h2, h3], receiver: h4, size: 1MB}",
		scenario: `
topology: {kind: star, hosts: 5}
algorithm: none
traffic:
  - {name: f, from: h0, to: h4, size: 1KB, start: 100us}
  CAUSE
`}),
	Entry("paused: the receiver's NIC storms for 400 us", intervention{
		part: attribution.Paused,
		with: "faults: [{kind: pfc-storm, host: h1, class: 3, from: 20us, to: 420us}]",
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: none
switch: {buffer: 400KB}
traffic: [{name: f, from: h0, to: h1, size: 4MB}]
CAUSE
`}),
	Entry("paused: a storm that holds a port on the way of a paced flow", intervention{
		part: attribution.Paused,
		with: "faults: [{kind: pfc-storm, host: h1, class: 3, from: 20us, to: 420us}]",
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: {name: fixed, params: {window: 100KB}}
traffic: [{name: f, from: h0, to: h1, size: 1MB}]
CAUSE
`}),
	Entry("repair: a link that is down for 10 us", intervention{
		part: attribution.Repair,
		with: "faults: [{link: h0-s0, down: 20us, up: 30us}]",
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: none
traffic: [{name: f, from: h0, to: h1, size: 1MB}]
CAUSE
`}),
	Entry("repair: the last packet of a flow is lost again and again", intervention{
		part: attribution.Repair,
		with: "faults: [{link: h1-s0, loss: 0.5}]",
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: none
nic: {rto: {floor: 100us, initial: 100us}}
traffic: [{name: f, from: h0, to: h1, size: 3KB}]
CAUSE
`}),
	Entry("host: a rank that computes between its messages", intervention{
		part: attribution.Host, with: "500us", without: "0us",
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: none
traffic: [{name: f, kind: collective, operation: broadcast, hosts: h0..h1, size: 1MB, iterations: 4, compute: CAUSE}]
`}),
)
