package veth

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
)

// standing is a run on a star of three hosts that no daemon takes part in, but for its
// page.
func standing(t *testing.T) *run {
	t.Helper()
	s := &State{Name: "still", Daemons: PerServer}
	p := star(t, 3, "")
	if err := layout(p, s); err != nil {
		t.Fatal(err)
	}
	r := &run{Testbed: &Testbed{State: s}, plan: p, participants: s.participants()}
	n := len(r.participants)
	r.setup = lockstep.Setup{
		Participants: n,
		Lookahead:    unit.Microsecond,
		Schedule:     engine.Schedule{Until: unit.Time(unit.Second), Limit: unit.Time(unit.Second)},
		Sampled:      make([]bool, n),
	}
	var err error
	if r.page, err = lockstep.Create(r.setup); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.page.Close() })
	if err := r.makeOrders(); err != nil {
		t.Fatal(err)
	}
	r.answered = make([]bool, n)
	return r
}

// The participants that a window waits for are named; if none is in progress, all that have not answered are. Tier:
// -short.
func TestStandstillNamesWhoHasNotAnswered(t *testing.T) {
	r := standing(t)
	if err := r.standstillError(time.Second); !strings.Contains(err.Error(), "waiting for switchd of s0 (pid ") {
		t.Error(err)
	}
	for i := 1; i < len(r.participants); i++ {
		r.answered[i] = true
	}
	first := r.participantName(&r.participants[0])
	err := r.standstillError(time.Second).Error()
	if !strings.Contains(err, "waiting for "+first) || strings.Contains(err, ";") {
		t.Error(err)
	}
	last := len(r.participants) - 1
	r.answered[0], r.answered[last] = true, false
	r.page.Join(last).Arrive(0) // it is in no window: somebody else was to begin one
	err = r.standstillError(time.Second).Error()
	want := "no window is in progress, and there is no answer " +
		"from " + r.participantName(&r.participants[last]) + " (pid "
	if !strings.Contains(err, want) {
		t.Errorf("%s, want %q", err, want)
	}
}

// A page that moves for good holds no run up that is to end.
func TestHurriedRunIsNotHeldUpByItsPage(t *testing.T) {
	r := standing(t)
	for i := range r.participants {
		r.page.Join(i).Arrive(0)
	}
	if r.page.Window() != 1 {
		t.Fatal("no window began")
	}
	r.options.Standstill = time.Hour
	w := r.newWatchdog()
	w.shorten()
	w.last, w.since = 0, time.Now().Add(-time.Minute)
	if !w.expired() {
		t.Error("it waits for a window after the last")
	}
	w.last, w.since = 1, time.Now().Add(-time.Minute)
	if w.expired() {
		t.Error("it does not wait for the last window")
	}
}

// A run that waits for the clock on the wall does not stand still.
func TestWaitForTheClockIsNoStandstill(t *testing.T) {
	r := standing(t)
	r.page.Close()
	r.setup.Clock = &lockstep.Pace{Dilation: 1000}
	var err error
	if r.page, err = lockstep.Create(r.setup); err != nil {
		t.Fatal(err)
	}
	waits := make(chan struct{})
	go func() {
		defer close(waits)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for _, next := range []unit.Time{0, unit.Time(unit.Second) / 2} {
			for i := range r.participants {
				r.page.Join(i).Arrive(next)
			}
		}
	}()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, ok := r.page.Due(); ok {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("nobody waits")
		}
	}
	r.options.Standstill = time.Minute
	w := r.newWatchdog()
	w.window, w.since = r.page.Window(), time.Now().Add(-time.Hour)
	if w.expired() {
		t.Error("it counts as hanging while it waits for the clock")
	}
	if now := r.now(); now <= 0 || now >= unit.Time(unit.Second)/2 {
		t.Errorf("it is at %v", now)
	}
	w.shorten()
	w.since = time.Now().Add(-time.Hour)
	if !w.expired() {
		t.Error("one that is to end waits for the clock")
	}
	r.page.Stop()
	<-waits
	if _, _, over := r.page.Over(); !over {
		t.Error("it is not over")
	}
}

// What daemons answer is looked at before anything is made of it, and the error names
// the daemon.
func TestAnswersAreLookedAt(t *testing.T) {
	r := standing(t)
	for _, c := range []struct {
		result daemon.Result
		failed bool
		want   string
	}{
		{daemon.Result{}, false, "testbed still: switchd of s0 answers nonsense: it reports of 0 nodes"},
		{daemon.Result{}, true, "answers nonsense"},
		{daemon.Result{Plugin: true, Err: "not me"}, false, "answers nonsense: it blames an algorithm and runs none"},
		{daemon.Result{Aborted: true, Err: "aborted"}, false, "gave up the run without a request"},
		{daemon.Result{Aborted: true, Err: "aborted"}, true, ""},
		{daemon.Result{Thread: 7}, false, "answers nonsense: it names a thread twice"},
		{daemon.Result{Thread: 7, Err: "lost"}, false, "answers nonsense: it names a thread twice"},
		{daemon.Result{Err: "link: lost"}, false, "switchd of s0: link: lost"},
	} {
		a := answer{participant: switchOf(t, r), result: &c.result}
		err := r.participantError(&a, c.failed)
		if c.want == "" && err == nil {
			continue
		}
		if err == nil || c.want == "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.result, err, c.want)
		}
		if _, algorithm := err.(*model.AlgorithmError); algorithm {
			t.Errorf("%+v: an algorithm is blamed", c.result)
		}
	}
	if _, _, err := r.ending(); err == nil || !strings.Contains(err.Error(), "but the shared page does not") {
		t.Error("the end of a run that is not over:", err)
	}
}

// switchOf is the participant that hosts the switch.
func switchOf(t *testing.T, r *run) int {
	t.Helper()
	n, ok := r.Node("s0")
	if !ok {
		t.Fatal("no switch s0")
	}
	return n.Participant
}
