package switchd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// BenchmarkIncast moves frames from 16 ports to one, each port at a sixteenth
// of the line rate: two events a frame, arrival and end of transmission.
func BenchmarkIncast(b *testing.B) {
	c := star(17)
	s, err := New(c)
	if err != nil {
		b.Fatal(err)
	}
	out := fabric.NewOutbox(1, make([]uint8, 17))
	var hash trace.Hash
	out.Begin(0, &hash)
	frames := make([]wire.Frame, 4096)
	for i := range frames {
		frames[i] = *data(16, uint32(i))
		frames[i].Len()
	}
	next := 0
	round := func(at unit.Time) {
		for port := range 16 {
			f := &frames[next%len(frames)]
			f.TTL, f.TOS = 64, 26<<2|wire.ECT0
			next++
			s.Deliver(port, at, f.Len(), f)
		}
		s.Advance(at+us, out)
		out.Reset(0, 0)
	}
	const period = unit.Time(16 * frameTime)
	at := us
	for range 1000 {
		round(at)
		at += period
	}
	b.ReportAllocs()
	for b.Loop() {
		round(at)
		at += period
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16, "ns/frame")
}
