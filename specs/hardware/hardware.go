// Package hardware has records of what devices did, as public threads and data tell it, each a file of YAML with
// a scenario: rocelab reproduce --hardware holds what comes out here beside them. Figures were typed by hand; no text,
// log or code of a source is here.
package hardware

import (
	"embed"
	_ "embed" // the introduction
	"io"
	"sync"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// Files has the records and their scenarios.
//
//go:embed *.yaml scenarios/*.yaml
var Files embed.FS

//go:embed introduction.md
var introduction string

// shipped is read once, and by what needs it alone.
var shipped = sync.OnceValue(func() *reproduce.HardwareRecords {
	records, err := reproduce.ReadHardware("specs/hardware", Files)
	if err != nil {
		panic(err) // tests read it
	}
	return records
})

// Shipped are the records of this program.
func Shipped() *reproduce.HardwareRecords { return shipped() }

// WriteMarkdown writes recorded figures as docs/findings/HARDWARE.md.
func WriteMarkdown(to io.Writer, records *reproduce.HardwareRecords, recorded *reproduce.Recorded) error {
	return records.WriteMarkdown(to, introduction, recorded, "hardware")
}
