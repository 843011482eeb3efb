package attribution

import (
	"maps"
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
)

// rootFor returns the root of the pauses of a flow, given the time for which each port of its way was held as the
// bottleneck; -1 if none was held.
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

// rootOf returns the port whose queue caused the pauses of a port, directly or through others: the root of its tree of
// pauses.
//
// The switch that held a port did so because of one of the ports to which its frames go on: the one with the least idle
// time while the port was held. If that port was held itself for most of this time, the search continues from there.
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

// heldFor returns the port that caused a port to be held, -1 if its frames do not go on to any port, and whether the
// returned port was itself held for more of this time than it was busy.
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

// onwardOf returns the ports of the next hop to which flows' frames go on from a port.
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
