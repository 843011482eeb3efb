package wire

import (
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The kinds of extension, by number. A new one takes the next number and an
// entry in kinds; a number is never used again for another.
const (
	ExtNone ExtType = 0
	// ExtOneWayData: ExtTime = when the packet left in ns, ExtA = its one-way
	// delay on empty queues in ns.
	ExtOneWayData ExtType = 1
	// ExtOneWayAck: ExtA = the receiver's rate in kb/s, ExtB = queueing time as a
	// signed 32-bit number of ns, ExtTime = echo of when the packet left.
	ExtOneWayAck ExtType = 2
	// ExtINT and ExtINTEcho: Rare.INT.
	ExtINT     ExtType = 3
	ExtINTEcho ExtType = 4
	// ExtTimestamp: ExtTime = when the packet left in ns, ExtA = the sender's RTT
	// estimate in ns (24 bit, saturating, 0 none), its high byte kept for a hop
	// count, which the TTL gives too.
	ExtTimestamp ExtType = 5
	// ExtTimestampAck: ExtTime = echo of when the packet left, ExtA = remote delay
	// in ns, ExtB = hops << 24 | flags << 16.
	ExtTimestampAck ExtType = 6
	// ExtECNEcho: nothing but the CE bit in ExtFlags.
	ExtECNEcho ExtType = 7
	// ExtOwn: Rare.Own, opaque.
	ExtOwn ExtType = 8
	// ExtSelective: ExtA = PSN of the first of 64 packets, its high byte 0, ExtTime = bitmap of the ones received
	// beyond those in order, the first in the lowest bit.
	ExtSelective ExtType = 9
)

// kinds are the kinds of extension that the codec knows.
var kinds = withBounds([ExtMask + 1]ExtKind{
	ExtOneWayData:   {Name: "one-way delay, data", Words: []Word{WordTime, WordA}, Bare48: 8},
	ExtOneWayAck:    {Name: "one-way delay, ACK", Words: []Word{WordA, WordB, WordTime}},
	ExtINT:          {Name: "telemetry", Words: []Word{WordINT}, Bare48: 42},
	ExtINTEcho:      {Name: "telemetry, echo", Words: []Word{WordINT}, Bare48: 28},
	ExtTimestamp:    {Name: "timestamp", Words: []Word{WordTime, WordA}, Bare48: 8},
	ExtTimestampAck: {Name: "timestamp, ACK", Words: []Word{WordTime, WordA, WordB}},
	ExtECNEcho:      {Name: "ECN echo"},
	ExtOwn:          {Name: "own", Words: []Word{WordOwn}},
	ExtSelective:    {Name: "selective ACK", Words: []Word{WordA, WordTime}},
})

// ExtKind describes a kind of extension for the codec: the layout after the four bytes that all have. The meaning of
// the words is up to their writers and readers.
type ExtKind struct {
	// Name describes the content of the extension, for people.
	Name string
	// Words are the parts of the body in the order of the wire. A word whose length is in the frame, WordINT or
	// WordOwn, is the last.
	Words []Word
	// Bare48 is the length that the extension adds to its frame under that accounting.
	Bare48 unit.Bytes

	// What follows from Words: the least and the most bytes on the wire, and
	// whether WordINT or WordOwn is among them.
	least, most int
	stack, own  bool
}

// Word is a part of an extension's body, and the words of a Frame that hold it.
type Word uint8

// The words.
const (
	// WordTime is ExtTime, 8 bytes.
	WordTime Word = iota + 1
	// WordA is ExtA, 4 bytes.
	WordA
	// WordB is ExtB, 4 bytes.
	WordB
	// WordINT is Rare.INT: hops 1, most hops 1, path 2, and 8 for each of the most
	// hops.
	WordINT
	// WordOwn is Rare.Own: 0 to 32 bytes, a multiple of 4.
	WordOwn
)

// extHeader is the length of what all extensions begin with: number, length in
// 32-bit words, flags (ExtFlags), 0.
const extHeader = 4

// lastKind is the highest number of a kind.
var lastKind = func() (last ExtType) {
	for t := range kinds {
		if kinds[t].Name != "" {
			last = ExtType(t)
		}
	}
	return last
}()

// Kinds returns the numbers of all kinds, in order.
func Kinds() (numbers []ExtType) {
	for t := ExtNone + 1; t <= lastKind; t++ {
		if t.Known() {
			numbers = append(numbers, t)
		}
	}
	return numbers
}

// Known reports whether the codec knows the kind.
func (t ExtType) Known() bool { return kinds[t&ExtType(ExtMask)].Name != "" }

// Kind returns what the codec knows of the kind, nothing of one that is unknown.
func (t ExtType) Kind() ExtKind { return kinds[t&ExtType(ExtMask)] }

// Bounds returns the least and the most bytes of the extension on the wire.
func (k ExtKind) Bounds() (least, most int) { return k.least, k.most }

// withBounds fills in what follows from the words.
func withBounds(kinds [ExtMask + 1]ExtKind) [ExtMask + 1]ExtKind {
	for t := range kinds {
		kind := &kinds[t]
		kind.least = extHeader
		for _, w := range kind.Words {
			switch w {
			case WordTime:
				kind.least += 8
			case WordA, WordB:
				kind.least += 4
			case WordINT:
				kind.least, kind.stack = kind.least+intHeader, true
			case WordOwn:
				kind.own = true
			}
		}
		switch kind.most = kind.least; {
		case kind.stack:
			kind.most += 8 * inband.MaxHops
		case kind.own:
			kind.most += len(Rare{}.Own)
		}
	}
	return kinds
}

// intHeader is the length of a telemetry stack without its records.
const intHeader = 4

// extLen returns the bytes of the frame's extension on the wire, 0 for a kind
// that is unknown.
func (f *Frame) extLen() int {
	k := &kinds[f.Extension()]
	if k.Name == "" {
		return 0
	}
	switch {
	case k.stack:
		return k.least + 8*int(f.Rare.INT.Max)
	case k.own:
		return k.least + int(f.Rare.OwnLen)
	}
	return k.least
}
