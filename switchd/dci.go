package switchd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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
	// lossy is the volume of the lossy classes and lossyMax its bound.
	lossy, lossyMax unit.Bytes
	// class is the volume of each lossless class.
	class [profile.Classes]unit.Bytes
	// lossless are the classes under PFC, none without it.
	lossless            uint8
	xon, xoff, headroom unit.Bytes
}

// checkDCI returns the faults in the settings of a DCI port.
func (c *Config) checkDCI(port int) (errs []error) {
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("port %d: DCI "+format, append([]any{port}, args...)...))
	}
	dci := &c.Profile.DCI
	if dci.Buffer < 0 || dci.ECN.Kmin < 0 || dci.ECN.Kmax < 0 || dci.PFC.Headroom < 0 || dci.PFC.XON < 0 {
		bad("buffer %v, Kmin %v, Kmax %v, headroom %v, XON %v: none may be negative",
			dci.Buffer, dci.ECN.Kmin, dci.ECN.Kmax, dci.PFC.Headroom, dci.PFC.XON)
		return errs
	}
	d := c.Profile.DCIFor(&c.Ports[port], c.MaxFrame)
	if err := profile.CheckMarking(d.Kmin, d.Kmax, dci.ECN.Pmax); dci.ECN.Enabled && err != nil {
		bad("%w", err)
	}
	if !d.Fits() {
		bad("buffer %v: %d lossless classes with XOFF at %v and headroom of %v need %v",
			d.Buffer, d.Classes, d.XOFF, d.Headroom, d.Guaranteed())
	}
	return errs
}

// initDCI makes port i a DCI port.
func (s *Switch) initDCI(i int, config *Config) {
	dci := config.Profile.DCIFor(&config.Ports[i], config.MaxFrame)
	port := &s.ports[i]
	s.hasDCI = true
	port.pool = &pool{
		size:     dci.Buffer,
		lossyMax: dci.Buffer - dci.Guaranteed(),
		xon:      dci.XON,
		xoff:     dci.XOFF,
		headroom: dci.Headroom,
	}
	if dci.Classes > 0 {
		port.pool.lossless = s.lossless
	}
	prof := *config.Profile.OfPort(i)
	response := profile.ResponseAt(prof.PauseResponse, config.Ports[i].Rx.Rate)
	port.pauses = link.NewPauses(port.pool.lossless, response)
	for class := range prof.ECN {
		e := &prof.ECN[class]
		e.Enabled = e.Enabled && prof.DCI.ECN.Enabled
		e.Kmin, e.Kmax, e.Pmax, e.ScaleRate = dci.Kmin, dci.Kmax, prof.DCI.ECN.Pmax, 0
	}
	port.marks = newMarkers(&prof, config.Ports[i].Tx.Rate)
}

// assignPool reports whether a frame from in to out belongs into the memory of a DCI port, and records in the entry
// which one.
func assignPool(in, out *port, entry *entry) bool {
	switch {
	case out.pool != nil && out.pool.lossless == 0:
		entry.place = inEgressPool
	case in.pool != nil:
		entry.place = inIngressPool
	}
	return entry.place != inShared
}

// storeInPool takes an entry, on its way from port in to port out, into the memory that assignPool chose, and asks for
// a pause if it is time. It returns the reason if there is no room.
func (s *Switch) storeInPool(in, out *port, entry *entry) fabric.DropReason {
	p := in
	if entry.place == inEgressPool {
		p = out
	}
	mustPause, reason := p.pool.admit(entry.class, unit.Bytes(entry.len), &p.account(entry.class).rec)
	if mustPause && !has(in.xoff, entry.class) {
		s.pause(in, entry.class)
	}
	return reason
}

// admit takes length bytes of a class, and counts what lossless classes hold. It
// reports whether the class must be paused, or why there is no room.
func (m *pool) admit(class uint8, length unit.Bytes, rec *record.Class) (bool, fabric.DropReason) {
	class &= 7
	if !has(m.lossless, class) {
		if m.lossy+length > m.lossyMax {
			return false, fabric.DropDCIBuffer
		}
		m.lossy += length
		m.fill(length)
		return false, fabric.DropNone
	}
	if m.class[class]+length > m.xoff+m.headroom {
		return false, fabric.DropHeadroom
	}
	m.class[class] += length
	m.fill(length)
	held := m.class[class]
	rec.IngressMax = max(rec.IngressMax, min(held, m.xoff))
	rec.HeadroomMax = max(rec.HeadroomMax, held-m.xoff)
	return held >= m.xoff, fabric.DropNone
}

func (m *pool) fill(length unit.Bytes) {
	m.used += length
	m.max = max(m.max, m.used)
}

// release gives back the memory of an entry.
func (m *pool) release(entry *entry) {
	l := unit.Bytes(entry.len)
	m.used -= l
	if has(m.lossless, entry.class) {
		m.class[entry.class&7] -= l
	} else {
		m.lossy -= l
	}
}

// mayResume reports whether a paused class may send XON.
func (m *pool) mayResume(class uint8) bool { return m.class[class&7] <= m.xon }

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
