package why

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

var _ = DescribeTable("a part of the way is most of the loss, goes with its cause, and predicts the time without it",
	func(i intervention) { i.try() },
	// Swift's target for three switches is 12.3 us, 4 us above the empty RTT, and a little for two flows.
	Entry("collision: two windows on one spine, and none on the other", intervention{
		part:    attribution.Collision,
		with:    "path: 0",
		without: "path: 1",
		after:   sends(2000, 100) + crossing(4),
		others:  -5 * us,
		scenario: `
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 2}
algorithm: swift
traffic:
  - {name: f, from: h0, to: h2, size: 2MB, CAUSE}
  - {name: g, from: h1, to: h3, size: 4MB, path: 0}
`}),
	// Two windows of 17.3 us of a port, on an RTT of 12.5 us, are a queue of 22 us: the last packet's wait.
	Entry("collision: two windows from two racks that meet at a core, then on two cores", intervention{
		part:    attribution.Collision,
		with:    "path: 0",
		without: "path: 1",
		after:   sends(2000, 100) + crossing(6),
		others:  -22 * us,
		scenario: `
topology: {kind: fat-tree, k: 4}
algorithm: {name: fixed, params: {window: 200KB}}
traffic:
  - {name: f, from: h0, to: h8, size: 2MB, CAUSE}
  - {name: g, from: h2, to: h12, size: 4MB, path: 0}
`}),
	Entry("queued: one packet behind a burst", intervention{
		part:  attribution.Queued,
		with:  "- {kind: incast, senders: [h1, h2, h3], receiver: h4, size: 1MB}",
		after: sends(1, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 5}
algorithm: none
traffic:
  - {name: f, from: h0, to: h4, size: 1KB, start: 100us}
  CAUSE
`}),
	Entry("queued: ten packets whose ACKs are behind a burst to their sender", intervention{
		part:  attribution.Queued,
		with:  "- {kind: incast, senders: [h1, h2, h3], receiver: h0, size: 1MB}",
		after: sends(10, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 5}
algorithm: none
nic: {ack_class: data}
traffic:
  - {name: f, from: h0, to: h4, size: 10KB, start: 100us}
  CAUSE
`}),
	Entry("paused: the receiver's NIC storms for 400 us", intervention{
		part:  attribution.Paused,
		with:  "faults: [{kind: pfc-storm, host: h1, class: 3, from: 20us, to: 420us}]",
		after: sends(4000, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: none
switch: {buffer: 400KB}
traffic: [{name: f, from: h0, to: h1, size: 4MB}]
CAUSE
`}),
	Entry("paused: a storm that holds a port on the way of a paced flow", intervention{
		part:  attribution.Paused,
		with:  "faults: [{kind: pfc-storm, host: h1, class: 3, from: 20us, to: 420us}]",
		after: sends(1000, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: {name: fixed, params: {window: 100KB}}
traffic: [{name: f, from: h0, to: h1, size: 1MB}]
CAUSE
`}),
	Entry("paused: a victim beside an incast behind one trunk, then PFC is off and buffers are deep", intervention{
		part:    attribution.Paused,
		with:    "{buffer: 1MB}",
		without: "{buffer: 64MB, pfc: {lossless: []}}",
		after:   sends(2000, 100) + crossing(3),
		scenario: `
topology: {kind: dumbbell, left: 4, right: 2, bottleneck_rate: 800Gbps}
algorithm: none
switch: CAUSE
traffic:
  - {name: f, from: h0, to: h5, size: 2MB}
  - {kind: incast, senders: [h1, h2, h3], receiver: h4, size: 4MB}
`}),
	Entry("repair: a link that is down for 10 us", intervention{
		part:  attribution.Repair,
		with:  "faults: [{link: h0-s0, down: 20us, up: 30us}]",
		after: sends(1000, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: none
traffic: [{name: f, from: h0, to: h1, size: 1MB}]
CAUSE
`}),
	Entry("repair: the last packet of a flow is lost again and again", intervention{
		part:  attribution.Repair,
		with:  "faults: [{link: h1-s0, loss: 0.5}]",
		after: sends(3, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: none
nic: {rto: {floor: 100us, initial: 100us}}
traffic: [{name: f, from: h0, to: h1, size: 3KB}]
CAUSE
`}),
	Entry("repair: a packet in a hundred is lost", intervention{
		part:  attribution.Repair,
		with:  "faults: [{link: h1-s0, loss: 0.01}]",
		after: sends(1000, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: none
traffic: [{name: f, from: h0, to: h1, size: 1MB}]
CAUSE
`}),
	Entry("host: a rank that computes between its messages", intervention{
		part:    attribution.Host,
		with:    "500us",
		without: "0us",
		after:   4 * (sends(1000, 100) + crossing(2)),
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: none
traffic: [{name: f, kind: collective, operation: broadcast, hosts: h0..h1, size: 1MB, iterations: 4, compute: CAUSE}]
`}),
	// A step is a message of 1 MB and its way to the next rank. The first prediction lacked the ACKs of the messages
	// that the rank receives, which also keep its NIC's port busy.
	Entry("host: a ring behind a rank with a tenth of the rate, then with all of it", intervention{
		part:    attribution.Host,
		with:    "10Gbps",
		without: "100Gbps",
		after:   3*(sends(1000, 100)+crossing(2)/2) + crossing(2)/2 + acks(3000),
		scenario: `
topology:
  kind: explicit
  nodes: [{name: s0, kind: switch}, {name: h0}, {name: h1}, {name: h2}, {name: h3}]
  links:
    - {endpoints: [h0, s0]}
    - {endpoints: [h1, s0]}
    - {endpoints: [h2, s0]}
    - {endpoints: [h3, s0], rate: CAUSE}
algorithm: none
traffic: [{name: f, kind: collective, operation: all-gather, method: ring, hosts: h0..h3, size: 4MB}]
`}),
)

// Both spines have one other flow, one on the way up, one on the way down.
var _ = Describe("a flow that has others on either way", func() {
	const scenario = `
name: why
topology: {kind: leaf-spine, leaves: 3, spines: 2, hosts_per_leaf: 3}
algorithm: {name: fixed, params: {window: 200KB}}
traffic:
  - {name: f, from: h0, to: h3, size: 2MB, path: PATH}
  - {name: up, from: h1, to: h4, size: 4MB, path: 0}
  - {name: down, from: h6, to: h5, size: 4MB, path: 1}
`
	It("shares at the port where it meets them, and does not collide", func() {
		for path, bottleneck := range map[string]string{"0": "leaf0", "1": "spine1"} {
			text := strings.Replace(scenario, "PATH", path, 1)
			run := lab.Do(lab.Plans(text)[0], lab.Options{Lossy: true})
			cause := causeOf(run)
			Expect(cause.Parts[attribution.Shared]).To(BeNumerically(">=", lossOf(cause)*6/10), "%v", cause.Parts)
			Expect(cause.Parts[attribution.Collision]).To(BeNumerically("<", lossOf(cause)/20), "%v", cause.Parts)
			node := run.Plan.Node(cause.Bottleneck.Node)
			Expect(node.Name).To(Equal(bottleneck))
		}
	})
})
