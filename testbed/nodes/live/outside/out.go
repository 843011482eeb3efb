package outside

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// Outward takes a copy of a frame that will leave, when its last bit is due there.
// Frames of one edge are due one after the other.
func (p *Port) Outward(due unit.Time, f *wire.Frame) {
	var room []byte
	if n := len(p.free); n > 0 {
		room = p.free[n-1]
		p.free = p.free[:n-1]
	}
	p.queue.Push(departure{due, f.AppendTo(room[:0])})
}

// together is the most frames that are given to the device for one call of the kernel:
// the last one of them is later than was counted by what the others take, some tens of
// microseconds.
const together = 16

// SendDue sends the frames due by an instant on the wall. It returns their number.
func (p *Port) SendDue(now int64) (sent int) {
	for {
		n := p.gather(now)
		if n == 0 {
			return sent
		}
		call := pace.Now()
		p.setup.Device.Flush()
		for range n {
			leaving := p.queue.Pop()
			p.count.Lateness.Add(call - p.setup.Clock.Wall(leaving.due))
			p.free = append(p.free, leaving.frame)
		}
		p.count.Sent += uint64(n)
		sent += n
	}
}

// gather gives frames that are due to the device, and returns their number.
func (p *Port) gather(now int64) (n int) {
	for n < min(together, p.queue.Len()) {
		leaving := p.queue.At(n)
		if p.setup.Clock.Wall(leaving.due) > now {
			break
		}
		p.setup.Device.Send(leaving.frame)
		n++
	}
	return n
}
