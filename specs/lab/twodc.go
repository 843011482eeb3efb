package lab

import "github.com/rocelab/rocelab/emulator/record"

// TwoDC is a training over two data centres 120 km apart, whose all-reduce
// crosses the fibre once in each period. Switches have proximal CNP: queues at
// leaves, spines and DCI ports are congested in each period, which the switches
// next to the senders learn from the first, foresee in the next, and let go as a
// test in the last, so notifications of all types are sent, in a site and across
// the fibre. The senders' QPs are taken from what comes back to them.
const TwoDC = `
name: two-dc
algorithm: dcqcn
topology: {kind: two-dc, scale: 1/64}
switch:
  ecn: {kmin: 20KB, kmax: 80KB}
  dci: {ecn: {kmin: 20KB, kmax: 80KB}}
  proximal: {enabled: true, qps: answers, learning: {gap: 700us, after: 1, recheck: 2}}
nic: {rto: {floor: 20ms, initial: 20ms}}
traffic: [{operation: all-reduce, method: hierarchical, groups: 2, size: 200KB, iterations: 4, compute: 800us}]
record: {interval: 100us}
`

// TwoDCPauses is the same with pauses in place of CNPs.
const TwoDCPauses = TwoDC + `
variants: [{name: pauses, switch: {proximal: {pause: true, map: linear}}}]
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
		sum.Preemptive += own.Preemptive
		sum.Pauses += own.Pauses
		sum.Filtered += own.Filtered
		sum.Learned += own.Learned
	}
	return sum
}

// Across counts the times that a switch told one of the other site of TwoDC of
// congestion: the first letters of their names differ.
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
