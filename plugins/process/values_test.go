//go:build linux && !mem

package process_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
)

// Values cross either way: asked for by themselves and within a batch, in which they are those before the event, even
// in a batch that is larger than the ring.
func TestValuesCross(t *testing.T) {
	both(t, func(t *testing.T, w way) {
		controller := must(t)(w.misbehaving(t, "nothing", "exit", process.Options{}))
		one, other := controller.NewSender(cctest.Facts()), controller.NewSender(cctest.Facts())
		into := make([]float64, 2)
		if hosting.ReadValues(one, into); into[0] != 0 || !math.IsNaN(into[1]) {
			t.Errorf("before the first event: %v, %v", into, one.(hosting.Failing).Err())
		}
		decision := cc.Decision{Rate: 5}
		one.Handle(&cc.Event{Kind: cc.EventAck, Now: 1_500_000}, &decision)
		if hosting.ReadValues(one, into); into[0] != 1 || into[1] != 1.5 {
			t.Errorf("after one event: %v", into)
		}
		steps := make([]hosting.Step, 600)
		for i := range steps {
			steps[i] = hosting.Step{Sender: one, Event: cc.Event{Kind: cc.EventAck, Now: unit.Time(i) * 1e6},
				Decision: cc.Decision{Rate: 5}}
			if i%3 == 1 {
				steps[i].Sender = other
			}
			if i%2 == 0 {
				steps[i].Values = make([]float64, cc.MostValues)
			}
		}
		one.(hosting.Batched).Batcher().HandleAll(steps)
		counts := map[cc.Sender]int{one: 1}
		for i, step := range steps {
			if step.Values != nil && step.Values[0] != float64(counts[step.Sender]) {
				t.Fatalf("step %d: %v before it, want %d events", i, step.Values, counts[step.Sender])
			}
			if step.Decision.Rate <= 0 || step.Decision == (cc.Decision{Rate: 5}) {
				t.Fatalf("step %d: %+v, %v", i, step.Decision, one.(hosting.Failing).Err())
			}
			counts[step.Sender]++
		}
	})
}

// A program that ends where it is asked for values is at fault there.
func TestFaultsAtValues(t *testing.T) {
	both(t, func(t *testing.T, w way) {
		sender := must(t)(w.misbehaving(t, "values", "panic", process.Options{})).NewSender(cctest.Facts())
		into := []float64{1, 2}
		hosting.ReadValues(sender, into)
		err := sender.(hosting.Failing).Err()
		if !math.IsNaN(into[0]) || err == nil || !strings.Contains(err.Error(), "the question for the values of flow") {
			t.Errorf("%v, %v", into, err)
		}
	})
	sender := must(t)(ways[1].misbehaving(t, "values", "nil", process.Options{})).NewSender(cctest.Facts())
	hosting.ReadValues(sender, make([]float64, 2))
	err := sender.(hosting.Failing).Err()
	if !strings.Contains(fmt.Sprint(err), "returned 1 values, the algorithm names 2") {
		t.Error(err)
	}
}

// A program that names no values, as all that are older than values do, is not asked for any: this
// one would fail at the question.
func TestProgramsWithoutValuesAreNotAsked(t *testing.T) {
	algorithm := start(t, "./testdata/babbling", process.Options{}).Algorithm()
	params, err := hosting.Parse(algorithm.Describe(), map[string]string{"kind": "end"})
	if err != nil {
		t.Fatal(err)
	}
	sender := must(t)(algorithm.New(params)).NewSender(cctest.Facts())
	into := []float64{1}
	if hosting.ReadValues(sender, into); !math.IsNaN(into[0]) || sender.(hosting.Failing).Err() != nil {
		t.Errorf("%v, %v", into, sender.(hosting.Failing).Err())
	}
}
