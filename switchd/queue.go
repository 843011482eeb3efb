package switchd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// entry is a frame in the switch, with what the switch must remember of it:
// the accounts that it came through are not in the frame.
type entry struct {
	frame *wire.Frame
	// at is the arrival of its last bit; if it is cut through, the end of its header.
	at unit.Time
	// len is the length that the frame counts for in queues: frame.Len(), or its bytes by the accounting.
	len     uint16
	ingress uint16
	class   uint8
	place   place
	// flow is where the observer counts the frame's flow, 0 for nowhere.
	flow uint16
}

// place is the memory that holds a frame.
type place uint8

const (
	inShared      place = iota // the shared buffer
	inIngressPool              // the memory of the DCI port by which it came
	inEgressPool               // the memory of the DCI port by which it goes
	inNone                     // none that is counted: control classes, and frames that the switch made itself
)

// queue is one egress queue, made at its first frame. What every frame reads comes first, up to the wait in its record.
type queue struct {
	fifo.Queue[entry]
	// bytes counts all frames bound for this queue, also while they are still in
	// the switch's latency.
	bytes unit.Bytes
	// max is their high-water mark in the open bin, if the queue is recorded, and in the run otherwise.
	max unit.Bytes
	// low and high bound the step of depths that bytes is in: below low and from high on it is
	// in another.
	low, high unit.Bytes
	// meter counts what the queue's port does over time.
	meter *meter
	// deficit is the DWRR deficit, quantum what each visit adds to it.
	deficit, quantum unit.Bytes
	// rec counts it, as part of its port's record.
	rec record.Queue
	// chance decides on marks; made at the first draw.
	chance *chance.Stream
	// index is the number of the queue within its port, and port the number of the port.
	index uint8
	port  uint16
	// known is set once the meter has seen the queue's first frame; data is set unless the queue has control classes
	// only.
	known, data bool
	// step is the present step of depths, since when it lasts.
	step  uint16
	since unit.Time
	// before is the high-water mark of the bins before the open one.
	before unit.Bytes
}

// held returns how many frames are in the queue, 0 for one that was never made.
func (q *queue) held() int {
	if q == nil {
		return 0
	}
	return q.Len()
}

// fill adds length bytes to the queue's length and keeps its high-water marks. The queue's meter must
// be at the bin of now.
func (q *queue) fill(length unit.Bytes, now unit.Time) {
	q.bytes += length
	if q.bytes >= q.high {
		q.change(length, now)
	}
	q.max = max(q.max, q.bytes)
}

// drain takes length bytes off the queue's length.
func (q *queue) drain(length unit.Bytes, now unit.Time) {
	q.bytes -= length
	if now >= q.meter.End || q.bytes < q.low {
		q.change(-length, now)
	}
}

// change records that the queue has become longer by the given bytes, in another bin or another step of depths. The
// first frame that comes to a queue makes it known to its meter.
func (q *queue) change(by unit.Bytes, now unit.Time) {
	q.bytes -= by // that is what the bins before the one of now have
	if now >= q.meter.End {
		q.meter.close(now)
	}
	if !q.known {
		q.meter.begin(q)
	}
	if q.bytes += by; q.bytes < q.low || q.bytes >= q.high {
		q.changeStep(now)
	}
}

// changeStep counts the time in the step of depths that the queue's length has left.
func (q *queue) changeStep(now unit.Time) {
	if q.rec.Depths == nil {
		q.rec.Depths = new(record.Depths)
	}
	q.rec.Depths.Add(int(q.step), now.Sub(q.since))
	step, low, high := record.DepthRange(q.bytes)
	q.step, q.low, q.high, q.since = uint16(step), low, high, now
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
