package result

import "fmt"

// fewLongHauls is how many long-haul paths are told of one by one.
const fewLongHauls = 2

// longHauls checks, for each direction of each long-haul path, received = sent
// on + inside, in frames and in bytes, PFC included, and that it held no
// more than rate times delay: a path drops nothing for want of room. It says what
// the paths carried; more than a few that are sound are summed up.
func (o *Outcome) longHauls() (fs []Finding) {
	var sound []carriage
	for i := range o.WANs {
		w, name := &o.WANs[i], o.Plan.WANs[i].Name
		c := carriage{WAN: w, name: name}
		found := len(fs)
		for port := range w.Ports {
			in, out, held := &w.Ports[port], &w.Ports[1-port], &w.Held[port]
			c.frames += out.TxFrames
			c.lost += in.RxLostFrames
			if in.RxFrames != out.TxFrames+held.Frames || in.RxBytes != out.TxBytes+held.Bytes {
				fs = append(fs, violated("long-haul path %s: received %d frames (%d B) at port %d, but %d (%d B) were sent on and %d (%d B) are inside",
					name, in.RxFrames, in.RxBytes, port, out.TxFrames, out.TxBytes, held.Frames, held.Bytes))
			}
			if held.Max > held.Bound {
				fs = append(fs, violated("long-haul path %s: frames of %v on the wire were inside from port %d at once, but rate times delay is %v", name, held.Max, port, held.Bound))
			}
		}
		if len(fs) == found {
			sound = append(sound, c)
		}
	}
	if len(sound) > fewLongHauls {
		return append(fs, carriedInAll(sound))
	}
	for i := range sound {
		c := &sound[i]
		fs = append(fs, Finding{Pass, Conservation, fmt.Sprintf("long-haul path %s carried %d frames, lost %d by its own loss and flaps and dropped none; it held at most %v and %v, %s and %s of rate times delay",
			c.name, c.frames, c.lost, c.Held[0].BytesMax, c.Held[1].BytesMax, percent(c.share(0)), percent(c.share(1)))})
	}
	return fs
}

// carriage is what a long-haul path carried, both ways.
type carriage struct {
	*WAN
	name         string
	frames, lost uint64
}

// carriedInAll sums several paths up, and names the fullest: the first of those
// that had most of their rate times delay under way in one direction.
func carriedInAll(paths []carriage) Finding {
	var frames, lost uint64
	full, most := "", -1.0
	for i := range paths {
		c := &paths[i]
		frames += c.frames
		lost += c.lost
		if s := max(c.share(0), c.share(1)); s > most {
			full, most = c.name, s
		}
	}
	return Finding{Pass, Conservation, fmt.Sprintf("%d long-haul paths carried %d frames, lost %d by their own loss and flaps and dropped none; the fullest, %s, held at most %s of rate times delay one way",
		len(paths), frames, lost, full, percent(most))}
}

// share is the part of rate times delay that a direction had under way at most.
func (w *WAN) share(port int) float64 { return float64(w.Held[port].Max) / float64(w.Held[port].Bound) }

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
