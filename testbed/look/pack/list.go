package pack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
)

// Format is the version of a pack's layout. Packs of any other are refused.
const Format = 1

// List is pack.json.
type List struct {
	Format int `json:"format"`
	// Packer is the ID of the build that packed, "" for the one that made the runs.
	Packer string `json:"packed_by,omitempty"`
	// Inputs are files that the scenario names.
	Inputs []input `json:"inputs"`
	// Programs are the programs of algorithms in the pack.
	Programs []Program `json:"programs"`
	// Files are all of the pack but pack.json, in the order of their names, with their SHA-256.
	Files []result.FileSum `json:"files"`
}

// input is a file whose path is the value of a parameter.
type input struct {
	Algorithm string `json:"algorithm"`
	Param     string `json:"param"`
	// Path is the file's, as the scenario has it.
	Path string `json:"path"`
	// SHA256 is the digest of the file, which is its name in the pack, too.
	SHA256 string `json:"sha256"`
}

// name is where the file is in a pack.
func (i *input) name() string { return path.Join(inputFolder, i.SHA256) }

// Program is a program that is in the pack.
type Program struct {
	Algorithm string `json:"algorithm"`
	// File is the one to start; what it has beside it is beside it in the pack, too.
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// mostList is the maximum size of pack.json.
const mostList = 16 << 20

// readList reads pack.json and holds it to the files that are there.
func readList(text []byte, files []result.FileSum) (*List, error) {
	list := &List{}
	var its struct{ Format int }
	if err := json.Unmarshal(text, &its); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", listName, err)
	}
	if its.Format != Format {
		return nil, fmt.Errorf("it is of format %d, and this rocelab reads packs of format %d: README.md in it "+
			"names the rocelab that made it", its.Format, Format)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(list); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", listName, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is damaged: it has something behind the list", listName)
	}
	return list, list.check(files)
}

// check holds the list to the files that are there.
func (l *List) check(files []result.FileSum) error {
	for i := range max(len(files), len(l.Files)) {
		switch {
		case i >= len(files):
			return fmt.Errorf("%s is missing", l.Files[i].Name)
		case i >= len(l.Files) || files[i].Name != l.Files[i].Name:
			return fmt.Errorf("%s is not as %s lists it", files[i].Name, listName)
		case files[i].SHA256 != l.Files[i].SHA256:
			return fmt.Errorf("%s was changed: its SHA-256 is %s, and was %s", files[i].Name, files[i].SHA256, l.Files[i].SHA256)
		}
	}
	has := func(name, sum string) error {
		if !slices.Contains(files, result.FileSum{Name: name, SHA256: sum}) {
			return fmt.Errorf("%s names %q with the SHA-256 %q, which is not there", listName, name, sum)
		}
		return nil
	}
	for _, input := range l.Inputs {
		if err := has(input.name(), input.SHA256); err != nil {
			return err
		}
	}
	for _, program := range l.Programs {
		if !isProgram(program.File) {
			return fmt.Errorf("%s names %q as a program", listName, program.File)
		}
		if err := has(program.File, program.SHA256); err != nil {
			return err
		}
	}
	return nil
}
