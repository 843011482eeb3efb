package bench

import (
	"fmt"
	"slices"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// RoundTrip is the time that a plugin process takes to answer.
type RoundTrip struct {
	// Events travel together.
	Events int `json:"events"`
	// Median and P99 are of a round trip, PerEvent is the median over its
	// events.
	Median   float64 `json:"median_us"`
	P99      float64 `json:"p99_us"`
	PerEvent float64 `json:"median_us_per_event"`
}

// RoundTrips measures the decisions of a plugin alone and in batches
// of 64, on one processor, as daemons have it.
func RoundTrips(program process.Program) (list []RoundTrip, err error) {
	defer process.TakeTurns(0)()
	p, err := process.Start(program, process.Options{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	params, err := hosting.Parse(p.Algorithm().Describe(), nil)
	if err != nil {
		return nil, err
	}
	controller, err := p.Algorithm().New(params)
	if err != nil {
		return nil, err
	}
	for _, events := range []int{1, 64} {
		steps := make([]hosting.Step, events)
		for i := range steps {
			steps[i] = hosting.Step{Sender: controller.NewSender(facts(i)), Event: cc.Event{Kind: cc.EventCNP},
				Decision: cc.Decision{Rate: 100 * unit.Gbps}}
		}
		batched, ok := steps[0].Sender.(hosting.Batched)
		if !ok {
			return nil, fmt.Errorf("plugin %s takes no batches", program)
		}
		list = append(list, measure(steps, batched.Batcher()))
	}
	return list, nil
}

func measure(steps []hosting.Step, all hosting.Batcher) RoundTrip {
	const rounds, warm = 20_000, 1000
	times := make([]float64, 0, rounds)
	for i := range rounds + warm {
		began := time.Now()
		if len(steps) == 1 {
			steps[0].Sender.Handle(&steps[0].Event, &steps[0].Decision)
		} else {
			all.HandleAll(steps)
		}
		if i >= warm {
			times = append(times, float64(time.Since(began))/1e3)
		}
		for k := range steps {
			steps[k].Event.Now = steps[k].Event.Now.Add(unit.Microsecond)
		}
	}
	slices.Sort(times)
	median := compare.Median(times)
	return RoundTrip{
		Events:   len(steps),
		Median:   median,
		P99:      result.Quantile(times, 99),
		PerEvent: median / float64(len(steps)),
	}
}

// facts describe a flow on an idle star of 100 Gb/s.
func facts(flow int) cc.Facts {
	return cc.Facts{
		Flow:        uint32(flow),
		LineRate:    100 * unit.Gbps,
		MTU:         1000,
		PacketBytes: 1082,
		BaseRTT:     4193 * unit.Nanosecond,
		Baseline:    2176 * unit.Nanosecond,
		Hops:        1,
		Size:        10 * unit.MB,
		Chance:      chance.New(1, "bench"),
	}
}
