package plan

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Bound is a lower bound of an iteration's duration if jobs exchange data over long-haul paths: on a network that never
// loses a byte's worth of time. With one, an iteration in one site; x, the time in which one flow's data of an
// iteration leave its NIC; L, the rates of the NICs whose flows cross a DCI port over the port's rate; and d, the fibre
// one way,
//
//	step = one + (L - 1) x + d
//	free = max(L x of all jobs, max over jobs of (one + (L - 1) x + d) with L of that job alone)
//
// with the largest L of all ports that the job crosses, at least 1. A NIC that sends to several other groups has as
// many x to send in one site, and that many are subtracted. A rank is done when its data are acknowledged, too: if the
// way back takes longer than the rest of the job after the exchange, d is longer by the difference.
//
// What it assumes: nothing but DCI ports holds a job up, all ranks compute for the same time, and
// every flow is at its fair share at once. Extensions that an algorithm's packets carry, such
// as in-band telemetry, and ACKs at DCI ports are not counted: the bound is the same for every
// algorithm, and never too long for that.
type Bound struct {
	// Step applies if all jobs come to the fibre at one time, Free if they may drift apart: a run's mean iteration for
	// its slowest job is never shorter.
	Step unit.Duration `json:"step_ps"`
	Free unit.Duration `json:"free_ps"`
	// One, Crossing and Fibre are one, x and d of the job whose step is the longest, Load is its L.
	One      unit.Duration `json:"one_site_ps"`
	Crossing unit.Duration `json:"crossing_ps"`
	Fibre    unit.Duration `json:"fibre_ps"`
	Load     float64       `json:"load"`
	// Port names the DCI port of that L, "a-spine0:4".
	Port string `json:"port"`
	// Jobs are in the order of the plan's collectives.
	Jobs []JobBound `json:"jobs"`
}

// JobBound is the bound of one job by itself on the fabric.
type JobBound struct {
	Name string `json:"name"`
	// One, Crossing, Fibre and Load are one, x, d and L; Alone is its iteration.
	One      unit.Duration `json:"one_site_ps"`
	Crossing unit.Duration `json:"crossing_ps"`
	Fibre    unit.Duration `json:"fibre_ps"`
	Load     float64       `json:"load"`
	Alone    unit.Duration `json:"alone_ps"`
}

// PortsOf calls with each port that a flow's data leave on their way, and the share of them that
// does: 1 unless switches spread the frames of a flow.
type PortsOf func(flow int, leave func(port End, share float64))

// BoundOf returns the bound of p, nil where Unbounded gives a reason. Ports must know ECMP.
func (p *Plan) BoundOf(ports PortsOf) *Bound {
	jobs, reason := p.boundedJobs()
	if reason != "" {
		return nil
	}
	hauls := p.hauls()
	for i := range jobs {
		jobs[i].addLoads(p, ports, hauls)
	}
	bound := &Bound{}
	shared := map[End]float64{} // L x of all jobs
	for i := range jobs {
		for port, load := range jobs[i].loads {
			shared[port] += float64(load * float64(jobs[i].crossing))
		}
	}
	for i := range jobs {
		j := &jobs[i]
		alone := j.alone()
		bound.Jobs = append(bound.Jobs, alone)
		bound.Free = max(bound.Free, alone.Alone)
		for _, port := range j.ports {
			step := j.iteration(shared[port])
			if step > bound.Step {
				bound.Step, bound.One, bound.Crossing, bound.Fibre = step, j.one, j.crossing, j.fibre
				bound.Load, bound.Port = shared[port]/float64(j.crossing), p.PortName(port)
			}
		}
	}
	bound.Free = max(bound.Free, shareOfAll(jobs))
	return bound
}

// shareOfAll is for how long the busiest DCI port sends in an iteration, by the iterations of the
// job that has most.
func shareOfAll(jobs []boundedJob) unit.Duration {
	busy, iterations, most := map[End]float64{}, 1, 0.0
	for i := range jobs {
		iterations = max(iterations, jobs[i].Iterations)
		for _, port := range jobs[i].ports {
			busy[port] += float64(float64(jobs[i].Iterations) * jobs[i].loads[port] * float64(jobs[i].crossing))
			most = max(most, busy[port])
		}
	}
	return unit.Whole[unit.Duration](most / float64(iterations))
}

// Unbounded returns the reason why no bound is known of p's iterations; "" if one is.
func (p *Plan) Unbounded() string {
	_, reason := p.boundedJobs()
	return reason
}

// Sum describes the terms of Step in words.
func (b *Bound) Sum() string {
	text := millis(b.One) + " in one site (one)"
	if excess := b.Step - b.One - b.Fibre; excess > 0 {
		text += fmt.Sprintf(" + %s at %s, (L - 1) x with L = %.4g,", millis(excess), b.Port, b.Load)
	}
	return text + fmt.Sprintf(" + %s of fibre (d)", millis(b.Fibre))
}

// String is the bound in one line for people.
func (b *Bound) String() string {
	return fmt.Sprintf("%s an iteration at the least if all jobs reach the fibre together: %s; x = %s is one flow's "+
		"crossing, L = %.4g the rate of the flows at %s over the port's; %s if jobs drift apart", millis(b.Step), b.Sum(),
		millis(b.Crossing), b.Load, b.Port, millis(b.Free))
}

func millis(d unit.Duration) string { return fmt.Sprintf("%.4g ms", d.Seconds()*1e3) }

// PortName names a port, "a-spine0:4".
func (p *Plan) PortName(at End) string { return fmt.Sprintf("%s:%d", p.NodeName(at.Node), at.Port) }
