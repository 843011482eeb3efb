package scenario

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A watchdog waits as switches ship, or as long as ordinary congestion may last at the slowest port, and validate warns
// of one that waits shorter than that.
func TestWatchdogDetection(t *testing.T) {
	warning := func(detect, least, at string) string {
		return fmt.Sprintf("watchdog.detect is %s, below 4 x buffer / the slowest port's rate, which is %s at s0: "+
			"the watchdog may take ordinary congestion for a storm, and drop frames without one; "+
			"%s", detect, least, at)
	}
	for _, c := range []struct {
		settings, rate string
		detect         unit.Duration
		warnings       []string
		switches       string
	}{
		{"{}", "100Gbps", 200 * unit.Millisecond, nil, ""},
		{"{buffer: 100MB}", "10Gbps", 320 * unit.Millisecond, nil, ""}, // 4 x 800 Mb / 10 Gb/s
		{"{buffer: 100000001B}", "10Gbps", 321 * unit.Millisecond, nil, ""},
		{"{buffer: 100GB}", "1Mbps", 100 * unit.Second, nil, ""},
		{"{watchdog: {detect: 2ms}}", "100Gbps", 2 * unit.Millisecond, []string{warning("2ms", "10.24ms", "s0")}, ""},
		{"{watchdog: {detect: 10240us}}", "100Gbps", 10240 * unit.Microsecond, nil, ""},
		{"{watchdog: {detect: 200ms}, buffer: 100MB}", "10Gbps", 200 * unit.Millisecond,
			[]string{warning("200ms", "320ms", "s0")}, ""},
		{"{watchdog: {detect: 2ms, enabled: false}}", "100Gbps", 2 * unit.Millisecond, nil, ""},
		{"{watchdog: {detect: 2ms}, pfc: {enabled: false}}", "100Gbps", 2 * unit.Millisecond, nil, ""},

		// The buffer of one switch counts for all: queues of s1 wait for s0.
		{"{}", "10Gbps", 320 * unit.Millisecond, nil, "{s0: {buffer: 100MB}}"},
		{"{}", "10Gbps", 320 * unit.Millisecond, nil, "{s1: {buffer: 100MB}}"},
		{"{}", "10Gbps", 200 * unit.Millisecond, nil, "{s0: {buffer: 100MB, pfc: {enabled: false}}}"},
		{"{watchdog: {detect: 319ms}}", "10Gbps", 319 * unit.Millisecond, []string{warning("319ms", "320ms", "s1")},
			"{s0: {buffer: 100MB, watchdog: {enabled: false}}}"},
		{"{watchdog: {detect: 319ms}, pfc: {enabled: false}}", "10Gbps", 319 * unit.Millisecond, nil,
			"{s0: {buffer: 100MB}}"},
	} {
		t.Run(fmt.Sprintf("settings=%s,rate=%s,detect=%v,switches=%s", c.settings, c.rate, c.detect, c.switches),
			func(t *testing.T) {
				// The other ports are faster.
				p := plansOf(t, fmt.Sprintf(`
algorithm: fixed
topology: {kind: dumbbell, left: 2, right: 2, bottleneck_rate: %s}
switch: %s
switches: %s
traffic: [{from: h0, to: h2, size: 1MB}]
`, c.rate, c.settings, cmp.Or(c.switches, "{}")))[0]
				for _, s := range p.Switches {
					if got := s.Profile.Watchdog.Detect; got != c.detect {
						t.Errorf("%s at %s: %s detects after %v, want %v", c.settings, c.rate, s.Name, got, c.detect)
					}
				}
				if got := Analyse(p, nil).Warnings; fmt.Sprint(got) != fmt.Sprint(c.warnings) {
					t.Errorf("%s at %s: warns %q, want %q", c.settings, c.rate, got, c.warnings)
				}
			})
	}
}
