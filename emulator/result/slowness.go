package result

import (
	"fmt"
	"math"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Slowness describes how slow a flow was and why, with the numbers of flows.csv and slow_flows.csv.
type Slowness struct {
	Flow string
	// Size is 0 for a flow without one; Acked are the acknowledged bytes; Done is set if all were.
	Size, Acked unit.Bytes
	Done        bool
	// Took is the time until it was done; Slowdown that over the time alone, NaN where messages
	// wait for others: then Message is that of the slowest. Goodput is in Gb/s.
	Took                       unit.Duration
	Slowdown, Message, Goodput float64
	// Marked are packets that arrived CE, CNPs and Timeouts the sender's counts, Resent packets that it sent again.
	Marked, CNPs, Resent, Timeouts uint64
	// Silence is the longest time without a packet, from SilentFrom on.
	Silence    unit.Duration
	SilentFrom unit.Time
	Ports      []SlowPlace
	// Why is its time by cause, nil if that was not recorded.
	Why *WhySlow
}

// SlowPlace is a port on the flow's way: see SlowPort.
type SlowPlace struct {
	Node, Port, Peer string
	WaitShare, Flows float64
	Others           int
	Beside           []string
	Paused           unit.Duration
}

const (
	// leastSlowdown is the slowdown from which on a flow counts as slow, and the factor by which another one without a
	// size must have got more.
	leastSlowdown = 1.2
	// leastSilence is the part of a flow's time from which on a silence is reported.
	leastSilence = 0.1
)

// Slowest describes the slowest flow of the run, nil if none was slow.
func (o *Outcome) Slowest() *Slowness {
	if len(o.Slow) == 0 {
		return nil
	}
	slow := &o.Slow[0]
	row := o.flow(slow.Flow)
	s := &Slowness{
		Flow:       row.planned.Name,
		Size:       row.planned.Size,
		Acked:      row.Sender.Acked,
		Done:       row.Sender.Completed != unit.Never,
		Slowdown:   rounded(row.slowdown(), 4),
		Message:    rounded(row.messageDistribution().Max, 3) / row.Ideal.Microseconds(),
		Goodput:    rounded(row.goodput(), 3),
		Marked:     row.Receiver.Marked,
		CNPs:       row.Sender.CNPs,
		Resent:     row.Sender.Resent,
		Timeouts:   row.Sender.Timeouts,
		Silence:    row.Receiver.Silence,
		SilentFrom: row.Receiver.SilentFrom,
		Why:        o.whySlow(slow.Flow),
	}
	if s.Done && s.Size > 0 {
		s.Took = row.Sender.Completed.Sub(row.Sender.Started)
	}
	for i := range slow.Ports {
		port := &slow.Ports[i]
		node := o.Plan.Node(port.Node)
		s.Ports = append(s.Ports, SlowPlace{
			Node:      node.Name,
			Port:      fmt.Sprint(port.Port),
			Peer:      portPlace{o.Plan, &node, port.Port}.peer(),
			WaitShare: rounded(port.WaitShare, 4),
			Flows:     rounded(port.Flows, 2),
			Others:    port.Others,
			Beside:    port.Beside,
			Paused:    port.Paused,
		})
	}
	fastest := 0.0
	for flow := range o.eachFlow {
		if rank, by := flow.slowness(); rank == slowEndless {
			fastest = max(fastest, rounded(-by, 3))
		}
	}
	if !s.Slow(fastest) {
		return nil
	}
	return s
}

// rounded returns a number with the decimals that it has in its file, so that the sentence agrees with the file.
func rounded(v float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(v*scale) / scale
}

// Slow reports whether the flow is to be called slow: one without a size by the goodput of the
// fastest of those.
func (s *Slowness) Slow(fastest float64) bool {
	if s.Size == 0 {
		return fastest >= leastSlowdown*s.Goodput
	}
	return !s.Done || s.Slowdown >= leastSlowdown || s.Message >= leastSlowdown
}

// String returns a sentence: how slow the flow was, where it waited and with whom, and the events on its way.
func (s *Slowness) String() string {
	parts := []string{s.Flow + " " + s.extent()}
	if why := s.why(); why != "" && s.Took > 0 && !s.waits() {
		parts[0] += ": " + why
	} else if why != "" {
		parts = append(parts, fmt.Sprintf("of its %s, %s", s.Why.Total().Figure(), why))
	} else if at := s.worst(); at != nil {
		parts = append(parts, at.where())
	}
	var events []string
	cnps := s.CNPs
	if s.Why.namesCNPs(cnps) {
		cnps = 0
	}
	for _, e := range []struct {
		count     uint64
		one, many string
	}{
		{s.Marked, "packet marked", "packets marked"},
		{cnps, "CNP", "CNPs"},
		{s.Resent, "packet sent again", "packets sent again"},
		{s.Timeouts, "timeout", "timeouts"},
	} {
		if e.count > 0 {
			events = append(events, unit.CountOf(e.count, e.one, e.many))
		}
	}
	for i := range s.Ports {
		if p := &s.Ports[i]; p.Paused > 0 {
			events = append(events, fmt.Sprintf("%s:%s paused by %s for %s", p.Node, p.Port, p.Peer, p.Paused.Figure()))
		}
	}
	if len(events) == 0 {
		events = []string{"no packet marked or sent again, no pause on its way"}
	}
	parts = append(parts, strings.Join(events, ", "))
	if !s.waits() && float64(s.Silence) > leastSilence*float64(s.Took) {
		parts = append(parts, fmt.Sprintf("no packet arrived for %s from %s on", s.Silence.Figure(), s.SilentFrom.Figure()))
	}
	return strings.Join(parts, "; ")
}

// why names the causes of its time; "" if they are not known or there are none.
func (s *Slowness) why() string {
	if s.Why == nil {
		return ""
	}
	return s.Why.String()
}

// waits reports whether the flow's silence is not a sign of trouble: its messages wait for others, or it runs until
// stopped.
func (s *Slowness) waits() bool { return s.Size == 0 || s.Done && math.IsNaN(s.Slowdown) }

// extent describes how slow it was.
func (s *Slowness) extent() string {
	switch {
	case s.Size == 0:
		return "got " + unit.InGbps.Text(s.Goodput)
	case !s.Done:
		return fmt.Sprintf("did not complete, %s of %s acknowledged", s.Acked.Figure(), s.Size.Figure())
	case math.IsNaN(s.Slowdown):
		return fmt.Sprintf("had a message that took %s times as long as alone", unit.Figure(s.Message))
	}
	return fmt.Sprintf("took %s, %s times as long as alone", s.Took.Figure(), unit.Figure(s.Slowdown))
}

// worst returns the port with the largest part of the wait; if there was no wait, the port shared by most flows, if
// any.
func (s *Slowness) worst() *SlowPlace {
	var worst *SlowPlace
	for i := range s.Ports {
		p := &s.Ports[i]
		switch {
		case worst == nil && (p.WaitShare > 0 || p.Others > 0):
			worst = p
		case worst != nil && (p.WaitShare > worst.WaitShare || math.IsNaN(worst.WaitShare) && p.Flows > worst.Flows):
			worst = p
		}
	}
	return worst
}

// where describes the port and the flow's conditions there.
func (p *SlowPlace) where() string {
	text := fmt.Sprintf("%s:%s to %s", p.Node, p.Port, p.Peer)
	if !math.IsNaN(p.WaitShare) {
		text += fmt.Sprintf(" had %.3g %% of its wait in queues", 100*p.WaitShare)
	}
	if p.Others == 0 {
		return text + ", and no other flow"
	}
	text += fmt.Sprintf(", shared by %.3g flows at a time: %s", p.Flows, strings.Join(p.Beside, ", "))
	if more := p.Others - len(p.Beside); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// SlowerThan reports whether the flow was slower than another one, of another run.
func (s *Slowness) SlowerThan(other *Slowness) bool {
	if s.Done != other.Done {
		return !s.Done
	}
	if s.Size == 0 || other.Size == 0 {
		return s.Goodput < other.Goodput
	}
	return max(zeroIfNaN(s.Slowdown), zeroIfNaN(s.Message)) > max(zeroIfNaN(other.Slowdown), zeroIfNaN(other.Message))
}
