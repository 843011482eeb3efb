package packet

import (
	"encoding/binary"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Trailer ends every frame on a veth pair and carries data that a receiver cannot know from the frame's bytes: its run,
// its place in the order of its link, and the departure of its first bit. It is not a part of the frame: it takes no
// time on the wire and models do not see it.
//
//	bytes  0 to 3   magic, "RLab"
//	bytes  4 to 7   run
//	bytes  8 to 15  sequence
//	bytes 16 to 23  start time in picoseconds
//	bytes 24 to 27  zero: analysers take the last four bytes of a frame that
//	                is longer than its payload for a frame check sequence
//
// All in network byte order.
type Trailer struct {
	// Run is the number of the run, so that no frame of another on the same link is taken
	// for one of this.
	Run uint32
	// Sequence counts the frames of one direction of a link from the run's
	// start.
	Sequence uint64
	// Start is the departure of the frame's first bit. Range: 0 to unit.Never.
	Start unit.Time
}

// TrailerLen is the size of a trailer in bytes.
const TrailerLen = 28

const magic = 'R'<<24 | 'L'<<16 | 'a'<<8 | 'b'

// Put writes the trailer into the first TrailerLen bytes of b, which follow
// the frame. It panics if b is shorter.
func (t *Trailer) Put(b []byte) {
	_ = b[TrailerLen-1]
	binary.BigEndian.PutUint32(b, magic)
	binary.BigEndian.PutUint32(b[4:], t.Run)
	binary.BigEndian.PutUint64(b[8:], t.Sequence)
	binary.BigEndian.PutUint64(b[16:], uint64(t.Start))
	binary.BigEndian.PutUint32(b[24:], 0)
}

// Cut splits received bytes into the frame and its trailer. A foreign frame, one that does not end in a trailer, is
// returned whole with ok false.
func Cut(b []byte) (frame []byte, t Trailer, ok bool) {
	n := len(b) - TrailerLen
	if n < 0 {
		return b, Trailer{}, false
	}
	end := b[n:]
	start := unit.Time(binary.BigEndian.Uint64(end[16:]))
	if binary.BigEndian.Uint32(end) != magic || binary.BigEndian.Uint32(end[24:]) != 0 || start < 0 {
		return b, Trailer{}, false
	}
	t = Trailer{Run: binary.BigEndian.Uint32(end[4:]), Sequence: binary.BigEndian.Uint64(end[8:]), Start: start}
	return b[:n:n], t, true
}
