package campaign

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

func TestMeter(t *testing.T) {
	for _, c := range []struct {
		name string
		live bool
		cut  int
		want string
	}{
		{"plain", false, 20, "pc4: 2.000 ms of model time, 25.0 %, 3.0 M packet-hops/s, 6s left\n"},
		{"narrow", true, 20, "\r\x1b[Kpc4: 1.000 ms of m~\r\x1b[Kpc4: 2.000 ms of m~\r\x1b[K"},
		{"live", true, 0, "\r\x1b[Kpc4: 1.000 ms of model time, 12.5 %, 6.0 M packet-hops/s, 7s left" +
			"\r\x1b[Kpc4: 2.000 ms of model time, 25.0 %, 3.0 M packet-hops/s, 6s left\r\x1b[K"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			now := time.Unix(0, 0)
			m := &Meter{To: &b, Live: c.live, Width: c.cut, Now: func() time.Time { return now }}
			m.Expect(1)
			show := m.Start(0, "pc4")
			for i := range 3 {
				show(model.Progress{Now: unit.Time(i) * unit.Time(unit.Millisecond), Hops: 6e6, Done: unit.Bytes(i), Total: 8})
				now = now.Add(time.Second)
			}
			m.Finish(0, true)
			if b.String() != c.want {
				t.Errorf("%s: %q, want %q", c.name, b.String(), c.want)
			}
		})
	}
	var none *Meter
	none.Expect(1)
	if none.Start(0, "x") != nil {
		t.Error("a meter that is none hears of progress")
	}
	none.Finish(0, true)
	none.End()
}

func TestShareIsOfTheRunsEndFirst(t *testing.T) {
	if got, known := Share(model.Progress{Now: 1, Until: 4, Done: 9, Total: 10}); got != 0.25 || !known {
		t.Error(got)
	}
	if got := runLine(model.Progress{}, 0); got != "0.000 ms of model time" {
		t.Errorf("%q", got)
	}
	behind := model.Progress{Dilation: 10, Lag: 1234567}
	if got := runLine(behind, 0); got != "0.000 ms of model time, lag 1.235ms" {
		t.Errorf("%q", got)
	}
}

// A run's counts stand behind its progress: all of them if a line has no width, and as many as there is room for on a
// terminal.
func TestMeterTellsCountsWhereThereIsRoom(t *testing.T) {
	tally := record.Tally{Drops: 2, Marks: 23939, CNPs: 8807, Longest: 9_384_000}
	whole := "dcqcn (2 of 2): 12.345 ms of model time, 69.9 %, 6.1 M packet-hops/s, 3s left"
	short := "dcqcn (2 of 2): 12.345 ms, 69.9 %, 6.1 M hops/s, 3s left"
	for _, c := range []struct {
		live  bool
		width int
		want  string
	}{
		{false, 80, whole + ", 2 drops, 23939 marks, 8807 CNPs, queue 9.384MB"},
		{true, 0, whole + ", 2 drops, 23939 marks, 8807 CNPs, queue 9.384MB"},
		{true, 126, whole + ", 2 drops, 23939 marks, 8807 CNPs, queue 9.384MB"},
		{true, 125, short + ", 2 drops, 23939 marks, 8807 CNPs, queue 9.384MB"},
		{true, 80, short + ", 2 drops, 23939 marks"},
		{true, 70, short + ", 2 drops"},
		{true, 40, short},
	} {
		t.Run(fmt.Sprintf("live=%v,width=%v", c.live, c.width), func(t *testing.T) {
			m := &Meter{Live: c.live, Width: c.width}
			if got := m.withCounts(whole, &tally); got != c.want {
				t.Errorf("live %v, %d columns: %q, want %q", c.live, c.width, got, c.want)
			}
		})
	}
	m := &Meter{Live: true, Width: 60}
	if got := m.withCounts(whole, new(record.Tally)); got != whole {
		t.Errorf("nothing counted: %q", got)
	}
}
