package result

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// checkLongHauls checks, for each direction of each long-haul path, received = sent on + inside, in frames and in
// bytes, PFC included, and that it held no more than rate times delay: a path never drops for want of room. It reports
// the volume that the paths carried, in one line for all that are sound; ports.csv has each.
func checkLongHauls(o *Outcome) (fs []Finding) {
	var all soundPaths
	for i := range o.WANs {
		path, name := &o.WANs[i], o.Plan.WANs[i].Name
		carried, lost := uint64(0), uint64(0)
		sound := true
		for port := range path.Ports {
			in, out, held := &path.Ports[port], &path.Ports[1-port], &path.InTransit[port]
			carried += out.TxFrames
			lost += in.RxLostFrames
			if in.RxFrames != out.TxFrames+held.Frames || in.RxBytes != out.TxBytes+held.Bytes {
				fs = append(fs, violation("long-haul path %s: received %d frames (%d B) at port %d, but %d (%d B) were sent on "+
					"and %d (%d B) are inside",
					name, in.RxFrames, in.RxBytes, port, out.TxFrames, out.TxBytes, held.Frames, held.Bytes))
				sound = false
			}
			if came, sent := in.PausesIn.All(), out.PausesOut.All(); came != sent.Plus(held.Pauses) {
				fs = append(fs, violation("long-haul path %s: PFC frames received at port %d say %v, "+
					"but those sent on say %v and those inside %v",
					name, port, came, sent, held.Pauses))
				sound = false
			}
			if held.Max > held.Bound {
				fs = append(fs, violation("long-haul path %s: frames of %v on the wire were inside from port %d at once, but "+
					"rate times delay is %v", name, held.Max, port, held.Bound))
				sound = false
			}
		}
		if sound {
			all.add(path, name, carried, lost)
		}
	}
	if all.count > 0 {
		fs = append(fs, Finding{Pass, Conservation, all.String()})
	}
	return fs
}

// soundPaths sums up the sound long-haul paths.
type soundPaths struct {
	count         int
	carried, lost uint64
	// fullest is the one that held the most of its rate times delay.
	fullest string
	most    *WAN
}

func (p *soundPaths) add(path *WAN, name string, carried, lost uint64) {
	p.count++
	p.carried += carried
	p.lost += lost
	if p.most == nil || fullerShare(path) > fullerShare(p.most) {
		p.fullest, p.most = name, path
	}
}

func (p *soundPaths) String() string {
	who, their, it := "long-haul path "+p.fullest, "its", "it"
	if p.count > 1 {
		who, their, it = fmt.Sprintf("%d long-haul paths", p.count), "their", "the fullest, "+p.fullest+","
	}
	return fmt.Sprintf("%s carried %s, lost %d by %s own loss and flaps and dropped none; %s held at most %v "+
		"and %v, %.1f %% and %.1f %% of rate times delay",
		who, unit.Count(p.carried, "frame"), p.lost, their, it, p.most.InTransit[0].BytesMax, p.most.InTransit[1].BytesMax,
		100*share(p.most, 0), 100*share(p.most, 1))
}

// fullerShare is the larger share of a path's two directions.
func fullerShare(path *WAN) float64 { return max(share(path, 0), share(path, 1)) }

// share is the part of rate times delay that a direction had under way at most.
func share(path *WAN, port int) float64 {
	return float64(path.InTransit[port].Max) / float64(path.InTransit[port].Bound)
}
