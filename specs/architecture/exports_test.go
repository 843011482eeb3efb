package architecture

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	// exportLedger has the packages that others can import, each with the number of its exported functions, types,
	// constants and variables, which may only fall, and the word public where users are meant to import it.
	exportLedger  = "testdata/exports.txt"
	rewriteExport = "go test -short -run TestExportsOnlyFall ./specs/architecture -rewrite"
	// packagesPage lists the public packages.
	packagesPage = "../../docs/packages.md"
	modulePath   = "github.com/rocelab/rocelab/"
)

// surface is what packages export: how many identifiers, methods apart, and whether users are meant to import them.
type surface map[string]*export

type export struct {
	n      int
	public bool
}

// A package outside of internal/ exports what others use, and no more than before.
func TestExportsOnlyFall(t *testing.T) {
	now, ledger := surfaceNow(t), readSurface(t)
	for _, folder := range slices.Sorted(maps.Keys(now)) {
		switch stored := ledger[folder]; {
		case stored == nil:
			t.Errorf("%s is a new package outside of internal/: move it below one, or add %q to %s",
				folder, fmt.Sprint(folder, " ", now[folder].n), exportLedger)
		case now[folder].n > stored.n:
			t.Errorf("%s exports %d identifiers, allowed are %d: unexport what no other package uses", folder,
				now[folder].n, stored.n)
		case now[folder].n < stored.n && !*rewrite:
			t.Errorf("%s exports %d identifiers, fewer than the %d of %s: store that with\n  %s", folder, now[folder].n,
				stored.n, exportLedger, rewriteExport)
		}
	}
	for folder, stored := range ledger {
		if now[folder] == nil && (!*rewrite || stored.public) {
			t.Errorf("%s, of %s, is no package that others can import", folder, exportLedger)
		}
	}
	if !*rewrite || t.Failed() {
		return
	}
	var text strings.Builder
	for _, folder := range slices.Sorted(maps.Keys(now)) {
		fmt.Fprint(&text, folder, " ", now[folder].n)
		if ledger[folder].public {
			text.WriteString(" public")
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(exportLedger, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Each public package has a row on the page of packages, a package comment and a runnable example.
func TestPublicPackagesHaveAPage(t *testing.T) {
	text, err := os.ReadFile(packagesPage)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	rows := regexp.MustCompile("(?m)^\\| `" + modulePath + "([^`]+)` \\| \\S.*\\. \\|$")
	for _, row := range rows.FindAllStringSubmatch(string(text), -1) {
		listed[row[1]] = true
	}
	for folder, has := range readSurface(t) {
		if has.public != listed[folder] {
			t.Errorf("%s: public is %v in %s, and %s lists it: %v", folder, has.public, exportLedger, packagesPage,
				listed[folder])
		}
		if !has.public {
			continue
		}
		examples, documented := false, false
		paths, _ := filepath.Glob("../../" + folder + "/*.go")
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			examples = examples || strings.HasSuffix(path, "_test.go") && strings.Contains(string(source), "\nfunc Example")
			documented = documented || strings.HasPrefix(string(source), "// Package "+filepath.Base(folder)+" ")
		}
		if !examples || !documented {
			t.Errorf("%s: a package comment: %v, an example: %v; a public package has both", folder, documented, examples)
		}
	}
}

// surfaceNow counts what the packages export that others can import.
func surfaceNow(t *testing.T) surface {
	t.Helper()
	now := surface{}
	names := map[string]bool{} // a file for another system may declare one again
	for _, source := range parsedSources(t) {
		if source.file.Name.Name == "main" || slices.Contains(strings.Split(source.folder, "/"), "internal") {
			continue
		}
		for _, name := range exportedBy(source.file) {
			if key := source.folder + "." + name; !names[key] {
				names[key] = true
				if now[source.folder] == nil {
					now[source.folder] = &export{}
				}
				now[source.folder].n++
			}
		}
	}
	return now
}

// exportedBy returns the names of the functions, types, constants and variables that a file exports.
func exportedBy(f *ast.File) (names []string) {
	add := func(name *ast.Ident) {
		if name.IsExported() {
			names = append(names, name.Name)
		}
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add(decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add(name)
					}
				}
			}
		}
	}
	return names
}

// readSurface reads lines such as "emulator/wire 104 public".
func readSurface(t *testing.T) surface {
	t.Helper()
	text, err := os.ReadFile(exportLedger)
	if err != nil {
		t.Fatal(err)
	}
	ledger, line := surface{}, 0
	for entry := range strings.Lines(string(text)) {
		line++
		var folder, word string
		var n int
		if _, err := fmt.Sscanf(entry, "%s %d", &folder, &n); err != nil {
			t.Fatalf("%s:%d: %v: a line is a package, a number, and public if it is", exportLedger, line, err)
		}
		fmt.Sscanf(entry, "%s %d %s", &folder, &n, &word)
		ledger[folder] = &export{n, word == "public"}
	}
	return ledger
}

func TestExportsAreCounted(t *testing.T) {
	f := parseText(t, token.NewFileSet(), `package p
type T struct{ A int }
type t struct{}
func F() {}
func (T) M() {}
const ( A, b = 1, 2; C = 3 )
var V, w int
`)
	if got := exportedBy(f); !slices.Equal(got, []string{"T", "F", "A", "C", "V"}) {
		t.Errorf("%v", got)
	}
}
