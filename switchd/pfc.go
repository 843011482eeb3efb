package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// pauseFrame is a PFC frame, for its length.
var pauseFrame = wire.Frame{EtherType: wire.EtherTypeMACControl}

// pauseTime is how long quanta of pause last on a link of rate r: 512 bit
// times each (IEEE 802.3 annex 31B.2).
func pauseTime(quanta uint16, r unit.BitRate) unit.Duration {
	const quantum unit.Bytes = 512 / 8
	return r.SerialTime(unit.Bytes(quanta) * quantum)
}

// announce lets the next PFC frame of port pi tell the state of class c. The
// frame goes out after the one under way, before all queues; if the state
// changes meanwhile it tells the newer one.
func (s *Switch) announce(pi int, c uint8, now unit.Time, out *fabric.Outbox) {
	s.ports[pi].pending |= 1 << c
	s.kick(pi, now, out)
}

// sendPause sends one PFC frame for all pending classes, XOFF with the full
// pause time, XON with time 0, and arms the refresh of the former.
func (s *Switch) sendPause(pi int, now unit.Time, out *fabric.Outbox) {
	p := &s.ports[pi]
	f := out.New()
	f.SetPFC(wire.NodeMAC(s.id, pi), 0, 0)
	f.ClassEnable = p.pending
	for rest := p.pending; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros8(rest)
		if p.xoff&(1<<c) == 0 {
			p.rec.Class[c].SentXON++
			p.refresh[c].at = 0
			continue
		}
		f.Pause[c] = s.quanta
		p.rec.Class[c].SentXOFF++
		s.arm(&p.refresh[c], now.Add(p.refreshEvery), pi, timerRefresh, uint8(c))
	}
	p.pending = 0
	l := f.Len()
	p.rec.TxPFCFrames++
	p.rec.TxPFCBytes += uint64(l)
	s.transmit(pi, f, l, now, out)
}

// refreshPause sends XOFF again for a class that is still congested, before
// the peer's pause runs out.
func (s *Switch) refreshPause(pi int, c uint8, now unit.Time, out *fabric.Outbox) {
	if s.ports[pi].xoff&(1<<c) != 0 {
		s.announce(pi, c, now, out)
	}
}

// receivePause obeys a PFC frame: each enabled class is paused for its time
// from now on, whatever remained of an earlier one, and resumed by time 0;
// classes that are not enabled keep their state. Only lossless classes obey.
// The frame ends here.
func (s *Switch) receivePause(e *event.Event, out *fabric.Outbox) {
	p := &s.ports[e.Port]
	f := e.Frame
	p.rec.RxPFCFrames++
	p.rec.RxPFCBytes += uint64(f.Len())
	for rest := f.ClassEnable; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		xoff := f.Pause[c] != 0
		if xoff {
			p.rec.Class[c].ReceivedXOFF++
		} else {
			p.rec.Class[c].ReceivedXON++
		}
		switch {
		case s.lossless&(1<<c) == 0:
		case xoff:
			s.hold(e.Port, c, e.At, e.At.Add(pauseTime(f.Pause[c], p.rx.rate)))
		case p.held&(1<<c) != 0:
			s.unhold(e.Port, c, e.At, out)
		}
	}
	out.Free(f)
}

// hold pauses class c of port pi until the given time.
func (s *Switch) hold(pi int, c uint8, now, until unit.Time) {
	p := &s.ports[pi]
	if p.held&(1<<c) == 0 {
		p.held |= 1 << c
		p.heldSince[c] = now
	}
	p.heldUntil[c] = until
	s.arm(&p.expiry[c], until, pi, timerExpiry, c)
	s.block(pi, now)
}

// unhold ends the pause of class c of port pi, by XON or by time.
func (s *Switch) unhold(pi int, c uint8, now unit.Time, out *fabric.Outbox) {
	p := &s.ports[pi]
	p.held &^= 1 << c
	p.heldUntil[c] = now
	p.expiry[c].at = 0
	p.rec.Class[c].Paused += now.Sub(p.heldSince[c])
	if qi := s.queueOf[c]; p.storm&(1<<qi) != 0 {
		s.arm(&p.watch[qi], now.Add(s.watchdog.Restore), pi, timerWatch, qi)
	}
	s.block(pi, now)
	s.kick(pi, now, out)
}

// block works out which queues may not send. A queue that carries several
// classes stands while any of them is paused.
func (s *Switch) block(pi int, now unit.Time) {
	p := &s.ports[pi]
	blocked := uint8(0)
	for rest := p.held; rest != 0; rest &= rest - 1 {
		blocked |= 1 << s.queueOf[bits.TrailingZeros8(rest)]
	}
	blocked &^= p.storm
	changed := blocked ^ p.blocked
	p.blocked = blocked
	for rest := changed & p.busy; rest != 0; rest &= rest - 1 {
		qi := uint8(bits.TrailingZeros8(rest))
		if blocked&(1<<qi) != 0 {
			s.stand(pi, qi, now)
		} else if p.storm&(1<<qi) == 0 {
			p.watch[qi].at = 0
		}
	}
}
