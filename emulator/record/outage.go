package record

import "github.com/rocelab/rocelab/emulator/wire"

// OutageLoss is a port's count of losses for one outage of its link.
type OutageLoss struct {
	// Void were on the link towards the port while it was down, Flushed in the queues of the port when it learned of
	// that, or came for them while it was down.
	Void, Flushed Loss
}

// Loss counts frames that were lost, and their bytes as the counters of ports do.
type Loss struct{ Frames, Bytes uint64 }

// Count counts one more.
func (l *Loss) Count(frame *wire.Frame) {
	l.Frames++
	l.Bytes += uint64(frame.Len())
}

// Add counts all of another.
func (l *Loss) Add(other Loss) {
	l.Frames += other.Frames
	l.Bytes += other.Bytes
}
