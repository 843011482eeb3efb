package bump

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Options say what lies between two interfaces.
type Options struct {
	// Interfaces are their names on the host.
	Interfaces [2]string
	// Rate is that of the long haul, in each direction. The interfaces' own links have
	// faster times as much, so that what waits, waits in a switch.
	Rate unit.BitRate
	// Length is that of the fibre, of 5 us a kilometre; the interfaces' links add edgeLatency each.
	Length unit.Length
	// Kmin and Kmax are the lengths of the queue in front of the long haul up to which nothing is marked and above
	// which all is; both 0 for no marking.
	Kmin, Kmax unit.Bytes
	// Loss is the probability of losing a frame; Burst, if not nil, is the channel in place of it.
	Loss  float64
	Burst *profile.WANLoss
	// Jitter is the largest delay of a frame.
	Jitter unit.Duration
	// Buffer is the memory in front of the long haul, of each direction.
	Buffer unit.Bytes
	// MTU is the largest payload of Ethernet.
	MTU unit.Bytes
	// Dilation is K: wall time = K x model time. Range: from 1.
	Dilation int64
	// Until ends the run, in model time; 0 for never.
	Until unit.Time
	Seed  uint64
	Force bool
	// Realtime gives the thread of the loop real-time priority (package realtime).
	Realtime bool
}

// Default returns the options of a wire with only its interfaces given.
func Default() Options {
	return Options{
		Rate:     unit.Gbps,
		Length:   10 * unit.Kilometre,
		Buffer:   4 * unit.MB,
		MTU:      1500,
		Dilation: 1,
		Seed:     1,
	}
}

const (
	// faster is the ratio of the rates of the interfaces' links to the long haul's.
	faster = 10
	// edgeLatency is the latency of the links at the interfaces: the time within which a frame must be read, and sent.
	// A run of minutes is bounded by the range of model time.
	edgeLatency = "100us"
	longest     = "1000s"
)

// Scenario returns the options as a scenario, without their end.
func (o *Options) Scenario() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("name: wire")
	line("seed: %d", o.Seed)
	line("topology:")
	line("  kind: explicit")
	line("  nodes:")
	for i, name := range ends {
		line("    - {name: %s, kind: edge, interface: %q, mtu: %dB, queue: %dB, force: %v}", name, o.Interfaces[i], o.MTU,
			o.Buffer, o.Force)
	}
	line("    - {name: near, kind: switch}")
	line("    - {name: far, kind: switch}")
	line("  links:")
	line(`    - {endpoints: ["%s:0", "near:0"], rate: %dbps, latency: %s}`, ends[0], faster*o.Rate, edgeLatency)
	line(`    - {endpoints: ["%s:0", "far:0"], rate: %dbps, latency: %s}`, ends[1], faster*o.Rate, edgeLatency)
	line(`    - endpoints: ["near:1", "far:1"]`)
	line("      rate: %dbps", o.Rate)
	line("      wan: {name: haul, length: %s, jitter: %s, %s}", o.Length, o.Jitter, o.loss())
	line("switch:")
	line("  pfc: {enabled: false}")
	line("  classes: {dscp: {26: 0, 48: 0, 56: 0}, control: []}")
	line("  scheduling: {strict: []}")
	marks := o.Kmax > 0
	line("  ecn: {classes: [0], enabled: %v}", marks)
	line("  dci: {buffer: %dB, ecn: {enabled: %v, kmin: %dB, kmax: %dB}}", o.Buffer, marks, o.Kmin, o.Kmax)
	line("run: {until: %s, limit: %s}", longest, longest)
	return b.String()
}

// ends are the edges.
var ends = [2]string{"a", "b"}

func (o *Options) loss() string {
	if o.Burst == nil {
		return fmt.Sprintf("loss: %g", o.Loss)
	}
	return fmt.Sprintf("burst_loss: {enter: %g, leave: %g, bad: %g, good: %g}", o.Burst.Enter, o.Burst.Leave, o.Burst.Bad,
		o.Burst.Good)
}

// Plan returns the plan of the options. It fails if the options do not make a valid one.
func (o *Options) Plan() (*plan.Plan, error) {
	if o.Dilation < 1 || o.Dilation > 1_000_000 {
		return nil, fmt.Errorf("dilation %d: allowed are 1 to 1000000", o.Dilation)
	}
	s, err := scenario.Parse("wire", []byte(o.Scenario()), func(string, map[string]string) error { return nil })
	if err != nil {
		return nil, withoutPlaces(err)
	}
	plans, err := s.Plans()
	if err != nil {
		return nil, withoutPlaces(err)
	}
	p := plans[0]
	p.Until = o.Until
	return p, nil
}

// withoutPlaces removes the line numbers of a generated scenario.
func withoutPlaces(err error) error {
	var problems scenario.Errors
	if !errors.As(err, &problems) {
		return err
	}
	messages := make([]string, len(problems))
	for i, problem := range problems {
		messages[i] = problem.Message
	}
	return errors.New(strings.Join(messages, "\n"))
}
