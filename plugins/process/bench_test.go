//go:build linux && !mem

package process_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
)

// BenchmarkRoundTrip measures a decision alone and in batches, as median and
// 99th percentile of a round trip.
func BenchmarkRoundTrip(b *testing.B) {
	plug := must(b)(start(b, "../../plugins/shipped/cc-dcqcn", process.Options{}).Algorithm().New(hosting.Params{}))
	b.Run("alone", func(b *testing.B) {
		s := plug.NewSender(cctest.Facts())
		d := cc.Decision{Rate: 100 * unit.Gbps}
		e := cc.Event{Kind: cc.EventCNP}
		measure(b, 1, func() {
			e.Now = e.Now.Add(unit.Microsecond)
			s.Handle(&e, &d)
		})
	})
	b.Run("batch64", func(b *testing.B) {
		steps := make([]hosting.Step, 64)
		for i := range steps {
			steps[i] = hosting.Step{Sender: plug.NewSender(cctest.Facts()), Event: cc.Event{Kind: cc.EventCNP},
				Decision: cc.Decision{Rate: 100 * unit.Gbps}}
		}
		all := steps[0].Sender.(hosting.Batched).Batcher()
		measure(b, len(steps), func() {
			for i := range steps {
				steps[i].Event.Now = steps[i].Event.Now.Add(unit.Microsecond)
			}
			all.HandleAll(steps)
		})
	})
}

// BenchmarkStream measures the same on a stream, with a plugin in Python whose
// decision is one random number.
func BenchmarkStream(b *testing.B) {
	plug := must(b)(ways[1].misbehaving(b, "nothing", "exit", process.Options{}))
	for _, n := range []int{1, 64} {
		b.Run(fmt.Sprintf("batch%d", n), func(b *testing.B) {
			steps := make([]hosting.Step, n)
			for i := range steps {
				e := cc.Event{Kind: cc.EventAck, Acked: 1000, Inflight: 50_000, RTT: 10 * unit.Microsecond}
				steps[i] = hosting.Step{Sender: plug.NewSender(cctest.Facts()), Event: e}
				steps[i].Decision.Rate = 100 * unit.Gbps
			}
			all := steps[0].Sender.(hosting.Batched).Batcher()
			measure(b, n, func() {
				for i := range steps {
					steps[i].Event.Now = steps[i].Event.Now.Add(unit.Microsecond)
				}
				all.HandleAll(steps)
			})
		})
	}
}

func measure(b *testing.B, events int, call func()) {
	var times []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		call()
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	at := func(share float64) float64 { return float64(times[int(share*float64(len(times)-1))]) / 1e3 }
	b.ReportMetric(at(0.5), "us-median")
	b.ReportMetric(at(0.99), "us-p99")
	b.ReportMetric(at(0.5)/float64(events), "us/event")
}

// BenchmarkSetUp measures what a flow costs to set up: both ends.
func BenchmarkSetUp(b *testing.B) {
	plug := must(b)(start(b, "../../plugins/shipped/cc-pc4", process.Options{}).Algorithm().New(hosting.Params{}))
	for b.Loop() {
		plug.NewSender(cctest.Facts())
		plug.NewReceiver(cctest.Facts())
	}
}

// BenchmarkStart measures how long a plugin takes to be there and gone.
func BenchmarkStart(b *testing.B) {
	path := build(b, "../../plugins/shipped/cc-pc4")
	for b.Loop() {
		if _, err := process.Probe(process.Program{Path: path}, process.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
