package result

import "fmt"

// longHauls checks, for each direction of each long-haul path, received = sent
// on + inside, in frames and in bytes, PFC included, and that it held no
// more than rate times delay: a path drops nothing for want of room. It says what
// the paths carried.
func (o *Outcome) longHauls() (fs []Finding) {
	for i := range o.WANs {
		w, name := &o.WANs[i], o.Plan.WANs[i].Name
		carried, lost := uint64(0), uint64(0)
		sound := true
		for port := range w.Ports {
			in, out, held := &w.Ports[port], &w.Ports[1-port], &w.Held[port]
			carried += out.TxFrames
			lost += in.RxLostFrames
			if in.RxFrames != out.TxFrames+held.Frames || in.RxBytes != out.TxBytes+held.Bytes {
				fs = append(fs, violated("long-haul path %s: received %d frames (%d B) at port %d, but %d (%d B) were sent on and %d (%d B) are inside",
					name, in.RxFrames, in.RxBytes, port, out.TxFrames, out.TxBytes, held.Frames, held.Bytes))
				sound = false
			}
			if held.Max > held.Bound {
				fs = append(fs, violated("long-haul path %s: frames of %v on the wire were inside from port %d at once, but rate times delay is %v", name, held.Max, port, held.Bound))
				sound = false
			}
		}
		if sound {
			fs = append(fs, Finding{Pass, Conservation, fmt.Sprintf("long-haul path %s carried %d frames, lost %d by its own loss and flaps and dropped none; it held at most %v and %v, %s and %s of rate times delay",
				name, carried, lost, w.Held[0].BytesMax, w.Held[1].BytesMax, share(w, 0), share(w, 1))})
		}
	}
	return fs
}

// share is the part of rate times delay that a direction had under way at most.
func share(w *WAN, port int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(w.Held[port].Max)/float64(w.Held[port].Bound))
}
