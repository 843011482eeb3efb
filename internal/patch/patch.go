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
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Patch is one change, to any number of files.
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

// Read reads the patch at the path. It fails if the file cannot be read, or as Parse does.
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

// Parse reads the text of a patch. An error has the path, the line and the allowed content.
func Parse(path string, text []byte) (*Patch, error) {
	r := reader{path: path, lines: strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")}
	p := &Patch{Path: path}
	for ; !r.begins("--- ") && r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		if line != "" && line[0] != '#' && !strings.Contains(line, ": ") {
			return nil, r.wants(`"Key: value", a comment that begins with #, or "--- a/FILE"`)
		}
		p.Header += line + "\n"
	}
	p.Header = strings.TrimSpace(p.Header) + "\n"
	for r.at < len(r.lines) {
		f, err := r.file()
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(p.Files, func(other File) bool { return f.Name == other.Name }) {
			return nil, fmt.Errorf("%s: it changes %s twice: allowed is all of a file's hunks in one place", path, f.Name)
		}
		p.Files = append(p.Files, f)
	}
	return p, nil
}

// reader reads the lines of a patch, from the index at.
type reader struct {
	path  string
	lines []string
	at    int
}

func (r *reader) begins(with string) bool {
	return r.at < len(r.lines) && strings.HasPrefix(r.lines[r.at], with)
}

// wants is the error that something else is allowed here.
func (r *reader) wants(allowed string) error {
	if r.at < len(r.lines) {
		return fmt.Errorf("%s:%d: %q: allowed is %s", r.path, r.at+1, r.lines[r.at], allowed)
	}
	return fmt.Errorf("%s: it ends in line %d: allowed is %s", r.path, len(r.lines), allowed)
}

func (r *reader) file() (f File, err error) {
	if r.begins("--- a/") {
		f.Name = r.lines[r.at][len("--- a/"):]
	}
	if !filepath.IsLocal(f.Name) || path.Clean(f.Name) != f.Name {
		return f, r.wants(`"--- a/FILE", a path from the top of the module`)
	}
	if r.at++; r.at == len(r.lines) || r.lines[r.at] != "+++ b/"+f.Name {
		return f, r.wants("+++ b/" + f.Name)
	}
	for r.at++; len(f.Hunks) == 0 || r.at < len(r.lines) && !r.begins("--- a/"); {
		h, err := r.hunk()
		if err != nil {
			return f, err
		}
		f.Hunks = append(f.Hunks, h)
	}
	return f, nil
}

func (r *reader) hunk() (h Hunk, err error) {
	if !r.begins("@@ ") || !hunkHeader.MatchString(r.lines[r.at]) {
		return h, r.wants("@@ -LINE,OLD +LINE,NEW @@, with as many lines below as that has, and nothing else")
	}
	found := hunkHeader.FindStringSubmatch(r.lines[r.at])
	h.Line = number(found[1])
	old, with := number(found[2]), number(found[3])
	for r.at++; old > 0 || with > 0; r.at++ {
		line := " " // as editors leave an empty line of context
		if r.at == len(r.lines) || r.lines[r.at] != "" {
			if !r.begins(" ") && !r.begins("-") && !r.begins("+") {
				return h, r.wants(fmt.Sprintf("a line of the hunk with ' ', '-' or '+' in front, as %d old and %d new ones "+
					"are missing", old, with))
			}
			line = r.lines[r.at]
		}
		if line[0] != '+' {
			old--
		}
		if line[0] != '-' {
			with--
		}
		if old < 0 || with < 0 {
			return h, r.wants("no such line, as the head of the hunk counts them")
		}
		h.Lines = append(h.Lines, line)
	}
	return h, nil
}

// number is a number of hunkHeader, 1 if it is left out.
func number(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return 1
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
