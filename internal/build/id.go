package build

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
)

// The note of an ELF file with its Go build ID: see cmd/internal/buildid of Go.
const (
	noteOwner = "Go\x00\x00"
	noteKind  = 4
)

// programFiles are names of the running program's file, the best first: on Linux the
// first is the file itself, even if another has its name by now.
func programFiles() []string {
	names := []string{"/proc/self/exe"}
	if name, err := os.Executable(); err == nil {
		names = append(names, name)
	}
	return names
}

// Unknown is the ID of a program whose file cannot be read.
const Unknown = "unknown"

// idOf returns the ID of the first file that can be read, Unknown if none can.
func idOf(names ...string) string {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		if id := goBuildID(f); id != "" {
			return id
		}
		sum := sha256.New()
		if _, err := io.Copy(sum, f); err == nil {
			return "sha256:" + hex.EncodeToString(sum.Sum(nil))
		}
	}
	return Unknown
}

// goBuildID returns the Go build ID of an ELF file, "" if it has none.
func goBuildID(program io.ReaderAt) string {
	file, err := elf.NewFile(program)
	if err != nil {
		return ""
	}
	for _, segment := range file.Progs {
		if segment.Type != elf.PT_NOTE || segment.Filesz > 1<<20 {
			continue
		}
		notes := make([]byte, segment.Filesz)
		if _, err := segment.ReadAt(notes, 0); err != nil && err != io.EOF {
			continue
		}
		if id := goNote(notes, file.ByteOrder); id != "" {
			return id
		}
	}
	return ""
}

// goNote returns the content of Go's note among others.
func goNote(notes []byte, order binary.ByteOrder) string {
	const head = 12
	padded := func(n uint32) uint64 { return (uint64(n) + 3) &^ 3 }
	for len(notes) >= head {
		owner, text, kind := order.Uint32(notes), order.Uint32(notes[4:]), order.Uint32(notes[8:])
		notes = notes[head:]
		begin, end := padded(owner), padded(owner)+uint64(text)
		if end > uint64(len(notes)) {
			return ""
		}
		if kind == noteKind && bytes.Equal(notes[:owner], []byte(noteOwner)) {
			return string(notes[begin:end])
		}
		notes = notes[min(begin+padded(text), uint64(len(notes))):]
	}
	return ""
}
