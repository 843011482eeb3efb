package switchd

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// marker is the WRED profile of one class at ports of one rate.
type marker struct {
	atEnqueue, atDequeue bool // neither where the profile is not enabled
	kmin, kmax           unit.Bytes
	pmax                 float64
}

// newMarker scales a profile to a port of the given rate.
func newMarker(wred *profile.WRED, rate unit.BitRate) marker {
	scaled := marker{
		atEnqueue: wred.Enabled && wred.AtEnqueue,
		atDequeue: wred.Enabled && !wred.AtEnqueue,
		pmax:      wred.Pmax,
	}
	scaled.kmin, scaled.kmax = wred.At(rate)
	return scaled
}

// newMarkers returns the profiles of all classes at ports of the given rate.
func newMarkers(prof *profile.Switch, rate unit.BitRate) *[profile.Classes]marker {
	var m [profile.Classes]marker
	for c := range m {
		m[c] = newMarker(&prof.ECN[c], rate)
	}
	return &m
}

// probability returns P of a queue of q bytes:
//
//	P(q) = 0                                    q <= Kmin
//	P(q) = Pmax (q - Kmin) / (Kmax - Kmin)      Kmin < q <= Kmax
//	P(q) = 1                                    q > Kmax
//
// q is the instantaneous length; RED's average is not used.
// Source: Zhu et al., SIGCOMM 2015 (DCQCN), section 3.1.
func (m *marker) probability(q unit.Bytes) float64 {
	switch {
	case q <= m.kmin:
		return 0
	case q > m.kmax:
		return 1
	}
	return m.pmax * (float64(q-m.kmin) / float64(m.kmax-m.kmin))
}

// apply applies WRED to an entry by the length of its queue: it marks a frame that is
// ECN-capable, and reports false for one that must be dropped instead: not
// ECN-capable, in a class that is not spared. A frame that is CE already stays
// so, and no chance is drawn for it.
func (m *marker) apply(queue *queue, entry *entry, now unit.Time, spared uint8, chances *streams) bool {
	capable := false
	switch entry.frame.ECN() {
	case wire.CE:
		return true
	case wire.NotECT:
		if has(spared, entry.class) {
			return true
		}
	default:
		capable = true
		queue.rec.Markable++
	}
	if queue.bytes <= m.kmin {
		return true
	}
	if queue.rec.Congested == 0 {
		queue.rec.Congested = now
		queue.meter.passedKmin(queue, now)
	}
	if queue.bytes <= m.kmax && !(queue.draw(chances) < m.probability(queue.bytes)) {
		return true
	}
	if capable {
		entry.frame.MarkCE()
		queue.rec.Marked++
		queue.meter.mark(now)
	}
	return capable
}
