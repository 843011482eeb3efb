package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Facts that have one place. Each test here looks at the source of all programs and is red as soon as a second place
// appears. Tier: -short.

// products calls each with every Go file that is no test, by its path in the repository.
func products(t *testing.T, each func(path string, file *ast.File, at func(token.Pos) int)) {
	t.Helper()
	for _, name := range sources(t) {
		path := filepath.ToSlash(strings.TrimPrefix(name, "../../"))
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata/") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		each(path, file, func(pos token.Pos) int { return set.Position(pos).Line })
	}
}

// statistic is the name of a function that works out what compare and result work out.
var statistic = regexp.MustCompile(`(?i)^(median|quantile|percentile|jain|bootstrap|mannwhitney|midrank)s?(of)?$`)

// ofStatistics are the functions by such names that there may be.
var ofStatistics = []string{
	"testbed/look/compare Median", "testbed/look/compare bootstrap", "testbed/look/compare mannWhitney",
	"testbed/look/compare midranks",
	"emulator/result Quantile", "emulator/result Jain",
	"emulator/result quantiles",      // a document of what record.Lateness has
	"emulator/result Quantiles",      // a text of the same
	"testbed/experiment quantilesOf", // and its columns in a table
}

// Whether two sets of runs differ is decided in testbed/look/compare only: one median, one bootstrap, one test; the
// quantile and Jain's index are those of summary.json, in emulator/result. Red if another function has such a name,
// or takes the middle of a list by its length.
func TestStatisticsHaveOnePlace(t *testing.T) {
	var found []string
	products(t, func(path string, file *ast.File, at func(token.Pos) int) {
		folder := filepath.ToSlash(filepath.Dir(path))
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				name := folder + " " + n.Name.Name
				if n.Recv == nil && statistic.MatchString(n.Name.Name) {
					found = append(found, name)
					if !slices.Contains(ofStatistics, name) {
						t.Errorf("%s:%d: %s: ask testbed/look/compare, or emulator/result for a quantile", path, at(n.Pos()), n.Name.Name)
					}
				}
			case *ast.IndexExpr:
				if isMiddle(n.Index) && !slices.Contains(middles, path) {
					t.Errorf("%s:%d: the middle of a list: ask compare.Median", path, at(n.Pos()))
				}
			}
			return true
		})
	})
	for _, name := range ofStatistics {
		if !slices.Contains(found, name) {
			t.Errorf("%s is not there any more", name)
		}
	}
}

// middles are files in which the middle of a list is not a median of figures.
var middles = []string{
	"testbed/look/compare/median.go",
	"testbed/look/report/card.go",     // the run that has the median, to name its file
	"testbed/sweep/place.go",          // a label
	"testbed/tools/bench/stream.go",   // the run of the median p99
	"docs/findings/two-dc/lengths.go", // three seeds
}

// isMiddle reports whether an index is len(x) / 2.
func isMiddle(index ast.Expr) bool {
	half, ok := index.(*ast.BinaryExpr)
	if !ok || half.Op != token.QUO {
		return false
	}
	call, ok := half.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	two, isTwo := half.Y.(*ast.BasicLit)
	return ok && name.Name == "len" && isTwo && two.Value == "2"
}

// csvReaders are the files that may import encoding/csv, and why.
var csvReaders = map[string]string{
	"emulator/runfolder/records.go":   "the reader of run folders",
	"testbed/look/page/csv.go":        "writes what commands print",
	"docs/findings/two-dc/lengths.go": "reads the table of a sweep, which is no run folder",
	"docs/findings/pc4/sets.go":       "the same",
	"docs/findings/pc4/score.go":      "writes a table of scores",
}

// Run folders have one reader, emulator/runfolder: one parser of times, one sense of a damaged cell, one bound on
// sizes. Red if another file reads CSV, or has a map of its own for the metrics of summary.json.
func TestRunFoldersHaveOneReader(t *testing.T) {
	found := map[string]bool{}
	products(t, func(path string, file *ast.File, at func(token.Pos) int) {
		for _, of := range file.Imports {
			if of.Path.Value != `"encoding/csv"` {
				continue
			}
			found[path] = true
			if csvReaders[path] == "" {
				t.Errorf("%s: it reads or writes CSV: ask emulator/runfolder, or testbed/look/page", path)
			}
		}
		if strings.HasPrefix(path, "emulator/runfolder/") || strings.HasPrefix(path, "emulator/result/") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			field, isField := n.(*ast.Field)
			if isField && field.Tag != nil && strings.Contains(field.Tag.Value, `json:"metrics"`) {
				if _, isMap := field.Type.(*ast.MapType); isMap {
					t.Errorf("%s:%d: metrics of summary.json: ask runfolder.Summary", path, at(field.Pos()))
				}
			}
			return true
		})
	})
	for path := range csvReaders {
		if !found[path] {
			t.Errorf("%s does not import encoding/csv any more", path)
		}
	}
}

// People see tables by testbed/look/page, in all formats. Red if another file lays out a table, or makes a document of
// a command in HTML by a template of its own.
func TestTablesHaveOneRenderer(t *testing.T) {
	allowed := map[string]bool{
		"testbed/look/page/table.go": true,
	}
	products(t, func(path string, file *ast.File, _ func(token.Pos) int) {
		for _, of := range file.Imports {
			if strings.Contains(of.Path.Value, "go-pretty/v6/table") && !allowed[path] {
				t.Errorf("%s: it lays out a table: use page.Table", path)
			}
		}
	})
}

// The features of an interface are read and switched by the ethtool library. Red if a file speaks SIOCETHTOOL itself.
func TestEthtoolIsALibrary(t *testing.T) {
	products(t, func(path string, file *ast.File, at func(token.Pos) int) {
		ast.Inspect(file, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && strings.HasPrefix(strings.ToUpper(name.Name), "SIOCETHTOOL") {
				t.Errorf("%s:%d: %s: use github.com/safchain/ethtool", path, at(name.Pos()), name.Name)
			}
			return true
		})
	})
}

// pairs are thresholds of which the first may not be above the second, and the file that compares them.
var pairs = []struct{ low, high, at string }{
	{"kmin", "kmax", "emulator/profile/marking.go"},
	{"Guaranteed", "Buffer", "emulator/profile/dci.go"},
}

// Thresholds are held to each other in emulator/profile, for scenarios, configurations of SONiC and switches. Red if
// another file compares them.
func TestThresholdsAreComparedInOnePlace(t *testing.T) {
	found := map[string]bool{}
	products(t, func(path string, file *ast.File, at func(token.Pos) int) {
		ast.Inspect(file, func(n ast.Node) bool {
			compared, ok := n.(*ast.BinaryExpr)
			if !ok || !slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}, compared.Op) {
				return true
			}
			left, right := lastName(compared.X), lastName(compared.Y)
			for _, p := range pairs {
				is := strings.EqualFold(left, p.low) && strings.EqualFold(right, p.high) ||
					strings.EqualFold(left, p.high) && strings.EqualFold(right, p.low)
				if is && path != p.at {
					t.Errorf("%s:%d: %s and %s are compared: ask %s", path, at(n.Pos()), p.low, p.high, p.at)
				}
				found[p.low] = found[p.low] || is
			}
			return true
		})
	})
	for _, p := range pairs {
		if !found[p.low] {
			t.Errorf("%s does not compare %s any more", p.at, p.low)
		}
	}
}

// lastName is the name that an expression ends with: c of a.b.c and of a.b.c().
func lastName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.Ident:
		return of.Name
	case *ast.SelectorExpr:
		return of.Sel.Name
	case *ast.CallExpr:
		if len(of.Args) == 1 { // a conversion
			return lastName(of.Args[0])
		}
		return lastName(of.Fun)
	}
	return ""
}

// positioned are the files that may read tokens of YAML or JSON, and why.
var positioned = map[string]string{
	"emulator/document/yaml.go":  "the tree of YAML",
	"emulator/document/json.go":  "the tree of JSON",
	"testbed/look/page/rows.go":  "the order of keys of what a command prints",
	"testbed/look/pack/list.go":  "that nothing follows the list of a pack",
	"emulator/scenario/edit.go":  "where a scenario's text is replaced",
	"docs/findings/pc4/score.go": "a table, without places",
	"emulator/document/node.go":  "what a node was made of",
}

// Texts are read into trees with positions in emulator/document, for scenarios and configurations of SONiC. Red if
// another file parses YAML, or reads JSON token by token.
func TestTreesHaveOneParser(t *testing.T) {
	products(t, func(path string, file *ast.File, at func(token.Pos) int) {
		for _, of := range file.Imports {
			if strings.Contains(of.Path.Value, "goccy/go-yaml") && positioned[path] == "" {
				t.Errorf("%s: it parses YAML: ask emulator/document", path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) > 0 || positioned[path] != "" {
				return true
			}
			if name, ok := call.Fun.(*ast.SelectorExpr); ok && name.Sel.Name == "Token" {
				t.Errorf("%s:%d: it reads tokens: ask emulator/document", path, at(call.Pos()))
			}
			return true
		})
	})
}
