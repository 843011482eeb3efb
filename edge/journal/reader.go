package journal

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Reader reads the entries of a journal, one at a time.
type Reader struct {
	header Header
	footer Footer

	name   string
	from   *bufio.Reader
	offset int64 // of the next byte
	begin  int64 // of the record that is read
	sum    uint32
	last   unit.Time // when the last entry was taken, which begins at lastAt
	lastAt int64
	seen   Footer
	frame  []byte
	ended  bool
}

// Open checks a whole journal and returns a reader at its first entry. An error is a
// *DamagedError, or what reading met.
func Open(name string, file io.ReadSeeker) (*Reader, error) {
	r := &Reader{name: name, from: bufio.NewReaderSize(nil, 64<<10)}
	for _, step := range []func() error{
		func() error { return r.rewind(file) },
		r.readAll,
		func() error { return r.rewind(file) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Header describes the journal's run, Footer its content.
func (r *Reader) Header() Header { return r.header }
func (r *Reader) Footer() Footer { return r.footer }

// rewind begins at the first entry.
func (r *Reader) rewind(file io.ReadSeeker) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("journal %s: %w", r.name, err)
	}
	r.from.Reset(file)
	r.offset, r.begin, r.last, r.seen, r.ended = 0, 0, 0, Footer{}, false
	line, err := r.take(len(firstLine))
	if err != nil || string(line) != firstLine {
		return r.damaged("it does not begin with %q: it is not a journal, or has another version", firstLine)
	}
	r.sum = crc32.Update(0, castagnoli, line)
	return r.readHeader()
}

// readAll reads the journal to its end, and keeps its footer.
func (r *Reader) readAll() error {
	var entry Entry
	for {
		more, err := r.Next(&entry)
		if err != nil {
			return err
		}
		if !more {
			r.footer = r.seen
			return nil
		}
	}
}

// Next reads the next entry; more is false at the end. The bytes are valid until the next
// call. An error is a *DamagedError, or what reading met.
func (r *Reader) Next(entry *Entry) (more bool, err error) {
	if r.ended {
		return false, nil
	}
	switch letter, err := r.letter(); {
	case err != nil:
		return false, err
	case letter == frameRecord:
		return true, r.readFrame(entry)
	case letter == endRecord:
		r.ended = true
		return false, r.readEnd()
	default:
		return false, r.damaged("a record that begins with %#02x: there is none", letter)
	}
}

func (r *Reader) readHeader() error {
	letter, err := r.letter()
	if err == nil && letter != headerRecord {
		return r.damaged("a record that begins with %#02x in the place of the header", letter)
	}
	length, err := r.number(err, maxHeader, "a header's length")
	if err != nil {
		return err
	}
	text, err := r.bytes(int(length))
	if err != nil {
		return err
	}
	header := Header{}
	problem := json.Unmarshal(text, &header)
	if err := r.checkSum(); err != nil {
		return err
	}
	if problem != nil {
		return r.damaged("its header: %v", problem)
	}
	r.header = header
	return nil
}

func (r *Reader) readFrame(entry *Entry) error {
	later, err := r.number(nil, math.MaxInt64-uint64(r.last), "a time")
	taken := r.last + unit.Time(later)
	// What came before the run has a time below 0, so the difference may be larger than taken.
	waited, err := r.number(err, math.MaxInt64, "a time")
	length, err := r.number(err, maxFrame, "a frame's length")
	if err != nil {
		return err
	}
	frame, err := r.bytes(int(length))
	if err != nil {
		return err
	}
	if err := r.checkSum(); err != nil {
		return err
	}
	r.last, r.lastAt = taken, r.begin
	r.seen.Frames++
	r.seen.Bytes += length
	*entry = Entry{Came: taken - unit.Time(waited), Taken: taken, Frame: frame}
	return nil
}

func (r *Reader) readEnd() error {
	fields, err := r.bytes(endLength - 1 - sumLength)
	if err != nil {
		return err
	}
	says, stopped := footerOf(fields), fields[len(fields)-1]
	if err := r.checkSum(); err != nil {
		return err
	}
	switch {
	case stopped > 1 || says.End < 0:
		return r.damaged("an end of %d ps, stopped %d: allowed are 0 and later, 0 or 1", says.End, stopped)
	case r.seen.Frames > 0 && r.last > says.End:
		r.begin = r.lastAt
		return r.damaged("a frame that was taken at %v, after the end at %v", r.last, says.End)
	case says.Frames != r.seen.Frames || says.Bytes != r.seen.Bytes:
		return r.damaged("its header has %d frames of %d B, but it contains %d of %d B", says.Frames, says.Bytes,
			r.seen.Frames, r.seen.Bytes)
	}
	r.begin = r.offset
	if _, err := r.from.ReadByte(); !errors.Is(err, io.EOF) {
		if err != nil {
			return fmt.Errorf("journal %s: %w", r.name, err)
		}
		return r.damaged("bytes after the end")
	}
	r.seen = says
	return nil
}

// footerOf reads the fields of the last record.
func footerOf(fields []byte) Footer {
	word := binary.LittleEndian
	return Footer{
		Frames: word.Uint64(fields),
		Bytes:  word.Uint64(fields[8:]),
		End:    unit.Time(word.Uint64(fields[16:])),
		Full:   fields[24] == 1,
	}
}

// letter begins a record.
func (r *Reader) letter() (byte, error) {
	r.begin = r.offset
	if _, err := r.from.Peek(1); errors.Is(err, io.EOF) {
		return 0, r.damaged("it ends without its last record: it was cut, or its run was killed")
	}
	b, err := r.bytes(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// number reads a number up to most, unless an error came before.
func (r *Reader) number(before error, most uint64, what string) (uint64, error) {
	if before != nil {
		return 0, before
	}
	head, err := r.from.Peek(binary.MaxVarintLen64)
	value, n := binary.Uvarint(head)
	switch {
	case n < 0 || n == 0 && len(head) == binary.MaxVarintLen64:
		return 0, r.damaged("%s has too many digits", what)
	case n == 0 && errors.Is(err, io.EOF):
		return 0, r.cut()
	case n == 0:
		return 0, fmt.Errorf("journal %s: %w", r.name, err)
	}
	if _, err := r.bytes(n); err != nil {
		return 0, err
	}
	if value > most {
		return 0, r.damaged("%s of %d: allowed are 0 to %d", what, value, most)
	}
	return value, nil
}

// bytes takes the next n bytes, which belong to the checksum.
func (r *Reader) bytes(n int) ([]byte, error) {
	list, err := r.take(n)
	r.sum = crc32.Update(r.sum, castagnoli, list)
	return list, err
}

// take takes the next n bytes, which are valid until the next call.
func (r *Reader) take(n int) ([]byte, error) {
	if cap(r.frame) < n {
		r.frame = make([]byte, n, max(n, 2048))
	}
	list := r.frame[:n]
	got, err := io.ReadFull(r.from, list)
	r.offset += int64(got)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, r.cut()
	case err != nil:
		return nil, fmt.Errorf("journal %s: %w", r.name, err)
	}
	return list, nil
}

// checkSum reads the checksum of a record. It leaves the bytes of the record as they are.
func (r *Reader) checkSum() error {
	list, err := r.from.Peek(sumLength)
	if len(list) < sumLength {
		if errors.Is(err, io.EOF) {
			return r.cut()
		}
		return fmt.Errorf("journal %s: %w", r.name, err)
	}
	if binary.LittleEndian.Uint32(list) != r.sum {
		return r.damaged("the checksum differs: the file was changed")
	}
	r.from.Discard(sumLength)
	r.offset += sumLength
	return nil
}

func (r *Reader) cut() error { return r.damaged("it ends within a record: it was cut") }

// Refuse returns an error about the entry that was read last, for a replay that finds a problem there.
func (r *Reader) Refuse(format string, args ...any) error { return r.damaged(format, args...) }

// damaged is an error about the record that is read.
func (r *Reader) damaged(format string, args ...any) error {
	return &DamagedError{r.name, r.begin, fmt.Sprintf(format, args...)}
}
