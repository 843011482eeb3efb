package why

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const us = unit.Microsecond

var _ = DescribeTable("a part is most of the loss, goes with its cause, and predicts the time without it",
	func(i intervention) { i.try() },
	// Swift's target for one switch and windows of 25 packets is 9.1 us, 5 us above the empty RTT: the last packet's wait.
	Entry("shared: four windows that hold one delay; the others are not there", intervention{
		part:   attribution.Shared,
		with:   "- {kind: incast, senders: [h1, h2, h3], receiver: h4, size: 1MB}",
		after:  sends(1000, 100) + crossing(2),
		others: -5 * us,
		scenario: `
topology: {kind: star, hosts: 5}
algorithm: swift
traffic:
  - {name: f, from: h0, to: h4, size: 1MB}
  CAUSE
`}),
	// The others were predicted to be 0. Found: this flow ends last, and 100 us are unfair and 22 us held back. The others
	// had more at first, and were gone when it caught up: docs/why.md, What it cannot see.
	Entry("shared: a port that sixteen share by their targets", intervention{
		part:   attribution.Shared,
		with:   "- {kind: incast, senders: 15, receiver: h16, size: 500KB}",
		after:  sends(500, 100) + crossing(2),
		others: -(100 + 22) * us,
		scenario: `
topology: {kind: star, hosts: 17}
algorithm: pc4
traffic:
  - {name: f, from: h15, to: h16, size: 500KB}
  CAUSE
`}),
	Entry("shared: four messages of one NIC, then one of a NIC of its own", intervention{
		part:    attribution.Shared,
		with:    "h0",
		without: "h1",
		after:   sends(1000, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 4}
algorithm: none
traffic:
  - {name: f, from: h0, to: h2, size: 1MB}
  - {name: g, from: CAUSE, to: h3, flows: 3, size: 1MB}
`}),
	// The total stays: the others' part becomes that of its own rate.
	Entry("shared: four quarters of a port; without the others its own rate holds it", intervention{
		part:   attribution.Shared,
		with:   "- {kind: incast, senders: [h1, h2, h3], receiver: h4, size: 2MB}",
		after:  sends(1000, 25) + crossing(2),
		others: sends(1000, 25) - sends(1000, 100),
		scenario: `
topology: {kind: star, hosts: 5}
algorithm: {name: fixed, params: {rate: 25Gbps}}
traffic:
  - {name: f, from: h0, to: h4, size: 1MB}
  CAUSE
`}),
	// With 50 and 90 Gb/s the time of the queue grows by two fifths of the time that the flow sends.
	Entry("unfair: nine times its rate beside it, then the same", intervention{
		part:    attribution.Unfair,
		with:    "10Gbps",
		without: "50Gbps",
		after:   sends(1000, 50) + sends(1000, 50)*2/5 + crossing(2),
		others:  sends(1000, 50) * 2 / 5,
		scenario: `
topology: {kind: star, hosts: 3}
traffic:
  - {name: f, from: h0, to: h2, size: 1MB, algorithm: {name: fixed, params: {rate: CAUSE}}}
  - {name: greedy, from: h1, to: h2, size: 10MB, algorithm: {name: fixed, params: {rate: 90Gbps}}}
switch: {buffer: 64MB}
run: {until: 900us}
`}),
	// A window is 8.66 us of the port. RTTs of 38.1 and 4.1 us with a queue of 6.6 us fill it, a fifth and four fifths;
	// equal RTTs with a queue of 13.2 us, a half each. The empty way falls by 34 us. The last wait grows by 6.6 us; the
	// shared part of them falls by as much as it is.
	Entry("unfair: equal windows, one of nine times the RTT, then of the same", intervention{
		part:    attribution.Unfair,
		with:    "18us",
		without: "1us",
		after:   2*sends(1000, 100) + crossing(2),
		others:  -(34 + 13 - 7) * us,
		scenario: `
topology:
  kind: explicit
  nodes: [{name: s0, kind: switch}, {name: far}, {name: near}, {name: to}]
  links:
    - {endpoints: [far, s0], latency: CAUSE}
    - {endpoints: [near, s0]}
    - {endpoints: [to, s0]}
algorithm: {name: fixed, params: {window: 100KB}}
traffic:
  - {name: f, from: far, to: to, size: 1MB}
  - {name: g, from: near, to: to, size: 10MB}
run: {until: 600us}
`}),
	Entry("held back: a fifth of the line's rate", intervention{
		part:    attribution.HeldBack,
		with:    "{rate: 20Gbps}",
		without: "{rate: 100Gbps}",
		after:   sends(1000, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: {name: fixed, params: CAUSE}
traffic: [{name: f, from: h0, to: h1, size: 1MB}]
`}),
	Entry("held back: a window of a quarter of the BDP, of 41 KB on this way", intervention{
		part:    attribution.HeldBack,
		with:    "{window: 10KB}",
		without: "{window: 100KB}",
		after:   sends(1000, 100) + crossing(2),
		scenario: `
topology: {kind: star, hosts: 2}
algorithm: {name: fixed, params: CAUSE}
traffic: [{name: f, from: h0, to: h1, size: 1MB}]
`}),
	// The burst is a thousand packets, which go too.
	Entry("held back: a rate that recovers from a burst of others", intervention{
		part:   attribution.HeldBack,
		with:   "- {kind: incast, senders: 8, receiver: h9, size: 125KB}",
		after:  sends(10_000, 100) + crossing(2),
		others: -sends(1000, 100),
		scenario: `
topology: {kind: star, hosts: 10}
algorithm: dcqcn
traffic:
  - {name: f, from: h8, to: h9, size: 10MB}
  CAUSE
`}),
)
