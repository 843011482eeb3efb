//go:build linux && !mem

package rehearsal

import (
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
)

// Advice has the measurements of a host with a scenario, and the clock that it can keep.
type Advice struct {
	// Scenario is the scenario's name, Daemons the division of the testbed into daemons, Command the run without its
	// dilation; the caller has them.
	Scenario string    `json:"scenario"`
	Daemons  string    `json:"daemons"`
	Variants []Variant `json:"variants"`
	Wakeups  Wakeups   `json:"wakeups"`
	CPUs     int       `json:"cpus"`
	StealS   float64   `json:"steal_s"`
	Throttle float64   `json:"throttled_s"`
	FIFO     bool      `json:"fifo"`
	WhyFIFO  string    `json:"fifo_why"`
	Dilation int64     `json:"dilation"`
	// EdgeLatency and Reference are model time and wall time.
	EdgeLatencyUS float64 `json:"edge_latency_us"`
	ReferenceUS   float64 `json:"reference_needed_us"`
	// Edges is set if a plan has edges.
	Edges   bool   `json:"-"`
	Command string `json:"-"`
}

// Variant is the result of a variant's run without a clock.
type Variant struct {
	Variant string `json:"variant"`
	// ModelUS and WallUS are the whole run's, Slowdown is of its busiest millisecond, which
	// begins at AtUS.
	ModelUS  float64 `json:"model_us"`
	WallUS   float64 `json:"wall_us"`
	Slowdown float64 `json:"slowdown"`
	AtUS     float64 `json:"busiest_at_us"`
	Partial  bool    `json:"partial"`
	// HaveUS is R of the variant's edges at the recommended dilation, 0 without edges.
	HaveUS float64 `json:"reference_us"`
}

// Wakeups are times by how much a thread woke late, in microseconds; Text has them in words.
type Wakeups struct {
	Count  uint64  `json:"count"`
	P50US  float64 `json:"p50_us"`
	P99US  float64 `json:"p99_us"`
	P999US float64 `json:"p99.9_us"`
	MaxUS  float64 `json:"max_us"`
	Text   string  `json:"-"`
}

// Conclude fills in what follows from the measured variants, of these plans, from the lateness of wake-ups, and from
// what others took of the host meanwhile.
func (a *Advice) Conclude(plans []*plan.Plan, late *record.Lateness, took result.Interference) {
	slowest := 0.0
	for i := range a.Variants {
		slowest = max(slowest, a.Variants[i].Slowdown)
	}
	us := func(ns int64) float64 { return float64(ns) / float64(time.Microsecond) }
	a.Wakeups = Wakeups{
		Count:  late.Count(),
		P50US:  us(late.Quantile(0.5)),
		P99US:  us(late.Quantile(0.99)),
		P999US: us(late.Quantile(0.999)),
		MaxUS:  us(late.Max()),
		Text:   result.Quantiles(late),
	}
	a.StealS, a.Throttle = took.Steal.Seconds(), took.Throttled.Seconds()
	a.FIFO, a.WhyFIFO = doctor.FIFO()
	a.Dilation = dilation(slowest)
	a.EdgeLatencyUS = edgeLatency(late, a.Dilation).Microseconds()
	a.ReferenceUS = us(reference(late).Nanoseconds())
	for i, p := range plans {
		rtt := p.EdgeRTT()
		a.Edges = a.Edges || rtt > 0
		a.Variants[i].HaveUS = rtt.Microseconds() * float64(a.Dilation)
	}
}
