package journal

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	// chunk is the size of one write.
	chunk = 256 << 10
	// chunks is the number of chunks that may wait for the disk before Add waits, too.
	chunks = 64
)

// Writer writes a journal. Add is cheap and seldom waits: a goroutine writes.
type Writer struct {
	buffer []byte
	full   chan []byte // to be written
	free   chan []byte // written
	made   int         // buffers
	failed chan error  // the first error, once all is written

	sum    uint32
	limit  int64
	length int64
	last   unit.Time
	footer Footer
}

// NewWriter begins a journal of at most limit bytes, not counting the last record; 0 and less is no limit. Close ends
// it.
func NewWriter(to io.Writer, header Header, limit int64) (*Writer, error) {
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	if len(text) > maxHeader {
		return nil, fmt.Errorf("a journal's header of %d bytes: allowed are %d", len(text), maxHeader)
	}
	w := &Writer{
		buffer: make([]byte, 0, chunk),
		full:   make(chan []byte, chunks),
		free:   make(chan []byte, chunks),
		made:   1,
		failed: make(chan error, 1),
		limit:  limit,
	}
	go w.write(to)
	w.buffer = append(w.buffer, firstLine...)
	begin := len(w.buffer)
	w.sum = crc32.Update(0, castagnoli, w.buffer)
	w.buffer = append(w.buffer, headerRecord)
	w.buffer = binary.AppendUvarint(w.buffer, uint64(len(text)))
	w.buffer = append(w.buffer, text...)
	w.seal(begin)
	w.length = int64(len(w.buffer))
	return w, nil
}

// write writes full chunks until the channel is closed; after an error it only frees them.
func (w *Writer) write(to io.Writer) {
	var failed error
	for chunk := range w.full {
		if failed == nil {
			_, failed = to.Write(chunk)
		}
		w.free <- chunk[:0]
	}
	w.failed <- failed
}

// seal puts the checksum behind the record that begins in the buffer at begin.
func (w *Writer) seal(begin int) {
	w.sum = crc32.Update(w.sum, castagnoli, w.buffer[begin:])
	w.buffer = binary.LittleEndian.AppendUint32(w.buffer, w.sum)
}

// Add records a frame: its bytes, when it came in, and when the edge took it, which never
// decreases and is not before. The bytes are copied. A frame that the limit leaves no
// room for ends the recording.
func (w *Writer) Add(came, taken unit.Time, frame []byte) {
	if w.footer.Full {
		return
	}
	if taken < w.last || taken < came || len(frame) > maxFrame {
		panic(fmt.Sprintf("journal: a frame of %d bytes came at %d and was taken at %d, the one before at %d",
			len(frame), came, taken, w.last))
	}
	const most = 1 + 3*binary.MaxVarintLen64 + sumLength
	if len(w.buffer)+most+len(frame) > cap(w.buffer) {
		w.flush()
	}
	begin, sum := len(w.buffer), w.sum
	w.buffer = append(w.buffer, frameRecord)
	w.buffer = binary.AppendUvarint(w.buffer, uint64(taken-w.last))
	w.buffer = binary.AppendUvarint(w.buffer, uint64(taken-came))
	w.buffer = binary.AppendUvarint(w.buffer, uint64(len(frame)))
	w.buffer = append(w.buffer, frame...)
	w.seal(begin)
	length := int64(len(w.buffer) - begin)
	if w.limit > 0 && w.length+length > w.limit {
		w.buffer, w.sum = w.buffer[:begin], sum
		w.footer.Full = true
		return
	}
	w.length += length
	w.last = taken
	w.footer.Frames++
	w.footer.Bytes += uint64(len(frame))
}

// flush hands the buffer to the goroutine and takes another.
func (w *Writer) flush() {
	w.full <- w.buffer
	select {
	case w.buffer = <-w.free:
		return
	default:
	}
	if w.made < chunks {
		w.made++
		w.buffer = make([]byte, 0, chunk)
		return
	}
	w.buffer = <-w.free
}

// Full reports whether the limit was reached: such a run cannot be replayed.
func (w *Writer) Full() bool { return w.footer.Full }

// Close ends the journal of a run that ended at the given model time, when all is
// written. It returns the first error of writing. What it was written to is the caller's
// to close.
func (w *Writer) Close(end unit.Time) error {
	w.footer.End = end
	if len(w.buffer)+endLength > cap(w.buffer) {
		w.flush()
	}
	begin := len(w.buffer)
	w.buffer = append(w.buffer, endRecord)
	w.buffer = binary.LittleEndian.AppendUint64(w.buffer, w.footer.Frames)
	w.buffer = binary.LittleEndian.AppendUint64(w.buffer, w.footer.Bytes)
	w.buffer = binary.LittleEndian.AppendUint64(w.buffer, uint64(w.footer.End))
	stopped := byte(0)
	if w.footer.Full {
		stopped = 1
	}
	w.buffer = append(w.buffer, stopped)
	w.seal(begin)
	w.full <- w.buffer
	close(w.full)
	return <-w.failed
}
