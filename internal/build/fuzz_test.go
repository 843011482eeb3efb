package build

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// note is Go's build ID among the notes of a program.
const note = "\x04\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00Go\x00\x00abc\x00"

// FuzzID takes any bytes for a program, and for the notes in one.
func FuzzID(f *testing.F) {
	f.Add(smallELF())
	f.Add([]byte(note))
	f.Fuzz(func(t *testing.T, text []byte) {
		goBuildID(bytes.NewReader(text))
		if id := goNote(text, binary.LittleEndian); len(id) > len(text) {
			t.Errorf("%q of %d B", id, len(text))
		}
	})
}

// smallELF is a program's head and one segment of notes.
func smallELF() []byte {
	const head, segment = 64, 56
	b := make([]byte, head+segment)
	le := binary.LittleEndian
	copy(b, "\x7fELF\x02\x01\x01")
	le.PutUint16(b[16:], 2)  // an executable
	le.PutUint16(b[18:], 62) // of x86-64
	le.PutUint32(b[20:], 1)
	le.PutUint64(b[32:], head) // where the segments are
	le.PutUint16(b[52:], head)
	le.PutUint16(b[54:], segment)
	le.PutUint16(b[56:], 1)
	le.PutUint16(b[58:], 64)
	le.PutUint32(b[head:], 4) // notes
	le.PutUint64(b[head+8:], head+segment)
	le.PutUint64(b[head+32:], uint64(len(note)))
	return append(b, note...)
}
