package proximal

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Census knows how many bytes each flow has in a queue. The zero value is
// an empty queue's.
type Census struct {
	// flows[0] is not used: place 0 means not counted. Flows without bytes stay, for
	// a flow comes back, until there are more of them than of the others.
	flows []QueuedFlow
	index map[Flow]uint16
	// cache gives, by the slot of a flow, the place of the last flow that used it.
	cache *[cacheSlots]uint16
	free  []uint16
	live  int
	crowd crowd
	order []uint16 // scratch
}

// QueuedFlow is a flow in a queue.
type QueuedFlow struct {
	Flow
	// SrcPort is the flow's UDP source port, Device its proximal device.
	SrcPort uint16
	Device  int
	Bytes   unit.Bytes
	window  uint32 // the crowd's in which it last came in
}

// maxQueuedFlows bounds the flows of a queue, so that a queued frame can name its
// own in 16 bits; more of them are not counted.
const maxQueuedFlows = 1<<16 - 1

// Add adds bytes of a flow to the queue and returns the place of its count, 0 for none. device is called for a new
// flow; one without a device, below 0, is not counted.
func (c *Census) Add(flow Flow, srcPort uint16, bytes unit.Bytes, device func(Flow) int) (place uint16) {
	if c.cache == nil {
		c.index, c.cache, c.flows = map[Flow]uint16{}, new([cacheSlots]uint16), make([]QueuedFlow, 1, 16)
		c.crowd.window = 1
	}
	near := &c.cache[flow.slot()]
	if place = *near; place == 0 || c.flows[place].Flow != flow {
		if place = c.find(flow, srcPort, device); place == 0 {
			return 0
		}
		*near = place
	}
	s := &c.flows[place]
	if s.Bytes == 0 {
		c.live++
	}
	s.window = c.crowd.see(s.window)
	s.Bytes += bytes
	return place
}

// find returns the place of a flow, a new one if need be, and 0 for none.
func (c *Census) find(flow Flow, srcPort uint16, device func(Flow) int) (place uint16) {
	place, ok := c.index[flow]
	if !ok {
		d := device(flow)
		if d < 0 {
			return 0
		}
		if place = c.allocate(); place == 0 {
			return 0
		}
		c.flows[place] = QueuedFlow{Flow: flow, SrcPort: srcPort, Device: d}
		c.index[flow] = place
	}
	return place
}

// Remove takes bytes out again that Add counted at place.
func (c *Census) Remove(place uint16, bytes unit.Bytes) {
	s := &c.flows[place]
	if s.Bytes -= bytes; s.Bytes == 0 {
		c.live--
	}
}

// allocate finds a place for a new flow, 0 if there is none.
func (c *Census) allocate() uint16 {
	if len(c.index) >= 64+2*c.live || len(c.index) == maxQueuedFlows {
		for i := range c.flows[1:] {
			if s := &c.flows[i+1]; s.Bytes == 0 && s.Flow != (Flow{}) && !c.crowd.sees(s.window) {
				delete(c.index, s.Flow)
				if near := &c.cache[s.slot()]; int(*near) == i+1 {
					*near = 0
				}
				*s = QueuedFlow{}
				c.free = append(c.free, uint16(i+1))
			}
		}
	}
	if n := len(c.free); n > 0 {
		place := c.free[n-1]
		c.free = c.free[:n-1]
		return place
	}
	if len(c.flows) > maxQueuedFlows {
		return 0
	}
	c.flows = append(c.flows, QueuedFlow{})
	return uint16(len(c.flows) - 1)
}

// ByDevice calls visit for each device with flows that pick reports, in the order of the devices, with its flows: the
// flows with most bytes first, and equals in the order of their names. It covers flows in the queue and flows that sent
// into it recently. The slice is valid during the call only.
func (c *Census) ByDevice(pick func(*QueuedFlow) bool, visit func(device int, flows []*QueuedFlow)) {
	c.order = c.order[:0]
	for i := range c.flows {
		if s := &c.flows[i]; (s.Bytes > 0 || c.crowd.sees(s.window)) && pick(s) {
			c.order = append(c.order, uint16(i))
		}
	}
	slices.SortFunc(c.order, func(a, b uint16) int { return compare(&c.flows[a], &c.flows[b]) })
	var flows []*QueuedFlow
	for i, place := range c.order {
		flows = append(flows, &c.flows[place])
		if i+1 == len(c.order) || c.flows[c.order[i+1]].Device != flows[0].Device {
			visit(flows[0].Device, flows)
			flows = flows[:0]
		}
	}
}

func compare(a, b *QueuedFlow) int {
	return cmp.Or(cmp.Compare(a.Device, b.Device), -cmp.Compare(a.Bytes, b.Bytes),
		cmp.Compare(a.SrcIP, b.SrcIP), cmp.Compare(a.DstIP, b.DstIP), cmp.Compare(a.DstQP, b.DstQP))
}

// Live returns how many flows have bytes in the queue.
func (c *Census) Live() int { return c.live }

// Level returns the share of the port for each of the flows that send most, if the flows that send less keep their
// rates. By their shares s of the queue, which are their shares of the arrivals, flow i sends less if s_i < 3/4 level,
// and
//
//	level = (1 - sum of the s_i of those) / (flows - number of those)
//
// It is 1/N if all have about the same, and 0 for an empty queue.
func (c *Census) Level() (level float64) {
	total := c.Bytes()
	if total <= 0 {
		return 0
	}
	for most := 0; ; { // how many send most
		small, n := unit.Bytes(0), c.live
		for i := range c.flows {
			if b := c.flows[i].Bytes; b > 0 && 4*float64(b) < 3*level*float64(total) {
				small += b
				n--
			}
		}
		if level = float64(total-small) / float64(n) / float64(total); n == most {
			return level
		}
		most = n
	}
}

// Senders returns the number of flows that send into the queue, with or without bytes of them in it: now, and the
// maximum over the last millisecond or two. It is called once a packet, and has a result once a window.
func (c *Census) Senders(now unit.Time, window unit.Duration) (live, lately int, known bool) {
	return c.crowd.turn(now, window)
}

// Bytes returns the total of the counted bytes.
func (c *Census) Bytes() (sum unit.Bytes) {
	for i := range c.flows {
		sum += c.flows[i].Bytes
	}
	return sum
}
