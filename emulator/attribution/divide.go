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
	// sent is the time that the flow's NIC has sent for.
	sent float64
	// beside are the ways by other members of the ECMP groups, by step; nil for a step that was not asked for.
	beside [][][]besideStep
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
		beside:    make([][][]besideStep, steps),
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
	times := f.activity(flow)
	best := f.bottlenecks(flow, times)
	for i := range best {
		if times[i] > 0 {
			f.divideBin(number, flow.first+i, float64(times[i]), &best[i], &s)
		}
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

// divideBin divides the flow's active time in a bin with the given bottleneck.
func (f *Fabric) divideBin(number, bin int, active float64, at *view, s *sums) {
	flow := &f.Flows[number]
	sending := flow.sending(bin)
	part := active / float64(f.Width) // of the bin
	step := &flow.Way[at.step]
	line, rate := f.lineRate(flow), float64(f.Ports[step.Port].Rate)
	sent := ownTime(sending, step, line, rate)
	s.sent += sending
	own, rest := take(active-sending, sent-sending)
	s.alone += own
	earlier := s.backlog
	s.backlog += positive(sent-sending) - own
	waited := float64(flow.Sends.Held.At(bin))
	held, rest := take(rest, lower(at.idle*part, waited))
	if held > 0 {
		s.heldBins.add(bin, held, sending/active*line, at.idle/float64(f.Width)*rate)
	}
	paused, rest := take(rest, at.paused*part)
	s.paused += paused
	s.stopped[at.step] += paused
	own, rest = take(rest, earlier)
	s.alone += own
	s.backlog -= own
	others := s.othersUpTo(flow, at, line, rate)
	contention, rest := take(rest, lower(float64(at.busy*part)-sent, others))
	// The sender knows that its port was busy with others, also if bins are too wide to show it. Its NIC takes turns.
	atNIC, rest := take(rest, float64(flow.Sends.PortBusy.At(bin))-contention)
	late, rest := take(rest, lower(s.spare, waited-held))
	s.spare = float64(at.idle*part) - held
	early := lower(s.lack, s.spare)
	s.spare -= early
	s.lack = lower(rest, waited-held-late)
	held += late + early
	s.held += held
	s.contended[at.step] += contention
	s.at[at.step] += held + paused + contention
	if atNIC > 0 {
		unused := f.idleBeside(f.waysBeside(flow, 0, s), bin, part, float64(f.Width))
		if at.step == 0 {
			unused -= contention
		}
		s.addAtNIC(atNIC, positive(lower(atNIC, unused)))
	}
	if contention == 0 {
		return
	}
	if share := f.fairShare(number, bin); share > 0 {
		s.credit += float64(sent * positive(rate/share-1))
	} else {
		s.credit += contention // flows of strict priority may have all of it
	}
	s.others += float64((at.busy - at.demand) * part)
	collision := lower(contention, f.idleBeside(f.waysBeside(flow, at.step, s), bin, part, contention))
	s.collision += collision
	s.contention += contention - collision
	if c := &s.contests[at.step]; c.end == 0 {
		*c = contest{step.Port, bin, bin + 1}
	} else {
		c.end = bin + 1
	}
}

// take takes a time from what is left of a bin, at most that, and returns it and the rest.
func take(left, most float64) (time, rest float64) {
	time = positive(lower(left, most))
	return time, left - time
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

// othersUpTo returns how long a port, with a rate, has been busy with other flows from the flow's first bin to the end
// of the one of a view, minus the time already counted as contention and minus a packet that may cross an edge. For a
// lone flow it is not above 0.
func (s *sums) othersUpTo(flow *Flow, at *view, line, rate float64) float64 {
	own := ownTime(s.sent+float64(flow.Packet), &flow.Way[at.step], line, rate)
	return at.since - own - s.contended[at.step]
}
