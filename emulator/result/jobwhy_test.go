package result

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// chain is two iterations of h0 and h2, made by hand. In the first h0 computes for 10 us and sends two messages, one
// behind the other; when the second has arrived h2 sends one, and is done with its ACK at 26 us. In the second, which
// begins at h0 at 23 us, h2 computes for 2 us and is done.
func chain() *Outcome {
	o := star()
	const half = us / 2
	own, flow := func(count int64) plan.Await { return plan.Await{Flow: plan.OwnPhases, Count: count} },
		func(number int, count int64) plan.Await { return plan.Await{Flow: number, Count: count} }
	o.Plan.Collectives = []plan.Collective{{
		Name:       "job",
		Iterations: 2,
		Places:     []plan.Place{{NIC: 0, PhasesPerIteration: 2}, {NIC: 2, PhasesPerIteration: 2}},
	}}
	o.End = 30 * us
	o.Plan.NICs[0].Ranks = []plan.Rank{{Phases: []plan.Phase{{Duration: 10 * unit.Microsecond},
		{After: []plan.Await{flow(0, 2), flow(1, 1)}}, {Duration: unit.Microsecond}, {}}}}
	o.Plan.NICs[2].Ranks = []plan.Rank{{Phases: []plan.Phase{{}, {After: []plan.Await{flow(1, 1)}},
		{Duration: 2 * unit.Microsecond}, {}}}}
	o.Phases = [][][]unit.Time{{{10 * us, 23 * us, 24 * us, 24 * us}}, nil, {{0, 26 * us, 28 * us, 28 * us}}}
	o.PhasesBy = [][][]int32{{{-1, 1, -1, -1}}, nil, {{-1, 0, -1, -1}}}
	o.Plan.Flows[0].Size, o.Plan.Flows[0].Message = 2000, 1000
	o.Plan.Flows[0].Messages = []plan.Message{{After: []plan.Await{own(1)}}, {After: []plan.Await{own(1)}}}
	o.Plan.Flows[1].Size, o.Plan.Flows[1].Message, o.Plan.Flows[1].Src, o.Plan.Flows[1].Dst = 1000, 1000, 2, 0
	o.Plan.Flows[1].Messages = []plan.Message{{After: []plan.Await{own(1), flow(0, 2)}}}
	// A packet takes 0.1 us at 100 Gb/s: 2.1 us from its end at the NIC to its arrival, 3.9 us to that of its ACK.
	for i := range 2 {
		o.Flows[i].PacketBytes, o.Flows[i].BaseRTT = 1250, 4*unit.Microsecond
		o.Flows[i].Sender.Laps = new(record.MessageLaps)
	}
	shown := func(laps *record.Laps, sending, paced, paused, repair unit.Time) {
		spent := record.Spent{}
		spent[record.Sending], spent[record.Paced] = unit.Duration(sending), unit.Duration(paced)
		spent[record.Paused], spent[record.Repairing] = unit.Duration(paused), unit.Duration(repair)
		laps.Add(&spent)
	}
	first, second := o.Flows[0].Sender, o.Flows[1].Sender
	first.Started, second.Started = 10*us, 18*us+half
	first.Messages = []record.Message{{Ready: 10 * us, Completed: 16 * us}, {Ready: 10 * us, Completed: 20 * us, By: -1}}
	shown(&first.Laps.Sent, us+half, half, 0, 0)    // until 12 us
	shown(&first.Laps.Sent, 3*us+half, half, us, 0) // until 15 us
	shown(&first.Laps.Acked, 0, 0, 0, 0)
	shown(&first.Laps.Acked, 0, 0, 0, 0)
	second.Messages = []record.Message{{Ready: 18*us + half, Completed: 26 * us, By: 1}}
	shown(&second.Laps.Sent, us, 0, 0, half) // until 20 us
	shown(&second.Laps.Acked, 0, 0, 0, us)
	return o
}

func chainWay(flow int) []Step {
	ports := [][2]plan.End{{{Node: 1}, {Node: 0, Port: 2}}, {{Node: 3}, {Node: 0, Port: 0}}}[flow]
	return []Step{{End: ports[0], Share: 1}, {End: ports[1], Hop: 1, Share: 1}}
}

// The path is followed across hosts, and its parts add up.
func TestPathOfAnIteration(t *testing.T) {
	o := chain()
	o.FindWhy(chainWay, func(int, plan.End) [][]Step { return nil })
	var b strings.Builder
	if _, err := jobWhySheet.write(&b, runLabel{"a", 1}, jobWhyRows(o)); err != nil {
		t.Fatal(err)
	}
	// 10 us of computation; 3.5 us of sending, 0.5 us paced, 1 us paused, and 2.1 of 3.5 us under way; 1 us of sending,
	// 0.5 us of repair, and of 6 us to the ACK 3.9 us on its way and 0.5 us of repair. Of the second iteration 2 us of
	// computation, and the last 3 us of the ACK's way.
	want := "variant,seed,collective,iteration,time_us,alone_us,shared_us,unfair_us,held_back_us,collision_us,queued_us," +
		"paused_us,repair_us,host_us,unresolved_us,flow\n" +
		"a,1,job,0,26.000000,10.500000,0.000000,0.000000,0.000000,0.000000,3.000000," +
		"1.000000,1.000000,10.000000,0.500000,h0-h2\n" +
		"a,1,job,1,5.000000,3.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,2.000000,0.000000,\n"
	if b.String() != want {
		t.Errorf("%s, want\n%s", &b, want)
	}
}

// The time between two messages is not theirs, and a state that lost time to repair is made good from there. Tier:
// -short.
func TestTheGapBetweenMessages(t *testing.T) {
	spent := record.Spent{record.Sending: 50, record.Repairing: 40, record.NothingToSend: 30, record.InFlight: -5}
	removeGap(&spent, 45)
	if want := (record.Spent{record.Sending: 50, record.Repairing: 20}); spent != want {
		t.Errorf("%v, want %v", spent, want)
	}
}

// What is left of a span that begins before its iteration has its states in proportion, and all its time. Tier:
// -short.
func TestTheLastOfASpan(t *testing.T) {
	span := attribution.Span{Spent: record.Spent{record.Sending: 100, record.Paced: 50}, Tail: 30}
	keepLast(&span, 130)
	if want := (record.Spent{record.Sending: 67, record.Paced: 33}); span.Spent != want || span.Tail != 30 {
		t.Errorf("%+v", span)
	}
	if keepLast(&span, 20); span.Spent != (record.Spent{}) || span.Tail != 20 {
		t.Errorf("%+v", span)
	}
}
