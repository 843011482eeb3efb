// Package published has the rows and records that rocelab reproduce carries out: the rows of papers that ship with
// rocelab, rows in users' files, and records of hardware. The data are in the folder experiments.
package published

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/experiments"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/measure"
)

// folder is the name of the data's folder in messages.
const folder = "experiments"

// Papers are the sources, in the order of their rows, and what stands for one in rows of our own. The list is read
// once; rows are not.
var Papers = sync.OnceValue(func() []*reproduce.Paper {
	papers, err := reproduce.ReadPapers(folder, experiments.Papers())
	if err != nil {
		panic(err) // tests read it
	}
	return papers
})

// Set is rows with the criteria of a registry.
type Set struct {
	Papers   []*reproduce.Paper
	Rows     []*reproduce.Row
	Registry *reproduce.Registry
	// Own is set for a user's rows, for which faults are reported.
	Own bool
	// introduction begins the page of recorded figures.
	introduction string
}

// Claims is the text of the registry.
func Claims() []byte { return read("claims.yaml") }

func read(name string) []byte {
	text, err := fs.ReadFile(experiments.Papers(), name)
	if err != nil {
		panic(err) // the file is embedded
	}
	return text
}

// Shipped are the rows of all papers, by the registry of this program. They are read once, and by what needs them:
// that takes some tenths of a second.
var Shipped = sync.OnceValue(func() *Set {
	set, err := Read(folder+"/claims.yaml", Claims())
	if err != nil {
		panic(err) // tests read it
	}
	return set
})

// rows are the rows of all papers, without criteria.
var rows = sync.OnceValues(func() ([]*reproduce.Row, error) {
	return reproduce.ReadRows(folder, experiments.Papers(), Papers(), measure.All)
})

// Read is the rows of all papers by another registry, of a file. The error has all that is wrong with it, by line and
// column.
func Read(file string, text []byte) (*Set, error) {
	rows, err := rows()
	if err != nil {
		return nil, err
	}
	registry, err := reproduce.ReadRegistry(file, text, rows)
	if err != nil {
		return nil, err
	}
	return &Set{
		Papers:       Papers(),
		Rows:         registry.With(rows),
		Registry:     registry,
		introduction: string(read("introduction.md")),
	}, nil
}

// Own are the rows of files, each with its paper and its criteria. The error has all that is wrong with them.
func Own(files []string) (*Set, error) {
	set := &Set{Registry: &reproduce.Registry{}, Own: true, introduction: "# Published figures beside ours\n"}
	shipped, err := rows()
	if err != nil {
		return nil, err
	}
	var wrong document.Errors
	at := map[string]string{}
	for _, file := range files {
		name := filepath.ToSlash(filepath.Dir(file))
		row, registry, err := reproduce.ReadRow(name, os.DirFS(filepath.Dir(file)), filepath.Base(file), measure.All)
		if problems, is := err.(document.Errors); is {
			wrong = append(wrong, problems...)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if other := taken(shipped, row); other != "" {
			wrong = append(wrong, &document.Error{
				File:    filepath.ToSlash(file),
				Line:    1,
				Column:  1,
				Message: "row " + row.ID + ": a shipped row has its runs in folder " + other + ": give row and runs other names",
			})
		}
		if other := at[row.ID]; other != "" {
			wrong = append(wrong, &document.Error{
				File:    filepath.ToSlash(file),
				Line:    1,
				Column:  1,
				Message: "row " + row.ID + " is in " + other + ", too",
			})
		}
		at[row.ID] = file
		set.add(row, registry)
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return set, nil
}

// taken is the folder of a shipped row that a row would have, too, "" if there is none.
func taken(shipped []*reproduce.Row, row *reproduce.Row) string {
	for _, other := range shipped {
		for _, folder := range []string{other.ID, other.Runs} {
			if folder != "" && (strings.EqualFold(folder, row.ID) || strings.EqualFold(folder, row.Runs)) {
				return folder
			}
		}
	}
	return ""
}

// add adds a row to a set. Rows of one paper share it.
func (s *Set) add(row *reproduce.Row, registry *reproduce.Registry) {
	known := slices.IndexFunc(s.Papers, func(p *reproduce.Paper) bool { return p.Name == row.Paper.Name })
	if known < 0 {
		s.Papers = append(s.Papers, row.Paper)
	} else {
		row.Paper = s.Papers[known]
	}
	s.Rows = append(s.Rows, row)
	s.Registry.Claims = append(s.Registry.Claims, registry.Claims...)
}

// All are the rows of all papers.
func All() []*reproduce.Row { return Shipped().Rows }

// WriteMarkdown writes recorded figures as a page: that of shipped rows is docs/findings/REPRODUCTION.md.
func (s *Set) WriteMarkdown(to io.Writer, recorded *reproduce.Recorded) error {
	return reproduce.WriteMarkdown(to, s.introduction, s.Papers, s.Rows, s.Registry, recorded)
}

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
