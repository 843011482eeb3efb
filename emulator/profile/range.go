package profile

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Bounds of settings, each stated here alone: the reader of scenarios and the
// models that check their profiles take them from here.
const (
	// MaxAlpha bounds Switch.Alpha, whose range is above 0 to this.
	MaxAlpha = 64
	// MaxWeight bounds Switch.Weight, whose range is 1 to this.
	MaxWeight = 1000
	// MaxDSCP is the largest code point: DSCPs have 6 bits.
	MaxDSCP = 63
	// MaxCNPsAtOnce bounds Proximal.CNPs and Proximal.MaxCNPs, whose range is 1
	// to this.
	MaxCNPsAtOnce = 128
	// MaxFlowTable bounds ProximalLearning.Capacity, whose range is 1 to this.
	MaxFlowTable = 1 << 20
)

// CheckMarking returns the first fault of the curve of a marking profile, nil if there is none: thresholds that are not
// Ordered, a probability Pmax outside 0 to 1.
func CheckMarking(kmin, kmax unit.Bytes, pmax float64) error {
	switch {
	case kmin < 0:
		return fmt.Errorf("kmin is %v: allowed is 0B and above", kmin)
	case !Ordered(kmin, kmax):
		return Misordered(kmin, kmax, "")
	case !(pmax >= 0 && pmax <= 1):
		return fmt.Errorf("pmax is %v: allowed is 0 to 1", pmax)
	}
	return nil
}

// Ordered reports whether thresholds are such as a queue can have: 0 <= kmin <= kmax.
func Ordered(kmin, kmax unit.Bytes) bool { return 0 <= kmin && kmin <= kmax }

// Misordered returns the error about thresholds that are not Ordered. Kmin and kmax print as their user wrote them; at
// names the ports, such as ", at 100Gbps", and may be "".
func Misordered(kmin, kmax any, at string) error {
	return fmt.Errorf("kmin is %v, above kmax of %v%s: allowed is kmin <= kmax", kmin, kmax, at)
}
