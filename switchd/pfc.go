package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// asker makes the PFC frames by which a port asks its peer to pause.
type asker struct {
	// quanta is the time of a pause that is renewed while it lasts, and every
	// the age at which it is sent again.
	quanta uint16
	every  unit.Duration
	// brief is, by class, the time of a pause that is sent once and not renewed,
	// 0 for none.
	brief [profile.Classes]uint16
	// refresh is, by class, when its pause is sent again.
	refresh [profile.Classes]link.Deadline
}

// newAsker returns the asker of a port that sends at rate r.
func newAsker(p *profile.PFC, r unit.BitRate) *asker {
	a := &asker{quanta: p.Quanta}
	if p.Enabled {
		a.every = max(1, unit.Duration(p.Refresh*float64(link.PauseTime(p.Quanta, r))))
	}
	return a
}

// fill has f tell the state of classes, of which those in xoff are asked to
// pause: XOFF with the full pause time, XON with time 0. A brief pause has a time
// of its own. It counts them, and returns the classes whose pause must be sent
// again.
func (a *asker) fill(f *wire.Frame, classes, xoff uint8, rec *[profile.Classes]record.Class) (again uint8) {
	f.ClassEnable = classes
	for rest := classes; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros8(rest)
		brief := a.brief[c]
		a.brief[c] = 0
		switch {
		case has(xoff, uint8(c)):
			f.Pause[c] = a.quanta
			again |= 1 << c
		case brief != 0:
			f.Pause[c] = brief
		default:
			rec[c].SentXON++
			a.refresh[c].Clear()
			continue
		}
		rec[c].SentXOFF++
	}
	return again
}

// announce lets the next PFC frame of port p tell the state of class c. The
// frame goes out after the one under way, before all queues; if the state
// changes meanwhile it tells the newer one.
func (s *Switch) announce(p *port, c uint8) {
	p.pending |= 1 << c
	s.startIfFree(p)
}

// sendPause sends one PFC frame for all pending classes, and arms the refresh of
// those that are to stay paused.
func (s *Switch) sendPause(p *port) {
	f := s.out.New()
	f.SetPFC(wire.NodeMAC(s.id, p.index), 0, 0)
	again := p.asker.fill(f, p.pending, p.xoff, &p.rec.Class)
	for rest := again; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros8(rest)
		s.arm(p, &p.asker.refresh[c], s.now.Add(p.asker.every), timerRefresh, uint8(c))
	}
	p.pending = 0
	l := f.Len()
	p.rec.TxPFCFrames++
	p.rec.TxPFCBytes += uint64(l)
	s.transmit(p, f, l)
}

// receivePause obeys a PFC frame: each enabled class is paused for its time
// from now on, whatever remained of an earlier one, and resumed by time 0;
// classes that are not enabled keep their state. Only classes that are lossless
// on the port obey. The frame ends here.
func (s *Switch) receivePause(p *port, e *event.Event) {
	f := e.Frame
	p.rec.RxPFCFrames++
	p.rec.RxPFCBytes += uint64(f.Len())
	for rest := f.ClassEnable; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		time := link.PauseTime(f.Pause[c], p.rx.Rate())
		switch p.pauses.Receive(c, time, s.now, &p.rec.Class[c]) {
		case link.Held:
			s.arm(p, &p.expiry[c], p.pauses.Until(c), timerExpiry, c)
			s.block(p)
		case link.Released:
			s.released(p, c)
		}
	}
	s.out.Free(f)
}

// unhold ends the pause of class c of port p, whose time is over.
func (s *Switch) unhold(p *port, c uint8) {
	p.pauses.Release(c, s.now, &p.rec.Class[c])
	s.released(p, c)
}

// released lets a class send again, the pause of which has ended.
func (s *Switch) released(p *port, c uint8) {
	p.expiry[c].Clear()
	if qi := s.queueOf[c]; has(p.storm, qi) {
		s.arm(p, &p.watchdog.due[qi], s.now.Add(s.watchdog.Restore), timerWatch, qi)
	}
	s.block(p)
	s.startIfFree(p)
}

// block works out which queues may not send. A queue that carries several
// classes may not while any of them is paused.
func (s *Switch) block(p *port) {
	blocked := uint8(0)
	for rest := p.pauses.Held(); rest != 0; rest &= rest - 1 {
		blocked |= 1 << s.queueOf[bits.TrailingZeros8(rest)]
	}
	blocked &^= p.storm
	changed := blocked ^ p.blocked
	p.blocked = blocked
	for rest := changed & p.busy; rest != 0; rest &= rest - 1 {
		qi := uint8(bits.TrailingZeros8(rest))
		if has(blocked, qi) {
			s.watchStalled(p, qi)
		} else if !has(p.storm, qi) {
			p.watchdog.due[qi].Clear()
		}
	}
}
