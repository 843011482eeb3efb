package result

import (
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// pairOf is the star with a collective of h0 and h1 laid over its flow: two iterations of 1 MB; h1 has not ended the
// second.
func pairOf() *Outcome {
	o := star()
	o.Plan.Collectives = []plan.Collective{{
		Name:       "c",
		Operation:  "all-reduce",
		Method:     "ring",
		Size:       unit.MB,
		BusFactor:  1.5,
		Iterations: 2,
		Start:      10 * us,
		Places:     []plan.Place{{NIC: 0, PhasesPerIteration: 3}, {NIC: 1, PhasesPerIteration: 2}},
	}}
	o.Phases = [][][]unit.Time{{{20 * us, 50 * us, 100 * us, 110 * us, 150 * us, 190 * us}},
		{{40 * us, 120 * us, 140 * us}}, nil}
	return o
}

// 1 MB in 120 - 20 = 100 us are 10 GB/s.
func TestIterations(t *testing.T) {
	o := pairOf()
	s := Summarise(o)
	if s.Iterations != 2 || s.IterationsDone != 1 || s.Iteration.Mean != 110 || s.Collective.Max != 100 ||
		s.AlgBW != 10 || s.BusBW != 15 {
		t.Errorf("%d iterations, %d done, %v, %v, %v and %v GB/s", s.Iterations, s.IterationsDone, s.Iteration,
			s.Collective, s.AlgBW, s.BusBW)
	}
	var b strings.Builder
	if _, err := collectiveSheet.write(&b, runLabel{"a", 1}, iterationRows(o)); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(b.String()), "\n")[1:]
	want := []string{
		"a,1,c,all-reduce,ring,2,1000000,0,10.000000,20.000000,40.000000,120.000000,100.000,110.000,10.0000,15.0000,2,h1,",
		"a,1,c,all-reduce,ring,2,1000000,1,100.000000,110.000000,140.000000,,,,,,1,,h1",
	}
	for i, row := range rows {
		if row != want[i] {
			t.Errorf("row %d is\n%s, want\n%s", i, row, want[i])
		}
	}
}

// Each rank has its own times of an iteration.
func TestRanks(t *testing.T) {
	var b strings.Builder
	if _, err := rankSheet.write(&b, runLabel{"a", 1}, rankRows(pairOf())); err != nil {
		t.Fatal(err)
	}
	want := "variant,seed,collective,iteration,rank,host,begun_us,ready_us,done_us\n" +
		"a,1,c,0,0,h0,10.000000,20.000000,100.000000\na,1,c,0,1,h1,10.000000,40.000000,120.000000\n" +
		"a,1,c,1,0,h0,100.000000,110.000000,190.000000\na,1,c,1,1,h1,120.000000,140.000000,\n"
	if b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
}

// A rank that did not come as far as an iteration leaves its fields empty.
func TestIterationsThatDidNotBegin(t *testing.T) {
	o := pairOf()
	o.Phases = [][][]unit.Time{{nil}, {{40 * us}}, nil}
	r := iterationOf(o, &o.Plan.Collectives[0], 1)
	if r.begun != unit.Never || r.ready != unit.Never || r.allReady != unit.Never || r.done != 0 || r.stuck != "h0" ||
		!math.IsNaN(r.algBW()) {
		t.Errorf("%+v", r)
	}
	if r := iterationOf(o, &o.Plan.Collectives[0], 0); r.begun != 10*us || r.ready != 40*us || r.allReady != unit.Never ||
		r.ended != unit.Never {
		t.Errorf("%+v", r)
	}
	s := Summarise(o)
	if s.IterationsDone != 0 || !math.IsNaN(s.BusBW) || !math.IsNaN(s.Iteration.Mean) {
		t.Errorf("%+v", s)
	}
}

// Each message that waited has a completion time of its own.
func TestMessagesCount(t *testing.T) {
	o := star()
	o.Plan.Flows[0].Messages, o.Plan.Flows[0].Message = make([]plan.Message, 3), 3000
	f := o.Flows[0].Sender
	f.Messages = []record.Message{{Ready: 1 * us, Completed: 6 * us}, {Ready: 7 * us, Completed: 17 * us},
		{Ready: 18 * us, Completed: unit.Never}}
	s := Summarise(o)
	// 5 and 10 us, and the other flow's 20 us, over an ideal of 5 us.
	if s.FCT.Mean != 35.0/3 || s.FCT.Max != 20 || s.Slowdown.P50 != 2 {
		t.Errorf("FCT %+v, slowdown %+v", s.FCT, s.Slowdown)
	}
	row := o.flow(0)
	if m := row.messageDistribution(); m.Mean != 7.5 || m.Max != 10 || !math.IsNaN(row.slowdown()) {
		t.Errorf("messages %+v, slowdown %v", m, row.slowdown())
	}
}
