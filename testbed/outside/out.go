package outside

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/testbed/pace"
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

// SendDue sends what is due by an instant on the wall. It returns how many frames
// that were.
func (p *Port) SendDue(now int64) (sent int) {
	for !p.queue.Empty() {
		first := p.queue.First()
		due := p.setup.Clock.Wall(first.due)
		if due > now {
			break
		}
		p.count.Lateness.Add(pace.Now() - due)
		p.setup.Device.Send(first.frame)
		p.free = append(p.free, first.frame)
		p.queue.RemoveFirst()
		sent++
	}
	p.count.Sent += uint64(sent)
	return sent
}
