package switchd

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Records returns the counters of all ports as of at, which must not lie
// before the last event handled: pauses that last count up to at, a frame
// under way counts up to at in Busy and whole in Tx, and series reach to at.
func (s *Switch) Records(at unit.Time) []record.Port {
	records := make([]record.Port, len(s.ports))
	for i := range s.ports {
		records[i] = s.ports[i].record(at)
	}
	return records
}

// record returns the counters of the port as of at.
func (p *port) record(at unit.Time) record.Port {
	counters := *p.rec
	counters.Storms = slices.Clone(p.watchdog.storms)
	if p.pool != nil {
		counters.PoolMax = p.pool.max
	}
	counters.Busy -= max(0, p.busyUntil.Sub(at))
	p.pauses.Close(at, &counters.Class)
	for q := range counters.Queue {
		counters.Queue[q].MaxBytes = p.queues[q].max
		if d := &counters.Queue[q].Depth; len(d.Bins) > 0 {
			d.Bins = slices.Clone(d.Bins)
			extendDepth(&counters.Queue[q], p.queues[q].bytes, at)
		}
	}
	return counters
}

// Resident returns the frames in the switch and their bytes, control classes
// included.
func (s *Switch) Resident() (frames, bytes uint64) {
	frames = uint64(s.pipeline.Len())
	for i := range s.ports {
		for q := range s.ports[i].queues {
			frames += uint64(s.ports[i].queues[q].Len())
			bytes += uint64(s.ports[i].queues[q].bytes)
		}
	}
	return frames, bytes
}

// BufferMax returns the high-water mark of the shared buffer. Control classes
// bypass it, and DCI ports have memory of their own.
func (s *Switch) BufferMax() unit.Bytes { return s.mmu.max }

// InFlight calls visit for each frame that was delivered and has not arrived.
func (s *Switch) InFlight(visit func(port int, frame *wire.Frame)) { s.events.InFlight(visit) }

// Events returns how many events the switch handled.
func (s *Switch) Events() uint64 { return s.handled }

// ProximalRecord returns what proximal CNP did here, nil where it is off.
func (s *Switch) ProximalRecord() *record.Proximal {
	if s.observer == nil {
		return nil
	}
	return s.observer.counters()
}
