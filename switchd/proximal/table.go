package proximal

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Entry is what a proximal device knows of a flow of a sender next to it.
type Entry struct {
	Flow
	// SrcQP is the sender's QP, 0 while it is not known; SrcPort the UDP source
	// port, Sender and Receiver the Ethernet addresses.
	SrcQP            uint32
	SrcPort          uint16
	Sender, Receiver wire.MAC

	alpha    float64 // of the sender's reaction point; see OnCNP
	alphaAt  unit.Time
	ignored  []ignoredPoint
	cnpsLeft int // CNPs that the Pacer still sends
	removed  bool

	burst

	// lastTouch numbers the flow's last packet. heapKey is the number by which the
	// entry is placed in its Table's heap, at heapIndex.
	lastTouch, heapKey uint64
	heapIndex          int
}

// ignoredPoint is a point that need not be heard about a flow until some instant.
type ignoredPoint struct {
	Point
	until unit.Time
}

// Alpha returns the alpha that the sender's reaction point has at now: that after
// the last CNP, decayed since; 1 before the first. Source: Zhu et al., SIGCOMM
// 2015 (DCQCN), equations 1 and 2.
func (e *Entry) Alpha(now unit.Time, gain float64, period unit.Duration) float64 {
	if e.alpha == 0 {
		return 1
	}
	return e.alpha * power(1-gain, int64(now.Sub(e.alphaAt))/int64(period))
}

// OnCNP follows a CNP that the sender gets.
func (e *Entry) OnCNP(now unit.Time, gain float64, period unit.Duration) {
	if e.alpha == 0 {
		e.alpha = 1
	} else {
		e.alpha = float64((1-gain)*e.Alpha(now, gain, period)) + gain
	}
	e.alphaAt = now
}

// power is x to the n, by squaring.
func power(x float64, n int64) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p *= x
		}
		x *= x
	}
	return p
}

// Ignore has what a point says of the flow go unheard until the given instant:
// the bytes that were sent before the last reaction must drain first.
func (e *Entry) Ignore(point Point, until unit.Time) {
	for i := range e.ignored {
		if e.ignored[i].Point == point {
			e.ignored[i].until = until
			return
		}
	}
	e.ignored = append(e.ignored, ignoredPoint{point, until})
}

// Ignores reports whether what a point says is ignored now.
func (e *Entry) Ignores(point Point, now unit.Time) bool {
	for i := range e.ignored {
		if e.ignored[i].Point == point {
			return e.ignored[i].until > now
		}
	}
	return false
}

// IgnoresAny reports whether what some point says is ignored now, and forgets the
// points whose time is over.
func (e *Entry) IgnoresAny(now unit.Time) bool {
	kept := e.ignored[:0]
	for _, h := range e.ignored {
		if h.until > now {
			kept = append(kept, h)
		}
	}
	e.ignored = kept
	return len(kept) > 0
}

// Table is the flows of a proximal device, of which it forgets the one that was
// idle longest to make room.
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

// path is what answers say of a flow: they do not name the receiver's QP.
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

// SetAddresses gives an entry the addresses and the source port of its flow. The
// sender's QP is then to be learned anew.
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

// HeedAgain lets what a point says be heard again about all flows.
func (t *Table) HeedAgain(point Point) {
	for _, e := range t.heap {
		for i := range e.ignored {
			if e.ignored[i].Point == point {
				e.ignored[i].until = 0
			}
		}
	}
}
