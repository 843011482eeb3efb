package conformance

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// The scenarios. All have one switch and links of 100 Gb/s and 1 us; SUBJECT
// stands for the algorithm under check, UNTIL for the run's end.
const (
	// busy has four flows share a port that marks early, and a link that loses
	// frames, so that all kinds of events come.
	busy = `
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, receiver: h4, size: 300KB, algorithm: SUBJECT}]
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
faults: [{link: h0-s0, loss: 0.01}]
`
	// doubled has a flow that nothing slows down join the first after 1 ms.
	// Within 20 RTT neither PFC nor the buffer's end come near.
	doubled = `
topology: {kind: star, hosts: 3}
traffic:
  - {name: subject, from: h0, to: h2, algorithm: SUBJECT}
  - {name: load, from: h1, to: h2, start: 1ms, algorithm: fixed}
run: {until: 2ms}
`
	// guest has a second flow of the algorithm join the first from 1 ms to 3 ms.
	guest = `
topology: {kind: star, hosts: 3}
traffic:
  - {name: subject, from: h0, to: h2, algorithm: SUBJECT}
  - {name: guest, from: h1, to: h2, start: 1ms, duration: 2ms, algorithm: SUBJECT}
run: {until: UNTIL}
record: {interval: 100us}
`
	// together has four equal flows share a port.
	together = `
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, receiver: h4, duration: 20ms, algorithm: SUBJECT}]
run: {until: 20ms}
record: {interval: 1ms}
`
	// joining has them start one after the other.
	joining = `
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, receiver: h4, spacing: 1ms, duration: 20ms, algorithm: SUBJECT}]
run: {until: 20ms}
record: {interval: 1ms}
`
	// mixed has two flows of the algorithm share a port with two of DCQCN.
	mixed = `
topology: {kind: star, hosts: 5}
traffic:
  - {name: subject, kind: incast, senders: [h0, h1], receiver: h4, duration: 20ms, algorithm: SUBJECT}
  - {name: dcqcn, kind: incast, senders: [h2, h3], receiver: h4, duration: 20ms, algorithm: dcqcn}
run: {until: 20ms}
record: {interval: 1ms}
`
)

// setting is what is changed of a scenario; what is zero is not. A run may end
// before its flows stop.
type setting struct {
	seed  uint64
	until unit.Time
}

// simulate runs a scenario with the subject in the form of a.
func (k *kit) simulate(text string, s setting, a cc.Algorithm) (*result.Outcome, error) {
	find := func(name string) (cc.Algorithm, bool) {
		if name == k.about.Name {
			return a, true
		}
		return k.options.Companions(name)
	}
	text = strings.ReplaceAll(text, "SUBJECT", inYAML(k.about.Name, k.Given))
	text = strings.ReplaceAll(text, "UNTIL", fmt.Sprintf("%dps", int64(s.until)))
	read, err := scenario.Parse("conformance.yaml", []byte(text), model.Checker(find))
	if err != nil {
		return nil, err
	}
	plans, err := read.Plans()
	if err != nil {
		return nil, err
	}
	p := plans[0]
	if s.seed != 0 {
		p.Seed = s.seed
	}
	if s.until != 0 {
		p.Until = s.until
	}
	out, err := mem.Run(k.ctx, p, mem.Options{Workers: 1, Algorithms: find})
	if err == nil && out.Interrupted {
		err = errors.New("interrupted")
	}
	return out, err
}

// inYAML names an algorithm with its parameters.
func inYAML(name string, given map[string]string) string {
	var params []string
	for _, p := range slices.Sorted(maps.Keys(given)) {
		params = append(params, p+": "+strconv.Quote(given[p]))
	}
	return fmt.Sprintf("{name: %s, params: {%s}}", strconv.Quote(name), strings.Join(params, ", "))
}

// acked sums what a flow had acknowledged between two instants, multiples of the
// run's interval.
func acked(out *result.Outcome, flow int, from, to unit.Time) (sum unit.Bytes) {
	width := unit.Time(out.Plan.Record.Interval)
	bins := out.Flows[flow].Sender.Rate.Bins
	for i := int(from / width); i < min(int(to/width), len(bins)); i++ {
		sum += unit.Bytes(bins[i])
	}
	return sum
}

// share is the part of the line that payload acknowledged in a time took, its
// headers, preamble and gap counted.
func share(out *result.Outcome, flow int, payload unit.Bytes, in unit.Duration) float64 {
	s := &out.Flows[flow].Sender
	if s.Packets == 0 {
		return 0
	}
	wire := float64(payload) * float64(s.WireBytes) / float64(s.Packets) / float64(out.Plan.MTU)
	line := float64(out.Plan.Links[out.Plan.NICs[out.Plan.Flows[flow].Src].Link].Forward.Rate)
	return wire * 8 / in.Seconds() / line
}

func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }
