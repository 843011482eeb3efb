package switchd

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// marker is the WRED profile of one class at ports of one rate.
type marker struct {
	atEnqueue, atDequeue bool // neither where the profile is not enabled
	kmin, kmax           unit.Bytes
	pmax                 float64
}

// newMarker scales w to a port of rate r.
func newMarker(w *profile.WRED, r unit.BitRate) marker {
	m := marker{
		atEnqueue: w.Enabled && w.AtEnqueue,
		atDequeue: w.Enabled && !w.AtEnqueue,
		kmin:      w.Kmin,
		kmax:      w.Kmax,
		pmax:      w.Pmax,
	}
	if w.ScaleRate > 0 {
		m.kmin = w.Kmin.Scale(int64(r), int64(w.ScaleRate))
		m.kmax = w.Kmax.Scale(int64(r), int64(w.ScaleRate))
	}
	return m
}

// newMarkers returns the profiles of all classes at ports of rate r.
func newMarkers(p *profile.Switch, r unit.BitRate) *[profile.Classes]marker {
	var m [profile.Classes]marker
	for c := range m {
		m[c] = newMarker(&p.ECN[c], r)
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

// pass applies WRED to e by the length of its queue q: it marks a frame that is
// ECN-capable, and reports false for one that must be dropped instead: not
// ECN-capable, in a class that is not spared. A frame that is CE already stays
// so, and no chance is drawn for it.
func (m *marker) pass(q *queue, e *entry, now unit.Time, spared uint8, chances *streams) bool {
	capable := false
	switch e.frame.ECN() {
	case wire.CE:
		return true
	case wire.NotECT:
		if has(spared, e.class) {
			return true
		}
	default:
		capable = true
		q.rec.Markable++
	}
	if q.bytes <= m.kmin {
		return true
	}
	if q.rec.Congested == 0 {
		q.rec.Congested = now
	}
	if q.bytes <= m.kmax && !(q.draw(chances) < m.probability(q.bytes)) {
		return true
	}
	if capable {
		e.frame.MarkCE()
		q.rec.Marked++
	}
	return capable
}
