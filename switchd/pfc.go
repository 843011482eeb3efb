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

// newAsker returns the asker of a port that sends at the given rate.
func newAsker(pfc *profile.PFC, rate unit.BitRate) *asker {
	a := &asker{quanta: pfc.Quanta}
	if pfc.Enabled {
		a.every = max(1, unit.Duration(pfc.Refresh*float64(link.PauseTime(pfc.Quanta, rate))))
	}
	return a
}

// fill has a frame tell the state of classes, of which those in xoff are asked to
// pause: XOFF with the full pause time, XON with time 0. A brief pause has a time
// of its own. It counts them, and returns the classes whose pause must be sent
// again.
func (a *asker) fill(frame *wire.Frame, classes, xoff uint8, rec *[profile.Classes]record.Class) (again uint8) {
	frame.ClassEnable = classes
	for rest := classes; rest != 0; rest &= rest - 1 {
		class := bits.TrailingZeros8(rest)
		brief := a.brief[class]
		a.brief[class] = 0
		switch {
		case has(xoff, uint8(class)):
			frame.Pause[class] = a.quanta
			again |= 1 << class
		case brief != 0:
			frame.Pause[class] = brief
		default:
			rec[class].SentXON++
			a.refresh[class].Clear()
			continue
		}
		rec[class].SentXOFF++
	}
	return again
}

// announce lets the next PFC frame of a port tell the state of a class. The
// frame goes out after the one under way, before all queues; if the state
// changes meanwhile it tells the newer one.
func (s *Switch) announce(port *port, class uint8) {
	port.pending |= 1 << class
	s.startIfFree(port)
}

// sendPause sends one PFC frame for all pending classes, and arms the refresh of
// those that are to stay paused.
func (s *Switch) sendPause(port *port) {
	frame := s.out.New()
	frame.SetPFC(wire.NodeMAC(s.id, port.index), 0, 0)
	again := port.asker.fill(frame, port.pending, port.xoff, &port.rec.Class)
	for rest := again; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros8(rest)
		s.arm(port, &port.asker.refresh[c], s.now.Add(port.asker.every), timerRefresh, uint8(c))
	}
	port.pending = 0
	l := frame.Len()
	port.rec.TxPFCFrames++
	port.rec.TxPFCBytes += uint64(l)
	s.transmit(port, frame, l)
}

// receivePause obeys a PFC frame: each enabled class is paused for its time
// from now on, whatever remained of an earlier one, and resumed by time 0;
// classes that are not enabled keep their state. Only classes that are lossless
// on the port obey. The frame ends here.
func (s *Switch) receivePause(port *port, ev *event.Event) {
	frame := ev.Frame
	port.rec.RxPFCFrames++
	port.rec.RxPFCBytes += uint64(frame.Len())
	for rest := frame.ClassEnable; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		time := link.PauseTime(frame.Pause[c], port.rx.Rate())
		switch port.pauses.Receive(c, time, s.now, &port.rec.Class[c]) {
		case link.Held:
			s.arm(port, &port.expiry[c], port.pauses.Until(c), timerExpiry, c)
			s.block(port)
		case link.Released:
			s.released(port, c)
		}
	}
	s.out.Free(frame)
}

// unhold ends the pause of a class, whose time is over.
func (s *Switch) unhold(port *port, class uint8) {
	port.pauses.Release(class, s.now, &port.rec.Class[class])
	s.released(port, class)
}

// released lets a class send again, the pause of which has ended.
func (s *Switch) released(port *port, class uint8) {
	port.expiry[class].Clear()
	if qi := s.queueOf[class]; has(port.storm, qi) {
		s.arm(port, &port.watchdog.due[qi], s.now.Add(s.watchdog.Restore), timerWatch, qi)
	}
	s.block(port)
	s.startIfFree(port)
}

// block works out which queues may not send. A queue that carries several
// classes may not while any of them is paused.
func (s *Switch) block(port *port) {
	blocked := uint8(0)
	for rest := port.pauses.Held(); rest != 0; rest &= rest - 1 {
		blocked |= 1 << s.queueOf[bits.TrailingZeros8(rest)]
	}
	blocked &^= port.storm
	changed := blocked ^ port.blocked
	port.blocked = blocked
	for rest := changed & port.busy; rest != 0; rest &= rest - 1 {
		qi := uint8(bits.TrailingZeros8(rest))
		if has(blocked, qi) {
			s.watchStalled(port, qi)
		} else if !has(port.storm, qi) {
			port.watchdog.due[qi].Clear()
		}
	}
}
