package attribution

import (
	"math"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Divided is the time of a flow divided by cause, with the places and flows that held it up.
type Divided struct {
	Parts
	// Port is the step of the way that was the bottleneck for the longest time shared with others; -1 for none.
	Port int
	// Root is the number of the port whose queue caused the pauses of the flow; -1 if it was not paused.
	Root int
	// HeldBackAt has the rates during the time in which the flow was held back.
	HeldBackAt
	// Takers are up to three flows, the greediest first: the ones that exceeded their fair share at the bottleneck by
	// the most, from the first to the last bin in which this flow contended there.
	Takers []int
}

// sums of a flow's bins, in picoseconds.
type sums struct {
	alone, held, paused, collision, contention float64
	// credit is the contention that a fair share allows, others the transmissions of the ports that belong to no flow.
	credit, others float64
	// backlog is the time that the bottleneck needs to transmit the data left from earlier bins.
	backlog float64
	// spare is the time in the previous bin during which the bottleneck was idle and the flow was not held back; lack
	// is the time during which the flow was held back while the bottleneck was not idle. Matching times may lie on both
	// sides of a bin's edge.
	spare, lack float64
	// at is the time shared with others, by the step of the bottleneck. contended is its part of contention and
	// collision, stopped the part during which PFC held the bottleneck.
	at, contended, stopped []float64
	// contests are the bins of that contention.
	contests []contest
	// first is the first bin, sent how long the flow's NIC has sent since.
	first int
	sent  float64
	// beside are the ways by other members of the ECMP groups, by step, as far as they were asked for.
	beside map[int][][]Step
	// heldBins are the bins in which the flow was held back.
	heldBins heldBins
}

// newSums returns the sums, before its first bin, of a flow whose way has the given number of steps.
func newSums(steps int) sums {
	return sums{
		at:        make([]float64, steps),
		contended: make([]float64, steps),
		stopped:   make([]float64, steps),
		contests:  make([]contest, steps),
		first:     -1,
		beside:    map[int][][]Step{},
	}
}

// Divide divides the time of every flow.
func (f *Fabric) Divide() []Divided {
	divided, contests := make([]Divided, len(f.Flows)), make([]contest, len(f.Flows))
	for i := range f.Flows {
		divided[i], contests[i] = f.divide(i)
	}
	f.nameTakers(contests, divided)
	return divided
}

// divide divides the time of a flow; the contest is that at its bottleneck.
func (f *Fabric) divide(number int) (d Divided, at contest) {
	flow := &f.Flows[number]
	s := newSums(len(flow.Way))
	for bin := range flow.bins(f.Bins) {
		f.divideBin(number, bin, &s)
	}
	spent := &flow.Spent
	d.Parts[Alone] = spent[record.Sending]
	d.Parts[Paused] = spent[record.Paused]
	d.Parts[Repair] = spent[record.Repairing]
	d.Parts[NoRoute] = spent[record.NoRoute]
	d.Parts[Host] = spent[record.NothingToSend]
	travel := min(spent[record.InFlight], flow.Travel+unit.Whole[unit.Duration](s.backlog))
	d.Parts[Alone] += travel
	d.Parts[Queued] = spent[record.InFlight] - travel
	shared := min(s.contention, s.credit+max(0, s.others))
	d.classify(spent[record.PortBusy]+spent[record.Paced]+spent[record.WindowClosed], []classified{
		{Alone, s.alone}, {Paused, s.paused}, {Collision, s.collision}, {HeldBack, s.held},
		{Unfair, s.contention - shared}, {Shared, shared},
	})
	d.HeldBackAt = s.heldBins.at(f)
	d.Port, d.Root = -1, f.rootFor(flow, s.stopped)
	for step, time := range s.at {
		if time > 0 && (d.Port < 0 || time > s.at[d.Port]) {
			d.Port = step
		}
	}
	if d.Port >= 0 {
		at = s.contests[d.Port]
	}
	return d, at
}

type classified struct {
	part Part
	time float64
}

// classify gives whole picoseconds to parts, no more than there are, and what is left to Unresolved.
func (d *Divided) classify(left unit.Duration, of []classified) {
	for _, c := range of {
		time := min(left, unit.Whole[unit.Duration](math.Round(c.time)))
		d.Parts[c.part] += time
		left -= time
	}
	d.Parts[Unresolved] += left
}

// view is a port on a flow's way in a bin, in picoseconds.
type view struct {
	step                    int
	idle, own, busy, paused float64
	// demand is the time that the port needs for the data of all flows.
	demand float64
}

// divideBin divides the flow's active time in a bin.
func (f *Fabric) divideBin(number, bin int, s *sums) {
	flow := &f.Flows[number]
	active := flow.active(bin)
	part := active / float64(f.Width) // of the bin
	at := f.bottleneck(flow, bin)
	if at.step < 0 {
		return
	}
	sending := float64(flow.Sends.Sending.At(bin))
	if s.sent += sending; s.first < 0 {
		s.first = bin
	}
	rest := active - sending
	take := func(most float64) float64 {
		time := max(0, min(rest, most))
		rest -= time
		return time
	}
	own := take(at.own - sending)
	s.alone += own
	earlier := s.backlog
	s.backlog += max(0, at.own-sending) - own
	waited := float64(flow.Sends.Held.At(bin))
	held := take(min(at.idle*part, waited))
	s.heldBins.add(f, flow, bin, at, held)
	paused := take(at.paused * part)
	s.paused += paused
	s.stopped[at.step] += paused
	own = take(earlier)
	s.alone += own
	s.backlog -= own
	contention := take(min(float64(at.busy*part)-at.own, f.othersUpTo(flow, at.step, bin, s)))
	// The sender knows that its port was busy with others, also if bins are too wide to show it. Its NIC takes turns.
	atNIC := take(float64(flow.Sends.PortBusy.At(bin)) - contention)
	late := take(min(s.spare, waited-held))
	s.spare = float64(at.idle*part) - held
	early := min(s.lack, s.spare)
	s.spare -= early
	s.lack = min(rest, waited-held-late)
	held += late + early
	s.held += held
	s.contended[at.step] += contention
	s.at[at.step] += held + paused + contention
	if atNIC > 0 {
		unused := float64(f.idleBeside(s.waysBeside(flow, 0), bin) * part)
		if at.step == 0 {
			unused -= contention
		}
		s.addAtNIC(atNIC, max(0, min(atNIC, unused)))
	}
	if contention == 0 {
		return
	}
	port := flow.Way[at.step].Port
	if share := f.fair[number].at(bin); share > 0 {
		s.credit += float64(at.own * max(0, float64(f.Ports[port].Rate)/share-1))
	} else {
		s.credit += contention // flows of strict priority may have all of it
	}
	s.others += float64((at.busy - f.own[port][bin]) * part)
	collision := min(contention, f.idleBeside(s.waysBeside(flow, at.step), bin)*part)
	s.collision += collision
	s.contention += contention - collision
	if c := &s.contests[at.step]; c.end == 0 {
		*c = contest{port, bin, bin + 1}
	} else {
		c.end = bin + 1
	}
}

// addAtNIC adds time during which the NIC's port was busy with other flows; for the time of collision, another port of
// its group was idle.
func (s *sums) addAtNIC(time, collision float64) {
	s.collision += collision
	s.contention += time - collision
	s.credit += time - collision
	s.contended[0] += time
	s.at[0] += time
}

// othersUpTo returns how long a port has been busy with other flows from the flow's first bin to the end of bin, minus
// the time already counted as contention and minus a packet that may cross an edge. For a lone flow it is not above 0.
func (f *Fabric) othersUpTo(flow *Flow, i, bin int, s *sums) float64 {
	step := flow.Way[i]
	line := float64(f.Ports[flow.Way[0].Port].Rate)
	own := (s.sent + float64(flow.Packet)) * step.Share * line / float64(f.Ports[step.Port].Rate)
	busy := f.upTo(f.busy[step.Port], bin+1, step.Delay) - f.upTo(f.busy[step.Port], s.first, step.Delay)
	return busy - own - s.contended[i]
}

// nearlyFull is the part of a bin by which the idle times of two ports may differ and still count as equal.
const nearlyFull = 0.05

// packets is the number of a flow's packets that may fall into different bins at two ports.
const packets = 2

// bottleneck is the port of the flow's way with the least idle time in a bin; of several whose idle times are near
// each other that with the most demand.
func (f *Fabric) bottleneck(flow *Flow, bin int) view {
	best, least := view{step: -1}, 0.0
	line := float64(f.Ports[flow.Way[0].Port].Rate)
	for i, step := range flow.Way {
		if f.busy[step.Port] == nil {
			continue // not recorded
		}
		v := f.view(flow, i, bin)
		packet := float64(flow.Packet) * line / float64(f.Ports[step.Port].Rate)
		near := max(nearlyFull*float64(f.Width), packets*packet)
		// Data sent in the bin fills a slower port a little later.
		room := min(v.idle, max(0, float64(f.Width)-v.demand))
		if best.step < 0 || room < least-near || room < least+near && v.demand > best.demand {
			best, least = v, room
		}
	}
	return best
}

func (f *Fabric) view(flow *Flow, i, bin int) view {
	step := flow.Way[i]
	width := float64(f.Width)
	busy := min(width, f.within(f.busy[step.Port], bin, step.Delay))
	paused := min(width-busy, f.within(f.paused[step.Port], bin, step.Delay))
	return view{
		step:   i,
		idle:   width - busy - paused,
		own:    f.ownTime(flow, step, bin),
		busy:   busy,
		paused: paused,
		demand: f.own[step.Port][bin],
	}
}

// waysBeside are the ways of a flow by the other members of the ECMP group of a step.
func (s *sums) waysBeside(flow *Flow, step int) [][]Step {
	ways, known := s.beside[step]
	if !known && flow.Beside != nil {
		ways = flow.Beside(step)
		s.beside[step] = ways
	}
	return ways
}

// idleBeside returns an upper bound of the time during which one of several ways was idle in a bin.
func (f *Fabric) idleBeside(ways [][]Step, bin int) (most float64) {
	for _, way := range ways {
		idle := float64(f.Width)
		for _, s := range way {
			busy := f.within(f.busy[s.Port], bin, s.Delay)
			idle = min(idle, float64(f.Width)-busy-f.within(f.paused[s.Port], bin, s.Delay))
		}
		most = max(most, idle)
	}
	return most
}
