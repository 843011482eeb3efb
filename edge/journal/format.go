package journal

import (
	"fmt"
	"hash/crc32"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// firstLine is the beginning of a journal; the version is its last word.
const firstLine = "rocelab edge journal 1\n"

// The records.
const (
	headerRecord = 'H'
	frameRecord  = 'F'
	endRecord    = 'E'
)

const (
	// maxFrame is the longest frame that a journal keeps, in bytes.
	maxFrame = 1<<16 - 1
	// maxHeader bounds the header's JSON, so that nonsense does not take memory.
	maxHeader = 1 << 16
	sumLength = 4
	// endLength is the length of the last record.
	endLength = 1 + 3*8 + 1 + sumLength
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Header describes a journal's run.
type Header struct {
	// Edge is the name of the edge.
	Edge string `json:"edge"`
	// Dilation is the factor by which the run was slower than the wall clock.
	Dilation int64 `json:"dilation"`
	// Digest is that of the plan, Seed the run's.
	Digest string `json:"digest"`
	Seed   uint64 `json:"seed"`
}

// Footer describes a journal's content.
type Footer struct {
	// Frames and Bytes are the sums of all entries.
	Frames, Bytes uint64
	// End is the model time of the run's end.
	End unit.Time
	// Full is set if recording stopped at its limit: later frames are missing.
	Full bool
}

// Entry is a frame that came in.
type Entry struct {
	// Came is the time at which it came in, below 0 before the run; Taken the time at which the edge took it.
	Came, Taken unit.Time
	// Frame is its bytes, without FCS.
	Frame []byte
}

// DamagedError is a journal that is not as it was written.
type DamagedError struct {
	// Name is the file's; Offset is where the damage shows, in bytes.
	Name    string
	Offset  int64
	Problem string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("journal %s: at offset %d: %s", e.Name, e.Offset, e.Problem)
}
