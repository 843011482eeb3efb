package architecture

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	// mostFields and mostMethods are the maximum numbers of a struct type. An embedded type is one field, and its
	// methods are its own.
	mostFields  = 25
	mostMethods = 30
	// sizeLedger has the types that exceed them, each with its number, which may only fall.
	sizeLedger  = "testdata/sizes.txt"
	rewriteSize = "go test -short -run TestNoTypeGrowsLarge ./specs/architecture -rewrite"
)

var rewrite = flag.Bool("rewrite", false, "store the sizes of large types that fell")

// These follow the folder in a ledger's names: of tables without subtests, of comments of tests that name a tier, which
// calls of specs/tier do, and, by top folder, of small files.
const (
	tablesCounted = " tables"
	tiersCounted  = " tiers"
	smallCounted  = " small-files"
)

// large has the numbers above the bounds, by the type or folder and the counted thing: "emulator/wire.Frame methods".
type large map[string]number

// number is a number and where it is from: the declaration of a type, or a line of the ledger.
type number struct {
	n  int
	at string
}

// A struct type has at most 25 fields and 30 methods, each table of a test has subtests, no comment names a tier, and
// no file is small. Larger numbers stand in a ledger and do not grow.
func TestNoTypeGrowsLarge(t *testing.T) {
	types, tests := sizes{}, large{}
	for _, source := range parsedSources(t) {
		if !ast.IsGenerated(source.file) {
			types.add(source.files, source.folder, source.file)
		}
	}
	for _, path := range sources(t) {
		at := strings.TrimPrefix(path, "../../")
		if !strings.HasSuffix(path, "_test.go") || strings.Contains(at, "testdata") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.ToSlash(filepath.Dir(at))
		tests.count(folder+tablesCounted, at, len(bareTables(f)))
		tests.count(folder+tiersCounted, at, tiersIn(f))
	}
	now, ledger := types.large(), readLedger(t)
	maps.Copy(now, tests)
	maps.Copy(now, smallFiles(parsedSources(t)))
	grown, fallen := ratchet(ledger, now)
	for _, problem := range grown {
		switch {
		case strings.Contains(problem, tablesCounted):
			t.Errorf("%s: give each case a t.Run with a name that one would search for", problem)
		case strings.Contains(problem, tiersCounted):
			t.Errorf("%s: a test without a call of specs/tier is short", problem)
		case strings.Contains(problem, smallCounted):
			t.Errorf("%s: a file below %d lines joins the file of its package that uses it most", problem, smallBelow)
		default:
			t.Errorf("%s: make it smaller, say by types for its parts", problem)
		}
	}
	switch {
	case !*rewrite:
		for _, problem := range fallen {
			t.Errorf("%s: store that with\n  %s", problem, rewriteSize)
		}
	case len(grown) > 0:
		t.Fatalf("%s is not rewritten: nothing in it rises", sizeLedger)
	default:
		writeLedger(t, now)
	}
}

// parsedSource is a file that is neither a test's nor below testdata, and the folder where it is.
type parsedSource struct {
	folder string
	files  *token.FileSet
	file   *ast.File
}

var parsed []parsedSource

// parsedSources returns the project's parsed files, which it parses once.
func parsedSources(t *testing.T) []parsedSource {
	t.Helper()
	if parsed != nil {
		return parsed
	}
	for _, path := range sources(t) {
		folder := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, "../../")))
		if strings.HasSuffix(path, "_test.go") || strings.Contains(folder, "testdata") {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, parsedSource{folder, files, f})
	}
	return parsed
}

// sizes are the struct types that were found, by folder and name.
type sizes map[string]*size

// size is the size of a type; fields is -1 until its declaration turns out to be a struct's.
type size struct {
	fields  int
	methods map[string]bool
	at      string
}

func (s sizes) of(name string) *size {
	if s[name] == nil {
		s[name] = &size{fields: -1, methods: map[string]bool{}}
	}
	return s[name]
}

// add counts the fields and methods that a file of a folder declares. A file for another system may
// declare them again.
func (s sizes) add(files *token.FileSet, folder string, f *ast.File) {
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv != nil {
				s.of(folder + "." + receiver(decl.Recv.List[0].Type)).methods[decl.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				spec, _ := spec.(*ast.TypeSpec)
				if spec == nil {
					continue
				}
				if body, ok := spec.Type.(*ast.StructType); ok {
					found := s.of(folder + "." + spec.Name.Name)
					found.fields = max(found.fields, fieldsOf(body))
					found.at = strings.TrimPrefix(files.Position(spec.Pos()).String(), "../../")
				}
			}
		}
	}
}

// receiver is the name of a method's type.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

func fieldsOf(body *ast.StructType) (n int) {
	for _, field := range body.Fields.List {
		n += max(1, len(field.Names))
	}
	return n
}

// large returns the numbers above the bounds.
func (s sizes) large() large {
	list := large{}
	for name, has := range s {
		if has.fields > mostFields {
			list[name+" fields"] = number{has.fields, has.at}
		}
		if has.fields >= 0 && len(has.methods) > mostMethods {
			list[name+" methods"] = number{len(has.methods), has.at}
		}
	}
	return list
}

// ratchet names the numbers above the ledger or the bounds, and the ones that fell below the ledger.
func ratchet(ledger, now large) (grown, fallen []string) {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if has, allowed := now[name], max(ledger[name].n, bound(name)); has.n > allowed {
			grown = append(grown, fmt.Sprintf("%s: %s: %d, allowed are %d", has.at, name, has.n, allowed))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ledger)) {
		stored := ledger[name]
		if has, is := now[name]; !is {
			fallen = append(fallen, fmt.Sprintf("%s: %s: %d, and there are at most %d", stored.at, name, stored.n, bound(name)))
		} else if has.n < stored.n {
			fallen = append(fallen, fmt.Sprintf("%s: %s: %d, and there are %d", stored.at, name, stored.n, has.n))
		}
	}
	return grown, fallen
}

// bound returns the allowed number of a type or folder that is not in the ledger.
func bound(name string) int {
	switch {
	case strings.HasSuffix(name, tablesCounted), strings.HasSuffix(name, tiersCounted),
		strings.HasSuffix(name, smallCounted):
		return 0
	case strings.HasSuffix(name, " fields"):
		return mostFields
	}
	return mostMethods
}

// readLedger reads lines such as "emulator/wire.Frame methods 57" and "emulator/wire tables 3".
func readLedger(t *testing.T) large {
	t.Helper()
	text, err := os.ReadFile(sizeLedger)
	if err != nil {
		t.Fatal(err)
	}
	ledger, line := large{}, 0
	for entry := range strings.Lines(string(text)) {
		line++
		var name, counted string
		var n int
		if _, err := fmt.Sscanf(entry, "%s %s %d", &name, &counted, &n); err != nil {
			t.Fatalf("%s:%d: %v: a line is a type or folder, what is counted, and a number", sizeLedger, line, err)
		}
		ledger[name+" "+counted] = number{n, fmt.Sprintf("%s:%d", sizeLedger, line)}
	}
	return ledger
}

func writeLedger(t *testing.T, now large) {
	t.Helper()
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(now)) {
		fmt.Fprintf(&text, "%s %d\n", name, now[name].n)
	}
	if err := os.WriteFile(sizeLedger, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestLargeTypesAreCounted(t *testing.T) {
	const source = `package p
type T[A any] struct { a, b int; *Other; c struct{ d, e int } }
func (t *T[A]) M() {}
func (t T[A]) N() {}
type named int
func (n named) M() {}
`
	files := token.NewFileSet()
	f := parseText(t, files, source)
	types := sizes{}
	types.add(files, "p", f)
	types.add(files, "p", f) // as for another system
	if got := types["p.T"]; got == nil || got.fields != 4 || len(got.methods) != 2 || got.at != "p.go:2:6" {
		t.Errorf("T has %+v, want 4 fields and 2 methods, declared in the second line", got)
	}
	if got := types["p.named"]; got.fields != -1 {
		t.Errorf("an int has %d fields", got.fields)
	}
	many := map[string]bool{}
	for i := range mostMethods + 1 {
		many[fmt.Sprint(i)] = true
	}
	types = sizes{"p.A": {mostFields + 1, nil, "a"}, "p.B": {mostFields, many, "b"}, "p.named": {-1, many, ""}}
	if got := types.large(); !maps.Equal(got, large{"p.A fields": {26, "a"}, "p.B methods": {31, "b"}}) {
		t.Errorf("large are %v", got)
	}
}

func parseText(t *testing.T, files *token.FileSet, source string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(files, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Numbers that rise or are new above a bound have grown; numbers that fall, go below their bound or disappear have
// fallen.
func TestSizesOnlyFall(t *testing.T) {
	ledger := large{"p.A fields": {35, "ledger:1"}, "p.B methods": {57, "ledger:2"}}
	for _, c := range []struct {
		now           large
		grown, fallen string
	}{
		{ledger, "", ""},
		{
			large{"p.A fields": {36, "a.go"}, "p.B methods": {57, "b.go"}},
			"a.go: p.A fields: 36, allowed are 35", "",
		},
		{
			large{"p.A fields": {35, "a.go"}, "p.B methods": {57, "b.go"}, "p.C methods": {31, "c.go"}},
			"c.go: p.C methods: 31, allowed are 30", "",
		},
		{
			large{"p.A fields": {34, "a.go"}, "p.B methods": {57, "b.go"}},
			"", "ledger:1: p.A fields: 35, and there are 34",
		},
		{
			large{"p.A fields": {35, "a.go"}},
			"", "ledger:2: p.B methods: 57, and there are at most 30",
		},
	} {
		t.Run(fmt.Sprintf("grown=%s,fallen=%s", c.grown, c.fallen), func(t *testing.T) {
			grown, fallen := ratchet(ledger, c.now)
			if strings.Join(grown, "\n") != c.grown || strings.Join(fallen, "\n") != c.fallen {
				t.Errorf("%v: grown %q, fallen %q, want %q and %q", c.now, grown, fallen, c.grown, c.fallen)
			}
		})
	}
}
