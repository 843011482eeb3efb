package attribution

import (
	"cmp"
	"slices"
)

// mostTakers is the maximum number of flows that are named.
const mostTakers = 3

// contest is where and when a flow contended: the bins from first to before end.
type contest struct{ port, first, end int }

// taken is a flow and what it had beyond its fair share, in picoseconds.
type taken struct {
	flow int
	time float64
}

// nameTakers names the flows that had the most beyond their fair share in the contest of each flow. Flows with the
// same contest are worked out once.
func (f *Fabric) nameTakers(contests []contest, divided []Divided) {
	order := make([]int, 0, len(contests))
	for i, c := range contests {
		if c.end > c.first {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		a1, b1 := contests[a], contests[b]
		return cmp.Or(cmp.Compare(a1.port, b1.port), cmp.Compare(a1.first, b1.first), cmp.Compare(a1.end, b1.end))
	})
	var surplus []span
	var most []taken
	last := contest{port: -1}
	for _, i := range order {
		c := contests[i]
		if c.port != last.port {
			surplus = f.surplusAt(c.port)
		}
		if c != last {
			most, last = f.mostIn(c, surplus), c
		}
		for _, t := range most {
			if t.flow != i && len(divided[i].Takers) < mostTakers {
				divided[i].Takers = append(divided[i].Takers, t.flow)
			}
		}
	}
}

// surplusAt is, of each flow at a port, what it had there beyond its fair share before each bin from its first one on.
func (f *Fabric) surplusAt(port int) []span {
	surplus := make([]span, len(f.at[port]))
	for i, v := range f.at[port] {
		flow := &f.Flows[v.flow]
		first, times := flow.first, f.activity(flow)
		step, line, rate := &flow.Way[v.step], f.lineRate(flow), float64(f.Ports[port].Rate)
		of := make([]float64, len(times)+1)
		for n, time := range times {
			had := ownTime(flow.sending(first+n), step, line, rate)
			of[n+1] = of[n] + (had - f.fairShare(int(v.flow), first+n)*float64(time)/rate)
		}
		surplus[i] = span{first: first, of: of}
	}
	return surplus
}

// mostIn are the flows with the most surplus in a contest, the most first: one more than is named, since the flow
// itself may be among them.
func (f *Fabric) mostIn(c contest, surplus []span) []taken {
	most := make([]taken, 0, mostTakers+2)
	for i := range surplus {
		time := surplus[i].before(c.end) - surplus[i].before(c.first)
		if time <= 0 || len(most) > mostTakers && time <= most[mostTakers].time {
			continue
		}
		most = append(most, taken{int(f.at[c.port][i].flow), time})
		slices.SortStableFunc(most, func(a, b taken) int { return cmp.Compare(b.time, a.time) })
		most = most[:min(len(most), mostTakers+1)]
	}
	return most
}

// before is the value of a span of sums before a bin.
func (s *span) before(bin int) float64 { return s.of[min(max(bin-s.first, 0), len(s.of)-1)] }
