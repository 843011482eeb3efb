package training

import (
	"context"
	_ "embed"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

//go:embed incast.yaml
var incast []byte

// Incast returns the thesis's incast (section 4.1.2) under a seed, its flows
// scaled. Range of scale: above 0.
func Incast(seed uint64, scale float64) (*plan.Plan, error) {
	s, err := scenario.Parse("incast.yaml", incast, nil,
		scenario.WithOverrides(map[string]string{"seed": strconv.FormatUint(seed, 10)}))
	if err != nil {
		return nil, err
	}
	plans, err := s.Plans()
	if err != nil {
		return nil, err
	}
	p := plans[0]
	for i := range p.Flows {
		p.Flows[i].Size = max(unit.Whole[unit.Bytes](float64(p.Flows[i].Size)*scale), p.MTU)
	}
	return p, nil
}

// run is the data of one run.
type run struct {
	// Use is the purpose of the run; Algorithm the one that ran, under Seed.
	Use       string `json:"use"`
	Algorithm string `json:"algorithm"`
	Seed      uint64 `json:"seed"`
	// Samples counts RTT samples; MeanRTT, P99RTT and MaxRTT are theirs, in us.
	Samples int     `json:"samples"`
	MeanRTT float64 `json:"rtt_mean_us"`
	P99RTT  float64 `json:"rtt_p99_us"`
	MaxRTT  float64 `json:"rtt_max_us"`
	// MeanRate is the payload of all flows over the sum of their completion
	// times (thesis, equation 30), in Gb/s; 0 if a flow did not complete.
	MeanRate float64 `json:"rate_mean_gbps"`
	// Pairs are the numbers in each bin of |K|.
	Pairs [Bins]int `json:"pairs"`

	pairs []pair
}

// collectRTTs runs p with all flows under the algorithm of s and keeps their RTTs.
func collectRTTs(ctx context.Context, p *plan.Plan, use string, s source, progress func(model.Progress)) (*run, error) {
	algorithm := &plan.Algorithm{Name: s.name, Params: s.params}
	for i := range p.Flows {
		p.Flows[i].Algorithm = algorithm
	}
	r := &recorder{flows: make([]*recordedSender, len(p.Flows))}
	recordedSender := r.wrap(s.algorithm)
	find := func(string) (cc.Algorithm, bool) { return recordedSender, true }
	out, err := mem.Run(ctx, p, mem.Options{Algorithms: find, Progress: progress})
	if err != nil {
		return nil, err
	}
	if out.Interrupted {
		return nil, context.Canceled
	}
	run := &run{Use: use, Algorithm: s.label, Seed: p.Seed}
	var all []unit.Duration
	bytes, busy, completed := 0.0, 0.0, true
	for i, f := range r.flows {
		all = append(all, f.rtts...)
		run.pairs = append(run.pairs, pairsOf(f.rtts)...)
		sent := out.Flows[i].Sender
		completed = completed && sent.Completed != unit.Never
		bytes += float64(sent.Acked)
		busy += sent.Completed.Sub(sent.Started).Seconds()
	}
	run.Pairs = countBins(run.pairs)
	run.summarise(all)
	if completed {
		run.MeanRate = bytes * 8 / busy / 1e9
	}
	return run, nil
}

func (r *run) summarise(rtts []unit.Duration) {
	if r.Samples = len(rtts); r.Samples == 0 {
		return
	}
	slices.Sort(rtts)
	sum := unit.Duration(0)
	for _, rtt := range rtts {
		sum += rtt
	}
	r.MeanRTT = sum.Microseconds() / float64(len(rtts))
	r.P99RTT = rtts[result.Rank(len(rtts), 99)-1].Microseconds()
	r.MaxRTT = rtts[len(rtts)-1].Microseconds()
}
