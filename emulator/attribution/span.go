package attribution

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Span is a part of a flow's life: messages left its NIC, and the last of them came to where it was waited for.
type Span struct {
	// From is the beginning of the span, Sent the time at which the last packet had left the NIC.
	From, Sent unit.Time
	// Spent are the states of the sender between them; they add up to that time.
	Spent record.Spent
	// Tail is the time from Sent until the last packet had arrived, or its ACK; Travel what that takes on empty
	// queues.
	Tail, Travel unit.Duration
	// Repair is the time during Tail spent sending packets again or waiting for a timeout; NoRoute is further time
	// without a route.
	Repair, NoRoute unit.Duration
}

// Total is the time of the span.
func (s *Span) Total() unit.Duration { return s.Spent.Total() + s.Tail }

// DivideSpans divides the time of spans of one flow. The exact states are the span's own. The classified states have
// the proportions of the bins that it covers; the first and the last bin count by the share covered. Takers are not
// named.
func (f *Fabric) DivideSpans(number int, spans []Span) []Divided {
	h := f.history(number)
	divided := make([]Divided, len(spans))
	for i := range spans {
		divided[i] = h.divide(&spans[i])
	}
	return divided
}

// history has the running sums of a flow's bins: a row of values before each bin, and one at the end.
type history struct {
	width  float64
	values int
	rows   []float64
}

// The values of a row. They are followed by the time shared with others at each step of the way.
const (
	aloneSum = iota
	pausedSum
	collisionSum
	heldSum
	contentionSum
	waitingSum // the time in which the sender was paced, had a closed window or a busy port
	creditSum
	othersSum
	backlogNow // no sum, but how long the bottleneck has to transmit
	steps
)

// history computes the sums of a flow's bins, in the same order as divide.
func (f *Fabric) history(number int) *history {
	flow := &f.Flows[number]
	h := &history{width: float64(f.Width), values: steps + len(flow.Way)}
	s := newSums(len(flow.Way))
	waiting, next := 0.0, 0
	note := func() {
		h.rows = append(h.rows, s.alone, s.paused, s.collision, s.held, s.contention, waiting, s.credit, s.others, s.backlog)
		h.rows = append(h.rows, s.at...)
		next++
	}
	first, times := flow.first, f.activity(flow)
	best := f.bottlenecks(flow, times)
	for i, time := range times {
		if time == 0 {
			continue
		}
		for next <= first+i {
			note()
		}
		if best != nil {
			f.divideBin(number, first+i, float64(time), &best[i], &s)
		}
		waiting += float64(time) - flow.sending(first+i)
	}
	note()
	return h
}

// upTo is a value before an instant, between two bins in proportion.
func (h *history) upTo(at unit.Time, value int) float64 {
	last := len(h.rows)/h.values - 1
	bin := float64(at) / h.width
	whole := unit.Whole[int](bin)
	if whole >= last {
		return h.rows[last*h.values+value]
	}
	from, to := h.rows[whole*h.values+value], h.rows[(whole+1)*h.values+value]
	return from + float64((bin-float64(whole))*(to-from))
}

// divide divides the time of a span.
func (h *history) divide(s *Span) (d Divided) {
	travel := s.Travel + unit.Whole[unit.Duration](max(0, h.upTo(s.Sent, backlogNow)))
	d.addTail(s, travel)
	d.Parts[Alone] += s.Spent[record.Sending]
	d.Parts[Queued] += s.Spent[record.InFlight]
	d.Parts[Paused] += s.Spent[record.Paused]
	d.Parts[Repair] += s.Spent[record.Repairing]
	d.Parts[NoRoute] += s.Spent[record.NoRoute]
	d.Parts[Host] += s.Spent[record.NothingToSend]
	left := s.Spent[record.PortBusy] + s.Spent[record.Paced] + s.Spent[record.WindowClosed]
	within := func(value int) float64 { return max(0, h.upTo(s.Sent, value)-h.upTo(s.From, value)) }
	scale := 0.0
	if waited := within(waitingSum); waited > 0 {
		scale = float64(left) / waited
	}
	contention := within(contentionSum)
	shared := min(contention, within(creditSum)+within(othersSum))
	d.classify(left, []classified{
		{Alone, within(aloneSum) * scale}, {Paused, within(pausedSum) * scale},
		{Collision, within(collisionSum) * scale}, {HeldBack, within(heldSum) * scale},
		{Unfair, (contention - shared) * scale}, {Shared, shared * scale},
	})
	d.Port = -1
	most := 0.0
	for step := range h.values - steps {
		if time := within(steps + step); time > most {
			d.Port, most = step, time
		}
	}
	return d
}

// addTail divides the time during which the last packet or its ACK was in flight.
func (d *Divided) addTail(s *Span, travel unit.Duration) {
	alone := min(s.Tail, travel)
	repair := min(s.Tail-alone, s.Repair)
	noRoute := min(s.Tail-alone-repair, s.NoRoute)
	d.Parts[Alone] += alone
	d.Parts[Repair] += repair
	d.Parts[NoRoute] += noRoute
	d.Parts[Queued] += s.Tail - alone - repair - noRoute
}
