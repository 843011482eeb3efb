package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// Summary is a run in numbers. Metrics documents each of them; a float that
// was not measured is NaN.
type Summary struct {
	// Variant and Seed name the run: Variant is the plan's name, or Algorithm
	// where the plan has none. Algorithm is the algorithms of its flows, joined by
	// "+" in the order of the flows.
	Variant, Algorithm string
	Seed               uint64
	// Overrides are what flags changed of the scenario, by path, and Models is the
	// version of the models. An outcome does not tell: whoever ran the scenario
	// fills them in.
	Overrides map[string]string
	Models    int
	// Trace is the run's fingerprint.
	Trace uint64
	// Fabric is the plan's.
	Fabric string
	// Accounting names the rule for time on the wire.
	Accounting string
	// Bottleneck is the port that Utilisation is about, "switch:port".
	Bottleneck string

	// Recorded says what the time series are, nil where nothing was recorded.
	Recorded *Recorded

	Flows, Completed, Incomplete uint64
	// Endless counts the flows without a size, which send until they are stopped.
	Endless                  uint64
	DurationUS               float64
	FCT, Slowdown            Distribution
	GoodputGbps, Utilisation float64
	FlowRateGbps             float64
	// ResentShare is of data packets, DroppedShare of frames; NaN if there were none.
	ResentShare, DroppedShare float64
	Jain                      float64
	// JainBasis says on what Jain rests; see jain.
	JainBasis                string
	RTT, RTTSample, Queueing Distribution
	// Swing is how far sampled RTTs are off their running average, NaN where there are none.
	Swing float64

	QueueMaxBytes, BufferMaxBytes uint64
	// QueueP50Bytes and QueueP99Bytes are of the queue for which each is largest, NaN where nothing
	// was recorded. WaitShare is by plan.Tier, NaN where the fabric has no such port.
	QueueP50Bytes, QueueP99Bytes float64
	WaitShare                    [plan.NumTiers]float64
	DCIBufferMaxBytes            uint64
	Marks, CNPs, Pauses          uint64
	PausedUS                     float64
	// Drops counts losses of the fabric, LinkLost those among them on links;
	// ByReason holds what nodes dropped, receivers' discards included.
	Drops, LinkLost uint64
	ByReason        [fabric.NumDropReasons]uint64

	Retransmits, NAKs, Timeouts, Decisions uint64
	WatchdogFired, Victims, Deadlocks      uint64
	// ForeignIn and ForeignOut count the frames that came in and left at edges.
	ForeignIn, ForeignOut uint64

	// Feedback is the time from the first queue beyond Kmin to the first CNP
	// at a sender, or the first pause of proximal CNP. The counts are of proximal CNP at
	// all switches.
	Feedback                                                        float64
	Notifications, ProximalCNPs, PreemptiveCNPs, Learned, Forgotten uint64

	// Collectives are of all collectives, Jobs of each if there are several.
	Collectives
	Jobs []Job
	// BoundUS and FreeUS are step and free of the plan's bound, NaN where none is known.
	BoundUS, FreeUS float64
}

// Distribution is a set of samples in four numbers.
type Distribution struct{ Mean, P50, P99, Max float64 }

// Summarise reduces an outcome.
func Summarise(outcome *Outcome) *Summary {
	p := outcome.Plan
	summary := &Summary{
		Variant:    VariantOf(p),
		Algorithm:  AlgorithmsOf(p),
		Seed:       p.Seed,
		Trace:      outcome.Trace,
		Fabric:     p.Fabric,
		Accounting: p.Accounting.String(),
		Flows:      uint64(len(outcome.Flows)),
		Recorded:   outcome.Recorded,
		Deadlocks:  uint64(len(outcome.Deadlocks)),
	}
	summary.addFlows(outcome)
	summary.addEdges(outcome)
	summary.FlowRateGbps = flowRate(outcome)
	summary.addCollectives(outcome)
	summary.addPorts(outcome)
	summary.addProximal(outcome)
	summary.Victims = uint64(len(outcome.victims()))
	summary.Jain, summary.JainBasis = jain(outcome)
	return summary
}

// VariantOf is what a plan's runs are called: its name, or its algorithms where it
// has none.
func VariantOf(planned *plan.Plan) string { return cmp.Or(planned.Name, AlgorithmsOf(planned), "run") }

// AlgorithmsOf lists the algorithms of a plan's flows.
func AlgorithmsOf(planned *plan.Plan) string {
	var names []string
	for i := range planned.Flows {
		if a := planned.Flows[i].Algorithm; a != nil && !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, "+")
}

func (s *Summary) addFlows(outcome *Outcome) {
	var fct, slow []float64
	var rtt, sampled record.Histogram
	var swing record.Swing
	var acked unit.Bytes
	var sent uint64
	for i := range outcome.Flows {
		flow := &outcome.Flows[i]
		sent += flow.Sender.Packets
		acked += flow.Sender.Acked
		if outcome.Plan.Flows[i].Size == 0 {
			s.Endless++
		}
		rtt.Merge(&flow.Sender.RTT)
		sampled.Merge(&flow.Sender.Sampled)
		swing.Merge(&flow.Sender.Swing)
		s.Retransmits += flow.Sender.Resent
		s.Timeouts += flow.Sender.Timeouts
		s.Decisions += flow.Sender.Decisions
		s.CNPs += flow.Receiver.CNPs
		s.NAKs += flow.Receiver.NAKs
		if outcome.Plan.Flows[i].Messages != nil {
			flow.messageTimes(func(t unit.Duration) {
				fct, slow = append(fct, t.Microseconds()), append(slow, float64(t)/float64(flow.Ideal))
			})
		}
		if flow.Sender.Completed == unit.Never {
			if outcome.Plan.Flows[i].Size > 0 {
				s.Incomplete++
			}
			continue
		}
		s.Completed++
		if outcome.Plan.Flows[i].Size == 0 || outcome.Plan.Flows[i].Messages != nil {
			continue // ran until its stop, or its messages count: it has no completion time
		}
		t := flow.Sender.Completed.Sub(flow.Sender.Started)
		fct = append(fct, t.Microseconds())
		if flow.Ideal > 0 {
			slow = append(slow, float64(t)/float64(flow.Ideal))
		}
	}
	s.FCT, s.Slowdown, s.RTT, s.RTTSample = distribution(fct), distribution(slow), ofHistogram(&rtt), ofHistogram(&sampled)
	s.Swing = swing.Sum / float64(swing.Count())
	s.ResentShare = float64(s.Retransmits) / float64(sent)
	from, to := outcome.activeSpan()
	s.DurationUS, s.GoodputGbps = math.NaN(), math.NaN()
	if d := to.Sub(from); d > 0 {
		s.DurationUS = d.Microseconds()
		s.GoodputGbps = unit.RateOf(acked, d).Gbps()
	}
}

// addEdges counts what came in and left at edges.
func (s *Summary) addEdges(outcome *Outcome) {
	for _, i := range outcome.Plan.Edges() {
		for j := range outcome.Devices[i].Ports {
			p := &outcome.Devices[i].Ports[j]
			s.ForeignIn += p.SourcedFrames
			s.ForeignOut += p.SunkFrames
		}
	}
}

// FlowsDone says how many flows completed, and how many had no size to complete.
func (s *Summary) FlowsDone() string {
	if s.Flows == 0 && s.ForeignIn+s.ForeignOut > 0 {
		return fmt.Sprintf("%d frames came in at edges, %d left", s.ForeignIn, s.ForeignOut)
	}
	sized := s.Flows - s.Endless
	done := fmt.Sprintf("%d of %d flows completed", sized-s.Incomplete, sized)
	switch {
	case s.Endless == 0:
		return done
	case sized == 0:
		return fmt.Sprintf("%d flows until stopped", s.Endless)
	}
	return fmt.Sprintf("%s, %d until stopped", done, s.Endless)
}

// activeSpan is from the first flow's start to the last completion, or to the end
// where a flow did not complete.
func (o *Outcome) activeSpan() (from, to unit.Time) {
	from = o.End
	for i := range o.Flows {
		from = min(from, o.Flows[i].Sender.Started)
		to = max(to, o.endOf(i))
	}
	return from, to
}

// endOf is when a flow completed, at the latest the end of the run.
func (o *Outcome) endOf(flow int) unit.Time { return min(o.Flows[flow].Sender.Completed, o.End) }

func (s *Summary) addPorts(outcome *Outcome) {
	var wait record.Histogram
	var busiest unit.Duration
	s.QueueP50Bytes, s.QueueP99Bytes = math.NaN(), math.NaN()
	if outcome.Recorded != nil && len(outcome.Switches) > 0 {
		s.QueueP50Bytes, s.QueueP99Bytes = 0, 0
	}
	waited, tiers := newWaits(), outcome.Plan.Tiers()
	arrived := s.ForeignOut
	s.Utilisation = math.NaN()
	from, to := outcome.activeSpan()
	for node := range outcome.nodes() {
		if node.sw != nil {
			s.BufferMaxBytes = max(s.BufferMaxBytes, uint64(node.sw.BufferMax))
		}
		for i := range node.ports {
			port := &node.ports[i]
			s.addPort(port)
			if node.nic {
				arrived += port.RxFrames - port.RxPFCFrames
			}
			if node.sw == nil && len(outcome.Switches) > 0 {
				continue
			}
			if to > from && (port.Busy > busiest || s.Bottleneck == "") {
				busiest, s.Bottleneck = port.Busy, portName(node.name, i)
				s.Utilisation = math.Min(1, float64(busiest)/float64(to.Sub(from)))
			}
			if node.sw == nil {
				continue
			}
			for q := range port.Queue {
				if node.profile.DataQueue(q) {
					wait.Merge(&port.Queue[q].Wait)
					waited.add(tiers[node.index][i], &port.Queue[q].Wait)
					s.addDepths(port.Queue[q].Depths)
					s.QueueMaxBytes = max(s.QueueMaxBytes, uint64(port.Queue[q].MaxBytes))
				}
			}
		}
	}
	s.DroppedShare = float64(s.Drops) / float64(s.Drops+arrived)
	s.Queueing = ofHistogram(&wait)
	s.WaitShare = waited.shares()
}

// addDepths raises the percentiles of the worst queue to those of one.
func (s *Summary) addDepths(depths *record.Depths) {
	s.QueueP50Bytes = max(s.QueueP50Bytes, float64(depths.Quantile(0.5)))
	s.QueueP99Bytes = max(s.QueueP99Bytes, float64(depths.Quantile(0.99)))
}

func (s *Summary) addPort(port *record.Port) {
	s.LinkLost += port.RxLostFrames
	s.Drops += port.RxLostFrames
	for r, n := range port.Drops {
		reason := fabric.DropReason(r)
		if reason.IsLinkLoss() {
			continue
		}
		s.ByReason[r] += n
		if !reason.IsDiscard() {
			s.Drops += n
		}
	}
	s.DCIBufferMaxBytes = max(s.DCIBufferMaxBytes, uint64(port.PoolMax))
	var paused unit.Duration
	for c := range profile.Classes {
		s.Marks += port.Queue[c].Marked
		s.Pauses += port.Class[c].SentXOFF
		s.WatchdogFired += port.Class[c].WatchdogFired
		paused += port.Class[c].Paused
	}
	s.PausedUS += paused.Microseconds()
}

// node is a node with what it brought back; sw and profile are nil but for a switch.
type node struct {
	name    string
	index   int // among its kind
	nic     bool
	sw      *Switch
	profile *profile.Switch
	ports   []record.Port
}

// nodes yields the nodes in the plan's order.
func (o *Outcome) nodes() func(func(node) bool) {
	return func(yield func(node) bool) {
		for n := range o.Plan.EachNode {
			next := node{
				name:  n.Name,
				index: n.Index,
				nic:   n.Kind == plan.KindNIC,
				ports: o.portsOf(&n),
			}
			if n.Kind == plan.KindSwitch {
				next.sw, next.profile = &o.Switches[n.Index], &o.Plan.Switches[n.Index].Profile
			}
			if !yield(next) {
				return
			}
		}
	}
}

func portName(node string, port int) string { return node + ":" + strconv.Itoa(port) }

// distribution sorts v and takes its mean and nearest-rank quantiles.
func distribution(samples []float64) Distribution {
	if len(samples) == 0 {
		return Distribution{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(samples)
	sum := 0.0
	for _, x := range samples {
		sum += x
	}
	return Distribution{sum / float64(len(samples)), Quantile(samples, 50), Quantile(samples, 99), samples[len(samples)-1]}
}

// Quantile is the nearest-rank quantile: the least of sorted samples that percent of them, 1 to 100, do not exceed.
// NaN of none.
func Quantile(samples []float64, percent int) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	return samples[Rank(len(samples), percent)-1]
}

// Rank is the place, from 1, of that quantile among so many sorted samples.
func Rank(samples, percent int) int { return (samples*percent + 99) / 100 }

func ofHistogram(histogram *record.Histogram) Distribution {
	if histogram.Count() == 0 {
		return distribution(nil)
	}
	return Distribution{
		Mean: histogram.Mean().Microseconds(),
		P50:  histogram.Quantile(0.5).Microseconds(),
		P99:  histogram.Quantile(0.99).Microseconds(),
		Max:  histogram.Max().Microseconds(),
	}
}
