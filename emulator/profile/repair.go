package profile

import "github.com/rocelab/rocelab/plugins/cc/unit"

// NAKRule decides when a go-back-N receiver reports a gap again.
type NAKRule uint8

// The rules.
const (
	// NAKOnce reports a gap once (IBA volume 1, 9.7.5.2.8): a repair that is lost too waits for
	// the sender's timeout.
	NAKOnce NAKRule = iota
	// NAKEachRound reports it again when the PSNs that arrive fall back: a new round of sending,
	// whose first packet was lost too.
	NAKEachRound
	// NAKEachInterval reports it again with a packet that arrives NAKInterval after the last NAK.
	NAKEachInterval
)

// NAKNames are the rules in scenarios.
var NAKNames = []string{"gap", "round", "interval"}

// RTOMode is the way in which a retransmission timeout is determined.
type RTOMode uint8

// The modes.
const (
	// RTOMeasured is max(RTOFloor, RTOFactor x the last sample of the RTT), without a backoff.
	RTOMeasured RTOMode = iota
	// RTOFixed is always RTO.AckTimeout.
	RTOFixed
	// RTOAdaptive goes through RTO.Ranges from timeout to timeout.
	RTOAdaptive
	// RTOIRN is RTO.Low while at most RTO.LowPackets are on their way, else RTO.High (Mittal et
	// al., "Revisiting Network Support for RDMA", SIGCOMM 2018, section 3.1).
	RTOIRN
)

// RTONames are the modes in scenarios.
var RTONames = []string{"measured", "fixed", "adaptive", "irn"}

// RTO is the retransmission timeout beyond what it takes from measurements.
type RTO struct {
	Mode RTOMode
	// AckTimeout is n of 4.096 us x 2^n (IBA volume 1, 9.9.2.4.2): the timeout of RTOFixed, and the
	// longest of RTOAdaptive. Range 0 to 31, 0 for none. Default 14, 67.1 ms.
	AckTimeout uint8
	// Retries is the number of timeouts that a QP survives without progress; the next ends it in error. 0 is without
	// bound. For RTOAdaptive the bound is a time, Retries x AckTimeout. Default 0.
	Retries int
	// Low, High and LowPackets are of RTOIRN. Defaults 100 us, 320 us, 3.
	Low, High  unit.Duration
	LowPackets int
	// Base is the time that RTOAdaptive multiplies by powers of 2, itself a power of 2 in us. Default 4 us, its least
	// value.
	Base unit.Duration
	// InitLow and InitSize bound the exponent of a QP's first timeout, which is drawn from InitLow
	// to InitLow + InitSize - 1. Defaults 9 and 1: 2.048 ms.
	InitLow, InitSize int
	// Ranges are 1 to 4, sorted by Low. Default one, 2.048 ms to 16.384 ms.
	Ranges []TimeoutRange
}

// TimeoutRange is a range of timeouts of RTOAdaptive, Base x 2^Low to Base x 2^(Low+Size).
type TimeoutRange struct {
	Low, Size int
	// Retries is the number of times that a timeout of the range is used before it doubles. Range 1 to 255.
	Retries int
	// Decrease is the change of the timeout on progress.
	Decrease Decrease
}

// Decrease is the change of an adaptive timeout on progress.
type Decrease uint8

// The ways down.
const (
	ToLow    Decrease = iota // to the range's least value
	ByHalf                   // to a half
	ByFourth                 // to a fourth
)

// DecreaseNames are the ways down in scenarios.
var DecreaseNames = []string{"low", "half", "fourth"}

// MostRanges is the maximum number of ranges of an adaptive timeout.
const MostRanges = 4

// ackTimeoutUnit is the timeout of n = 0.
const ackTimeoutUnit = 4096 * unit.Nanosecond

// AckTimeoutOf is 4.096 us x 2^n, the longest time for 0, with which a QP waits for ever.
func AckTimeoutOf(n uint8) unit.Duration {
	if n == 0 {
		return unit.Duration(unit.Never)
	}
	return ackTimeoutUnit << n
}

// Timeout is the adaptive timeout of an exponent.
func (r *RTO) Timeout(exponent int) unit.Duration {
	return min(r.Base<<exponent, AckTimeoutOf(r.AckTimeout))
}

// defaultRTO is a measured timeout; the settings of the other modes are there for scenarios that only name the mode.
var defaultRTO = RTO{
	AckTimeout: 14,
	Low:        100 * unit.Microsecond,
	High:       320 * unit.Microsecond,
	LowPackets: 3,
	Base:       4 * unit.Microsecond,
	InitLow:    9,
	InitSize:   1,
	Ranges:     []TimeoutRange{{Low: 9, Size: 3, Retries: 1}},
}
