package plan

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// boundedJob is a collective with a known bound: a hierarchical all-reduce, or a permute, between sites that long-haul
// paths join.
type boundedJob struct {
	*Collective
	// inGroup is the number of consecutive ranks in a group, 1 for a permute; groupOf is by NIC.
	inGroup int
	groupOf map[int]int
	// crossings are its flows by DCI ports.
	crossings []int
	// one, crossing and fibre are one, x and d; sent is the number of x that a NIC sends in one site.
	one, crossing, fibre unit.Duration
	sent                 int
	// loads is L by DCI port, and ports are those in the order of the flows.
	loads map[End]float64
	ports []End
}

// boundedJobs returns the collectives of p, or why no bound is known.
func (p *Plan) boundedJobs() (jobs []boundedJob, reason string) {
	if len(p.Collectives) == 0 {
		return nil, "there is no collective, which has iterations"
	}
	hauls := p.hauls()
	if len(hauls) == 0 {
		return nil, "no switch has a port to a long-haul path"
	}
	flows := map[string][]int{}
	for i := range p.Flows {
		f := &p.Flows[i]
		if _, crosses := p.fibreOf(f, hauls); f.Messages == nil && crosses {
			return nil, fmt.Sprintf("flow %s, which belongs to no collective, crosses a long-haul path", f.Name)
		}
		flows[f.Group] = append(flows[f.Group], i)
	}
	for i := range p.Collectives {
		job := boundedJob{Collective: &p.Collectives[i], groupOf: map[int]int{}, loads: map[End]float64{}}
		reason := job.resolveGroups(p)
		if reason == "" {
			reason = job.resolveTimes(p, flows[job.Name], hauls)
		}
		if reason != "" {
			return nil, reason
		}
		jobs = append(jobs, job)
	}
	return jobs, ""
}

// resolveGroups finds the groups of ranks, or returns the reason why no bound is known.
func (j *boundedJob) resolveGroups(p *Plan) (reason string) {
	switch {
	case j.Method == "hierarchical":
		j.inGroup, j.sent = len(j.Places)/j.Groups, j.Groups-1
	case j.Operation == "permute":
		j.inGroup, j.sent = 1, 1
	default:
		return fmt.Sprintf("%s is %s by %s: a bound is known of hierarchical and of permute", j.Name, j.Operation, j.Method)
	}
	for rank, place := range j.Places {
		j.groupOf[place.NIC] = rank / j.inGroup
		if p.computation(place) != p.computation(j.Places[0]) {
			return fmt.Sprintf("the ranks of %s compute for different times", j.Name)
		}
	}
	return ""
}

// computation is for how long a rank computes in an iteration.
func (p *Plan) computation(place Place) unit.Duration {
	return p.NICs[place.NIC].Ranks[place.Rank].Phases[0].Duration
}

// resolveTimes computes one, crossing and fibre of a job with these flows, or returns the reason why it cannot. In one
// site each step of a ring takes a message's packets and, as every NIC of the ring receives at the rate at which it
// sends, as many ACKs at the NIC, and the way from there; the exchange likewise.
func (j *boundedJob) resolveTimes(p *Plan, flows []int, hauls map[End]haul) (reason string) {
	var step, exchange, acknowledged unit.Duration
	var crossed []haul
	for _, i := range flows {
		f := &p.Flows[i]
		fibre, crosses := p.fibreOf(f, hauls)
		send, acks := p.sendTime(f.Message, p.NICRate(f.Src)), p.acksTime(f)
		inGroup := j.groupOf[f.Src] == j.groupOf[f.Dst]
		switch {
		case inGroup && crosses:
			return fmt.Sprintf("a ring of %s crosses a long-haul path, from %s to %s", j.Name, p.NICs[f.Src].Name,
				p.NICs[f.Dst].Name)
		case inGroup:
			step = max(step, send+acks+p.delayBehindNIC(f))
		default:
			exchange = max(exchange, unit.Duration(j.sent)*(send+acks)+p.delayBehindNIC(f)-fibre.path)
		}
		if inGroup == (j.inGroup > 1) { // the last to be acknowledged
			acknowledged = max(acknowledged, p.ackDelay(f)-fibre.pathBack)
		}
		if crosses {
			j.crossings, crossed = append(j.crossings, i), append(crossed, fibre)
			j.crossing = max(j.crossing, send)
		}
	}
	if len(crossed) == 0 {
		return j.Name + " sends nothing over a long-haul path"
	}
	round := unit.Duration(j.inGroup-1) * step
	for _, fibre := range crossed {
		j.fibre = max(j.fibre, fibre.there+max(0, fibre.back-round))
	}
	j.one = p.computation(j.Places[0]) + 2*round + exchange + acknowledged
	return ""
}

// addLoads counts what the job's flows bring to DCI ports.
func (j *boundedJob) addLoads(p *Plan, ports PortsOf, hauls map[End]haul) {
	for _, i := range j.crossings {
		rate := p.NICRate(p.Flows[i].Src)
		ports(i, func(port End, share float64) {
			haul, ok := hauls[port]
			if !ok {
				return
			}
			if !slices.Contains(j.ports, port) {
				j.ports = append(j.ports, port)
			}
			j.loads[port] += share * float64(rate) / float64(haul.rate)
		})
	}
}

// iteration returns the duration of an iteration whose data take the time busy at the job's busiest DCI port.
func (j *boundedJob) iteration(busy float64) unit.Duration {
	excess := unit.Whole[unit.Duration](busy) - unit.Duration(j.sent)*j.crossing
	return j.one + max(0, excess) + j.fibre
}

// alone returns the bound of the job without the others.
func (j *boundedJob) alone() JobBound {
	most := 0.0
	for _, port := range j.ports {
		most = max(most, j.loads[port])
	}
	return JobBound{
		Name:     j.Name,
		One:      j.one,
		Crossing: j.crossing,
		Fibre:    j.fibre,
		Load:     most,
		Alone:    j.iteration(most * float64(j.crossing)),
	}
}
