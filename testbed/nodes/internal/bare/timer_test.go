package bare

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// fake is a host with a list of delays of its sleeps; the run ends with the list.
type fake struct {
	now   int64
	late  []time.Duration
	timer *Timer
}

func (f *fake) wait(until int64, _ []unix.PollFd) bool {
	f.now = until + int64(f.late[0])
	if f.late = f.late[1:]; len(f.late) == 0 {
		f.timer.stop.Store(true)
	}
	return false
}

// Every instant is a sample, those and a sleep may miss several: a stall of 3 ms has as many as it lasted.
func TestEachInstantIsASample(t *testing.T) {
	const us = time.Microsecond
	f := &fake{now: 77, late: []time.Duration{10 * us, -5 * us, 20 * us, 3100 * us, 0}}
	f.timer = &Timer{setup: Setup{
		Beside: new(Beside),
		Now:    func() int64 { return f.now },
		Wait:   f.wait,
	}}
	f.timer.run()
	var got []time.Duration
	f.timer.late.Each(func(to int64, samples uint64) {
		for range samples {
			got = append(got, time.Duration(to).Truncate(us))
		}
	})
	// A wait that ends early goes on. Of the stall there are samples of 3.1, 2.1, 1.1 and 0.1 ms, in bins of a sixteenth.
	if n := f.timer.late.Count(); n != 7 || f.timer.late.Max() != int64(3100*us) {
		t.Errorf("%d samples, the largest of %v: want 7, 3.1 ms; %v", n, time.Duration(f.timer.late.Max()), got)
	}
	if late := time.Duration(f.timer.late.Quantile(5.0 / 7)); late < 1100*us || late > 1200*us {
		t.Errorf("5 of 7 are at most %v late, want 1.1 ms", late)
	}
	if want := int64(77) + 7*int64(Beat); f.now != want {
		t.Errorf("the last instant is %d, want %d: instants are a beat apart from the first on", f.now, want)
	}
}

// An instant before the run is not counted.
func TestOnlyTheRunCounts(t *testing.T) {
	f := &fake{late: []time.Duration{time.Second, 0, 0}}
	sleeps := 0
	f.timer = &Timer{setup: Setup{
		Beside: new(Beside),
		During: func() bool { sleeps++; return sleeps > 1 },
		Now:    func() int64 { return f.now },
		Wait:   f.wait,
	}}
	f.timer.run()
	if n, most := f.timer.late.Count(), f.timer.late.Max(); n != 2 || most != 0 {
		t.Errorf("%d samples, the largest of %d ns: want 2, none of them late", n, most)
	}
}

func TestATimerBegins(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	ready := make(chan int, 1)
	woke := make(chan struct{}, 1)
	timer := Begin(Setup{
		Beside: new(Beside),
		Ready: func(tid int) error {
			ready <- tid
			return errors.New("no right to it")
		},
		During: func() bool {
			select {
			case woke <- struct{}{}:
			default:
			}
			return true
		},
	})
	if tid := <-ready; tid <= 0 {
		t.Errorf("thread %d", tid)
	}
	<-woke // the sample of that instant follows before the timer can end
	b := timer.End()
	if b.Beat != time.Millisecond || b.Lateness.Count() == 0 || b.Used.Ran < 0 || b.Refused != "no right to it" {
		t.Errorf("%+v", b)
	}
	if after := runtime.GOMAXPROCS(0); after != before {
		t.Errorf("%d processors after %d", after, before)
	}
}
