package architecture

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Run folders have one reader, emulator/runfolder: one parser of times, one sense of a damaged cell, one bound on
// sizes. Not seen: a name that is put together of parts, or that comes from the manifest's list of files.
var readerRules = []rule{
	{
		name: "CSV",
		ask:  "ask emulator/runfolder, or testbed/look/page to write it",
		find: importsOf(func(path string) bool { return path == "encoding/csv" || strings.HasSuffix(path, "/gocsv") }),
		known: map[string]string{
			"emulator/runfolder/records.go":   "its place",
			"testbed/look/page/csv.go":        "writes what commands print",
			"docs/findings/two-dc/lengths.go": "reads the table of a sweep, which is no run folder",
			"docs/findings/pc4/sets.go":       "the same",
			"docs/findings/pc4/score.go":      "writes a table of scores",
		},
	},
	{
		name: "text cut at commas",
		ask:  "if it is a row of a run folder, ask emulator/runfolder",
		find: cutsAt(","),
		known: map[string]string{
			"emulator/runfolder/records.go":    "its place",
			"emulator/runfolder/bind.go":       "a tag of a struct",
			"emulator/result/adopt.go":         "the head of a file that the package wrote, below the reader",
			"emulator/scenario/seeds.go":       "--seeds",
			"emulator/sonic/onto.go":           "the ports of an entry",
			"emulator/sonic/device.go":         "the same",
			"emulator/sonic/maps.go":           "the values of a map",
			"emulator/sonic/links.go":          "the fields of a link",
			"emulator/mlxconfig/qos.go":        "the DSCPs of a priority",
			"cmd/rocelab/wire.go":              "two values of a flag",
			"cmd/rocelab/completion.go":        "a flag's list",
			"cmd/rocelab/new.go":               "an answer's list",
			"cmd/rocelab/sweep_axes.go":        "the paths of an axis",
			"plugins/cc/control/fields.go":     "a tag of a struct",
			"internal/cgroup/hierarchy.go":     "options of a mount",
			"testbed/many/tune/values.go":      "the values of a flag",
			"testbed/many/comparison/entry.go": "--algorithm",
			"docs/findings/pc4/decides.go":     "overrides in a cell",
			"packaging/main.go":                "a flag's list",
			"specs/faults/nemesis/case.go":     "the text of a case",
			"specs/rxe/image/modules.go":       "modules that a module needs",
		},
	},
	{
		name: "times of a run folder",
		ask:  "ask runfolder.ParseTime",
		find: timeParsers,
		known: map[string]string{
			"emulator/runfolder/time.go":                  "its place",
			"emulator/result/sheet.go appendMicroseconds": "prints one",
		},
	},
	{
		name: "names of summary.json, manifest.json and host.json",
		ask:  "ask emulator/runfolder or emulator/result",
		find: jsonNames,
		known: map[string]string{
			"emulator/result/runfiles.go":                "writes it",
			"emulator/result/manifest.go":                "writes it",
			"emulator/result/hostfile.go":                "writes it",
			"emulator/runfolder/":                        "its place",
			"cmd/rocelab/source.go":                      "asks whether it is there",
			"testbed/look/diff/side.go":                  "the same",
			"testbed/look/view/list.go":                  "the same, and when it was written",
			"testbed/look/view/exposition/exposition.go": "the same",
			"testbed/look/pack/folder.go":                "packs it as it is",
			"testbed/look/report/run.go":                 "says on the page where a number is",
			"testbed/look/report/folder.go":              "holds it to its digest: until it uses runfolder",
			"testbed/look/view/run.go":                   "reads its head alone, for a list: until it uses runfolder",
		},
	},
	{
		name: "files of CSV of a run folder",
		ask:  "ask emulator/runfolder",
		find: csvNames,
	},
	{
		name: "metrics of summary.json",
		ask:  "ask runfolder.Summary",
		find: metricsOf,
		known: map[string]string{
			"emulator/result/manifest.go":       "writes them",
			"emulator/runfolder/summary.go":     "its place",
			"testbed/look/baseline/text.go":     "how many were compared, in a document",
			"testbed/many/campaign/row.go":      "of a point of a sweep, in its own file",
			"testbed/many/sweep/table.go":       "the same, in a document",
			"testbed/many/comparison/encode.go": "the rows of a document",
			"testbed/look/diff/document.go":     "the same",
		},
	},
}

// cutters cut a text.
var cutters = []string{"Split", "SplitN", "SplitSeq", "SplitAfter", "SplitAfterN", "SplitAfterSeq", "Cut", "FieldsFunc",
	"IndexByte", "Index"}

// cutsAt finds calls that cut a text at a mark.
func cutsAt(mark string) func(string, *ast.File) []sight {
	return nodes(func(n ast.Node) string {
		name, args := called(n)
		if !slices.Contains(cutters, name) || len(args) < 2 {
			return ""
		}
		if within(args[1], func(n ast.Node) bool { return literal(n) == mark || isLetter(n, mark) }) {
			return strconv.Quote(mark) + " in a call of " + name
		}
		return ""
	})
}

// isLetter reports whether a node is a letter, ',' or '.'.
func isLetter(n ast.Node, letter string) bool {
	of, ok := n.(*ast.BasicLit)
	return ok && of.Kind == token.CHAR && of.Value == "'"+letter+"'"
}

// timeName is in the name of a function that reads a time.
var timeName = regexp.MustCompile(`(?i)^(parse|read|scan|decode)\w*(time|micro|pico)`)

// timeParsers finds functions with a point and six decimals, and functions whose names suggest it.
func timeParsers(_ string, file *ast.File) (list []sight) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		point := within(f.Body, func(n ast.Node) bool { return literal(n) == "." || isLetter(n, ".") })
		million := within(f.Body, func(n ast.Node) bool {
			of, ok := n.(*ast.BasicLit)
			return ok && slices.Contains([]string{"1e6", "1_000_000", "1000000", `"000000"`, `"0000000"`}, of.Value)
		})
		if point && million || timeName.MatchString(f.Name.Name) {
			list = append(list, sight{f.Pos(), "function " + f.Name.Name + " parses a time", f.Name.Name})
		}
	}
	return list
}

// jsonName ends with the name of a file of JSON.
var jsonName = regexp.MustCompile(`(^|/)(summary|manifest|host)\.json$`)

func jsonNames(_ string, file *ast.File) []sight {
	return nodes(func(n ast.Node) string {
		if text := literal(n); jsonName.MatchString(text) {
			return strconv.Quote(text)
		}
		return ""
	})("", file)
}

// csvName is a name of a file of a run, such as flows.csv.
var csvName = regexp.MustCompile(`(^|/)[a-z_]+\.csv$`)

// openers open or read a file.
var openers = []string{"ReadFile", "Open", "OpenFile", "OpenInRoot", "ReadAll", "NewScanner", "NewReader", "NewDecoder",
	"Unmarshal", "Sscanf", "Fscanf"}

// csvNames finds the names of the folder's files of CSV in a file that opens or reads some.
func csvNames(_ string, file *ast.File) (list []sight) {
	reads := within(file, func(n ast.Node) bool { name, _ := called(n); return slices.Contains(openers, name) })
	if !reads {
		return nil
	}
	return nodes(func(n ast.Node) string {
		if text := literal(n); csvName.MatchString(text) {
			return strconv.Quote(text) + " in a file that reads"
		}
		return ""
	})("", file)
}

// metricsOf finds fields of JSON that are called metrics, of any type, and m["metrics"].
func metricsOf(_ string, file *ast.File) []sight {
	return nodes(func(n ast.Node) string {
		switch n := n.(type) {
		case *ast.Field:
			if n.Tag != nil && regexp.MustCompile(`json:"metrics["/,]`).MatchString(n.Tag.Value) {
				return "a field of JSON that is called metrics"
			}
		case *ast.IndexExpr:
			if literal(n.Index) == "metrics" {
				return "an index that is called metrics"
			}
		}
		return ""
	})("", file)
}
