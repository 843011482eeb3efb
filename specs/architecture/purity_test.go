package architecture

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clockReaders are the rooms that may read the wall clock: what runs experiments
// and talks of them, the choice of workers, and the deadlines of plugins.
var clockReaders = []string{"testbed", "cmd", "specs", "emulator/engine", "plugins/process", "internal/keeper",
	"internal/cgroup", "plugins/cc/ring", "plugins/cc/serve"}

// clocks are the functions of package time that read it or wait by it.
var clocks = []string{"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker"}

// A model has no goroutine and no channel, and reads the clock only in the rooms that may.
func TestModelsArePure(t *testing.T) {
	for _, path := range sources(t) {
		room := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, "../../")))
		if strings.HasSuffix(path, "_test.go") || strings.Contains(room, "testdata") {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range impurities(files, f, room) {
			t.Error(problem)
		}
	}
}

// impurities lists the forbidden constructs in a file of a room.
func impurities(files *token.FileSet, f *ast.File, room string) (problems []string) {
	under := func(list []string) bool {
		return slices.ContainsFunc(list, func(folder string) bool { return matches(room, folder) })
	}
	model := under(models) && !slices.Contains(around, room)
	mayRead := under(clockReaders)
	ast.Inspect(f, func(n ast.Node) bool {
		what := ""
		switch n := n.(type) {
		case *ast.GoStmt:
			what = "a goroutine"
		case *ast.ChanType:
			what = "a channel"
		case *ast.SelectStmt:
			what = "a select"
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains(clocks, n.Sel.Name) && !mayRead {
				problems = append(problems, fmt.Sprintf("%v: %s must not read the clock", files.Position(n.Pos()), room))
			}
		}
		if what != "" && model {
			problems = append(problems, fmt.Sprintf("%v: a model must not have %s", files.Position(n.Pos()), what))
		}
		return true
	})
	return problems
}

func TestImpuritiesAreSeen(t *testing.T) {
	const source = `package p
func f(c chan int) {
	go f(nil)
	select {}
	time.Sleep(0)
}
`
	for room, want := range map[string]int{"nicd": 4, "emulator/scenario": 1, "emulator/engine": 0, "cmd/rocelab": 0} {
		t.Run(room, func(t *testing.T) {
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, "p.go", source, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := impurities(files, f, room); len(got) != want {
				t.Errorf("%s: %v, want %d", room, got, want)
			}
		})
	}
}
