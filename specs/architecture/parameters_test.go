package architecture

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// letter is a single lower-case letter that stands as a word. The letters a, i and x are left out: an article, an
	// index of formulas and the multiplication sign.
	letter       = regexp.MustCompile(`(?:^|[\s(])([b-hj-wyz])(?:'s)?(?:[.,;:)]*(?:\s|$))`)
	singleLetter = regexp.MustCompile(`(?:\b|_)[a-z](?:\b|_)`)
	// camel is a word that can only be the name of something in the program.
	camel = regexp.MustCompile(`(?:^|[\s(])([a-z]+[0-9]*[A-Z][A-Za-z0-9]*)(?:'s)?(?:[.,;:)]*(?:\s|$))`)
	// formula is what a comment writes in program text or mathematics, and a number with its unit.
	formula = regexp.MustCompile("(?m)^[ \t].*$|`[^`]*`|/ \\([^)]*\\)" +
		"|[\\w.')(\\]]+\\s?(?:[-+*/=<>^_(]|<=|>=|==|:=)\\s?[\\w.'(]+|[0-9]\\s[a-z]\\b")
	// quoted is a sentence of a source.
	quoted = regexp.MustCompile(`"[^"]*"`)
)

// Words with a capital inside that are names of other things than identifiers.
var proper = map[string]bool{"macOS": true, "gRPC": true, "uPlot": true, "kB": true,
	// names in other programs' sources
	"errorMessages": true, "cgroupsPath": true, "runTestActor": true}

// A function's comment names no parameter that the function no longer has: a single letter is the name of something in
// the function's signature or body, or in its receiver's type, unless the comment has a formula with it. And a word
// with a capital inside is an identifier of the package, in any comment.
func TestCommentsNameWhatIsThere(t *testing.T) {
	byFolder := map[string][]string{}
	for _, file := range sources(t) {
		byFolder[path.Dir(file)] = append(byFolder[path.Dir(file)], file)
	}
	for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
		set := token.NewFileSet()
		var files []*ast.File
		for _, file := range byFolder[folder] {
			f, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if !ast.IsGenerated(f) {
				files = append(files, f)
			}
		}
		for _, p := range namesOfNothing(set, files) {
			t.Error(strings.TrimPrefix(p, "../../"))
		}
	}
}

// namesOfNothing returns the names in a package's comments that nothing has, each with its place.
func namesOfNothing(set *token.FileSet, files []*ast.File) (problems []string) {
	inPackage, ofType := map[string]bool{}, map[string]map[string]bool{}
	for _, f := range files {
		identifiers(f, inPackage)
		for _, d := range f.Decls {
			if g, is := d.(*ast.GenDecl); is {
				for _, s := range g.Specs {
					if s, is := s.(*ast.TypeSpec); is {
						ofType[s.Name.Name] = identifiers(s, map[string]bool{})
					}
				}
			}
		}
	}
	report := func(at token.Pos, name string) {
		problems = append(problems, fmt.Sprintf("%s: a comment names %s, which is not there", set.Position(at), name))
	}
	for _, f := range files {
		for _, group := range f.Comments {
			text := group.Text()
			if !camel.MatchString(text) {
				continue
			}
			text = quoted.ReplaceAllString(formula.ReplaceAllString(text, ";"), ";")
			for _, m := range camel.FindAllStringSubmatch(text, -1) {
				if !inPackage[m[1]] && !proper[m[1]] {
					report(group.Pos(), m[1])
				}
			}
		}
		for _, d := range f.Decls {
			function, is := d.(*ast.FuncDecl)
			if !is || function.Doc == nil || strings.HasPrefix(function.Name.Name, "Test") {
				continue
			}
			for _, name := range lettersOfNothing(function, ofType) {
				report(function.Doc.Pos(), name)
			}
		}
	}
	return problems
}

// lettersOfNothing returns the letters in a function's comment that are not names in the function, nor in the type of
// its receiver, nor in a formula of the comment.
func lettersOfNothing(function *ast.FuncDecl, ofType map[string]map[string]bool) (letters []string) {
	doc := function.Doc.Text()
	if !letter.MatchString(doc) {
		return nil
	}
	inside := identifiers(function, map[string]bool{})
	if function.Recv != nil {
		for name := range identifiers(function.Recv, map[string]bool{}) {
			maps.Copy(inside, ofType[name])
		}
	}
	doc = quoted.ReplaceAllString(doc, ";")
	for _, f := range formula.FindAllString(doc, -1) {
		for _, name := range singleLetter.FindAllString(f, -1) {
			inside[strings.Trim(name, "_")] = true
		}
	}
	for _, m := range letter.FindAllStringSubmatch(formula.ReplaceAllString(doc, ";"), -1) {
		if !inside[m[1]] {
			letters = append(letters, m[1])
		}
	}
	return letters
}

// identifiers adds all names in a piece of a program to a set, and returns the set.
func identifiers(in ast.Node, names map[string]bool) map[string]bool {
	ast.Inspect(in, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			names[id.Name] = true
		}
		return true
	})
	return names
}

func TestNamesOfNothingAreFound(t *testing.T) {
	const program = `package p

type pacer struct{ q int }

// gapAfter returns the gap after a packet of b bytes at the rate r: q is the pacer's.
func (p *pacer) gapAfter(bytes, r int) int { return bytes * r }

// full adds n flows to m ports, in 2 s; "e" is a quoted text. There are n (n-1) / 2 pairs.
func full(flows, ports int) {}

// newLink is not there, gapAfter is, and so is macOS.
var _ = 1
`
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "p.go", program, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := namesOfNothing(set, []*ast.File{f})
	want := []string{"p.go:5:1: a comment names b", "p.go:8:1: a comment names m", "p.go:11:1: a comment names newLink"}
	slices.SortFunc(found, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	if len(found) != len(want) {
		t.Fatalf("found %q, want %q", found, want)
	}
	for i, w := range want {
		t.Run(w, func(t *testing.T) {
			if !strings.HasPrefix(found[i], w+",") {
				t.Errorf("found %q, want %q", found[i], w)
			}
		})
	}
}
