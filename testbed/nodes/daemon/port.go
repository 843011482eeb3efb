package daemon

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// frameTimeout is the time limit for a frame that its sender announced. On a veth pair it is there when the sender's
// system call returns, or a little later when the kernel is busy.
const frameTimeout = 5 * time.Second

// port is a port of a hosted node on its socket.
type port struct {
	*Port
	name       string // of the node
	deliver    func(start unit.Time, f *wire.Frame)
	attachment *fabric.Attachment
	in         fabric.LinkID // the direction in which it receives
	io         *packet.Port
	trailer    packet.Trailer // of the next frame to send
	// mostPending is the number of frames that may wait in the far end's ring for an event of its owner: as many as fit
	// in one window.
	mostPending uint64
	// any is set if foreign frames may come: the plan has edges.
	any bool

	taken   uint64 // frames of the run read, in sequence
	early   []early
	foreign uint64

	hasSent bool      // it sent in this window
	first   unit.Time // earliest arrival of what it sent in this window
}

// early is a frame that overtook another.
type early struct {
	sequence uint64
	start    unit.Time
	frame    *wire.Frame
}

// send puts a frame into the ring.
func (p *port) send(d *fabric.Departure) error {
	slot, err := p.io.Slot()
	if err != nil {
		return fmt.Errorf("link %s: %w", p.Link, err)
	}
	n := len(d.Frame.AppendTo(slot[:0]))
	p.trailer.Start = d.Start
	p.trailer.Put(slot[n:])
	p.trailer.Sequence++
	p.io.Queue(n + packet.TrailerLen)
	if !p.hasSent {
		p.hasSent = true
		p.first = p.attachment.ActsAt(d.Start, d.Frame)
	}
	return nil
}

// flush puts the ring's frames on the wire, and then announces them.
func (p *port) flush(m *lockstep.Member, page *lockstep.Page, horizon unit.Time) error {
	p.hasSent = false
	if err := p.io.Flush(); err != nil {
		return fmt.Errorf("link %s: %w", p.Link, err)
	}
	link := p.attachment.Link
	m.Announce(link, p.trailer.Sequence)
	m.Alert(p.Peer, p.first)
	// A receiver that has no event for a while must still empty its ring.
	if p.trailer.Sequence-page.Taken(link) > p.mostPending {
		m.Alert(p.Peer, horizon)
	}
	return nil
}

// ringWindows is the number of windows of shortest frames that a receive ring has room for: frames left before the
// receiver is woken, frames sent in the window that wakes it, and frames sent while it reads; and one to spare.
const ringWindows = 4

// Slots returns the size of the receive ring of a link's end: see ringWindows.
func Slots(a *fabric.Attachment, lookahead unit.Duration) int {
	return ringWindows * inWindow(a.Rx.Rate, a, lookahead)
}

// inWindow bounds the frames that a link of that rate carries in one window.
func inWindow(r unit.BitRate, a *fabric.Attachment, lookahead unit.Duration) int {
	return int(lookahead/r.SerialTime(a.Accounting.ShortestFrame())) + 2
}

// receive delivers the announced frames, in the order of the link. It returns
// early, without an error, when the run is aborted.
func (p *port) receive(m *lockstep.Member, page *lockstep.Page, out *fabric.Outbox) error {
	want := page.Announced(p.in)
	if p.taken == want {
		return nil
	}
	for p.taken < want {
		b := p.io.Next()
		if b == nil {
			if gone, err := p.await(page); err != nil || gone {
				return err
			}
			continue
		}
		err := p.read(b, out)
		p.io.Release()
		if err != nil {
			return err
		}
	}
	m.Took(p.in, p.taken)
	return nil
}

// await waits for a frame that must come.
func (p *port) await(page *lockstep.Page) (gone bool, err error) {
	const slice = 100 * time.Millisecond
	for waited := time.Duration(0); waited < frameTimeout; waited += slice {
		if err := p.io.Await(slice); err != nil {
			return false, fmt.Errorf("link %s: %w", p.Link, err)
		}
		if p.io.Next() != nil {
			return false, nil
		}
		if page.Aborted() {
			return true, nil
		}
	}
	s, _ := p.io.Statistics()
	return false, fmt.Errorf("link %s: of %d frames sent to %s:%d, %d arrived; the others did not within %v (%d "+
		"dropped by the ring, %d foreign frames): lost between the daemons",
		p.Link, page.Announced(p.in), p.name, p.Number, p.taken+uint64(len(p.early)), frameTimeout, s.Drops, p.foreign)
}

// read takes one frame off the wire.
func (p *port) read(b []byte, out *fabric.Outbox) error {
	bytes, t, ok := packet.Cut(b)
	if !ok || t.Run != p.trailer.Run {
		p.foreign++
		return nil
	}
	if t.Sequence < p.taken || slices.ContainsFunc(p.early, func(e early) bool { return e.sequence == t.Sequence }) {
		return p.duplicateError(t)
	}
	f, err := p.decode(bytes, out)
	if err != nil {
		return fmt.Errorf("link %s: frame %d, of %d B: %w", p.Link, t.Sequence, len(bytes), err)
	}
	if t.Sequence != p.taken {
		p.early = append(p.early, early{t.Sequence, t.Start, f})
		return nil
	}
	p.deliver(t.Start, f)
	p.taken++
	for len(p.early) > 0 {
		i := slices.IndexFunc(p.early, func(e early) bool { return e.sequence == p.taken })
		if i < 0 {
			break
		}
		p.deliver(p.early[i].start, p.early[i].frame)
		p.early = slices.Delete(p.early, i, i+1)
		p.taken++
	}
	return nil
}

// decode reads a frame of the run.
func (p *port) decode(b []byte, out *fabric.Outbox) (*wire.Frame, error) {
	if p.any {
		if f := out.Decode(b); f != nil {
			return f, nil
		}
		return nil, errors.New("no frame is that long")
	}
	f := out.New()
	if err := wire.Decode(b, f); err != nil {
		return nil, err
	}
	if f.Rare != nil { // its payload lies in the ring
		f.Rare.Payload = slices.Clone(f.Rare.Payload)
	}
	return f, nil
}

// drain checks the frames in the ring at the end of a run, when all frames of the run have been read.
func (p *port) drain() error {
	for b := p.io.Next(); b != nil; b = p.io.Next() {
		_, t, ok := packet.Cut(b)
		p.io.Release()
		if ok && t.Run == p.trailer.Run {
			return p.duplicateError(t)
		}
		p.foreign++
	}
	return nil
}

func (p *port) duplicateError(t packet.Trailer) error {
	return fmt.Errorf("link %s: frame %d came twice", p.Link, t.Sequence)
}
