package pack

import (
	"encoding/binary"
	"encoding/hex"
)

// The bounds of a pack, for writers and readers.
const (
	// MostBytes is how long all files together may be, unpacked, and so each.
	MostBytes = 1 << 30
	// MostFiles is how many there may be.
	MostFiles = 20000
	// mostName is how long a name may be.
	mostName = 400
)

// The records of a zip (PKWARE APPNOTE 6.3.9, 4.3.7, 4.3.12, 4.3.16), as far as a pack has them.
const (
	entrySign     = 0x04034b50
	directorySign = 0x02014b50
	endSign       = 0x06054b50

	entryLength = 30
	// version is what reading needs: 2.0, for Deflate; made is by Unix, so that modes count.
	version = 20
	made    = 3<<8 | version
	// utf8Names is the flag that says so; deflated is the method.
	utf8Names = 1 << 11
	deflated  = 8
	// date is 1 January 1980, the first that a zip knows.
	date = 1<<5 | 1
	// plain and executable are modes of Unix: a file that all may read, and one that all may start.
	plain, executable = 0o100644, 0o100755
)

// entry is what a zip says of one of its files.
type entry struct {
	name         string
	crc          uint32
	packed, size uint32
}

// head is what stands before an entry's bytes.
func (e *entry) head() []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, entrySign)
	b = le.AppendUint16(b, version)
	b = e.appendFacts(b)
	b = le.AppendUint16(b, 0) // nothing extra
	return append(b, e.name...)
}

// appendFacts appends what both lists have of an entry.
func (e *entry) appendFacts(b []byte) []byte {
	le := binary.LittleEndian
	for _, value := range []uint16{utf8Names, deflated, 0, date} { // the 0 is midnight
		b = le.AppendUint16(b, value)
	}
	for _, value := range []uint32{e.crc, e.packed, e.size} {
		b = le.AppendUint32(b, value)
	}
	return le.AppendUint16(b, uint16(len(e.name)))
}

// readHead reads the fixed part of what head makes, all but the name, and says how long that is.
func (e *entry) readHead(b []byte) (name int) {
	le := binary.LittleEndian
	e.crc, e.packed, e.size = le.Uint32(b[14:]), le.Uint32(b[18:]), le.Uint32(b[22:])
	return int(le.Uint16(b[26:]))
}

// directory is the list of all entries, which stands behind them and before the end.
func directory(entries []entry) (b []byte) {
	le := binary.LittleEndian
	at := uint32(0)
	for i := range entries {
		e := &entries[i]
		mode := uint32(plain)
		if isProgram(e.name) {
			mode = executable
		}
		b = le.AppendUint32(b, directorySign)
		b = le.AppendUint16(b, made)
		b = le.AppendUint16(b, version)
		b = e.appendFacts(b)
		for range 4 { // nothing extra, no comment, the first disk, no attributes of MS-DOS
			b = le.AppendUint16(b, 0)
		}
		b = le.AppendUint32(b, mode<<16)
		b = le.AppendUint32(b, at)
		b = append(b, e.name...)
		at += uint32(entryLength+len(e.name)) + e.packed
	}
	return b
}

// end is the last record. Its comment has the SHA-256 of all before it.
func end(count int, directory, at uint32, sum []byte) []byte {
	comment := "SHA-256 of all before this record: " + hex.EncodeToString(sum)
	le := binary.LittleEndian
	b := le.AppendUint32(nil, endSign)
	for _, value := range []uint16{0, 0, uint16(count), uint16(count)} {
		b = le.AppendUint16(b, value)
	}
	b = le.AppendUint32(b, directory)
	b = le.AppendUint32(b, at)
	b = le.AppendUint16(b, uint16(len(comment)))
	return append(b, comment...)
}
