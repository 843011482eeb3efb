package switchd

import (
	"math"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
)

// account is what one ingress (port, class) holds of the buffer.
type account struct {
	// bytes are those in the reserve and in shared memory.
	bytes unit.Bytes
	// headroom are those in headroom. Range: 0 to the port's headroom.
	headroom unit.Bytes
}

// mmu is the memory management unit: counters over one shared buffer.
//
//	B'    = buffer - sum of headroom - sum of reserve   (shared)
//	free  = B' - used
//	T(p)  = alpha(p) x free                             (Choudhury and Hahne, eq. 1)
//
// With k equally loaded accounts each comes to rest at
// T = alpha B' / (1 + k alpha).
//
// Headroom and reserve are set aside for every lossless class of every port;
// the public simulator, which knows one lossless class, subtracts them once a
// port. A lossy class has neither.
type mmu struct {
	shared, used unit.Bytes
	// resident is the sum of all accounts, max its high-water mark.
	resident, max unit.Bytes
	// reserve is the guaranteed memory of each class.
	reserve      [profile.Classes]unit.Bytes
	resumeOffset unit.Bytes
	// paused counts accounts in XOFF, and wake is a free memory below which
	// none of them can resume but those that release memory themselves.
	paused int
	wake   unit.Bytes
}

// never is a free memory that no buffer has.
const never unit.Bytes = math.MaxInt64

// threshold returns T of a port with the given alpha.
func (m *mmu) threshold(alpha float64) unit.Bytes {
	return unit.Bytes(alpha * float64(m.shared-m.used))
}

// sharedOf returns what an account of class c holds of shared memory.
func (m *mmu) sharedOf(a *account, c uint8) unit.Bytes {
	return max(0, a.bytes-m.reserve[c&7])
}

// admit takes l bytes of class c that arrived at p into the buffer: into the
// reserve and shared memory while the account stays within its threshold, else
// into headroom, else not at all.
//
// Differs from the public simulator in two corners. A frame that fits the
// reserve is taken even when headroom is full, because the reserve is
// guaranteed. A frame is not taken into shared memory that is not there, which
// an alpha above 1 would otherwise allow.
func (m *mmu) admit(p *port, c uint8, l unit.Bytes) bool {
	c &= 7 // which spares the checks of bounds
	a := &p.ingress[c]
	if over := a.bytes + l - m.reserve[c]; over > 0 {
		inc := min(l, over)
		switch {
		case over <= m.threshold(p.alpha) && inc <= m.shared-m.used:
			m.used += inc
			a.bytes += l
		case a.headroom+l <= p.headroom[c]:
			a.headroom += l
			p.rec.Class[c].HeadroomMax = max(p.rec.Class[c].HeadroomMax, a.headroom)
		default:
			return false
		}
	} else {
		a.bytes += l
	}
	m.resident += l
	m.max = max(m.max, m.resident)
	p.rec.Class[c].IngressMax = max(p.rec.Class[c].IngressMax, a.bytes)
	return true
}

// release gives l bytes back: headroom first, then shared memory, then the
// reserve.
func (m *mmu) release(p *port, c uint8, l unit.Bytes) {
	a := &p.ingress[c&7]
	fromHeadroom := min(a.headroom, l)
	fromIngress := l - fromHeadroom
	m.used -= min(fromIngress, m.sharedOf(a, c))
	a.headroom -= fromHeadroom
	a.bytes -= fromIngress
	m.resident -= l
}

// mustPause reports whether an account asks for XOFF.
func (m *mmu) mustPause(p *port, c uint8) bool {
	a := &p.ingress[c&7]
	return a.headroom > 0 || m.sharedOf(a, c) >= m.threshold(p.alpha)
}

// mayResume reports whether a paused account may send XON. That of a DCI port has
// a threshold of its own.
func (m *mmu) mayResume(p *port, c uint8) bool {
	if p.pool != nil {
		return p.pool.mayResume(c)
	}
	a := &p.ingress[c]
	if a.headroom > 0 {
		return false
	}
	held := m.sharedOf(a, c)
	return held == 0 || held+m.resumeOffset <= m.threshold(p.alpha)
}

// expect lowers wake to the free memory at which the paused account of (p, c)
// may resume although it releases nothing itself. It errs by at most two bytes
// to the low side; mayResume decides.
func (m *mmu) expect(p *port, c uint8) {
	a := &p.ingress[c]
	if a.headroom == 0 && p.pool == nil {
		need := float64(m.sharedOf(a, c)+m.resumeOffset) / p.alpha
		m.wake = min(m.wake, unit.Bytes(need)-1)
	}
}

// pause sends XOFF for (p, c).
func (s *Switch) pause(p *port, c uint8) {
	p.xoff |= 1 << c
	s.mmu.paused++
	s.mmu.expect(p, c)
	s.announce(p, c)
}

// resumeIfDue sends XON after (p, c) released memory: for that account, and
// for any other that the freed memory lets below its threshold.
//
// Differs from the public simulator, which tests an account only when one of
// its own frames leaves: there an ingress whose last frames left while others
// filled the buffer stays paused for no reason.
func (s *Switch) resumeIfDue(p *port, c uint8) {
	m := &s.mmu
	if has(p.xoff, c) {
		if m.mayResume(p, c) {
			s.resume(p, c)
		} else {
			m.expect(p, c)
		}
	}
	if m.paused == 0 || m.shared-m.used < m.wake {
		return
	}
	m.wake = never
	for i := range s.ports {
		p := &s.ports[i]
		for rest := p.xoff; rest != 0; rest &= rest - 1 {
			c := uint8(bits.TrailingZeros8(rest))
			if m.mayResume(p, c) {
				s.resume(p, c)
			} else {
				m.expect(p, c)
			}
		}
	}
}

func (s *Switch) resume(p *port, c uint8) {
	p.xoff &^= 1 << c
	s.mmu.paused--
	if s.mmu.paused == 0 {
		s.mmu.wake = never
	}
	s.announce(p, c)
}
