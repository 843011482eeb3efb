package measure

import (
	"math"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// baseRTT of a full-size packet over one switch, in microseconds: four links of 1 us and the
// time on the wire of a packet of 1098 B and of its ACK, twice each.
const baseRTT = 4.193

func measureSettling(run *reproduce.Run, arguments reproduce.Arguments) float64 {
	s := reproduce.Once(run, "settling", settled)
	switch arguments.Text(0) {
	case "join":
		return s.join
	case "leave":
		return s.leave
	}
	return math.NaN()
}

// settling is after how many round trips rates stay within a tenth of the fair share.
type settling struct{ join, leave float64 }

func settled(run *reproduce.Run) (s settling) {
	flows := run.Flows()
	if len(flows) < 2 || math.IsNaN(flows[1].End) {
		return settling{math.NaN(), math.NaN()}
	}
	join, leave := flows[1].Start, flows[1].End
	off := func(rate, fair float64) bool { return math.Abs(rate-fair) > 0.1*fair }
	for line := range run.Lines("series_flows.csv") {
		at, rate := line.Microseconds("time_us"), line.Number("rate_gbps")
		switch {
		case at >= join && at < leave && off(rate, 50):
			s.join = max(s.join, (at-join)/baseRTT)
		case at >= leave && strings.HasPrefix(line.Text("flow"), "long") && off(rate, 100):
			s.leave = max(s.leave, (at-leave)/baseRTT)
		}
	}
	return s
}
