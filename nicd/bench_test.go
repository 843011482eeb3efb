package nicd

import (
	"runtime"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// BenchmarkPair is one packet and its ACK between two NICs: its sending,
// arrival, acknowledgement and the ACK's arrival, runner included.
func BenchmarkPair(b *testing.B) {
	for _, c := range []struct {
		name    string
		flows   int
		signals cc.Signals
	}{{"one", 1, cc.Signals{}}, {"hundred", 100, cc.Signals{}}, {"delay", 1, cc.Signals{Acks: true, OneWayDelay: true}}} {
		b.Run(c.name, func(b *testing.B) {
			p := newPair(b, profile.DefaultNIC())
			for range c.flows {
				p.add(flow{stop: at(1000 * unit.Second)},
					&script{signals: c.signals, handle: func(e *cc.Event, d *cc.Decision) { d.Window = 50000 }})
			}
			const packet = 86560 * unit.Picosecond
			p.run(at(ms))
			b.ReportAllocs()
			b.ResetTimer()
			p.run(at(ms + unit.Duration(b.N)*packet))
			b.ReportMetric(float64(p.a.events+p.b.events)/float64(p.a.port.record.TxFrames), "events/packet")
		})
	}
}

// Once warm, frames move without allocation.
func TestNoAllocation(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	for range 20 {
		p.add(flow{stop: at(unit.Second)}, &script{signals: cc.Signals{Acks: true, OneWayDelay: true},
			handle: func(e *cc.Event, d *cc.Decision) { d.Window = 20000 }})
	}
	p.run(at(2 * ms))
	until := at(2 * ms)
	if n := testing.AllocsPerRun(10, func() { until = until.Add(100 * us); p.run(until) }); n > 0 {
		t.Errorf("%v allocations per 100 us", n)
	}
}

// A NIC with a flow is small: a fabric has thousands.
func TestFootprint(t *testing.T) {
	const count = 200
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	pairs := make([]*pair, count)
	out := newPair(t, profile.DefaultNIC()).out
	for i := range pairs {
		pairs[i] = newPair(t, profile.DefaultNIC())
		pairs[i].out = out
		pairs[i].add(flow{size: 100 * unit.KB}, &script{signals: cc.Signals{Acks: true, OneWayDelay: true}})
		pairs[i].run(at(100 * us))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	perNIC := (after.HeapAlloc - before.HeapAlloc) / (2 * count)
	t.Logf("%d B a NIC", perNIC)
	if perNIC > 40000 {
		t.Errorf("%d B a NIC, want at most 40000", perNIC)
	}
	runtime.KeepAlive(pairs)
}
