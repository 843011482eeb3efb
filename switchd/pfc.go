package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// pfcSender makes the PFC frames with which a port asks its peer to pause.
type pfcSender struct {
	// quanta is the time of a pause that is renewed while it lasts, and refreshAfter the age at which it is sent again.
	quanta       uint16
	refreshAfter unit.Duration
	// brief is, by class, the time of a pause that is sent once and not renewed,
	// 0 for none.
	brief [profile.Classes]uint16
	// refresh is, by class, when its pause is sent again.
	refresh deadlines
}

// newPFCSender returns the PFC sender of a port that sends at the given rate.
func newPFCSender(pfc *profile.PFC, rate unit.BitRate) *pfcSender {
	p := &pfcSender{quanta: pfc.Quanta}
	if pfc.Enabled {
		p.refreshAfter = max(1, unit.Whole[unit.Duration](pfc.Refresh*float64(link.PauseTime(pfc.Quanta, rate))))
	}
	return p
}

// fillFrame writes the state of classes into a frame. The classes that are to pause are asked to: XOFF with the full
// pause time, and XON with time 0 for the others. A brief pause has its own time. It counts them, and returns the
// classes whose pause must be sent again.
func (p *pfcSender) fillFrame(frame *wire.Frame, classes uint8, in *ingress) uint8 {
	again := uint8(0)
	frame.ClassEnable = classes
	for rest := classes; rest != 0; rest &= rest - 1 {
		class := uint8(bits.TrailingZeros8(rest))
		rec, brief := &in.account(class).rec, p.brief[class]
		p.brief[class] = 0
		switch {
		case has(in.xoff, class):
			frame.Pause[class] = p.quanta
			again |= 1 << class
		case brief != 0:
			frame.Pause[class] = brief
		default:
			rec.SentXON++
			p.refresh.clear(class)
			continue
		}
		rec.SentXOFF++
	}
	return again
}

// silence takes back all that is to be sent.
func (p *pfcSender) silence() {
	p.brief = [profile.Classes]uint16{}
	p.refresh.clearAll()
}

// queuePFC puts the state of a class into the next PFC frame of a port. The
// frame goes out after the one under way, before all queues; if the state
// changes meanwhile it has the newer one. A port whose link is down sends none.
func (s *Switch) queuePFC(port *port, class uint8) {
	if port.down {
		return
	}
	port.pfcPending |= 1 << class
	s.startIfFree(port)
}

// sendPause sends one PFC frame for all pending classes, and arms the refresh of the classes that are to stay paused.
func (s *Switch) sendPause(port *port) {
	frame := s.out.New()
	frame.SetPFC(wire.NodeMAC(s.id, port.index), 0, 0)
	again := port.pfc.fillFrame(frame, port.pfcPending, &port.ingress)
	for rest := again; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		s.arm(port, port.pfc.refresh.of(c), s.now.Add(port.pfc.refreshAfter), timerRefresh, c)
	}
	port.pfcPending = 0
	l := frame.Len()
	if s.now >= port.meter.End {
		port.meter.close(s.now)
	}
	port.rec.TxPFCFrames++
	port.rec.TxPFCBytes += uint64(l)
	s.transmit(port, frame, l)
}

// receivePause obeys a PFC frame: each enabled class is paused for its time from now on, in place of the rest of an
// earlier pause, and resumed by time 0; classes that are not enabled keep their state. Only classes that are lossless
// on the port obey. The frame ends here.
func (s *Switch) receivePause(port *port, ev *event.Event) {
	frame := ev.Frame
	port.rec.RxPFCFrames++
	port.rec.RxPFCBytes += uint64(frame.Len())
	held := bits.OnesCount8(port.pauses.Held())
	for rest := frame.ClassEnable; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		time := link.PauseTime(frame.Pause[c], port.rx.RateAt(s.now))
		switch port.pauses.Receive(c, time, s.now, &port.account(c).rec) {
		case link.Held:
			s.arm(port, port.expiry.of(c), port.pauses.Until(c), timerExpiry, c)
			s.updateBlocked(port)
		case link.Pending:
			s.arm(port, port.expiry.of(c), port.pauses.Since(c), timerExpiry, c)
		case link.Released:
			s.pauseEnded(port, c)
		}
	}
	port.hold(bits.OnesCount8(port.pauses.Held())-held, s.now)
	s.out.Free(frame)
}

// pauseDue lets the pause of a class begin, or ends it when its time is over.
func (s *Switch) pauseDue(port *port, class uint8) {
	if port.pauses.Begin(class, s.now) {
		port.hold(1, s.now)
		s.arm(port, port.expiry.of(class), port.pauses.Until(class), timerExpiry, class)
		s.updateBlocked(port)
		return
	}
	if !has(port.pauses.Held(), class) { // what was to begin was taken back
		return
	}
	port.pauses.Release(class, s.now, &port.account(class).rec)
	port.hold(-1, s.now)
	s.pauseEnded(port, class)
}

// hold counts by how many classes more are held from now on; a negative number means fewer.
func (p *port) hold(more int, now unit.Time) {
	p.meter.hold(more, now)
	p.load.Hold(more, now)
}

// pauseEnded lets a class send again after the end of its pause.
func (s *Switch) pauseEnded(port *port, class uint8) {
	port.expiry.clear(class)
	if qi := s.queueOf[class]; has(port.storm, qi) {
		s.arm(port, port.watchdog.due.of(qi), s.now.Add(port.watchdog.profile.Restore), timerWatch, qi)
	}
	s.updateBlocked(port)
	s.startIfFree(port)
}

// updateBlocked works out which queues may not send. A queue that carries several
// classes may not while any of them is paused.
func (s *Switch) updateBlocked(port *port) {
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
			port.watchdog.due.clear(qi)
		}
	}
}
