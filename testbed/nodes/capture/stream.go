package capture

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// stream is one direction at one port: frames numbered by their link.
type stream struct {
	link  fabric.LinkID
	want  uint64 // frames announced
	next  uint64 // the number of the next frame; valid if known
	known bool
	early []early // frames that overtook, in the order of their numbers
}

// early is a frame that came before one with a lower number.
type early struct {
	number uint64
	start  unit.Time
	bytes  []byte
}

// complete reports whether all frames that were announced have been seen. Of a
// stream that is joined midway nothing is known before its first frame.
func (s *stream) complete() bool { return !s.known || s.next >= s.want }

// accept records a frame of stream k in the order of the stream.
func (r *recording) accept(k int, t packet.Trailer, bytes []byte) {
	s := &r.streams[k]
	switch {
	case !s.known:
		s.known, s.next = true, t.Sequence
	case t.Sequence < s.next:
		return // offered to the peer a second time, or given up for lost
	}
	if t.Sequence > s.next {
		i, found := slices.BinarySearchFunc(s.early, t.Sequence, func(e early, n uint64) int {
			return cmp.Compare(e.number, n)
		})
		if !found {
			s.early = slices.Insert(s.early, i, early{t.Sequence, t.Start, slices.Clone(bytes)})
		}
		return
	}
	r.record(k, t.Start, bytes)
	s.next++
	r.catchUp(k)
}

// catchUp records the frames that overtook the last one.
func (r *recording) catchUp(k int) {
	s := &r.streams[k]
	done := 0
	for done < len(s.early) && s.early[done].number == s.next {
		r.record(k, s.early[done].start, s.early[done].bytes)
		s.next++
		done++
	}
	s.early = slices.Delete(s.early, 0, done)
}

// skip gives up the frames of stream k that were announced and did not come.
func (r *recording) skip(k int) {
	s := &r.streams[k]
	for s.known && s.next < s.want {
		to := s.want
		if len(s.early) > 0 {
			to = min(to, s.early[0].number)
		}
		r.summary.Missed += to - s.next
		s.next = to
		r.catchUp(k)
	}
}

// record hands a frame to the recorder.
func (r *recording) record(k int, start unit.Time, bytes []byte) {
	known := wire.Decode(bytes, &r.frame) == nil
	if !known && !(r.run.Edges && wire.DecodeAny(bytes, &r.frame)) {
		r.summary.Undecodable++
		return
	}
	r.recorder.Departed(fabric.LinkID(k), start, &r.frame)
}
