package scenario

import (
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/textfile"
)

type (
	node  = document.Node
	entry = document.Entry
)

// MaxSource is the maximum size of a file, in bytes: a fabric of a thousand hosts written out link by link is some 200
// KB.
const MaxSource = 4 << 20

// language bounds a scenario. No one nests deeper than ten, or writes thousands of keys if a pattern or a list serves.
var language = &document.Language{
	Name:     "scenario",
	Needs:    "at least topology and traffic",
	Instead:  ", or use algorithms and variants",
	MaxBytes: MaxSource,
	MaxDepth: 40,
	MaxKeys:  4096,
}

// parseTree reads src into a tree. It returns nil if there is none to go on
// with.
func parseTree(file string, src []byte, found *problems) *node {
	if text, err := textfile.UTF8(src); err == nil && len(text) <= MaxSource {
		if line := crowded(text); line > 0 {
			found.add(position{File: file, Line: line, Column: 1},
				"variants must be a list of 1 to %d mappings, each with a name", maxVariants)
			return nil
		}
	}
	return language.ParseYAML(file, src, found.add)
}
