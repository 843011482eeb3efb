//go:build linux && !mem

package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/bump"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// LiveCase is a stream of frames between two edges, held to the clock with K = 1: over one switch, or over 120 km in
// this process, as in rocelab wire, if Daemons is "".
type LiveCase struct {
	Name    string
	MTU     unit.Bytes
	Daemons veth.Daemons
	// Realtime gives the threads that run windows real-time priority.
	Realtime bool
}

// LiveCases returns the cases in the order of printing.
func LiveCases() (list []LiveCase) {
	for _, mtu := range []unit.Bytes{1500, 4096} {
		for _, daemons := range []veth.Daemons{veth.Pool, veth.PerNode} {
			list = append(list, LiveCase{fmt.Sprintf("live/switch/%dB/%s", mtu, daemons), mtu, daemons, false})
		}
		list = append(list, LiveCase{fmt.Sprintf("live/wire/%dB", mtu), mtu, "", false})
	}
	return list
}

// LiveResult is the measurement at one rate: of the run with the median p99.
type LiveResult struct {
	Name string `json:"name"`
	// Class is the class of the threads that ran windows: normal, or fifo if they had real-time priority; Lost is the
	// number of runs with a thread that lost it or got none, with the reason in the last of them.
	Class   string `json:"class"`
	Lost    int    `json:"priority_lost"`
	WhyLost string `json:"priority_lost_why"`
	// Rate is that of the edges' links, of a wire that of its long haul, Carried what frames of full size took of it at
	// the receiver's. Unit: bit/s.
	Rate    unit.BitRate `json:"rate_bps"`
	Carried float64      `json:"carried_bps"`
	// Green is the number of green ones among Runs; Verdict is the median run's, Why its gravest finding, "" for green.
	Green   int    `json:"green"`
	Runs    int    `json:"runs"`
	Verdict string `json:"verdict"`
	Why     string `json:"verdict_why"`
	// P50, P99, P999 and Max are the lateness of all frames of both edges.
	P50  float64 `json:"late_p50_us"`
	P99  float64 `json:"late_p99_us"`
	P999 float64 `json:"late_p999_us"`
	Max  float64 `json:"late_max_us"`
	// Bare is p99.9 of how late a bare timer beside the run woke.
	Bare float64 `json:"bare_timer_p999_us"`
	// PerFrame is the processor time of all daemons, or of the wire's process without the
	// stream's thread, for a frame that left.
	PerFrame float64 `json:"cpu_us_per_frame"`
}

// liveRates are tried from below until one is no more green in most runs.
var liveRates = []unit.BitRate{50 * unit.Mbps, 100 * unit.Mbps, 200 * unit.Mbps, 500 * unit.Mbps, unit.Gbps,
	2 * unit.Gbps, 4 * unit.Gbps}

// rates returns the rates to try: the fibre's delay must hold two frames of full size, so a wire begins higher.
func (c *LiveCase) rates() []unit.BitRate {
	if c.Daemons == "" {
		return liveRates[2:]
	}
	return liveRates
}

// livePlan is a switch between two edges.
func livePlan(c *LiveCase, rate unit.BitRate, middle string) (*plan.Plan, error) {
	text := fmt.Sprintf(`
name: live
run: {until: %[4]v}
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: a, kind: edge, interface: out0, namespace: %[1]s, mtu: %[2]dB}
    - {name: b, kind: edge, interface: out1, namespace: %[1]s, mtu: %[2]dB}
  links:
    - {endpoints: [a, s0], rate: %[3]v}
    - {endpoints: [b, s0], rate: %[3]v}
switch: {pfc: {enabled: false}}
`, middle, int64(c.MTU), rate, liveSpan)
	s, err := scenario.Parse("live.yaml", []byte(text), nil)
	if err != nil {
		return nil, err
	}
	plans, err := s.Plans()
	if err != nil {
		return nil, err
	}
	return plans[0], nil
}

// RunLive tries rates from below, and returns a result for each, up to the first that is not green in most of the runs.
// It calls tell with each.
func RunLive(ctx context.Context, c LiveCase, runs int, tell func(LiveResult)) (list []LiveResult, err error) {
	folder, err := os.MkdirTemp("", "rocelab-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	middle, hosts := filepath.Join(folder, "middle"), filepath.Join(folder, "hosts")
	for _, namespace := range []string{middle, hosts} {
		if err := netns.NewNamespace(namespace); err != nil {
			return nil, err
		}
		defer netns.RemoveNamespace(namespace)
	}
	for i := range 2 {
		err := netns.Connect(netns.Link{
			A:   netns.End{Namespace: middle, Interface: fmt.Sprint("out", i)},
			B:   netns.End{Namespace: hosts, Interface: fmt.Sprint("host", i)},
			MTU: int(c.MTU),
		})
		if err != nil {
			return nil, err
		}
	}
	run, end, err := c.place(ctx, middle)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	for _, rate := range c.rates() {
		var all []LiveResult
		for range max(runs, 1) {
			one, err := c.measure(rate, hosts, run)
			if err != nil {
				return nil, err
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			all = append(all, one)
		}
		r := medianLive(all)
		tell(r)
		if list = append(list, r); 2*r.Green <= r.Runs {
			break
		}
	}
	return list, nil
}

// liveRun runs a case at a rate for liveSpan, begins the stream once model time goes on, and
// returns how the clock was kept and what processor time was used.
type liveRun func(rate unit.BitRate, s *stream) (*result.Timing, time.Duration, error)

// liveSpan is the length of a run, in model time and on the wall.
const liveSpan = 2 * unit.Second

// streamSpan is the length of the stream: it ends before the run does, so that all of it has crossed.
const streamSpan = liveSpan - 300*unit.Millisecond

// measure runs a case once.
func (c *LiveCase) measure(rate unit.BitRate, hosts string, run liveRun) (LiveResult, error) {
	s, err := newStream(hosts, c.MTU, rate)
	if err != nil {
		return LiveResult{}, err
	}
	timing, used, err := run(rate, s)
	s.end()
	if err != nil {
		return LiveResult{}, err
	}
	if c.Daemons == "" {
		used -= s.used
	}
	return liveResult(c, rate, timing, used), nil
}

// place makes ready what runs of a case take; end takes it away.
func (c *LiveCase) place(ctx context.Context, middle string) (run liveRun, end func() error, err error) {
	if c.Daemons == "" {
		return c.onWire(ctx, middle), func() error { return nil }, nil
	}
	first, err := livePlan(c, liveRates[0], middle)
	if err != nil {
		return nil, nil, err
	}
	t, err := veth.Deploy(ctx, first, veth.Config{
		Name:      testbedName(),
		Scenario:  c.Name,
		Daemons:   c.Daemons,
		Ephemeral: true,
	})
	if err != nil {
		return nil, nil, err
	}
	run = func(rate unit.BitRate, s *stream) (*result.Timing, time.Duration, error) {
		p, err := livePlan(c, rate, middle)
		if err != nil {
			return nil, 0, err
		}
		before := daemonsTime(t)
		out, err := t.Run(ctx, p, veth.Options{Dilation: 1, Realtime: c.Realtime, Progress: func(progress model.Progress) {
			if progress.Now > 0 {
				s.begin()
			}
		}})
		if err != nil {
			return nil, 0, err
		}
		return out.Time, daemonsTime(t) - before, nil
	}
	return run, func() error { return t.Destroy(context.WithoutCancel(ctx)) }, nil
}

// onWire runs the wire between the interfaces of a namespace.
func (c *LiveCase) onWire(ctx context.Context, middle string) liveRun {
	return func(rate unit.BitRate, s *stream) (timing *result.Timing, used time.Duration, err error) {
		o := bump.Default()
		o.Interfaces, o.Realtime = [2]string{"out0", "out1"}, c.Realtime
		o.Rate, o.Length, o.MTU, o.Until = rate, 120*unit.Kilometre, c.MTU, unit.Time(liveSpan)
		before := campaign.ProcessorTime()
		err = netns.In(middle, func() error {
			time.AfterFunc(100*time.Millisecond, s.begin)
			out, err := bump.Run(ctx, veth.Root(), &o, func(bump.Reading) {})
			if out != nil {
				timing = out.Timing
			}
			return err
		})
		return timing, campaign.ProcessorTime() - before, err
	}
}

// liveResult returns the result of one run.
func liveResult(c *LiveCase, rate unit.BitRate, timing *result.Timing, used time.Duration) LiveResult {
	var late record.Lateness
	sent := uint64(0)
	for i := range timing.Edges {
		late.Merge(&timing.Edges[i].Lateness)
		sent += timing.Edges[i].Sent
	}
	us := func(ns int64) float64 { return float64(ns) / 1e3 }
	r := LiveResult{
		Name:    c.Name,
		Class:   "normal",
		Rate:    rate,
		Runs:    1,
		Verdict: timing.Colour(),
		P50:     us(late.Quantile(0.5)),
		P99:     us(late.Quantile(0.99)),
		P999:    us(late.Quantile(0.999)),
		Max:     us(late.Max()),
		Bare:    us(timing.Bare.Lateness.Quantile(0.999)),
	}
	if n := len(timing.Edges); n > 0 {
		bits := float64(timing.Edges[n-1].Sent) * 8 * float64(wireBytes(c.MTU))
		r.Carried = bits / streamSpan.Seconds()
	}
	if r.Verdict == "green" {
		r.Green = 1
	} else {
		r.Why = timing.Findings()[0].Text
	}
	if c.Realtime {
		r.Class = "fifo"
	}
	for _, p := range timing.Priorities {
		if p.Lost != "" {
			r.Lost, r.WhyLost = 1, p.Participant+": "+p.Lost
		}
	}
	if sent > 0 {
		r.PerFrame = float64(used.Microseconds()) / float64(sent)
	}
	return r
}

// daemonsTime returns the processor time of a testbed's processes.
func daemonsTime(t *veth.Testbed) (sum time.Duration) {
	for i := range t.Containers {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.Containers[i].Pid))
		if err != nil {
			continue
		}
		// The name, in brackets, may have spaces in it; user and system time are the 12th and
		// 13th word behind it, in hundredths of a second.
		_, rest, _ := strings.Cut(string(text), ") ")
		if words := strings.Fields(rest); len(words) > 12 {
			for _, word := range words[11:13] {
				ticks, _ := strconv.ParseInt(word, 10, 64)
				sum += time.Duration(ticks) * 10 * time.Millisecond
			}
		}
	}
	return sum
}
