package pack

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
)

// errNone says that a file is no pack at all.
var errNone = errors.New("it is no pack: rocelab pack makes them of run folders")

// errChanged says that a pack is not one to the last byte.
var errChanged = errors.New("it was changed since it was packed, or came damaged")

// reader reads a pack from its first byte to its last, once.
type reader struct {
	from    *bufio.Reader
	sum     hash.Hash // of all that was read
	entries []entry
	files   []result.FileSum // all but the list
	total   int64
	list    []byte
	create  func(name string) (io.WriteCloser, error)
	inflate io.ReadCloser // it is a flate.Resetter
}

// read reads a pack and has create make its files. What it made is not to be used if there is an
// error. The digest is the SHA-256 of the whole.
func read(ctx context.Context, from io.Reader, create func(name string) (io.WriteCloser, error)) (
	list *List, digest string, err error) {
	r := &reader{from: bufio.NewReaderSize(from, 1<<16), sum: sha256.New(), create: create, inflate: flate.NewReader(nil)}
	for {
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		more, err := r.next()
		if err != nil {
			return nil, "", err
		}
		if !more {
			break
		}
	}
	if digest, err = r.finish(); err != nil {
		return nil, "", err
	}
	list, err = readList(r.list, r.files)
	return list, digest, err
}

// next reads an entry, if there is one more.
func (r *reader) next() (bool, error) {
	sign, err := r.from.Peek(4)
	first := len(r.entries) == 0
	switch {
	case first && (err != nil || binary.LittleEndian.Uint32(sign) != entrySign):
		return false, errNone
	case err != nil || r.list != nil: // the list is the last
		return false, nil
	case binary.LittleEndian.Uint32(sign) != entrySign:
		return false, nil
	case len(r.entries) == MostFiles:
		return false, fmt.Errorf("it has more than %d files", MostFiles)
	}
	e, err := r.head()
	if err != nil {
		return false, err
	}
	if first && e.name != readmeName {
		return false, errNone
	}
	if !first && e.name != listName && e.name <= r.entries[len(r.entries)-1].name {
		return false, fmt.Errorf("the name %q is there twice, or out of order", e.name)
	}
	r.entries = append(r.entries, *e)
	return true, r.body(e)
}

// head reads what stands before an entry's bytes.
func (r *reader) head() (*entry, error) {
	head := make([]byte, entryLength, entryLength+mostName)
	if err := r.take(head); err != nil {
		return nil, err
	}
	e := &entry{}
	length := e.readHead(head)
	if length > mostName {
		return nil, fmt.Errorf("a name has %d bytes, allowed are %d", length, mostName)
	}
	head = head[:entryLength+length]
	if err := r.take(head[entryLength:]); err != nil {
		return nil, err
	}
	e.name = string(head[entryLength:])
	if err := checkName(e.name); err != nil {
		return nil, err
	}
	if !bytes.Equal(head, e.head()) {
		return nil, fmt.Errorf("%s: %w", e.name, errChanged)
	}
	r.total += int64(e.size)
	if r.total > MostBytes {
		return nil, fmt.Errorf("its files have more than %d MB", MostBytes>>20)
	}
	return e, nil
}

// take fills b with what comes next.
func (r *reader) take(b []byte) error {
	if _, err := io.ReadFull(r.from, b); err != nil {
		return cut(err)
	}
	r.sum.Write(b)
	return nil
}

// cut is the error of a pack that ends too soon.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too soon: not all of it came")
	}
	return err
}

// body reads an entry's bytes and makes its file.
func (r *reader) body(e *entry) error {
	sum, crc := sha256.New(), crc32.NewIEEE()
	var text bytes.Buffer
	var file io.WriteCloser = keeping{&text}
	if e.name == listName && e.size > mostList {
		return fmt.Errorf("%s has %d bytes, allowed are %d", e.name, e.size, mostList)
	}
	if e.name != listName {
		var err error
		if file, err = r.create(e.name); err != nil {
			return err
		}
	}
	packed := &counted{from: r.from, left: int64(e.packed), sum: r.sum}
	if err := r.inflate.(flate.Resetter).Reset(packed, nil); err != nil {
		return err
	}
	size, err := io.Copy(io.MultiWriter(file, sum, crc), io.LimitReader(r.inflate, int64(e.size)+1))
	err = errors.Join(err, file.Close())
	var corrupt flate.CorruptInputError
	switch {
	case errors.As(err, &corrupt), err == nil && (size != int64(e.size) || packed.left > 0 || crc.Sum32() != e.crc):
		return fmt.Errorf("%s: %w", e.name, errChanged)
	case errors.Is(err, io.ErrUnexpectedEOF) && packed.left == 0: // of the entry, not of the file
		return fmt.Errorf("%s: %w", e.name, errChanged)
	case err != nil:
		return fmt.Errorf("%s: %w", e.name, cut(err))
	}
	if e.name == listName {
		r.list = text.Bytes()
		return nil
	}
	r.files = append(r.files, result.FileSum{Name: e.name, SHA256: hex.EncodeToString(sum.Sum(nil))})
	return nil
}

// keeping keeps what is written.
type keeping struct{ *bytes.Buffer }

func (keeping) Close() error { return nil }

// finish reads what is behind the entries, which must be what a writer of them makes.
func (r *reader) finish() (digest string, err error) {
	if r.list == nil {
		return "", fmt.Errorf("it has no %s: %w", listName, errChanged)
	}
	at := int64(0)
	for i := range r.entries {
		at += int64(entryLength+len(r.entries[i].name)) + int64(r.entries[i].packed)
	}
	list := directory(r.entries)
	got := make([]byte, len(list))
	if err := r.take(got); err != nil {
		return "", err
	}
	if !bytes.Equal(got, list) {
		return "", fmt.Errorf("its list of files: %w", errChanged)
	}
	want := end(len(r.entries), uint32(len(list)), uint32(at), r.sum.Sum(nil))
	got = slices.Grow(got[:0], len(want))[:len(want)]
	if err := r.take(got); err != nil {
		return "", err
	}
	if !bytes.Equal(got, want) {
		return "", errChanged
	}
	if _, err := r.from.Peek(1); err == nil {
		return "", fmt.Errorf("it goes on behind its end: %w", errChanged)
	} else if !errors.Is(err, io.EOF) {
		return "", err
	}
	return hex.EncodeToString(r.sum.Sum(nil)), nil
}

// counted is the next bytes of a pack, of which a reader of one entry takes no more than it has.
type counted struct {
	from *bufio.Reader
	left int64
	sum  hash.Hash
	one  [1]byte
}

// ReadByte makes it an io.ByteReader, so that flate reads not a byte too many.
func (c *counted) ReadByte() (byte, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	b, err := c.from.ReadByte()
	if err == nil {
		c.left--
		c.one[0] = b
		c.sum.Write(c.one[:])
	}
	return b, err
}

func (c *counted) Read(b []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n, err := c.from.Read(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	c.sum.Write(b[:n])
	return n, err
}
