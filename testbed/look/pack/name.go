package pack

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The places in a pack.
const (
	readmeName   = "README.md"
	listName     = "pack.json"
	runFolder    = "run"
	inputFolder  = "inputs"
	programsHome = "programs"
)

// mostName is the maximum length of a name.
const mostName = 400

// checkName refuses a name that is none of a pack, that leads elsewhere, or that people or other
// systems read as another.
func checkName(name string) error {
	problem := ""
	folder, _, inside := strings.Cut(name, "/")
	switch {
	case len(name) > mostName:
		return fmt.Errorf("a name has %d bytes, allowed are %d", len(name), mostName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		problem = "it has characters that are not printed"
	case strings.ContainsAny(name, `\:`):
		problem = `it has a \ or a :, which mean something elsewhere`
	case !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name)):
		problem = "it is not a path below the pack"
	case !inside && name != readmeName && name != listName,
		inside && folder != runFolder && folder != inputFolder && folder != programsHome:
		problem = "a pack has no such place"
	default:
		return nil
	}
	return fmt.Errorf("the name %q: %s", name[:min(len(name), mostName)], problem)
}

// isProgram reports whether a file is one of a program.
func isProgram(name string) bool { return strings.HasPrefix(name, programsHome+"/") }

// spellings are the names of a pack and of its folders, by their form on a system that ignores case.
type spellings map[string]string

// add takes a name and refuses one that another has but for its capitals: unpacked on such a system,
// one of them would take the other's place.
func (s spellings) add(name string) error {
	for at := range len(name) + 1 {
		if at < len(name) && name[at] != '/' {
			continue
		}
		part := name[:at]
		folded := strings.ToLower(strings.ToUpper(part))
		if other, has := s[folded]; has && other != part {
			return fmt.Errorf("the names %q and %q differ by capitals only: on some systems one would overwrite the other",
				other, part)
		}
		s[folded] = part
	}
	return nil
}
