package baseline

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/spelling"
)

// Tolerances are the shares by which metrics may be worse than a baseline's. Without any, all metrics that have a
// better direction are compared, and none may be worse at all.
type Tolerances struct {
	// all is that of every metric with a direction, below 0 where only named ones are held.
	all   float64
	named map[string]float64
}

// ParseTolerances reads tolerances as flags give them: 5% is that of all metrics that have a better
// direction, queue_max_bytes=5% that of one.
func ParseTolerances(texts []string) (Tolerances, error) {
	t := Tolerances{named: map[string]float64{}}
	if len(texts) > 0 {
		t.all = -1
	}
	for _, text := range texts {
		name, share, named := strings.Cut(text, "=")
		if !named {
			name, share = "", text
		}
		number, isShare := strings.CutSuffix(share, "%")
		value, err := strconv.ParseFloat(number, 64)
		if !isShare || err != nil || !(value >= 0 && value <= mostTolerance) {
			return t, fmt.Errorf("%q: write a share of the baseline, such as 5%%, from 0%% to %d%%, or METRIC=5%%", text,
				mostTolerance)
		}
		if !named {
			t.all = value / 100
			continue
		}
		metric, known := result.MetricOf(name)
		if !known {
			return t, fmt.Errorf("%q: there is no metric %q: %s", text, name,
				spelling.Hint(name, result.MetricNames(), "rocelab metrics lists them"))
		}
		if metric.Better == result.None {
			return t, fmt.Errorf("%q: no value of %s is better than another, so none can be worse", text, name)
		}
		t.named[name] = value / 100
	}
	return t, nil
}

// mostTolerance bounds a tolerance, in percent.
const mostTolerance = 100000

// of returns the tolerance of a metric, whether it is held to the baseline, and whether by name.
func (t *Tolerances) of(metric result.Metric) (share float64, held, named bool) {
	if share, named = t.named[metric.Name]; named {
		return share, true, true
	}
	return math.Max(t.all, 0), t.all >= 0 && metric.Better != result.None, false
}
