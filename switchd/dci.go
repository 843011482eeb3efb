package switchd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// pool is the memory of a DCI port, beside the shared buffer; see profile.DCI.
//
// Without PFC across the fibre it holds what goes out by the port, and what came
// in by it and goes out by a port that is none, all classes alike up to size.
//
// With PFC it holds what came in by the port. A lossless class is paused at xoff
// and may then fill its headroom; the lossy ones share what the lossless ones
// cannot claim. What goes out by the port is in the shared buffer: there its
// ingress is paused, and so the pause of the far end goes on to the leaves.
type pool struct {
	size, used, max unit.Bytes
	// lossy is what the lossy classes hold and lossyMax the most that they may.
	lossy, lossyMax unit.Bytes
	// class is what each lossless class holds.
	class [profile.Classes]unit.Bytes
	// lossless are the classes under PFC, none without it.
	lossless            uint8
	xon, xoff, headroom unit.Bytes
}

// checkDCI returns what is wrong with the settings of a DCI port.
func (c *Config) checkDCI(port int) (errs []error) {
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("port %d: DCI "+format, append([]any{port}, args...)...))
	}
	p := &c.Profile.DCI
	if p.Buffer < 0 || p.ECN.Kmin < 0 || p.ECN.Kmax < 0 || p.PFC.Headroom < 0 || p.PFC.XON < 0 {
		bad("buffer %v, Kmin %v, Kmax %v, headroom %v, XON %v: none may be negative",
			p.Buffer, p.ECN.Kmin, p.ECN.Kmax, p.PFC.Headroom, p.PFC.XON)
		return errs
	}
	d := c.Profile.DCIFor(&c.Ports[port], c.MaxFrame)
	if p.ECN.Enabled && d.Kmin > d.Kmax {
		bad("Kmin %v, Kmax %v: allowed is Kmin <= Kmax", d.Kmin, d.Kmax)
	}
	if !(p.ECN.Pmax >= 0 && p.ECN.Pmax <= 1) {
		bad("Pmax %v: allowed is 0 to 1", p.ECN.Pmax)
	}
	if d.Guaranteed() > d.Buffer {
		bad("buffer %v: %d lossless classes with XOFF at %v and headroom of %v need %v",
			d.Buffer, d.Classes, d.XOFF, d.Headroom, d.Guaranteed())
	}
	return errs
}

// initDCI makes port i a DCI port.
func (s *Switch) initDCI(i int, c *Config) {
	d := c.Profile.DCIFor(&c.Ports[i], c.MaxFrame)
	p := &s.ports[i]
	s.dci = true
	p.pool = &pool{
		size:     d.Buffer,
		lossyMax: d.Buffer - d.Guaranteed(),
		xon:      d.XON,
		xoff:     d.XOFF,
		headroom: d.Headroom,
	}
	if d.Classes > 0 {
		p.pool.lossless = s.lossless
	}
	p.pauses = link.NewPauses(p.pool.lossless)
	prof := c.Profile
	for class := range prof.ECN {
		e := &prof.ECN[class]
		e.Enabled = e.Enabled && prof.DCI.ECN.Enabled
		e.Kmin, e.Kmax, e.Pmax, e.ScaleRate = d.Kmin, d.Kmax, prof.DCI.ECN.Pmax, 0
	}
	p.marks = newMarkers(&prof, c.Ports[i].Tx.Rate)
}

// pooled reports whether a frame from in to out belongs into the memory of a DCI
// port, and notes in e of which.
func pooled(in, out *port, e *entry) bool {
	switch {
	case out.pool != nil && out.pool.lossless == 0:
		e.place = inEgressPool
	case in.pool != nil:
		e.place = inIngressPool
	}
	return e.place != inShared
}

// store takes e, on its way from port in to port out, into the memory that pooled
// chose, and asks for a pause where it is time. It returns why there is no room.
func (s *Switch) store(in, out *port, e *entry) fabric.DropReason {
	p := in
	if e.place == inEgressPool {
		p = out
	}
	mustPause, reason := p.pool.admit(e.class, unit.Bytes(e.len), &p.rec.Class)
	if mustPause && !has(in.xoff, e.class) {
		s.pause(in, e.class)
	}
	return reason
}

// admit takes l bytes of class c, and counts what lossless classes hold. It
// reports whether the class must be paused, or why there is no room.
func (m *pool) admit(c uint8, l unit.Bytes, rec *[profile.Classes]record.Class) (bool, fabric.DropReason) {
	c &= 7
	if !has(m.lossless, c) {
		if m.lossy+l > m.lossyMax {
			return false, fabric.DropDCIBuffer
		}
		m.lossy += l
		m.fill(l)
		return false, fabric.DropNone
	}
	if m.class[c]+l > m.xoff+m.headroom {
		return false, fabric.DropHeadroom
	}
	m.class[c] += l
	m.fill(l)
	held := m.class[c]
	rec[c].IngressMax = max(rec[c].IngressMax, min(held, m.xoff))
	rec[c].HeadroomMax = max(rec[c].HeadroomMax, held-m.xoff)
	return held >= m.xoff, fabric.DropNone
}

func (m *pool) fill(l unit.Bytes) {
	m.used += l
	m.max = max(m.max, m.used)
}

// release gives back the memory of e.
func (m *pool) release(e *entry) {
	l := unit.Bytes(e.len)
	m.used -= l
	if has(m.lossless, e.class) {
		m.class[e.class&7] -= l
	} else {
		m.lossy -= l
	}
}

// mayResume reports whether a paused class may send XON.
func (m *pool) mayResume(c uint8) bool { return m.class[c&7] <= m.xon }

// check compares the counters with the frames found, by class.
func (m *pool) check(found *[profile.Classes]unit.Bytes) error {
	var lossy, sum unit.Bytes
	for c, n := range found {
		sum += n
		switch {
		case !has(m.lossless, uint8(c)):
			lossy += n
		case n != m.class[c] || n > m.xoff+m.headroom:
			return fmt.Errorf("DCI class %d: %v counted of %v and headroom of %v, but frames of %v",
				c, m.class[c], m.xoff, m.headroom, n)
		}
	}
	if lossy != m.lossy || lossy > m.lossyMax || sum != m.used || sum > m.size {
		return fmt.Errorf("DCI memory: %v counted of %v, lossy %v of %v, but frames of %v, lossy %v",
			m.used, m.size, m.lossy, m.lossyMax, sum, lossy)
	}
	return nil
}
