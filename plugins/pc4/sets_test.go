package pc4

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Parameters have the values that Resolved reports: given as they are resolved, all settings are the same. And it
// reports all parameters that have no default, except a fixed target, which has no value, and one of hai and ai as
// rates or as shares: the pair that counts.
func TestResolved(t *testing.T) {
	settingsOf := func(given map[string]string) (*controller, settings) {
		params, err := hosting.Parse(Algorithm{}.Describe(), given)
		if err != nil {
			t.Fatal(err)
		}
		made, err := Algorithm{}.New(params)
		if err != nil {
			t.Fatal(err)
		}
		return made.(*controller), made.(*controller).settings
	}
	for _, text := range []string{
		"set=evidence", "set=printed",
		"set=literal", "set=keep-share", "set=earlier",
		"set=return-to-base", "set=earlier beta=0.7 cwnd_update=indent pull=0.25",
		"set=printed base_rate=false", "set=printed hai=3Gbps ai_share=0.25 cwnd_rtt=measured zero_reading=literal",
		"set=return-to-base tq_noise=3.5 tq_path=0.5 sub_gain=1 above=0.5 max_mdf=0.125", "set=earlier cwnd_rtt=base",
		"set=printed hai_share=0",
	} {
		made, want := settingsOf(given(text))
		resolved := made.Resolved()
		all := maps.Clone(resolved)
		maps.Copy(all, given(text))
		if _, got := settingsOf(all); got != want {
			t.Errorf("%s resolves to %v:\n%+v, want\n%+v", text, resolved, got, want)
		}
		without := []string{"target_qtime"}
		for _, name := range []string{"hai", "ai"} {
			if _, ok := resolved[name]; ok {
				name += "_share"
			}
			without = append(without, name)
		}
		if !want.baseRate {
			without = append(without, "pull", "above", "pull_below", "band", "keep", "hold")
		}
		for _, param := range (Algorithm{}).Describe().Params {
			_, known := resolved[param.Name]
			if known != (param.Default == "" && !slices.Contains(without, param.Name)) {
				t.Errorf("%s: %s, with the default %q, is resolved: %v", text, param.Name, param.Default, known)
			}
		}
	}
}

// The sets' constants, as decisions record them.
func TestSets(t *testing.T) {
	want := map[string]map[string]string{
		"evidence": {"hai_share": "0.1", "ai_share": "0.02", "beta": "0.6", "max_mdf": "0.25", "sub_gain": "0.5",
			"pull":       "0",
			"pull_below": "0",
			"above":      "1", "band": "0", "keep": "0", "hold": "0s",
			"tq_noise": "2", "tq_path": "0", "cwnd_rtt": "unqueued", "cwnd_update": "always",
			"zero_band": "100ns"},
		"earlier": {"hai_share": "0.05", "ai_share": "0.01", "beta": "0.8", "max_mdf": "0.5", "sub_gain": "0",
			"pull":       "0",
			"pull_below": "0",
			"above":      "1", "band": "0", "keep": "0", "hold": "0s",
			"tq_noise": "0", "tq_path": "1", "cwnd_rtt": "base", "cwnd_update": "changed",
			"zero_band": "100ns"},
	}
	want["printed"] = want["evidence"]
	want["literal"], want["return-to-base"] = maps.Clone(want["evidence"]), maps.Clone(want["evidence"])
	maps.Copy(want["return-to-base"], map[string]string{"pull": "0.05", "pull_below": "0.05", "above": "0.1"})
	want["keep-share"] = maps.Clone(want["evidence"])
	maps.Copy(want["keep-share"], map[string]string{"pull": "0.05", "above": "0.1", "band": "0.15", "keep": "0.35",
		"hold": "50us"})
	maps.Copy(want["literal"], map[string]string{"tq_noise": "0", "tq_path": "1", "sub_gain": "0", "cwnd_rtt": "measured"})
	for set, values := range want {
		t.Run(set, func(t *testing.T) {
			if got := control(t, "set="+set).Resolved(); !maps.Equal(got, values) {
				t.Errorf("%s: %v, want %v", set, got, values)
			}
		})
	}
}

// The target of set evidence: 1 us, or 2 sqrt(N) packets of 1098 B at 100 Gb/s, 87.84 ns
// each; with tq_path in proportion to a power of the path's length.
func TestTargetOfManyFlows(t *testing.T) {
	for _, c := range []struct {
		params   string
		baseline float64
		n        int
		want     float64 // us
	}{
		{"", 2.2, 1, 1}, {"", 2.2, 25, 1}, {"", 8.8, 25, 1}, {"", 2.2, 100, 1.7568}, {"", 8.8, 10_000, 17.568},
		{"tq_noise=1", 2.2, 10_000, 8.784}, {"tq0=3us", 2.2, 100, 3},
		{"tq_path=1", 4.4, 1, 2}, {"tq_path=0.5", 8.8, 1, 2}, {"tq_path=0.5", 8.8, 100, 3.5136},
	} {
		t.Run(fmt.Sprintf("params=%s,baseline=%v,n=%v", c.params, c.baseline, c.n), func(t *testing.T) {
			f := cctest.Facts()
			f.Baseline = us(c.baseline)
			s := start(t, "set=printed "+c.params, f)
			s.baseRecorded = 100 * unit.Gbps / unit.BitRate(c.n)
			near(t, c.params, s.targetQtime()/1e6, c.want)
		})
	}
}

// Below a window of one packet steps are multiplied by the window's power: 1/4 of a
// packet and the square root make them half as large, up and down.
func TestSubGain(t *testing.T) {
	for _, c := range []struct {
		params    string
		cwnd, owd float64 // packets, us
		want      float64
	}{
		{"sub_gain=0.5", 0.25, 0, 50e9 + 1e9},          // half of hai 0.1 x 20 Gb/s
		{"sub_gain=0.5", 0.25, 0.5, 50e9 + 0.2e9},      // half of ai 0.02 x 20 Gb/s
		{"sub_gain=0.5", 0.25, 50, 50e9 * (1 - 0.125)}, // half of max_mdf
		{"sub_gain=1", 0.25, 0, 50e9 + 0.5e9},
		{"sub_gain=0", 0.25, 0, 50e9 + 2e9},
		{"sub_gain=0.5", 1, 0, 50e9 + 2e9},
		{"sub_gain=0.5", 4, 0, 50e9 + 2e9},
		{"sub_gain=0.5 pull=0.5", 0.25, 0, 50e9 + 0.5*(2e9-15e9)},
	} {
		t.Run(fmt.Sprintf("params=%s,cwnd=%v,owd=%v", c.params, c.cwnd, c.owd), func(t *testing.T) {
			s := start(t, "set=printed target_qtime=1us "+c.params, cctest.Facts())
			s.txRate, s.baseRecorded = 50e9, 20*unit.Gbps
			s.cwnd = c.cwnd * s.mtu
			near(t, c.params, s.adjustedRate(us(c.owd)), c.want)
		})
	}
}

// The extension: pull takes back a share of the distance to the base rate at each
// adjustment, above makes ai smaller from the base rate on, and hai not.
func TestReturnToBase(t *testing.T) {
	for _, c := range []struct {
		params    string
		rate, owd float64 // Gb/s, us
		want      float64
	}{
		{"set=return-to-base", 18e9, 0.5, 18e9 + 0.4e9 + 0.1e9}, // ai, and 5 % of 2 Gb/s
		{"set=return-to-base", 20e9, 0.5, 20e9 + 0.04e9},        // at the base rate: a tenth of ai
		{"set=return-to-base", 30e9, 0.5, 30e9 + 0.04e9 - 0.5e9},
		{"set=return-to-base", 30e9, 0, 30e9 + 2e9 - 0.5e9}, // hai is whole
		{"set=return-to-base", 30e9, 50, 30e9*0.75 - 0.5e9},
		{"set=printed", 30e9, 0.5, 30e9 + 0.4e9}, // as printed: nothing of it
		{"set=printed above=0", 30e9, 0.5, 30e9},
	} {
		t.Run(fmt.Sprintf("params=%s,rate=%v,owd=%v", c.params, c.rate, c.owd), func(t *testing.T) {
			s := start(t, "target_qtime=1us "+c.params, cctest.Facts())
			s.txRate, s.baseRecorded = c.rate, 20*unit.Gbps
			near(t, c.params, s.adjustedRate(us(c.owd)), c.want)
		})
	}
	s := start(t, "set=return-to-base", cctest.Facts()) // no base rate yet: nothing to return to
	near(t, "before the first ACK", s.adjustedRate(0), 100e9)
}

// The target of set literal: 1 us / N, in proportion to the path, however small. Tier: -short. Red: with a floor.
func TestLiteralTarget(t *testing.T) {
	for _, c := range []struct {
		baseline float64
		n        int
		want     float64 // us
	}{{2.2, 1, 1}, {2.2, 16, 0.0625}, {4.4, 16, 0.125}, {2.2, 5000, 0.0002}} {
		t.Run(fmt.Sprintf("baseline=%v,n=%v", c.baseline, c.n), func(t *testing.T) {
			f := cctest.Facts()
			f.Baseline = us(c.baseline)
			s := start(t, "set=literal", f)
			s.baseRecorded = 100 * unit.Gbps / unit.BitRate(c.n)
			near(t, "target", s.targetQtime()/1e6, c.want)
		})
	}
}

// The extension of keep-share: rates far above the base rate are drawn back, those around it are not, and no decrease
// takes one below 0.35 of it. Tier: -short. Red: without band, without keep.
func TestKeepShare(t *testing.T) {
	for _, c := range []struct{ rate, owd, want float64 }{ // Gb/s, us
		{18e9, 0.5, 18e9 + 0.4e9},                // below: ai, and nothing is pulled
		{22e9, 0.5, 22e9 + 0.4e9},                // within 15 % above
		{30e9, 0.5, 30e9 + 0.04e9 - 0.05*7e9},    // beyond: a tenth of ai, and 5 % of the 7 Gb/s beyond
		{8e9, 50, 7e9},                           // 0.75 x 8 would be 6
		{40e9, 50, 40e9*0.75 - 0.05*(40e9-23e9)}, // the same cut as ever
	} {
		t.Run(fmt.Sprintf("rate=%v", c.rate), func(t *testing.T) {
			s := start(t, "target_qtime=1us set=keep-share", cctest.Facts())
			s.txRate, s.baseRecorded = c.rate, 20*unit.Gbps
			near(t, "rate", s.adjustedRate(us(c.owd)), c.want)
		})
	}
}

// Below half of the base rate a window of keep-share is of the measured RTT, up to 50 us more than the base one; above
// it the queue counts as little as ever. Tier: -short. Red: without hold, without its bound.
func TestKeepShareWindow(t *testing.T) {
	for _, c := range []struct{ rate, rtt, want float64 }{ // Gb/s, us; us of RTT
		{40e9, 24.19, 24.19}, {40e9, 154.19, 54.19}, {60e9, 24.19, 4.19},
	} {
		t.Run(fmt.Sprintf("rate=%v,rtt=%v", c.rate, c.rtt), func(t *testing.T) {
			s := start(t, "set=keep-share", cctest.Facts())
			s.baseRecorded, s.txRate = 100*unit.Gbps, c.rate
			s.lastRTT, s.unqueuedRTT = us(c.rtt), s.baseRTT
			s.makeWindow()
			near(t, "RTT of the window, us", s.cwndRTT/1e6-float64(s.baseRTT)/1e6, c.want-4.19)
		})
	}
}

// The window of an RTT without the wait of data: the ACK's delay counts, the queue that the same ACK reports does not,
// and a clock that is behind does not make it longer than the RTT.
func TestUnqueuedRTT(t *testing.T) {
	for _, c := range []struct {
		rtt, owd float64 // us
		window   unit.Bytes
	}{
		{10, 5, 31_250},                  // 50e9 x 5 us / 8
		{10, 0, 62_500},                  // all of it on the ACK's way
		{10, -3, 62_500},                 //
		{4.3, 1, 26_187}, {4, 0, 26_187}, // at least the base RTT, 4.19 us
	} {
		t.Run(fmt.Sprintf("rtt=%v,owd=%v", c.rtt, c.owd), func(t *testing.T) {
			s := start(t, "set=printed", cctest.Facts())
			s.ack(10, 0, c.owd, c.rtt, 50*unit.Gbps)
			if s.d.Window != c.window {
				t.Errorf("rtt %v owd %v: window %d, want %d", c.rtt, c.owd, s.d.Window, c.window)
			}
		})
	}
	s := start(t, "set=printed", cctest.Facts())
	s.ack(10, 0, 0, 4.19, 50*unit.Gbps)
	s.ack(11, 1, 1, 9.19, 50*unit.Gbps) // cwnd_update always: within the interval too
	if s.d.Rate != 50*unit.Gbps || s.d.Window != 51_187 {
		t.Errorf("%+v, want a window of 8.19 us at an unchanged rate", s.d)
	}
	s.ack(12, 2, 1, 0, 50*unit.Gbps) // an ACK without a sample changes nothing
	if s.d.Window != 51_187 {
		t.Errorf("window %d after an ACK without an RTT", s.d.Window)
	}
}

// In the literal reading no rate becomes NaN, at any setting.
func TestLiteralSingularityBelowAPacket(t *testing.T) {
	s := start(t, "set=return-to-base zero_reading=literal target_qtime=1us", cctest.Facts())
	s.baseRecorded, s.cwnd = unit.Gbps, 1
	s.setRate(s.adjustedRate(-unit.Duration(s.baseline)))
	if math.IsNaN(s.txRate) || s.txRate < 1e6 || s.txRate > 100e9 {
		t.Errorf("tx_rate %v", s.txRate)
	}
}
