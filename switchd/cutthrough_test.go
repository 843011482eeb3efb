package switchd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// headerTime is the time of the shortest frame at 100 Gb/s, 84 B on the wire.
const headerTime = 6720 * unit.Picosecond

// A frame that comes as the egress is idle leaves when its header is through the latency; one that finds it paused,
// sending or faster leaves as if the switch stored every frame. Mutants: the egress's rate is not asked for, a pause is
// not, or the rest of the frame is not waited for.
func TestFramesAreCutThrough(t *testing.T) {
	for _, latency := range []unit.Duration{0, 400 * unit.Nanosecond} {
		t.Run(fmt.Sprintf("latency=%v", latency), func(t *testing.T) {
			for _, c := range []struct {
				name string
				cut  bool
				rate unit.BitRate
				busy func(b *bench)
			}{
				{"idle", true, 100 * unit.Gbps, func(*bench) {}},
				{"slower", true, 50 * unit.Gbps, func(*bench) {}},
				{"faster", false, 200 * unit.Gbps, func(*bench) {}},
				{"paused", false, 100 * unit.Gbps, func(b *bench) {
					b.arrive(1, 2*us, pfc(200, 3)) // 1.024 us at 100 Gb/s
				}},
			} {
				config := star(2)
				config.Profile.CutThrough, config.Profile.Latency = true, latency
				config.Ports[1].Tx.Rate = c.rate
				b := newBench(t, config)
				b.checked = true
				c.busy(b)
				header := 2*us + ns
				b.arrive(0, header, data(1, 0))
				b.run(4 * us)
				want := header.Add(latency)
				if !c.cut {
					want = want.Add(frameTime - headerTime)
				}
				if c.name == "paused" {
					want = 2*us + 1024*ns
				}
				if len(b.sent) != 1 || b.sent[0].Start != want {
					t.Errorf("%s, latency %v: sent %v, want one at %v", c.name, latency, b.sent, want)
				}
			}
		})
	}
}

// Windows are as long as without cut-through, so nothing may act on the switch earlier than the shortest frame could.
func TestHeadersKeepTheLookahead(t *testing.T) {
	config := star(2)
	config.Profile.CutThrough = true
	b := newBench(t, config)
	frame := data(1, 0)
	if at, least := b.s.Deliver(0, 0, frame.Len(), frame), config.Ports[0].Lookahead(); at != unit.Time(least) {
		t.Errorf("a header acts after %v, the lookahead is %v", at, least)
	}
}
