//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/interference"
	"github.com/rocelab/rocelab/testbed/nodes/live/rehearsal"
)

// liveDoctor is doctor --live: it measures the host with a scenario, and finds the dilation with which it can be held
// to the clock.
type liveDoctor struct {
	bring testbedFlags
	// most is the maximum time that a variant may run, sleeps the time for which a sleeping thread is watched.
	most, sleeps time.Duration
}

// liveAdvice is the result.
type liveAdvice struct {
	Scenario string         `json:"scenario"`
	Daemons  string         `json:"daemons"`
	Variants []liveVariant  `json:"variants"`
	Wakeups  wakeupDocument `json:"wakeups"`
	CPUs     int            `json:"cpus"`
	StealS   float64        `json:"steal_s"`
	Throttle float64        `json:"throttled_s"`
	FIFO     bool           `json:"fifo"`
	WhyFIFO  string         `json:"fifo_why"`
	Dilation int64          `json:"dilation"`
	// EdgeLatency and Reference are model time and wall time.
	EdgeLatencyUS float64 `json:"edge_latency_us"`
	ReferenceUS   float64 `json:"reference_needed_us"`
	edges         bool
	command       string
}

// liveVariant is the result of a variant's run without a clock.
type liveVariant struct {
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

type wakeupDocument struct {
	Count  uint64  `json:"count"`
	P50US  float64 `json:"p50_us"`
	P99US  float64 `json:"p99_us"`
	P999US float64 `json:"p99.9_us"`
	MaxUS  float64 `json:"max_us"`
	text   string
}

// command carries doctor --live out.
func (d *liveDoctor) command(c *cobra.Command, args []string, flags *scenarioFlags, format page.Format) error {
	switch {
	case len(args) == 0:
		return usage(errors.New("--live needs a scenario, because the result depends on it"))
	case d.most <= 0:
		return usage(fmt.Errorf("--for %v: allowed is above 0", d.most))
	}
	s, err := flags.load(args[0], "")
	if err != nil {
		return usage(err)
	}
	advice, err := d.examine(c.Context(), s, flags, args[0], c.ErrOrStderr())
	if err != nil {
		return err
	}
	return printAs(c.OutOrStdout(), format, advice, advice.document())
}

// examine measures a scenario's plans and advises.
func (d *liveDoctor) examine(ctx context.Context, s *scenario.Scenario, flags *scenarioFlags, path string,
	stderr io.Writer) (*liveAdvice, error) {
	plans, err := s.Plans()
	if err != nil {
		return nil, usage(err)
	}
	programs, err := flags.plugins.programs(plans)
	if err != nil {
		return nil, err
	}
	advice := &liveAdvice{
		Scenario: s.Name,
		Daemons:  d.bring.daemons,
		CPUs:     runtime.NumCPU(),
		command:  liveCommand(path, flags, &d.bring),
	}
	before := interference.Read()
	late, err := sleeps(ctx, d.sleeps)
	if err != nil {
		return nil, errInterrupted
	}
	opened, err := openTestbed(testbedRequest{
		on:       "veth",
		scenario: s.Name,
		bring:    &d.bring,
		plans:    plans,
		plugins:  programs,
		printed:  &flags.plugins,
		stderr:   stderr,
	})
	if err != nil {
		return nil, err
	}
	runner, slowest := opened.(*vethRunner), 0.0
	for _, p := range plans {
		v, err := d.rehearse(ctx, runner, silent(p))
		if err != nil {
			return nil, errors.Join(err, host(runner.close()))
		}
		advice.Variants, slowest = append(advice.Variants, v), max(slowest, v.Slowdown)
	}
	if err := runner.close(); err != nil {
		return nil, host(err)
	}
	advice.conclude(plans, slowest, &late, interference.Read().Since(before))
	return advice, nil
}

// sleeps measures wake-ups on a thread that ends with them.
func sleeps(ctx context.Context, span time.Duration) (late record.Lateness, err error) {
	done := make(chan struct{})
	go func() {
		defer crash.Guard()()
		defer close(done)
		late, err = rehearsal.Wakeups(ctx, span)
	}()
	<-done
	return late, err
}

// silent is a plan whose hosts run nothing, so that nothing comes in at its edges.
func silent(p *plan.Plan) *plan.Plan {
	q := *p
	q.Devices = slices.Clone(p.Devices)
	for _, i := range q.Edges() {
		edge := q.EdgeAt(i)
		edge.Exec = ""
		q.Devices[i].Config = *edge
	}
	return &q
}

// rehearse runs a plan without a clock, and watches how fast it is.
func (d *liveDoctor) rehearse(ctx context.Context, runner *vethRunner, p *plan.Plan) (v liveVariant, err error) {
	if err := runner.ready(ctx, p); err != nil {
		return v, err
	}
	limited, cancel := context.WithTimeout(ctx, d.most)
	defer cancel()
	watching, stop := context.WithCancel(ctx)
	var samples []rehearsal.Sample
	var unseen error
	watched := make(chan struct{})
	go func() {
		defer crash.Guard()()
		defer close(watched)
		samples, unseen = rehearsal.Watch(watching, runner.config.Name)
	}()
	out, err := runner.run(limited, p, testbedRun{standstill: defaultStandstill, silent: true})
	stop()
	<-watched
	switch {
	case ctx.Err() != nil:
		return v, errInterrupted
	case err != nil:
		return v, err
	case unseen != nil:
		return v, host(unseen)
	}
	busiest := rehearsal.Busiest(samples)
	if out.End > 0 { // no stretch took longer than the windows of the whole run, which may be over before it is seen
		whole := float64(out.Wall) * float64(unit.Nanosecond) / float64(min(rehearsal.Span, out.End.Sub(0)))
		if busiest.Factor > whole || len(samples) < 3 {
			busiest.Factor = whole
		}
	}
	return liveVariant{
		Variant:  result.VariantOf(p),
		ModelUS:  out.End.Sub(0).Microseconds(),
		WallUS:   float64(out.Wall) / float64(time.Microsecond),
		Slowdown: busiest.Factor,
		AtUS:     busiest.At.Sub(0).Microseconds(),
		Partial:  out.Interrupted,
	}, nil
}

// conclude fills in what follows from the measurements.
func (a *liveAdvice) conclude(plans []*plan.Plan, slowest float64, late *record.Lateness, took result.Interference) {
	us := func(ns int64) float64 { return float64(ns) / float64(time.Microsecond) }
	a.Wakeups = wakeupDocument{
		Count:  late.Count(),
		P50US:  us(late.Quantile(0.5)),
		P99US:  us(late.Quantile(0.99)),
		P999US: us(late.Quantile(0.999)),
		MaxUS:  us(late.Max()),
		text:   result.Quantiles(late),
	}
	a.StealS, a.Throttle = took.Steal.Seconds(), took.Throttled.Seconds()
	a.FIFO, a.WhyFIFO = doctor.FIFO()
	a.Dilation = rehearsal.Dilation(slowest)
	a.EdgeLatencyUS = rehearsal.EdgeLatency(late, a.Dilation).Microseconds()
	a.ReferenceUS = us(rehearsal.Reference(late).Nanoseconds())
	for i, p := range plans {
		rtt := p.EdgeRTT()
		a.edges = a.edges || rtt > 0
		a.Variants[i].HaveUS = rtt.Microseconds() * float64(a.Dilation)
	}
}

// liveCommand is the run that doctor --live prepares, but for its dilation.
func liveCommand(path string, flags *scenarioFlags, bring *testbedFlags) string {
	words := []string{"sudo rocelab run", quoted(path)}
	add := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				words = append(words, "--"+name, quoted(v))
			}
		}
	}
	add("algorithm", flags.algorithms...)
	add("set", flags.sets...)
	add("seed", flags.seed)
	if bring.runtime != container.Auto {
		add("runtime", bring.runtime)
	}
	return strings.Join(append(words, "--on live --daemons", bring.daemons), " ")
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if strings.ContainsAny(word, " '\"\\$`&|;<>()[]{}*?!#~\t\n") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
