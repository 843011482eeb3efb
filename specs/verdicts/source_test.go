package verdicts

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Each finding of the source has a row.
func TestEveryFindingHasARun(t *testing.T) {
	for _, complaint := range unmatched(findings, sourceFindings(t)) {
		t.Error(complaint)
	}
}

// unmatched lists the faults of rows: each source has one row, the one with the longest words that match, and each row
// one source. A row without words would match them all.
func unmatched(rows, sources []finding) (complaints []string) {
	of := make([][]string, len(rows))
	for _, source := range sources {
		longest := -1
		for i, row := range rows {
			if row.status == source.status && row.subject == source.subject && strings.Contains(source.words, row.words) &&
				(longest < 0 || len(row.words) > len(rows[longest].words)) {
				longest = i
			}
		}
		if longest < 0 || rows[longest].words == "" {
			complaints = append(complaints, fmt.Sprintf("%s %s: %q has no run that has it", source.status, source.subject,
				source.words))
			continue
		}
		of[longest] = append(of[longest], source.words)
	}
	for i, row := range rows {
		switch name := fmt.Sprintf("%s %s: %q", row.status, row.subject, row.words); {
		case row.words == "":
			complaints = append(complaints, name+" names no text")
		case len(of[i]) == 0:
			complaints = append(complaints, name+" is in no source that has no longer match")
		case len(of[i]) > 1:
			complaints = append(complaints, fmt.Sprintf("%s stands for several texts: %q", name, of[i]))
		}
	}
	return complaints
}

// A text that is a part of another one needs a row of its own, and so has each of several texts of a kind.
func TestARowStandsForOneText(t *testing.T) {
	red := func(words string) finding { return finding{status: "Red", subject: "Losslessness", words: words} }
	sources := []finding{red("not lossless: deadlock at %v"), red("not lossless: %s")}
	for _, c := range []struct {
		rows []finding
		want string
	}{
		{[]finding{red("not lossless: deadlock at"), red("not lossless: %s")}, ""},
		{[]finding{red("not lossless: %s")}, "deadlock at %v\" has no run"},
		{[]finding{red("not lossless: ")}, "stands for several texts"},
		{[]finding{red("not lossless: deadlock at")}, "%s\" has no run"},
		{[]finding{red("not lossless: deadlock at"), red("not lossless: %s"), red("lossless")}, "is in no source"},
		{[]finding{red("")}, "names no text"},
	} {
		got := fmt.Sprint(unmatched(c.rows, sources))
		if !strings.Contains(got, c.want) || c.want == "" && got != "[]" {
			t.Errorf("%v: %s, want %q", c.rows, got, c.want)
		}
	}
}

// makers are the functions that make the text of findings whose text is not a literal, by its expression: each text
// that they return is a finding. Those of conservation are the calls of two functions.
var makers = map[string][]string{
	"text":                         {"emulator/result/loss.go headroomCause", "emulator/result/loss.go lossyText"},
	"a.String()":                   {"emulator/result/answer.go String"},
	"outcome.Unlike":               {"testbed/nodes/live/replay/replay.go Remark"},
	"fmt.Sprintf(format, args...)": nil,
}

// sourceFindings are the findings that the source makes, remarks excepted; words are all literals of the text.
func sourceFindings(t *testing.T) (list []finding) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "emulator", "result", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, spell := sourceOf(t, name)
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if by := spell(n.Fun); by == "violation" || by == "bad" {
					if words := literals(n.Args[0]); words != "flow %s: %s" {
						list = append(list, finding{status: "Red", subject: "Conservation", words: words})
					}
				}
			case *ast.CompositeLit:
				if n.Type == nil {
					return true
				}
				for _, made := range findingsIn(n) {
					if status := spell(made.Elts[0]); status != "Pass" {
						list = append(list, textsOf(t, status, spell(made.Elts[1]), made.Elts[2], spell)...)
					}
				}
			}
			return true
		})
	}
	return list
}

// textsOf are the findings with the texts that an expression may be.
func textsOf(t *testing.T, status, subject string, text ast.Expr, spell func(ast.Expr) string) (list []finding) {
	t.Helper()
	if words := literals(text); words != "" {
		return []finding{{status: status, subject: subject, words: words}}
	}
	by, known := makers[spell(text)]
	if !known {
		t.Errorf("%s %s: nobody knows what makes the text %s", status, subject, spell(text))
	}
	for _, maker := range by {
		file, name, _ := strings.Cut(maker, " ")
		parsed, spell := sourceOf(t, filepath.Join("..", "..", filepath.FromSlash(file)))
		before := len(list)
		for _, declared := range parsed.Decls {
			if function, is := declared.(*ast.FuncDecl); is && function.Name.Name == name {
				ast.Inspect(function, func(n ast.Node) bool {
					returned, is := n.(*ast.ReturnStmt)
					if !is || spell(returned.Results[0]) == "headroomSet" { // a remark
						return true
					}
					if words := literals(returned.Results[len(returned.Results)-1]); words != "" {
						list = append(list, finding{status: status, subject: subject, words: words})
					}
					return true
				})
			}
		}
		if len(list) == before {
			t.Errorf("%s makes no text", maker)
		}
	}
	return list
}

// sourceOf parses a file; spell returns an expression of it as it is written.
func sourceOf(t *testing.T, name string) (parsed *ast.File, spell func(ast.Expr) string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if parsed, err = parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
		t.Fatal(err)
	}
	return parsed, func(e ast.Expr) string { return string(text[e.Pos()-1 : e.End()-1]) }
}

// findingsIn are the findings that a literal of one, or of a list of them, makes.
func findingsIn(literal *ast.CompositeLit) (list []*ast.CompositeLit) {
	isFinding := func(e ast.Expr) bool {
		name, is := e.(*ast.Ident)
		return is && name.Name == "Finding"
	}
	if isFinding(literal.Type) && len(literal.Elts) == 3 {
		return []*ast.CompositeLit{literal}
	}
	if array, is := literal.Type.(*ast.ArrayType); is && isFinding(array.Elt) {
		for _, e := range literal.Elts {
			if made, is := e.(*ast.CompositeLit); is && made.Type == nil {
				list = append(list, made)
			}
		}
	}
	return list
}

// literals are the strings in an expression, one after the other.
func literals(e ast.Expr) (text string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if l, is := n.(*ast.BasicLit); is && l.Kind == token.STRING {
			said, _ := strconv.Unquote(l.Value) // a literal that was parsed
			text += said
		}
		return true
	})
	return text
}
