package schemata

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/internal/patch"
)

// Edit is one mutant: bytes of a file, and the text in their place.
type Edit struct {
	// File is the file's path from the top of the module.
	File string
	// At and End are offsets of the first byte and of the one behind the last.
	At, End int
	Text    string
}

// Build builds the test programs of packages with all edits in, into the folder, in which Program finds them. It
// returns the edits that are in none of them, by their index, and the reasons.
func Build(root, folder string, edits []Edit, packages ...string) (map[int]string, error) {
	alone := map[int]string{}
	for {
		texts, copies, err := weave(root, edits, alone)
		if err != nil {
			return nil, err
		}
		texts[chosenFile] = chosenSource
		list, err := patch.WriteOverlay(root, folder, texts)
		if err != nil {
			return nil, err
		}
		err = Programs(root, folder, list, packages...)
		if err == nil {
			return alone, nil
		}
		refused, is := errors.AsType[refusal](err)
		if !is || !blame(root, folder, string(refused), copies, alone) {
			return nil, err
		}
	}
}

// copied is where the copy of a function with an edit stands in the overlay.
type copied struct {
	edit        int
	file        string
	first, last int // lines
}

// weave returns the texts of all files that edits change, by their paths, and the places of the copies in them. An edit
// that cannot be beside the others goes to alone.
func weave(root string, edits []Edit, alone map[int]string) (map[string]string, []copied, error) {
	byFile := map[string][]int{}
	for i := range edits {
		byFile[edits[i].File] = append(byFile[edits[i].File], i)
	}
	texts, copies := map[string]string{}, []copied(nil)
	for file, of := range byFile {
		source, err := parse(filepath.Join(root, file))
		if err != nil {
			return nil, nil, err
		}
		inside := map[int][]int{} // edits by body
		for _, i := range of {
			if alone[i] != "" {
				continue
			}
			b, why := source.around(edits[i].At, edits[i].End)
			if why != "" {
				alone[i] = why
				continue
			}
			inside[b] = append(inside[b], i)
		}
		if len(inside) == 0 {
			continue
		}
		text, made := source.with(edits, inside)
		for _, c := range made {
			c.file = file
			copies = append(copies, c)
		}
		texts[file] = text
	}
	return texts, copies, nil
}

// source is a file, as text and parsed.
type source struct {
	text   string
	tree   *ast.File
	at     func(token.Pos) int // the offset of a position
	bodies []body
}

// body is the body of a function declaration, or of a function in the value of a variable of the package. Offsets are
// its braces'.
type body struct {
	open, end       int
	results, labels bool
}

func parse(path string) (*source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{text: string(text), tree: tree, at: files.File(tree.FileStart).Offset}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch f := n.(type) {
		case *ast.FuncDecl:
			if f.Body != nil {
				s.add(f.Type, f.Body)
			}
			return false
		case *ast.FuncLit:
			s.add(f.Type, f.Body)
			return false
		}
		return true
	})
	return s, nil
}

func (s *source) add(f *ast.FuncType, block *ast.BlockStmt) {
	b := body{open: s.at(block.Lbrace), end: s.at(block.Rbrace), results: f.Results.NumFields() > 0}
	ast.Inspect(block, func(n ast.Node) bool {
		_, label := n.(*ast.LabeledStmt)
		b.labels = b.labels || label
		return true
	})
	s.bodies = append(s.bodies, b)
}

// around returns the index of the body around bytes, or the reason why none can be copied for them.
func (s *source) around(at, end int) (int, string) {
	i := slices.IndexFunc(s.bodies, func(b body) bool { return b.open < at && end <= b.end })
	switch {
	case i < 0:
		return 0, "it is outside functions"
	case s.bodies[i].labels:
		return 0, "its function has labels, which a function has once"
	}
	return i, ""
}

// with returns the file's text with a copy of a body for each edit inside it, and where they are.
func (s *source) with(edits []Edit, inside map[int][]int) (string, []copied) {
	var out strings.Builder
	var copies []copied
	line, written := 1, 0
	write := func(text string) {
		out.WriteString(text)
		line += strings.Count(text, "\n")
	}
	name := s.at(s.tree.Name.End())
	write(s.text[:name] + importChosen)
	written = name
	for i, b := range s.bodies {
		write(s.text[written : b.open+1])
		written = b.open + 1
		for _, n := range inside[i] {
			e := edits[n]
			write(fmt.Sprintf(" if mutantChosen.Mutant == %d {", n+1))
			first := line
			write(s.text[b.open+1:e.At] + e.Text + s.text[e.End:b.end])
			copies = append(copies, copied{edit: n, first: first, last: line})
			if b.results {
				write("\npanic(\"a mutant without return\")\n}\n")
			} else {
				write("\nreturn\n}\n")
			}
		}
	}
	write(s.text[written:])
	return out.String(), copies
}

var complaint = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):(?:\d+:)? (.*)$`)

// blame puts the edits whose copies do not compile into alone, and reports whether there are any. The compiler names
// the files in the folder, by paths from root.
func blame(root, folder, printed string, copies []copied, alone map[int]string) (any bool) {
	for _, found := range complaint.FindAllStringSubmatch(printed, -1) {
		path, line := found[1], 0
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, path)
		}
		if _, err := fmt.Sscan(found[2], &line); err != nil {
			continue
		}
		for _, c := range copies {
			if path == patch.CopyOf(folder, c.file) && c.first <= line && line <= c.last {
				alone[c.edit], any = "the compiler refuses it beside others: "+found[3], true
			}
		}
	}
	return any
}
