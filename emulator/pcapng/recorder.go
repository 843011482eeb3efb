package pcapng

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Port is a port to capture.
type Port struct {
	// Node and Port name it as fabric.Watcher.Dropped does.
	Node, Port int
	// Name is the name of its interface in the file, such as "leaf1:3".
	Name string
	// Out is the direction of the link in which the port sends, In the direction from which it receives.
	Out, In fabric.LinkID
	// Attachment describes the link as the node knows it; arrival times follow from it.
	Attachment fabric.Attachment
}

// Recorder captures ports of a running fabric. Calls of Departed and Dropped may come in any order of time between
// nodes, as these are run one after another within a window, but must be in order for each link and node. Flush,
// between windows, writes the complete records; Close ends the file. Not safe for concurrent use.
type Recorder struct {
	file   *Writer
	ports  []Port
	queues []queue // three for each port: its records by step
	outOf  []int16 // by link: the port that sends on it, or -1
	inOf   []int16 // by link: the port that receives from it, or -1
	due    []record
	free   [][]byte // room for the bytes of frames

	written uint64 // records in the file
}

var _ fabric.Watcher = (*Recorder)(nil)

// step orders the records of one instant and interface.
type step uint8

const (
	received step = iota
	dropped       // follows the received frame that it may concern
	sent
	steps
)

// record is a frame that awaits its turn.
type record struct {
	at       unit.Time
	identity uint64 // of the packet, unchanged by the hops
	bytes    []byte
	port     int16
	step     step
	reason   fabric.DropReason
	ce       bool
	claimed  bool // a drop that became a comment on a received frame
}

// queue is the records of one port and step. They are added in the order of time, since a port sends, receives and
// drops in that order; only records that are due are ever moved, for any number in flight on a long link.
type queue struct {
	records []record
	head    int
}

// takeBefore appends the records before upTo to due and forgets them.
func (q *queue) takeBefore(upTo unit.Time, due []record) []record {
	for q.head < len(q.records) && q.records[q.head].at < upTo {
		due = append(due, q.records[q.head])
		q.head++
	}
	if 2*q.head >= len(q.records) {
		q.records = q.records[:copy(q.records, q.records[q.head:])]
		q.head = 0
	}
	return due
}

// NewRecorder returns a recorder of the given ports that writes a pcapng file
// to w, one interface for each port in the order given. It refuses what
// NewWriter refuses, more than 32767 ports, a negative link, and two ports on
// one direction of a link.
func NewRecorder(w io.Writer, ports []Port) (*Recorder, error) {
	const most = 1<<15 - 1
	if len(ports) > most {
		return nil, fmt.Errorf("capture: %d ports, allowed are up to %d", len(ports), most)
	}
	interfaces := make([]Interface, len(ports))
	links := 0
	for i, p := range ports {
		interfaces[i] = Interface{Name: p.Name, Rate: p.Attachment.Tx.Rate}
		links = max(links, int(p.Out)+1, int(p.In)+1)
	}
	recorder := &Recorder{ports: slices.Clone(ports), queues: make([]queue, int(steps)*len(ports)),
		outOf: slices.Repeat([]int16{-1}, links), inOf: slices.Repeat([]int16{-1}, links)}
	for i, p := range ports {
		if p.Out < 0 || p.In < 0 || recorder.outOf[p.Out] >= 0 || recorder.inOf[p.In] >= 0 {
			return nil, fmt.Errorf("capture: port %s on links %d and %d is given twice, or its links are negative",
				p.Name, p.Out, p.In)
		}
		recorder.outOf[p.Out], recorder.inOf[p.In] = int16(i), int16(i)
	}
	var err error
	recorder.file, err = NewWriter(w, interfaces)
	return recorder, err
}

// Departed records a frame whose first bit leaves on link at start: as sent, if the
// port that sends on the link is captured, and as received, with the arrival
// of its last bit, if the one at its other end is.
func (r *Recorder) Departed(link fabric.LinkID, start unit.Time, frame *wire.Frame) {
	if int(link) >= len(r.outOf) {
		return
	}
	if i := r.outOf[link]; i >= 0 {
		r.add(record{at: start, port: i, step: sent}, frame)
	}
	if i := r.inOf[link]; i >= 0 {
		r.add(record{at: r.ports[i].Attachment.ArrivalOf(start, frame), port: i, step: received}, frame)
	}
}

// Dropped records that a node dropped a frame, which had come in at port.
func (r *Recorder) Dropped(node, port int, at unit.Time, reason fabric.DropReason, frame *wire.Frame) {
	for i := range r.ports {
		if p := &r.ports[i]; p.Node == node && p.Port == port {
			r.add(record{at: at, port: int16(i), step: dropped, reason: reason}, frame)
		}
	}
}

func (r *Recorder) add(record record, frame *wire.Frame) {
	record.ce = !frame.IsPFC() && frame.ECN() == wire.CE
	record.identity = identity(frame)
	if n := len(r.free); n > 0 {
		record.bytes, r.free = r.free[n-1], r.free[:n-1]
	}
	record.bytes = frame.AppendTo(record.bytes[:0])
	q := &r.queues[int(steps)*int(record.port)+int(record.step)]
	q.records = append(q.records, record)
}

// identity covers what no hop changes: TTL and ECN are not in it.
func identity(frame *wire.Frame) uint64 {
	ip := (uint64(frame.SrcIP)<<32 | uint64(frame.DstIP)) * 0x9e3779b97f4a7c15
	if frame.IsDatagram() {
		return ip ^ uint64(crc32.ChecksumIEEE(frame.Rare.Payload))*0x2545f4914f6cdd1d
	}
	return ip ^ (uint64(frame.DestQP)<<32|uint64(frame.PSN)<<8|uint64(frame.Opcode))*0xc2b2ae3d27d4eb4f
}

// Flush writes all records before upTo, in the order of time, interface,
// received before sent, and the order of the calls. The caller promises that
// nothing before upTo will be added: upTo is the earliest pending event of the
// fabric, frames in flight included.
func (r *Recorder) Flush(upTo unit.Time) error {
	r.due = r.due[:0]
	for i := range r.queues {
		r.due = r.queues[i].takeBefore(upTo, r.due)
	}
	// The queues were visited in the order of ports and steps, which a stable
	// sort keeps among equal times.
	slices.SortStableFunc(r.due, func(a, b record) int { return cmp.Compare(a.at, b.at) })
	for i := range r.due {
		if err := r.write(i); err != nil {
			return err
		}
		r.free = append(r.free, r.due[i].bytes)
	}
	return nil
}

// Sync is Flush, and hands all of the file so far to the underlying writer, for
// those who read along.
func (r *Recorder) Sync(upTo unit.Time) error {
	if err := r.Flush(upTo); err != nil {
		return err
	}
	return r.file.Flush()
}

// Close writes all records before end, the end of the run, and completes the
// file. Frames that are still on a link at end are left out as received: they
// have not arrived.
func (r *Recorder) Close(end unit.Time) error { return r.Sync(end) }

// Written returns how many records are in the file by now: fewer than were added, as
// those at or after the last Flush are not, nor drops that became comments.
func (r *Recorder) Written() uint64 { return r.written }

// directions are by step.
var directions = [...]Direction{received: Inbound, dropped: Undirected, sent: Outbound}

func (r *Recorder) write(i int) error {
	record := &r.due[i]
	if record.claimed {
		return nil
	}
	reason := record.reason
	if record.step == received {
		reason = r.claim(i)
	}
	comment := ""
	if record.ce {
		comment = "CE"
	}
	if reason != fabric.DropNone {
		if comment != "" {
			comment += ", "
		}
		comment += "dropped: " + reason.String()
	}
	r.written++
	return r.file.WritePacket(int(record.port), record.at, directions[record.step], record.bytes, comment)
}

// claim looks among the drops at the instant and port of received frame i for
// the one that concerns it.
func (r *Recorder) claim(i int) fabric.DropReason {
	p := &r.due[i]
	for j := i + 1; j < len(r.due); j++ {
		q := &r.due[j]
		if q.at != p.at || q.port != p.port || q.step != dropped {
			break
		}
		if q.identity == p.identity && !q.claimed {
			q.claimed = true
			return q.reason
		}
	}
	return fabric.DropNone
}
