package proximal

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Entry is a proximal device's record of a flow of a sender next to it.
type Entry struct {
	Flow
	// SrcQP is the sender's QP, 0 while it is not known; SrcPort the UDP source
	// port, Sender and Receiver the Ethernet addresses.
	SrcQP            uint32
	SrcPort          uint16
	Sender, Receiver wire.MAC
	// Class is the traffic class of the flow's last packet as it came from the sender.
	Class uint8

	sender   reactionPoint // what it has made of its CNPs
	points   []reactedPoint
	cnpsLeft int // CNPs that the Pacer still sends
	removed  bool

	burst
	// Meter measures the flow's rate.
	Meter Meter
	told  told

	// lastTouch is the number of the flow's last packet. heapKey is the number by which the entry is placed in its
	// Table's heap, at heapIndex.
	lastTouch, heapKey uint64
	heapIndex          int
}

// reactedPoint is a point because of which a flow was slowed down.
type reactedPoint struct {
	Point
	// unheard is until when it need not be heard about the flow, congested until when it
	// is taken to be congested for it, and after how much longer the receiver's CNPs are
	// held back.
	unheard, congested unit.Time
	after              unit.Duration
	// allotted is the flow's allotment there, up to the instant allottedUntil.
	allotted      Allotment
	allottedUntil unit.Time
}

// Ignore makes the entry ignore a point's messages about the flow until the given instant: the bytes that were sent
// before the last reaction must drain first.
func (e *Entry) Ignore(point Point, until unit.Time) { e.at(point).unheard = until }

// Ignores reports whether messages of a point are ignored now.
func (e *Entry) Ignores(point Point, now unit.Time) bool {
	for i := range e.points {
		if e.points[i].Point == point {
			return e.points[i].unheard > now
		}
	}
	return false
}

// Hold has the receiver's CNPs held back while a point is congested for the flow, until
// the given instant if nothing else is heard of it, and for a time after.
func (e *Entry) Hold(point Point, until unit.Time, after unit.Duration) {
	p := e.at(point)
	p.congested, p.after = until, after
}

// Holds reports whether CNPs are held back now, and forgets the points that are over.
func (e *Entry) Holds(now unit.Time) (holds bool) {
	kept := e.points[:0]
	for _, p := range e.points {
		held := p.congested.Add(p.after) > now
		if holds = holds || held; held || p.unheard > now || p.allottedUntil > now {
			kept = append(kept, p)
		}
	}
	e.points = kept
	return holds
}

// at returns the record of a point, which is new if need be.
func (e *Entry) at(point Point) *reactedPoint {
	for i := range e.points {
		if e.points[i].Point == point {
			return &e.points[i]
		}
	}
	e.points = append(e.points, reactedPoint{Point: point})
	return &e.points[len(e.points)-1]
}

// Table has the flows of a proximal device; to make room it forgets the one that was idle longest.
//
// Each packet of a sender next to the device asks for its entry, so that is
// cheap: a small table that is looked into first, and no order that each packet
// changes.
type Table struct {
	index    map[Flow]*Entry
	answered map[path]*Entry
	// heap is a binary heap by heapKey, the least first. An entry that was touched
	// since gets its new key when it comes first.
	heap     []*Entry
	touches  uint64
	capacity int
	// cache and answeredCache give, by cacheSlot, the entries asked for last.
	cache         [cacheSlots]*Entry
	answeredCache [cacheSlots]*Entry
}

// path is the identity of a flow in answers: they do not name the receiver's QP.
type path struct {
	srcIP, dstIP uint32
	srcPort      uint16
}

// NewTable returns an empty table for capacity flows, 1 at least.
func NewTable(capacity int) *Table {
	return &Table{index: map[Flow]*Entry{}, answered: map[path]*Entry{}, capacity: capacity}
}

// Find returns a flow's entry, nil if it has none.
func (t *Table) Find(flow Flow) *Entry { return t.index[flow] }

// FindAnswered returns the entry of the flow from srcIP to dstIP with a UDP source
// port, as the packets that answer it name it, nil if there is none.
func (t *Table) FindAnswered(srcIP, dstIP uint32, srcPort uint16) *Entry {
	p := path{srcIP, dstIP, srcPort}
	near := p.cached(t)
	if e := *near; e != nil && e.path() == p {
		return e
	}
	e := t.answered[p]
	if e != nil {
		*near = e
	}
	return e
}

// SetAddresses gives an entry the addresses and the source port of its flow. The sender's QP must then be learned
// again.
func (t *Table) SetAddresses(entry *Entry, sender, receiver wire.MAC, srcPort uint16) {
	t.unindexAnswers(entry)
	entry.Sender, entry.Receiver, entry.SrcPort, entry.SrcQP = sender, receiver, srcPort, 0
	p := entry.path()
	t.answered[p] = entry
	*p.cached(t) = entry // which may have been another flow's
}

func (e *Entry) path() path { return path{e.SrcIP, e.DstIP, e.SrcPort} }

// cached is where the entry of p is looked for first.
func (p path) cached(table *Table) **Entry {
	return &table.answeredCache[cacheSlot(p.srcIP, p.dstIP, uint32(p.srcPort))]
}

func (t *Table) unindexAnswers(entry *Entry) {
	p := entry.path()
	if t.answered[p] != entry {
		return
	}
	delete(t.answered, p)
	if near := p.cached(t); *near == entry {
		*near = nil
	}
}

// Touch returns the entry of a flow that sends a packet, new or not; evicted is
// the one that made room for it.
func (t *Table) Touch(flow Flow) (entry, evicted *Entry) {
	near := &t.cache[flow.slot()]
	t.touches++
	if entry = *near; entry != nil && entry.Flow == flow {
		entry.lastTouch = t.touches
		return entry, nil
	}
	entry, ok := t.index[flow]
	if !ok {
		if len(t.index) == t.capacity {
			evicted = t.Oldest()
			t.Remove(evicted)
		}
		entry = &Entry{Flow: flow, heapKey: t.touches, heapIndex: len(t.heap)}
		t.index[flow] = entry
		t.heap = append(t.heap, entry) // the last touched: it stays behind all others
	}
	entry.lastTouch = t.touches
	*near = entry
	return entry, evicted
}

// Oldest returns the entry that was idle longest, nil of an empty table.
func (t *Table) Oldest() *Entry {
	if len(t.heap) == 0 {
		return nil
	}
	for t.heap[0].heapKey != t.heap[0].lastTouch {
		t.heap[0].heapKey = t.heap[0].lastTouch
		t.siftDown(0)
	}
	return t.heap[0]
}

// Len returns the number of flows.
func (t *Table) Len() int { return len(t.index) }

// Remove forgets a flow. CNPs for it that are not sent yet are not.
func (t *Table) Remove(entry *Entry) {
	t.removeFromHeap(entry)
	t.unindexAnswers(entry)
	delete(t.index, entry.Flow)
	if near := &t.cache[entry.slot()]; *near == entry {
		*near = nil
	}
	entry.removed = true
}

// Clear ends the congestion of a point for all flows: its messages are heard again, and CNPs are held back for no more
// than the time after.
func (t *Table) Clear(point Point, now unit.Time) {
	for _, e := range t.heap {
		for i := range e.points {
			if p := &e.points[i]; p.Point == point {
				p.unheard, p.congested, p.allottedUntil = 0, min(p.congested, now), 0
			}
		}
	}
}
