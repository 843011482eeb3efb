package architecture

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// People see tables by testbed/look/page, in all formats. Not seen: columns that are padded by fmt's widths.
var formRules = []rule{
	{
		name: "tables of text",
		ask:  "use page.Table",
		find: importsOf(func(path string) bool {
			return strings.Contains(path, "go-pretty/") && strings.HasSuffix(path, "/table") || path == "text/tabwriter" ||
				strings.HasSuffix(path, "/tablewriter")
		}),
		known: map[string]string{
			"testbed/look/page/":            "its place",
			"specs/faults/nemesis/tally.go": "what the program of a test prints for its author",
		},
	},
	{
		name: "templates of HTML",
		ask:  "use page.Document",
		find: importsOf(func(path string) bool { return path == "html/template" }),
		known: map[string]string{
			"docs/site/site.go":    "the frame of the pages of the documentation",
			"testbed/look/page/":   "its place",
			"testbed/look/report/": "the page of run folders",
			"testbed/look/view/":   "the list of run folders, and the page of a run that is under way",
		},
	},
	{
		name: "templates of text",
		ask:  "use page.Document",
		find: importsOf(func(path string) bool { return path == "text/template" }),
		known: map[string]string{
			"plugins/authoring/authoring.go":           "source for authors",
			"testbed/many/sweep/cluster/kubernetes.go": "a job of Kubernetes",
			"testbed/many/sweep/cluster/slurm.go":      "a script of Slurm",
			"specs/sweep/internal/slurm/cluster.go":    "configuration of Slurm",
		},
	},
	{
		name: "tables of Markdown",
		ask:  "use page.Table, which prints Markdown",
		find: nodes(func(n ast.Node) string {
			if text := literal(n); ruler.MatchString(text) {
				return strconv.Quote(text)
			}
			return ""
		}),
		known: map[string]string{
			"emulator/result/sheet.go":        "columns.md, which is below testbed",
			"testbed/look/pack/readme.go":     "the page of a pack, which quotes a table",
			"docs/findings/two-dc/lengths.go": "a page of findings",
			"docs/findings/pc4/sets.go":       "the same",
			"docs/findings/pc4/decides.go":    "the same",
		},
	},
	{
		name: "ethtool",
		ask:  "use github.com/safchain/ethtool",
		find: nodes(func(n ast.Node) string {
			switch n := n.(type) {
			case *ast.Ident:
				if strings.HasPrefix(strings.ToUpper(n.Name), "SIOCETHTOOL") {
					return n.Name
				}
			case *ast.BasicLit:
				if value, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil && value == 0x8946 {
					return n.Value + " is SIOCETHTOOL"
				}
			}
			return ""
		}),
	},
}

// ruler is the line below the head of a table of Markdown.
var ruler = regexp.MustCompile(`\| ?:?-{3,}:? ?\|`)
