package veth

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/unit"
)

// A fabric of long links alone gets windows, and so rings, that fit.
func TestWindowsOfLongLinksAreCut(t *testing.T) {
	p := star(t, 3, "")
	if got := windowOf(p); got != p.Lookahead() {
		t.Errorf("1 us links: windows of %v, want the lookahead of %v", got, p.Lookahead())
	}
	for i := range p.Links {
		p.Links[i].Forward.Latency, p.Links[i].Backward.Latency = 600*unit.Microsecond, 600*unit.Microsecond
	}
	if got, want := windowOf(p), 6720*unit.Nanosecond; got != want { // 1000 frames of 84 B at 100 Gb/s
		t.Errorf("600 us links: windows of %v, want %v", got, want)
	}
	if rings := needOfRun(p).Memory; rings > 200*unit.MB {
		t.Errorf("the rings of three links take %v", rings)
	}
}
