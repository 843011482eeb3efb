package scenario

import (
	"slices"
	"strconv"

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

// NameOf is the name that a source gives itself, "" for none that can be read: the source may be wrong in any way.
func NameOf(source []byte) string {
	name := parseTree("", source, newProblems()).Child("name")
	if name == nil || name.Kind != document.Scalar || !isName(name.Text) {
		return ""
	}
	return name.Text
}

// VariantNames lists the names of a source's variants, as far as they can be
// read: the source may be wrong in any way, and what cannot be a name is left out.
// None for a source without variants.
func VariantNames(source []byte) []string {
	root := parseTree("", source, newProblems())
	if root == nil || root.Kind != document.Mapping {
		return nil
	}
	list := root.Child("variants")
	if list == nil || list.Kind != document.Sequence {
		return nil
	}
	return slices.DeleteFunc(namesIn(list), func(name string) bool { return !isName(name) })
}

// textOf returns the text of a whole scenario.
func textOf(root *node) []byte {
	text := ""
	for _, e := range root.Entries {
		text += e.Write(0) + "\n"
	}
	return []byte(text)
}

// quotesMatter reports whether a text means something else without quotes.
func quotesMatter(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || text == "true" || text == "false"
}
