package edge

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// configs are edges of every sort: one that obeys pauses, one at a bad link.
func configs() map[string]Config {
	plain, here, bad := config(), config(), config()
	here.PFCHere = true
	bad.PFCHere = true
	bad.Attachment.Loss = 0.1
	bad.Attachment.Outages = []fabric.Outage{{From: 400 * us, To: 700 * us}, {From: 1500 * us, To: 1501 * us}}
	return map[string]Config{"plain": plain, "PFC here": here, "bad link": bad}
}

// A run's times are taken again: for any windows, and any delay of reports, a replay in other windows has the same
// trace and the same counters. It fails if injections come before other events of their instant, or before the edge's
// own actions.
func TestReplayIsTheRun(t *testing.T) {
	for name, c := range configs() {
		moved := uint64(0)
		for seed := uint64(1); seed <= 20; seed++ {
			for _, late := range []unit.Duration{0, 30 * unit.Microsecond, unit.Millisecond} {
				script := traffic(seed, late)
				run := play(t, c, script, uneven(seed), true)
				counters := run.edge.Counters(end)
				moved += counters.Moved
				if run.moves != counters.Moved || run.mostMove != counters.MovedMax || run.starts != counters.Port.TxFrames {
					t.Errorf("%s, seed %d: told of %d moves of %d frames, counted %d of %d", name, seed, run.moves, run.starts,
						counters.Moved, counters.Port.TxFrames)
				}
				for what, cut := range map[string]func() unit.Duration{"L": even(window), "L/2": even(window / 2),
					"L/7": even(window / 7), "random": uneven(seed + 100)} {
					t.Run(what, func(t *testing.T) {
						again := play(t, c, script, cut, false)
						if !again.equal(run) || !reflect.DeepEqual(again.edge.Counters(end), counters) ||
							again.edge.Events() != run.edge.Events() {
							t.Fatalf("%s, seed %d, late by %v, windows of %s: hash %x, want %x", name, seed, late, what,
								again.hash, run.hash)
						}
					})
				}
			}
		}
		if moved == 0 {
			t.Errorf("%s: nothing was ever moved", name)
		}
	}
}

// Frames at the very instants of the edge's own actions: the end of a transmission, a pause that ends or comes, an
// outage.
func TestReplayWithTies(t *testing.T) {
	c := configs()["bad link"]
	c.Attachment.Loss = 0
	probe := play(t, c, traffic(3, 0), even(window), true)
	var instants []unit.Time
	for _, p := range probe.left {
		instants = append(instants, p.at)
	}
	for _, p := range probe.outward {
		instants = append(instants, p.at)
	}
	instants = append(instants, 400*us, 700*us, 1500*us)
	slices.Sort(instants)
	for _, late := range []unit.Duration{0, 60 * unit.Microsecond} {
		t.Run(fmt.Sprintf("late=%v", late), func(t *testing.T) {
			script := traffic(3, 0)
			script.foreign = nil
			for i, at := range instants {
				script.foreign = append(script.foreign, foreign{came: at, told: at.Add(late), frame: *frame(uint32(i), 500, 26)},
					foreign{came: at, told: at.Add(late), frame: *frame(uint32(i)+10000, 100, 0)})
			}
			run := play(t, c, script, even(window), true)
			for _, cut := range []func() unit.Duration{even(window / 7), even(1 * unit.Microsecond), uneven(9)} {
				if again := play(t, c, script, cut, false); !again.equal(run) {
					t.Errorf("late by %v: hash %x, want %x", late, again.hash, run.hash)
				}
			}
		})
	}
}

// A frame reported before the window began is not moved, for windows of any allowed length.
func TestWhatIsToldInTimeIsNotMoved(t *testing.T) {
	c := config()
	for seed := uint64(1); seed <= 20; seed++ {
		script := traffic(seed, 0)
		script.foreign = slices.DeleteFunc(script.foreign, func(f foreign) bool { return f.frame.IsPFC() })
		run := play(t, c, script, even(window), true)
		if counters := run.edge.Counters(end); counters.Moved != 0 || counters.Port.TxFrames == 0 {
			t.Errorf("seed %d: %d of %d frames were moved by up to %v", seed, counters.Moved, counters.Port.TxFrames,
				counters.MovedMax)
		}
		// As if each had been reported at once.
		for i := range script.foreign {
			script.foreign[i].taken = script.foreign[i].came
		}
		ideal := play(t, c, script, even(window), false)
		if fmt.Sprint(ideal.left) != fmt.Sprint(run.left) {
			t.Errorf("seed %d: frames start at other times than they would have", seed)
		}
	}
}

// A script of bytes: frames, their times and the windows, all as chance has it.
func FuzzReplay(f *testing.F) {
	f.Add(uint64(1), uint64(7), []byte{1, 2, 3, 200, 9})
	f.Add(uint64(9), uint64(1), []byte{0, 0, 0, 255, 255})
	f.Fuzz(func(t *testing.T, seed, cuts uint64, late []byte) {
		if len(late) == 0 {
			return
		}
		for _, c := range configs() {
			script := traffic(seed, 0)
			told := unit.Time(0)
			for i := range script.foreign {
				f := &script.foreign[i]
				told = max(told, f.came.Add(unit.Duration(late[i%len(late)])*5*unit.Microsecond))
				f.told = told
			}
			run := play(t, c, script, uneven(cuts), true)
			if again := play(t, c, script, even(window/3), false); !again.equal(run) {
				t.Errorf("hash %x, want %x", again.hash, run.hash)
			}
		}
	})
}
