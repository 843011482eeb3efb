package device

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// BenchmarkOneWay is a frame's way from Send at one end of a veth pair to Release at the other, in
// batches that are sent and then read by the same thread: the work of both ends, no waiting.
func BenchmarkOneWay(b *testing.B) {
	for _, size := range []int{60, 1514, 4114} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			c := newCable(b, 4100)
			from, to := c.port(Default(4100)), c.hostPort(Default(4100))
			frame := numbered(size, 1)
			b.ReportAllocs()
			b.ResetTimer()
			for sent := 0; sent < b.N; sent += batch {
				n := min(batch, b.N-sent)
				for range n {
					from.Send(frame)
				}
				from.Flush()
				for range n {
					await(b, to)
					to.Release()
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}

// BenchmarkSuperFrame is the way of a super-frame of 43 pieces from the host's end to the last Release:
// queued, copied, cut, with all checksums. The host's part of it is one system call.
func BenchmarkSuperFrame(b *testing.B) {
	const pieces = 43
	c := newCable(b, 1500)
	p, sender := c.port(Default(1500)), c.hostPort(Default(1500))
	super := newSuper(1440, pieces)
	handed := super.handedOver()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if err := unix.Send(sender.Descriptor(), handed, 0); err != nil {
			b.Fatal(err)
		}
		for range pieces {
			await(b, p)
			p.Release()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*pieces), "ns/piece")
}
