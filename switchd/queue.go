package switchd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// entry is a frame in the switch, with what the switch must remember of it:
// the accounts that it came through are not in the frame.
type entry struct {
	frame *wire.Frame
	// at is when its last bit arrived.
	at unit.Time
	// len is frame.Len().
	len     uint16
	ingress uint16
	class   uint8
	place   place
	// flow is where the observer counts the frame's flow, 0 for nowhere.
	flow uint16
}

// place says which memory holds a frame.
type place uint8

const (
	inShared      place = iota // the shared buffer
	inIngressPool              // the memory of the DCI port by which it came
	inEgressPool               // the memory of the DCI port by which it goes
	inNone                     // none that is counted: control classes, and frames that the switch made itself
)

// queue is one egress queue. One that was never used has no ring.
type queue struct {
	fifo.Queue[entry]
	// bytes counts all frames bound for this queue, also while they are still in
	// the switch's latency.
	bytes unit.Bytes
	// max is their high-water mark.
	max unit.Bytes
	// deficit is the DWRR deficit, quantum what each visit adds to it.
	deficit, quantum unit.Bytes
	// chance decides on marks; made at the first draw.
	chance *chance.Stream
	// index says which queue this is of its port, and port which port of the
	// switch.
	index uint8
	port  uint16
	// rec is where the queue is counted, in its port's record.
	rec *record.Queue
}

// fill adds length bytes to the queue's length and keeps its high-water marks.
func (q *queue) fill(length unit.Bytes, now unit.Time) {
	length += q.bytes
	if q.rec.Depth.Interval != 0 {
		q.raiseDepth(length, now)
	}
	q.bytes = length
	q.max = max(q.max, length)
}

// drain takes length bytes off the queue's length.
func (q *queue) drain(length unit.Bytes, now unit.Time) {
	if q.rec.Depth.Interval != 0 {
		extendDepth(q.rec, q.bytes, now)
	}
	q.bytes -= length
}

// raiseDepth raises the bin of now to length.
func (q *queue) raiseDepth(length unit.Bytes, now unit.Time) {
	extendDepth(q.rec, q.bytes, now)
	last := &q.rec.Depth.Bins[len(q.rec.Depth.Bins)-1]
	*last = max(*last, int64(length))
}

// extendDepth makes the bins of the series up to the present one, which is never
// before the last one made. A bin in which nothing changed holds the length
// that the queue had.
func extendDepth(rec *record.Queue, length unit.Bytes, now unit.Time) {
	for d := &rec.Depth; int64(now) >= int64(len(d.Bins))*int64(d.Interval); {
		d.Bins = append(d.Bins, int64(length))
	}
}

// streams names the streams of chance of a switch's queues.
type streams struct {
	seed uint64
	name string
}

// draw takes a number from the queue's own stream.
func (q *queue) draw(streams *streams) float64 {
	if q.chance == nil {
		q.chance = chance.New(streams.seed, fmt.Sprintf("%s/%d/%d/wred", streams.name, q.port, q.index))
	}
	return q.chance.Float64()
}
