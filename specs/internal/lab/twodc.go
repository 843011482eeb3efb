package lab

import "github.com/rocelab/rocelab/emulator/record"

// TwoDC is a training over two data centres 120 km apart, whose all-reduces cross the fibre once in each period.
// Switches have proximal CNP: queues at leaves, spines and DCI ports are congested, which the switches next to the
// senders learn from the first periods and foresee in the next; one of the two jobs ends early, so that there is
// nothing to foresee any more. So notifications of all types are sent, in a site and across the fibre. Most messages
// are over before their flows could be metered, so each notification brings three CNPs to a flow. The senders' QPs are
// learned from the answers to them.
const TwoDC = `
name: two-dc
algorithm: dcqcn
topology: {kind: two-dc, scale: 1/64}
switch:
  ecn: {kmin: 20KB, kmax: 80KB}
  dci: {ecn: {kmin: 20KB, kmax: 80KB}}
  proximal:
    {enabled: true, threshold: 10KB, notify: always, map: fixed, cnps: 3, qps: answers, learning: {gap: 700us}}
nic: {rto: {floor: 20ms, initial: 20ms}}
traffic:
  - {operation: all-reduce, method: hierarchical, groups: 2, size: 500KB, iterations: 8, compute: 800us,
     hosts: [a-h0, a-h2, b-h0, b-h2]}
  - {operation: all-reduce, method: hierarchical, groups: 2, size: 500KB, iterations: 3, compute: 800us,
     hosts: [a-h1, a-h3, a-h5, a-h7, b-h1, b-h3, b-h5, b-h7]}
record: {interval: 100us}
`

// TwoDCPauses is the same with pauses in place of CNPs, which work at once: late ones leave queues for one type fewer.
const TwoDCPauses = TwoDC + `
variants:
  - name: pauses
    switch: {proximal: {pause: true}, headroom_rule: frames, pause_response: 0s}
    nic: {pause_response: 0s}
`

// TwoDCRates is the same with a rate in each CNP, and one CNP in place of several.
const TwoDCRates = TwoDC + `
variants: [{name: rates, switch: {proximal: {rate: true, notify: always, learning: {enabled: false}}}}]
`

// OneJob is one job across two data centres, without ECMP's choice: eight ranks, four in each
// data centre, one spine there, and a DCI of one link, oversubscribed 4:1. So its bound is exact,
// 37.13 ms an iteration. Settings of switches and other keys are written behind it.
const OneJob = `
topology: {kind: two-dc, scale: "1/64", spines: 1, uplink_rate: 200Gbps, dci_links: 1, dci_rate: 50Gbps}
mtu: 4096B
nic: {rto: {floor: 20ms, initial: 20ms}}
algorithm: dcqcn
traffic:
  - {name: job, operation: all-reduce, method: hierarchical, groups: 2, size: 64MB, compute: 10ms, iterations: 4,
     hosts: [a-h0, a-h2, a-h4, a-h6, b-h0, b-h2, b-h4, b-h6]}
`

// Proximal adds up what proximal CNP did at all switches. Actions are not
// among it.
func (r *Run) Proximal() (sum record.Proximal) {
	for i := range r.Switches {
		own := r.Switches[i].Proximal
		if own == nil {
			continue
		}
		for t := range own.Sent {
			sum.Sent[t] += own.Sent[t]
			sum.Received[t] += own.Received[t]
		}
		for reason, n := range own.Ignored {
			sum.Ignored[reason] += n
		}
		sum.CNPs += own.CNPs
		sum.Rated += own.Rated
		sum.Preemptive += own.Preemptive
		sum.Pauses += own.Pauses
		sum.Filtered += own.Filtered
		sum.Learned += own.Learned
	}
	return sum
}

// Across counts the messages from a switch to one of the other site of TwoDC about congestion: the first letters of
// their names differ.
func (r *Run) Across() (messages uint64) {
	for i := range r.Switches {
		if r.Switches[i].Proximal == nil {
			continue
		}
		for _, a := range r.Switches[i].Proximal.Actions {
			if a.Kind == record.ProximalCongested && r.Plan.Switches[i].Name[0] != r.Plan.Switches[a.Peer].Name[0] {
				messages++
			}
		}
	}
	return messages
}
