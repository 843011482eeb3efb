package packet

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// BenchmarkOneWay is a frame's way from Slot at one end of a veth pair to
// Release at the other, trailer written and read, in chunks that are flushed
// and then read by the same thread: the work of both ends, no waiting.
func BenchmarkOneWay(b *testing.B) {
	for _, size := range []int{1086, 4158} { // RoCEv2 with 1 KB and 4 KB payload
		for _, chunk := range []int{1, 16, 64, 256} {
			b.Run(fmt.Sprintf("%dB/chunk%d", size, chunk), func(b *testing.B) {
				c := newCable(b, 4300)
				g := Geometry{Frame: size + TrailerLen, Receive: chunk, Send: chunk}
				from, to := c.port(c.a, g), c.port(c.b, g)
				b.ReportAllocs()
				b.ResetTimer()
				for sent := 0; sent < b.N; sent += chunk {
					oneChunk(b, from, to, size, min(chunk, b.N-sent))
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
			})
		}
	}
}

func oneChunk(b *testing.B, from, to *Port, size, n int) {
	for i := range n {
		slot, err := from.Slot()
		if err != nil {
			b.Fatal(err)
		}
		t := Trailer{Run: 1, Sequence: uint64(i), Start: unit.Time(i)}
		t.Put(slot[size:])
		from.Queue(size + TrailerLen)
	}
	if err := from.Flush(); err != nil {
		b.Fatal(err)
	}
	for range n {
		if _, _, ok := Cut(receive(b, to)); !ok {
			b.Fatal("a foreign frame")
		}
		to.Release()
	}
}

// BenchmarkPingPong is the time from sending one frame to having it back from
// another thread that waits in Await: the latency of a window of one frame.
func BenchmarkPingPong(b *testing.B) {
	c := newCable(b, 1500)
	g := Geometry{Frame: 1086, Receive: 4, Send: 4}
	near, far := c.port(c.a, g), c.port(c.b, g)
	stopped := make(chan error)
	go func() { stopped <- echo(far, b.N) }()
	b.ResetTimer()
	for range b.N {
		slot, err := near.Slot()
		if err != nil {
			b.Fatal(err)
		}
		near.Queue(len(slot))
		if err := near.Flush(); err != nil {
			b.Fatal(err)
		}
		receive(b, near)
		near.Release()
	}
	b.StopTimer()
	if err := <-stopped; err != nil {
		b.Fatal(err)
	}
}

func echo(p *Port, frames int) error {
	for range frames {
		if err := p.Await(deadline); err != nil {
			return err
		}
		slot, err := p.Slot()
		if err != nil {
			return err
		}
		n := copy(slot, p.Next())
		p.Release()
		if n == 0 {
			return fmt.Errorf("no frame within %v", deadline)
		}
		p.Queue(n)
		if err := p.Flush(); err != nil {
			return err
		}
	}
	return nil
}
