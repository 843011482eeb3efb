package switchd

import (
	"math"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// account is the volume of one ingress (port, class) in the buffer, and its record.
type account struct {
	// bytes are those in the reserve and in shared memory.
	bytes unit.Bytes
	// headroom are those in headroom. Range: 0 to the port's headroom.
	headroom unit.Bytes
	rec      record.Class
}

// ingress is the ingress side of a port, as PFC and the memory management unit see it.
type ingress struct {
	// alpha is the port's share of the free memory. Range: above 0.
	alpha float64
	// xoff are the classes that the peer was asked to pause, as bits.
	xoff uint8
	// lossless are the classes, as bits, that may each hold the volume headroom beyond their threshold; others may not.
	lossless uint8
	headroom unit.Bytes
	// accounts are by class, nil for a class never used.
	accounts [profile.Classes]*account
	// pool is the memory of a DCI port; nil at any other.
	pool *pool
	// classes has the records of the accounts.
	classes *record.Classes
}

// account returns the account of a class, made at first use.
func (in *ingress) account(class uint8) *account {
	if a := in.accounts[class&7]; a != nil {
		return a
	}
	return in.makeAccount(class & 7)
}

func (in *ingress) makeAccount(class uint8) *account {
	a := new(account)
	in.accounts[class] = a
	in.classes.Put(class, &a.rec)
	return a
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
	// paused counts accounts in XOFF, and wake is a free memory below which none of them can resume except accounts
	// that release memory themselves.
	paused int
	wake   unit.Bytes
}

// never is a free memory larger than any buffer.
const never unit.Bytes = math.MaxInt64

// threshold returns T of a port with the given alpha.
func (m *mmu) threshold(alpha float64) unit.Bytes {
	return unit.Whole[unit.Bytes](alpha * float64(m.shared-m.used))
}

// sharedOf returns what an account of a class holds of shared memory.
func (m *mmu) sharedOf(account *account, class uint8) unit.Bytes {
	return max(0, account.bytes-m.reserve[class&7])
}

// admit takes length bytes of a class that arrived at a port into the buffer: into the
// reserve and shared memory while the account stays within its threshold, else
// into headroom, else not at all.
//
// Differs from the public simulator in two corners. A frame that fits the
// reserve is taken even when headroom is full, because the reserve is
// guaranteed. A frame is not taken into shared memory that is not there, which
// an alpha above 1 would otherwise allow.
func (m *mmu) admit(in *ingress, class uint8, length unit.Bytes) bool {
	account := in.account(class)
	if over := account.bytes + length - m.reserve[class&7]; over > 0 {
		inc := min(length, over)
		switch {
		case over <= m.threshold(in.alpha) && inc <= m.shared-m.used:
			m.used += inc
			account.bytes += length
		case has(in.lossless, class) && account.headroom+length <= in.headroom:
			account.headroom += length
			account.rec.HeadroomMax = max(account.rec.HeadroomMax, account.headroom)
		default:
			return false
		}
	} else {
		account.bytes += length
	}
	m.resident += length
	m.max = max(m.max, m.resident)
	account.rec.IngressMax = max(account.rec.IngressMax, account.bytes)
	return true
}

// release gives length bytes back: headroom first, then shared memory, then the
// reserve.
func (m *mmu) release(in *ingress, class uint8, length unit.Bytes) {
	a := in.accounts[class&7]
	fromHeadroom := min(a.headroom, length)
	fromIngress := length - fromHeadroom
	m.used -= min(fromIngress, m.sharedOf(a, class))
	a.headroom -= fromHeadroom
	a.bytes -= fromIngress
	m.resident -= length
}

// mustPause reports whether an account asks for XOFF.
func (m *mmu) mustPause(in *ingress, class uint8) bool {
	a := in.accounts[class&7]
	return a.headroom > 0 || m.sharedOf(a, class) >= m.threshold(in.alpha)
}

// mayResume reports whether a paused account may send XON. An account of a DCI port
// has its own threshold.
func (m *mmu) mayResume(in *ingress, class uint8) bool {
	if in.pool != nil {
		return in.pool.mayResume(class)
	}
	a := in.accounts[class&7]
	if a.headroom > 0 {
		return false
	}
	held := m.sharedOf(a, class)
	return held == 0 || held+m.resumeOffset <= m.threshold(in.alpha)
}

// expectResume lowers wake to the free memory at which the paused account of (in, class) may resume although it does
// not release anything itself. It errs by at most two bytes to the low side; mayResume decides.
func (m *mmu) expectResume(in *ingress, class uint8) {
	if in.pool != nil {
		return
	}
	if a := in.accounts[class&7]; a.headroom == 0 {
		need := float64(m.sharedOf(a, class)+m.resumeOffset) / in.alpha
		m.wake = min(m.wake, unit.Whole[unit.Bytes](need)-1)
	}
}

// pause notes that a class of an ingress is asked to pause.
func (m *mmu) pause(in *ingress, class uint8) {
	in.xoff |= 1 << class
	m.paused++
	m.expectResume(in, class)
}

// tryResume reports whether a paused account may send XON, and notes that it does;
// one that may not is waited for.
func (m *mmu) tryResume(in *ingress, class uint8) bool {
	if !m.mayResume(in, class) {
		m.expectResume(in, class)
		return false
	}
	in.xoff &^= 1 << class
	m.paused--
	if m.paused == 0 {
		m.wake = never
	}
	return true
}

// othersMayResume reports whether the free memory has reached the level that some paused account waits for; it never
// has if none is paused. The caller then asks all of them.
func (m *mmu) othersMayResume() bool {
	if m.shared-m.used < m.wake {
		return false
	}
	m.wake = never
	return true
}
