package switchd

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Records returns the counters of all ports as of at, which must not lie
// before the last event handled: pauses that last count up to at, a frame
// under way counts up to at in Busy and whole in Tx, and series reach to at. The
// series are the switch's own: they grow if it goes on.
func (s *Switch) Records(at unit.Time) []record.Port {
	records := make([]record.Port, len(s.ports))
	for i := range s.ports {
		records[i] = s.ports[i].record(at)
		if s.bridge != nil {
			records[i].Bridge = s.bridge.ports[i].count
		}
	}
	return records
}

// record returns the counters of the port as of at.
func (p *port) record(at unit.Time) record.Port {
	p.closeRecord(at)
	counters := p.rec.Clone()
	counters.Storms = slices.Clone(p.watchdog.storms)
	if p.pool != nil {
		counters.PoolMax = p.pool.max
	}
	counters.Busy -= max(0, p.busyUntil.Sub(at))
	p.pauses.Close(at, &counters.Classes)
	counters.Load, counters.Held = p.load.Until(at, p.rec.Busy, p.busyUntil), p.load.HeldUntil(at)
	if over := p.meter.finish(at); !p.meter.ofTier {
		counters.Over = over
	}
	return counters
}

// closeRecord brings the records of the queues up to at, and adds up the frames that left.
func (p *port) closeRecord(at unit.Time) {
	p.rec.TxFrames, p.rec.TxBytes = p.rec.TxPFCFrames, p.rec.TxPFCBytes
	for _, q := range p.queues {
		if q == nil {
			continue
		}
		if q.rec.Depths != nil {
			q.changeStep(at)
		}
		q.rec.MaxBytes = max(q.before, q.max)
		p.rec.TxFrames += q.rec.Frames
		p.rec.TxBytes += q.rec.Bytes
	}
}

// Tiers returns the series of the tiers up to at, by number; nil if each port has its own, or nothing is recorded.
func (s *Switch) Tiers(at unit.Time) map[uint8]*record.Activity {
	tiers := map[uint8]*record.Activity{}
	for i := range s.ports {
		if m := s.ports[i].meter; m.ofTier && m.grid.On() {
			tiers[m.tier] = m.finish(at)
		}
	}
	return tiers
}

// Tell adds the switch's counts so far, and the present lengths of its queues.
func (s *Switch) Tell(t *record.Tally) {
	for i := range s.ports {
		port := &s.ports[i]
		t.AddPort(port.rec)
		t.Lossless += port.rec.Drops[fabric.DropHeadroom]
		length := unit.Bytes(0)
		for _, q := range port.queues {
			if q != nil && q.data {
				length = max(length, q.bytes)
			}
		}
		t.AddQueue(i, length)
	}
}

// Resident returns the frames in the switch and their bytes, control classes included. The bytes are frame bytes, for
// either way of counting queues.
func (s *Switch) Resident() (frames, bytes uint64) {
	frames = uint64(s.pipeline.Len())
	for i := range s.incoming {
		frames += uint64(s.incoming[i].stored.Len())
	}
	for i := range s.ports {
		for _, q := range s.ports[i].queues {
			if q != nil {
				frames += uint64(q.Len())
				bytes += uint64(q.bytes)
			}
		}
	}
	if s.accounted {
		bytes = s.residentBytes()
	}
	return frames, bytes
}

// residentBytes adds up the lengths of all frames in the switch.
func (s *Switch) residentBytes() (bytes uint64) {
	for i := range s.pipeline.Len() {
		bytes += uint64(s.pipeline.At(i).frame.Len())
	}
	for i := range s.incoming {
		for k := range s.incoming[i].stored.Len() {
			bytes += uint64(s.incoming[i].stored.At(k).frame.Len())
		}
	}
	for i := range s.ports {
		for _, q := range s.ports[i].queues {
			for k := range q.held() {
				bytes += uint64(q.At(k).frame.Len())
			}
		}
	}
	return bytes
}

// BufferMax returns the high-water mark of the shared buffer. Control classes
// bypass it, and DCI ports have memory of their own.
func (s *Switch) BufferMax() unit.Bytes { return s.mmu.max }

// InFlight calls visit for each frame that was delivered and has not arrived.
func (s *Switch) InFlight(visit func(port int, frame *wire.Frame)) { s.events.InFlight(visit) }

// Events returns how many events the switch handled.
func (s *Switch) Events() uint64 { return s.handled }

// ProximalRecord returns the record of proximal CNP here, nil if it is off.
func (s *Switch) ProximalRecord() *record.Proximal {
	if s.observer == nil {
		return nil
	}
	return s.observer.counters()
}
