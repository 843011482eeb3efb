package architecture

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// Whether two sets of runs differ is decided in testbed/look/compare: one median, one bootstrap, one test. The quantile
// and Jain's index are summary.json's, in emulator/result. Not seen: a bootstrap that draws with a function whose name
// does not suggest chance or that does not receive the length, a median by a heap or by counting.
var statisticRules = []rule{
	{
		name: "statistics by name",
		ask:  "ask testbed/look/compare, or emulator/result for a quantile",
		find: statisticNames,
		known: map[string]string{
			"testbed/look/compare/":                              "its place",
			"emulator/result/distribution.go Quantile":           "its place",
			"emulator/result/fairness.go Jain":                   "its place",
			"emulator/result/fairness.go jainOfEpochs":           "asks Jain for each span",
			"emulator/result/timingdoc.go quantiles":             "a document of what record.Lateness has",
			"emulator/result/timeliness.go Quantiles":            "a text of the same",
			"testbed/many/experiment/timing.go quantilesOf":      "and its columns in a table",
			"testbed/look/report/live.go quantileCells":          "and on the page",
			"testbed/look/report/picture/completion.go quantile": "by result.Rank, with the share of all flows",
			"emulator/record/lateness.go Quantile":               "of the counters of a histogram",
			"emulator/record/histogram.go Quantile":              "the same",
			"emulator/record/depths.go Quantile":                 "the same, by the time that a queue had a length",
			"testbed/many/reproduce/figure.go Median":            "asks compare.Median",
			"testbed/many/bench/stream.go medianLive":            "the run of the median p99, which has other figures, too",
			"testbed/many/reproduce/measure/joining.go jain":     "asks result.Jain for each slot",
		},
	},
	{
		name: "the middle of a list",
		ask:  "ask compare.Median",
		find: middles,
		known: map[string]string{
			"testbed/look/compare/median.go":  "its place",
			"testbed/look/report/card.go":     "the run that has the median, to name its file",
			"testbed/look/report/why.go":      "the flow that has the median, to show it",
			"emulator/event/far.go":           "the parent in a heap",
			"emulator/record/series.go":       "joins bins two by two",
			"testbed/many/sweep/place.go":     "a label",
			"testbed/many/bench/stream.go":    "the run of the median p99",
			"testbed/nodes/veth/prepare.go":   "the link of a direction, of which each has two",
			"docs/findings/two-dc/lengths.go": "three seeds",
		},
	},
	{
		name: "a quantile by its index",
		ask:  "ask result.Quantile or result.Rank",
		find: ranks,
	},
	{
		name: "a draw with replacement",
		ask:  "ask compare.Between",
		find: draws,
		known: map[string]string{
			"testbed/look/compare/bootstrap.go":     "its place",
			"specs/faults/nemesis/fault_record.go":  "spoils letters of a file",
			"specs/faults/nemesis/fault_wire.go":    "a kind of fault",
			"specs/faults/nemesis/case.go":          "a word of a case",
			"testbed/many/training/pairs.go":        "cases to learn from",
			"emulator/internal/traffic/arrivals.go": "the ends of a flow",
			"testbed/many/judge/fuzz.go":            "a kind of event",
		},
	},
}

// statistic is in the name of a function that works out what compare and result work out.
var statistic = regexp.MustCompile(`(?i)median|quantile|percentile|jain|bootstrap|resampl|mannwhitney|ranksum|` +
	`midrank|^p(50|9\d|99\d)$`)

// statisticNames finds functions, methods and function literals by such names.
func statisticNames(_ string, file *ast.File) (list []sight) {
	see := func(name *ast.Ident) {
		if statistic.MatchString(name.Name) {
			list = append(list, sight{name.Pos(), "function " + name.Name, name.Name})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			see(n.Name)
		case *ast.AssignStmt:
			for i, value := range n.Rhs {
				name, isName := n.Lhs[i].(*ast.Ident)
				if _, is := value.(*ast.FuncLit); is && isName {
					see(name)
				}
			}
		case *ast.ValueSpec:
			for i, value := range n.Values {
				if _, is := value.(*ast.FuncLit); is {
					see(n.Names[i])
				}
			}
		}
		return true
	})
	return list
}

// middles finds indexes that are half of something: v[len(v)/2], v[n/2-1], v[n>>1], and v[mid] if mid is half of a
// length.
func middles(_ string, file *ast.File) (list []sight) {
	lengths, halves := names{}, names{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			lengths, halves = names{}, names{} // those of this function
		case *ast.AssignStmt:
			for i, value := range n.Rhs {
				name, ok := n.Lhs[min(i, len(n.Lhs)-1)].(*ast.Ident)
				if !ok {
					continue
				}
				ofLength := within(value, func(n ast.Node) bool { return isLen(n) || lengths.has(n) })
				lengths[name.Name] = lengths[name.Name] || ofLength
				halves[name.Name] = halves[name.Name] || ofLength && within(value, isHalf)
			}
		case *ast.IndexExpr:
			if within(n.Index, func(n ast.Node) bool { return isHalf(n) || halves.has(n) }) {
				list = append(list, sight{at: n.Pos(), what: "takes the middle of a list"})
			}
		}
		return true
	})
	return list
}

// names are variables.
type names map[string]bool

func (n names) has(node ast.Node) bool {
	name, ok := node.(*ast.Ident)
	return ok && n[name.Name]
}

// ranks finds indexes that are a part of a hundred or a thousand, or a share that is written out.
func ranks(_ string, file *ast.File) []sight {
	return nodes(func(n ast.Node) string {
		index, ok := n.(*ast.IndexExpr)
		if !ok || !within(index.Index, isShare) {
			return ""
		}
		return "takes a quantile of a list"
	})("", file)
}

// random is the name of a function that draws a number.
var random = regexp.MustCompile(`(?i)^(u?int(32|64)?n|n|below|draw|pick|choose|rand)\w*$`)

// draws finds x[random(len(x))], and x[i] after i := random(len(x)).
func draws(_ string, file *ast.File) (list []sight) {
	drawn := map[string]string{} // variables, and of which list
	isDraw := func(n ast.Node, of string) bool {
		name, args := called(n)
		return random.MatchString(name) && slices.ContainsFunc(args, func(arg ast.Expr) bool {
			return strings.Contains(types.ExprString(arg), "len("+of)
		})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			clear(drawn)
		case *ast.AssignStmt:
			for i, value := range n.Rhs {
				name, ok := n.Lhs[i].(*ast.Ident)
				if ok && within(value, func(n ast.Node) bool { return isDraw(n, "") }) {
					drawn[name.Name] = types.ExprString(value)
				}
			}
		case *ast.IndexExpr:
			of := types.ExprString(n.X)
			seen := within(n.Index, func(n ast.Node) bool {
				name, isName := n.(*ast.Ident)
				return isDraw(n, of+")") || isName && strings.Contains(drawn[name.Name], "len("+of+")")
			})
			if seen {
				list = append(list, sight{at: n.Pos(), what: "draws from a list"})
			}
		}
		return true
	})
	return list
}

// within reports whether a node in an expression is such a one.
func within(of ast.Node, is func(ast.Node) bool) (found bool) {
	ast.Inspect(of, func(n ast.Node) bool {
		found = found || n != nil && is(n)
		return !found
	})
	return found
}

func isLen(n ast.Node) bool { name, _ := called(n); return name == "len" }

// isHalf reports whether a node is x/2 or x>>1.
func isHalf(n ast.Node) bool {
	of, ok := n.(*ast.BinaryExpr)
	return ok && (of.Op == token.QUO && isNumber(of.Y, "2") || of.Op == token.SHR && isNumber(of.Y, "1"))
}

// isShare reports whether a node is x/100, x/1000, x*0.99 or the like.
func isShare(n ast.Node) bool {
	of, ok := n.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	share := func(e ast.Expr) bool {
		number, ok := e.(*ast.BasicLit)
		return ok && number.Kind == token.FLOAT && strings.HasPrefix(strings.TrimPrefix(number.Value, "0"), ".")
	}
	return of.Op == token.QUO && isNumber(of.Y, "100", "1000", "1_000") ||
		of.Op == token.MUL && (share(of.X) || share(of.Y))
}

func isNumber(e ast.Expr, values ...string) bool {
	number, ok := e.(*ast.BasicLit)
	return ok && slices.Contains(values, number.Value)
}
