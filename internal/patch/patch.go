// Package patch reads changes of source files that are kept as unified diffs below a header, and hands the go command
// copies of the files with a change in them, so that no file of the tree changes:
//
//	Rule: fixed sends at its rate
//
//	--- a/plugins/fixed/fixed.go
//	+++ b/plugins/fixed/fixed.go
//	@@ -58,3 +58,3 @@
//	 	rate := facts.LineRate
//	-	if c.rate > 0 {
//	+	if c.rate < 0 {
//	 		rate = c.rate
//
// Lines of the header that begin with # are comments. Numbers of lines are for people and for patch(1): a hunk is
// placed where its old lines occur, which must be once.
package patch

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Patch is one change, of no file or of several.
type Patch struct {
	// Path is that of the patch, as it was read.
	Path string
	// Header is the text above the diff, with its comments.
	Header string
	// Files are the changed files, each once, in the order of the patch.
	Files []File
}

// File is the change of one file.
type File struct {
	// Name is the file's path from the top of the module, with slashes.
	Name  string
	Hunks []Hunk
}

// Hunk is a change of lines that follow each other.
type Hunk struct {
	// Line is the number of the first old line, from 1, when the patch was made. If there is no old line it is that
	// of the line in front.
	Line int
	// Lines are the lines, each with ' ', '-' or '+' in front and without the line break.
	Lines []string
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@`)

// Read reads the patch at the path. Errors are those of reading a file, and of Parse.
func Read(path string) (*Patch, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// ReadFolder reads all files NAME.patch of the folder, in the order of their names. That there is none is an error.
func ReadFolder(folder string) (all []*Patch, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.patch"))
	if len(paths) == 0 {
		return nil, errors.Join(err, fmt.Errorf("%s: there is no *.patch", folder))
	}
	for _, path := range paths {
		p, err := Read(path)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Parse reads the text of a patch. An error has the path, the line and what is allowed there.
func Parse(path string, text []byte) (*Patch, error) {
	p := &Patch{Path: path}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	failed := func(at int, allowed string) error {
		if at < len(lines) {
			return fmt.Errorf("%s:%d: %q: allowed is %s", path, at+1, lines[at], allowed)
		}
		return fmt.Errorf("%s: it ends in line %d: allowed is %s", path, len(lines), allowed)
	}
	at := 0
	for ; at < len(lines) && !strings.HasPrefix(lines[at], "--- "); at++ {
		if l := lines[at]; l != "" && l[0] != '#' && !strings.Contains(l, ": ") {
			return nil, failed(at, `"Key: value", a comment that begins with #, or "--- a/FILE"`)
		}
		p.Header += lines[at] + "\n"
	}
	p.Header = strings.TrimSpace(p.Header) + "\n"
	for at < len(lines) {
		name, is := strings.CutPrefix(lines[at], "--- a/")
		if !is || !filepath.IsLocal(name) || slices.ContainsFunc(p.Files, func(f File) bool { return f.Name == name }) {
			return nil, failed(at, `"--- a/FILE", a path from the top of the module, each once`)
		}
		if at++; at == len(lines) || lines[at] != "+++ b/"+name {
			return nil, failed(at, "+++ b/"+name)
		}
		f := File{Name: name}
		for at++; at < len(lines) && !strings.HasPrefix(lines[at], "--- a/"); {
			found := hunkHeader.FindStringSubmatch(lines[at])
			if found == nil {
				return nil, failed(at, "@@ -LINE,OLD +LINE,NEW @@, as many lines as that has, and nothing else")
			}
			h := Hunk{Line: number(found[1], 1)}
			old, with := number(found[2], 1), number(found[3], 1)
			for at++; old > 0 || with > 0; at++ {
				if at < len(lines) && lines[at] == "" { // as editors leave a line of context that is empty
					lines[at] = " "
				}
				if at == len(lines) || !strings.Contains(" -+", lines[at][:1]) {
					return nil, failed(at, fmt.Sprintf("a line of the hunk with ' ', '-' or '+' in front: "+
						"it has %d old and %d new ones to go", old, with))
				}
				if lines[at][0] != '+' {
					old--
				}
				if lines[at][0] != '-' {
					with--
				}
				h.Lines = append(h.Lines, lines[at])
			}
			if old < 0 || with < 0 {
				return nil, failed(at-1, "fewer lines, as the head of the hunk has them")
			}
			f.Hunks = append(f.Hunks, h)
		}
		if len(f.Hunks) == 0 {
			return nil, failed(at, "a hunk of "+name)
		}
		p.Files = append(p.Files, f)
	}
	return p, nil
}

func number(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}

// Fields reads the header. Each key of once may be given once, each of often any number of times; other keys are
// errors.
func (p *Patch) Fields(once map[string]*string, often map[string]*[]string) error {
	for line := range bytes.Lines([]byte(p.Header)) {
		key, value, is := strings.Cut(strings.TrimSpace(string(line)), ": ")
		value = strings.TrimSpace(value)
		switch one, several := once[key], often[key]; {
		case !is || strings.HasPrefix(key, "#"):
		case one != nil && *one == "":
			*one = value
		case several != nil:
			*several = append(*several, value)
		default:
			keys := []string{}
			for key := range once {
				keys = append(keys, key+" once")
			}
			for key := range often {
				keys = append(keys, key+" several times")
			}
			slices.Sort(keys)
			return fmt.Errorf("%s: %q: allowed are %s", p.Path, key, strings.Join(keys, ", "))
		}
	}
	return nil
}
