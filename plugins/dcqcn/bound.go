package dcqcn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// bound limits the payload in flight; the zero value does not.
type bound struct {
	on, byRate bool
	rtt        unit.Duration // 0 for the flow's base RTT
}

// readBound reads the window.
func readBound(params cc.Params) (bound, error) {
	fixed, byRate := params.Choice("window") == "fixed", params.Choice("window") == "rate"
	if !fixed && !byRate && params.Duration("window_rtt") > 0 {
		return bound{}, &cc.ParamError{Param: "window_rtt", Problem: "has no meaning with window off, allowed is window " +
			"fixed or rate"}
	}
	return bound{fixed || byRate, byRate, params.Duration("window_rtt")}, nil
}

// of returns the window of a flow at line rate, 0 for none.
func (b *bound) of(facts cc.Facts) unit.Bytes {
	switch {
	case !b.on:
		return 0
	case b.rtt > 0:
		return max(facts.LineRate.BytesIn(b.rtt), 1)
	}
	return max(facts.LineRate.BytesIn(facts.BaseRTT), 1)
}

// inFlight returns how much may be in flight, of a flow with a window.
func (r *rates) inFlight() unit.Bytes {
	if !r.bound.byRate {
		return r.full
	}
	return max(unit.Whole[unit.Bytes](float64(r.full)*(r.rc/r.line)), 1)
}
