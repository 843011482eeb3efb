package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// pauseTime is how long quanta of pause last on a link of rate r: 512 bit
// times each (IEEE 802.3 annex 31B.2).
func pauseTime(quanta uint16, r unit.BitRate) unit.Duration {
	const quantum unit.Bytes = 512 / 8
	return r.SerialTime(unit.Bytes(quanta) * quantum)
}

// announce lets the next PFC frame of port p tell the state of class c. The
// frame goes out after the one under way, before all queues; if the state
// changes meanwhile it tells the newer one.
func (s *Switch) announce(p *port, c uint8) {
	p.pending |= 1 << c
	s.kick(p)
}

// sendPause sends one PFC frame for all pending classes, XOFF with the full
// pause time, XON with time 0, and arms the refresh of the former. A brief pause
// has a time of its own and no refresh.
func (s *Switch) sendPause(p *port) {
	f := s.out.New()
	f.SetPFC(wire.NodeMAC(s.id, p.index), 0, 0)
	f.ClassEnable = p.pending
	for rest := p.pending; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros8(rest)
		brief := p.brief[c]
		p.brief[c] = 0
		if p.xoff&(1<<c) == 0 && brief != 0 {
			f.Pause[c] = brief
			p.rec.Class[c].SentXOFF++
			continue
		}
		if p.xoff&(1<<c) == 0 {
			p.rec.Class[c].SentXON++
			p.refresh[c].at = 0
			continue
		}
		f.Pause[c] = s.quanta
		p.rec.Class[c].SentXOFF++
		s.arm(p, &p.refresh[c], s.now.Add(p.refreshEvery), timerRefresh, uint8(c))
	}
	p.pending = 0
	l := f.Len()
	p.rec.TxPFCFrames++
	p.rec.TxPFCBytes += uint64(l)
	s.transmit(p, f, l)
}

// refreshPause sends XOFF again for a class that is still congested, before
// the peer's pause runs out.
func (s *Switch) refreshPause(p *port, c uint8) {
	if p.xoff&(1<<c) != 0 {
		s.announce(p, c)
	}
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
		xoff := f.Pause[c] != 0
		if xoff {
			p.rec.Class[c].ReceivedXOFF++
		} else {
			p.rec.Class[c].ReceivedXON++
		}
		switch {
		case p.lossless&(1<<c) == 0:
		case xoff:
			s.hold(p, c, s.now.Add(pauseTime(f.Pause[c], p.rx.rate)))
		case p.held&(1<<c) != 0:
			s.unhold(p, c)
		}
	}
	s.out.Free(f)
}

// hold pauses class c of port p until the given time.
func (s *Switch) hold(p *port, c uint8, until unit.Time) {
	if p.held&(1<<c) == 0 {
		p.held |= 1 << c
		p.heldSince[c] = s.now
	}
	p.heldUntil[c] = until
	s.arm(p, &p.expiry[c], until, timerExpiry, c)
	s.block(p)
}

// unhold ends the pause of class c of port p, by XON or by time.
func (s *Switch) unhold(p *port, c uint8) {
	p.held &^= 1 << c
	p.heldUntil[c] = s.now
	p.expiry[c].at = 0
	p.rec.Class[c].Paused += s.now.Sub(p.heldSince[c])
	if qi := s.queueOf[c]; p.storm&(1<<qi) != 0 {
		s.arm(p, &p.watch[qi], s.now.Add(s.watchdog.Restore), timerWatch, qi)
	}
	s.block(p)
	s.kick(p)
}

// block works out which queues may not send. A queue that carries several
// classes stands while any of them is paused.
func (s *Switch) block(p *port) {
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
			s.stand(p, qi)
		} else if p.storm&(1<<qi) == 0 {
			p.watch[qi].at = 0
		}
	}
}
