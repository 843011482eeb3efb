package experiment

import (
	"github.com/rocelab/rocelab/testbed/model"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/unit"
)

func TestMeter(t *testing.T) {
	for _, c := range []struct {
		name string
		live bool
		want string
	}{
		{"plain", false, "pc4: 2.000 ms simulated, 25.0 %, 3.0 M packet-hops/s, 6s left\n"},
		{"live", true, "\r\x1b[Kpc4: 1.000 ms simulated, 12.5 %, 6.0 M packet-hops/s, 7s left" +
			"\r\x1b[Kpc4: 2.000 ms simulated, 25.0 %, 3.0 M packet-hops/s, 6s left\r\x1b[K"},
	} {
		var b strings.Builder
		now := time.Unix(0, 0)
		m := &Meter{To: &b, Live: c.live, Now: func() time.Time { return now }}
		m.Begin("pc4")
		for i := range 3 {
			m.Show(model.Progress{Now: unit.Time(i) * unit.Time(unit.Millisecond), Hops: 6e6, Done: unit.Bytes(i), Total: 8})
			now = now.Add(time.Second)
		}
		m.End()
		if b.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, b.String(), c.want)
		}
	}
	var none *Meter
	none.Begin("x")
	none.Show(model.Progress{})
	none.End()
}

func TestShareIsOfTheRunsEndFirst(t *testing.T) {
	if got := shareOf(model.Progress{Now: 1, Until: 4, Done: 9, Total: 10}); got != 0.25 {
		t.Error(got)
	}
	if got := lineOf((model.Progress{}), 0); got != "0.000 ms simulated" {
		t.Errorf("%q", got)
	}
}
