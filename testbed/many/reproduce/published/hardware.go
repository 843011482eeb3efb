package published

import (
	"io"
	"io/fs"
	"sync"

	"github.com/rocelab/rocelab/experiments"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// Hardware are records of devices from public threads and data, each a file of YAML with a scenario: rocelab reproduce
// --hardware compares our figures with them. They are read once.
var Hardware = sync.OnceValue(func() *reproduce.HardwareRecords {
	records, err := reproduce.ReadHardware(folder+"/hardware", experiments.Hardware())
	if err != nil {
		panic(err) // tests read it
	}
	return records
})

// WriteHardware writes recorded figures as docs/findings/HARDWARE.md.
func WriteHardware(to io.Writer, records *reproduce.HardwareRecords, recorded *reproduce.Recorded) error {
	introduction, err := fs.ReadFile(experiments.Hardware(), "introduction.md")
	if err != nil {
		return err
	}
	return records.WriteMarkdown(to, string(introduction), recorded, "hardware")
}
