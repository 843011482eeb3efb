// Package experiments has the experiments that ship with rocelab as data: rows of papers with what the papers claim,
// records of hardware, and the figures that were recorded of both. It is files and no code, so that what rocelab
// carries out is what anyone can write: testbed/many/reproduce reads it.
package experiments

import (
	"embed"
	"io/fs"
)

// files has the rows, their scenarios and the lists of papers and claims.
//
//go:embed papers.yaml claims.yaml introduction.md pc4 article draft thesis apart
var files embed.FS

//go:embed hardware
var hardware embed.FS

// Papers are the files of rows of papers, as they lie in this folder.
func Papers() fs.FS { return files }

// Hardware are those of the folder hardware: records, their scenarios, and the introduction of their page.
func Hardware() fs.FS {
	sub, err := fs.Sub(hardware, "hardware")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// Reproduction and RecordedHardware are the figures that were recorded of rows of papers, and beside records of
// hardware.
var (
	//go:embed recorded/reproduction.json
	Reproduction []byte
	//go:embed recorded/hardware.json
	RecordedHardware []byte
)
