package attribution

import (
	"maps"
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
)

// rootFor is the root of the pauses of a flow, for which each port of its way was held for a time as the bottleneck; -1
// if none was.
func (f *Fabric) rootFor(flow *Flow, stopped []float64) int {
	longest := -1
	for step, time := range stopped {
		if step == 0 {
			time += float64(flow.Spent[record.Paused])
		}
		if time > 0 && (longest < 0 || time > stopped[longest]) {
			longest = step
			stopped[step] = time
		}
	}
	if longest < 0 {
		return -1
	}
	return f.rootOf(flow.Way[longest].Port)
}

// rootOf is the port for whose queue others were held until a port was: the root of its tree of pauses.
//
// The switch that held a port did so for one of those to which its frames go on. Of these it is the one with the
// least idle time while the port was held. If that was held itself for most of this time, it is followed in turn.
func (f *Fabric) rootOf(port int) int {
	if root, known := f.roots[port]; known {
		return root
	}
	root := port
	for seen := map[int]bool{port: true}; ; {
		next, held := f.heldFor(root)
		if next < 0 {
			break
		}
		if root = next; !held || seen[root] {
			break // a port that is busy, or a circle of pauses
		}
		seen[root] = true
	}
	f.roots[port] = root
	return root
}

// heldFor is the port for which one was held, -1 if its frames go on to none, and whether that port was held itself
// for more of this time than it was busy.
func (f *Fabric) heldFor(port int) (next int, held bool) {
	next, most := -1, 0.0
	width := float64(f.Width)
	for _, other := range f.onwardOf(port) {
		busy, paused := 0.0, 0.0
		for bin := range f.Ports[port].Paused.Len() {
			weight := float64(f.Ports[port].Paused.At(bin)) / width
			busy += float64(weight * float64(f.Ports[other].Load.At(bin)))
			paused += float64(weight * float64(f.Ports[other].Paused.At(bin)))
		}
		if busy+paused > most {
			next, most, held = other, busy+paused, paused > busy
		}
	}
	return next, held
}

// onwardOf are the ports of the next hop to which frames of flows go on from a port.
func (f *Fabric) onwardOf(port int) []int {
	onward := map[int]bool{}
	for _, v := range f.at[port] {
		way := f.Flows[v.flow].Way[v.step:]
		for _, step := range way[1:] {
			if step.Hop == way[0].Hop+1 {
				onward[step.Port] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(onward))
}
