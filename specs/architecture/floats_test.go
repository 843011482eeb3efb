package architecture

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/rocelab/rocelab/specs/tier"
)

// bare are files that may make an integer of a float by a conversion, and why.
var bare = map[string]string{
	"plugins/cc/unit/convert.go":   "the function that does it for all others, after it has looked",
	"plugins/cc/elementary/exp.go": "k is at most 1075 away from 0",
	"plugins/cc/elementary/log.go": "m is a mantissa, from 0.5 to 1",
	"plugins/cc/elementary/pow.go": "y is below 2^53, which the same line asks before",
}

// What a conversion of a float beyond int64 gives differs from processor to processor,
// so models, emulator, algorithms and what runs them leave it to unit.Whole. Conversions
// of constants are the compiler's. Tier: everyday, as it looks at types.
func TestFloatsBecomeIntegersInOnePlace(t *testing.T) {
	tier.Everyday(t)
	config := &packages.Config{Mode: packages.LoadSyntax, Dir: "../..", Overlay: overlaid(t)}
	found, err := packages.Load(config, "./emulator/...", "./switchd/...", "./nicd/...", "./wan/...", "./plugins/...",
		module+"plugins/cc/...", "./testbed/...", "./cmd/...")
	if err != nil || len(found) < 80 {
		t.Fatal(len(found), err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, p := range found {
		for _, failed := range p.Errors {
			t.Error(failed)
		}
		for _, at := range conversions(p) {
			file, _ := filepath.Rel(root, strings.SplitN(at, ":", 2)[0])
			file = filepath.ToSlash(file)
			used[file] = true
			if bare[file] == "" {
				t.Errorf("%s: an integer is made of a float by a conversion: use unit.Whole", at)
			}
		}
	}
	for file := range bare {
		t.Run(file, func(t *testing.T) {
			if !used[file] {
				t.Errorf("%s: the exception is not needed", file)
			}
		})
	}
}

// overlaid are the files that -overlay in GOFLAGS puts in place of others: the mutants and repairs of specs/mutant,
// which are checked as they are built.
func overlaid(t *testing.T) map[string][]byte {
	files := map[string][]byte{}
	for _, option := range strings.Fields(os.Getenv("GOFLAGS")) {
		path, given := strings.CutPrefix(option, "-overlay=")
		if !given {
			continue
		}
		var list struct{ Replace map[string]string }
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &list)
		}
		for file, by := range list.Replace {
			if err == nil {
				files[file], err = os.ReadFile(by)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// conversions lists the places at which a package makes an integer of a float that is not a constant.
func conversions(p *packages.Package) (places []string) {
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || !p.TypesInfo.Types[call.Fun].IsType() {
				return true
			}
			from := p.TypesInfo.Types[call.Args[0]]
			if from.Value == nil && may(from.Type, types.IsFloat) &&
				may(p.TypesInfo.Types[call.Fun].Type, types.IsInteger) {
				places = append(places, fmt.Sprint(p.Fset.Position(call.Pos())))
			}
			return true
		})
	}
	return places
}

// may reports whether a type is, or as a parameter may be, of a kind.
func may(t types.Type, kind types.BasicInfo) bool {
	if p, ok := t.(*types.TypeParam); ok {
		t = p.Constraint()
	}
	switch under := t.Underlying().(type) {
	case *types.Basic:
		return under.Info()&kind != 0
	case *types.Interface:
		return slices.ContainsFunc(slices.Collect(under.EmbeddedTypes()), func(e types.Type) bool { return may(e, kind) })
	case *types.Union:
		return slices.ContainsFunc(slices.Collect(under.Terms()), func(e *types.Term) bool { return may(e.Type(), kind) })
	}
	return false
}
