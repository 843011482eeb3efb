package fabric

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Slow is a span [From, To) during which a channel has less than its rate: frames that start then are sent at Rate to
// their last bit. Range of Rate: above 0, up to the channel's.
type Slow struct {
	From, To unit.Time
	Rate     unit.BitRate
}

// RateAt returns the rate of a frame that starts at an instant, on a channel of a rate that is slow at times.
func RateAt(start unit.Time, rate unit.BitRate, slow []Slow) unit.BitRate {
	for i := range slow {
		if s := &slow[i]; s.From <= start && start < s.To {
			return s.Rate
		}
	}
	return rate
}

// CheckSlow returns the first fault in the slow spans of a channel of a rate, nil if there is none. Windows are cut for
// the channel's own rate, so a span must not be faster.
func CheckSlow(rate unit.BitRate, slow []Slow) error {
	for i, s := range slow {
		if s.To <= s.From || s.Rate <= 0 || s.Rate > rate {
			return fmt.Errorf("slow from %v to %v at %v: allowed are spans with a rate above 0, up to %v", s.From, s.To, s.Rate,
				rate)
		}
		for _, o := range slow[:i] {
			if s.From < o.To && o.From < s.To {
				return fmt.Errorf("slow from %v to %v, and from %v to %v: spans must not overlap", o.From, o.To, s.From, s.To)
			}
		}
	}
	return nil
}
