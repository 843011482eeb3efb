package switchd

import (
	"math"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// account is what one ingress (port, class) holds of the buffer.
type account struct {
	// bytes are those in the reserve and in shared memory.
	bytes unit.Bytes
	// headroom are those in headroom. Range: 0 to the port's headroom.
	headroom unit.Bytes
}

// ingress is what came in at a port, as PFC and the memory management unit see
// it.
type ingress struct {
	// alpha is the port's share of the free memory. Range: above 0.
	alpha float64
	// xoff are the classes that the peer was asked to pause, as bits.
	xoff     uint8
	accounts [profile.Classes]account
	// headroom is what each class may hold beyond its threshold.
	headroom [profile.Classes]unit.Bytes
	// pool is the memory of a DCI port; nil at any other.
	pool *pool
	// highest keeps the high-water marks of the accounts.
	highest *[profile.Classes]record.Class
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

// admit takes l bytes of class c that arrived at a port into the buffer: into the
// reserve and shared memory while the account stays within its threshold, else
// into headroom, else not at all.
//
// Differs from the public simulator in two corners. A frame that fits the
// reserve is taken even when headroom is full, because the reserve is
// guaranteed. A frame is not taken into shared memory that is not there, which
// an alpha above 1 would otherwise allow.
func (m *mmu) admit(in *ingress, c uint8, l unit.Bytes) bool {
	c &= 7 // which spares the checks of bounds
	a := &in.accounts[c]
	if over := a.bytes + l - m.reserve[c]; over > 0 {
		inc := min(l, over)
		switch {
		case over <= m.threshold(in.alpha) && inc <= m.shared-m.used:
			m.used += inc
			a.bytes += l
		case a.headroom+l <= in.headroom[c]:
			a.headroom += l
			in.highest[c].HeadroomMax = max(in.highest[c].HeadroomMax, a.headroom)
		default:
			return false
		}
	} else {
		a.bytes += l
	}
	m.resident += l
	m.max = max(m.max, m.resident)
	in.highest[c].IngressMax = max(in.highest[c].IngressMax, a.bytes)
	return true
}

// release gives l bytes back: headroom first, then shared memory, then the
// reserve.
func (m *mmu) release(in *ingress, c uint8, l unit.Bytes) {
	a := &in.accounts[c&7]
	fromHeadroom := min(a.headroom, l)
	fromIngress := l - fromHeadroom
	m.used -= min(fromIngress, m.sharedOf(a, c))
	a.headroom -= fromHeadroom
	a.bytes -= fromIngress
	m.resident -= l
}

// mustPause reports whether an account asks for XOFF.
func (m *mmu) mustPause(in *ingress, c uint8) bool {
	a := &in.accounts[c&7]
	return a.headroom > 0 || m.sharedOf(a, c) >= m.threshold(in.alpha)
}

// mayResume reports whether a paused account may send XON. That of a DCI port has
// a threshold of its own.
func (m *mmu) mayResume(in *ingress, c uint8) bool {
	if in.pool != nil {
		return in.pool.mayResume(c)
	}
	a := &in.accounts[c]
	if a.headroom > 0 {
		return false
	}
	held := m.sharedOf(a, c)
	return held == 0 || held+m.resumeOffset <= m.threshold(in.alpha)
}

// expect lowers wake to the free memory at which the paused account of (in, c)
// may resume although it releases nothing itself. It errs by at most two bytes
// to the low side; mayResume decides.
func (m *mmu) expect(in *ingress, c uint8) {
	a := &in.accounts[c]
	if a.headroom == 0 && in.pool == nil {
		need := float64(m.sharedOf(a, c)+m.resumeOffset) / in.alpha
		m.wake = min(m.wake, unit.Bytes(need)-1)
	}
}

// pause notes that class c of an ingress is asked to pause.
func (m *mmu) pause(in *ingress, c uint8) {
	in.xoff |= 1 << c
	m.paused++
	m.expect(in, c)
}

// resumes reports whether a paused account may send XON, and notes that it does;
// one that may not is waited for.
func (m *mmu) resumes(in *ingress, c uint8) bool {
	if !m.mayResume(in, c) {
		m.expect(in, c)
		return false
	}
	in.xoff &^= 1 << c
	m.paused--
	if m.paused == 0 {
		m.wake = never
	}
	return true
}

// resumesOthers reports whether the free memory has reached what some paused
// account waits for, which is never where none is. Its caller then asks all of
// them.
func (m *mmu) resumesOthers() bool {
	if m.shared-m.used < m.wake {
		return false
	}
	m.wake = never
	return true
}
