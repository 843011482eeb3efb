package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// The comment at the end of a pack: the SHA-256 of all bytes before it and its length.
const (
	sumWords      = "SHA-256 of all before this comment: "
	commentLength = len(sumWords) + 2*sha256.Size
)

// comment is the comment of a zip whose bytes, all before the length of its comment, have a sum.
func comment(sum []byte) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(commentLength))
	return append(append(b, sumWords...), hex.EncodeToString(sum)...)
}

// summed passes a zip without a comment on, but for its last two bytes, which say that it has
// none; finish writes the comment in their place.
type summed struct {
	to   io.Writer
	sum  hash.Hash
	held []byte
}

func (s *summed) Write(b []byte) (int, error) {
	s.held = append(s.held, b...)
	ready := max(0, len(s.held)-2)
	s.sum.Write(s.held[:ready])
	if _, err := s.to.Write(s.held[:ready]); err != nil {
		return 0, err
	}
	s.held = append(s.held[:0], s.held[ready:]...)
	return len(b), nil
}

// finish writes the comment.
func (s *summed) finish() error {
	_, err := s.to.Write(comment(s.sum.Sum(nil)))
	return err
}

// digestOfPack is the SHA-256 of a pack, whose comment must have that of all before it.
func digestOfPack(from io.ReaderAt, size int64) (digest string, err error) {
	begin := make([]byte, len(entrySign))
	if _, err := from.ReadAt(begin, 0); err != nil || string(begin) != entrySign {
		return "", errNone
	}
	before := size - int64(commentLength) - 2
	if before < 0 {
		return "", errChanged
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(from, 0, before)); err != nil {
		return "", err
	}
	want, got := comment(sum.Sum(nil)), make([]byte, commentLength+2)
	if _, err := from.ReadAt(got, before); err != nil {
		return "", err
	}
	if !bytes.Equal(got, want) {
		return "", errChanged
	}
	if err := checkEnd(from, before); err != nil {
		return "", err
	}
	sum.Write(got)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// endLength is the length of the last record of a zip, without its comment and the length of that (PKWARE APPNOTE
// 6.3.9, 4.3.16).
const endLength = 20

// mostDirectory is the maximum size of the list of files, 100 bytes each beside the name.
const mostDirectory = mostFiles * (100 + mostName)

// checkEnd refuses a zip whose list is longer than a pack's, or does not fill the space between the files and the end:
// reading it would take memory before anything of it can be checked.
func checkEnd(from io.ReaderAt, before int64) error {
	last := make([]byte, endLength)
	if before < endLength {
		return errChanged
	}
	if _, err := from.ReadAt(last, before-endLength); err != nil {
		return err
	}
	le := binary.LittleEndian
	count, size, at := le.Uint16(last[10:]), int64(le.Uint32(last[12:])), int64(le.Uint32(last[16:]))
	switch {
	case string(last[:4]) != endSign:
		return errChanged
	case count > mostFiles || size > mostDirectory:
		return fmt.Errorf("it has more than %d files", mostFiles)
	case at+size != before-endLength:
		return fmt.Errorf("its list of files is not before its end: %w", errChanged)
	}
	return nil
}

// endSign is with what the last record of a zip begins.
const endSign = "PK\x05\x06"

// entrySign is with what each entry of a zip begins, and so a zip that nothing is before.
const entrySign = "PK\x03\x04"
