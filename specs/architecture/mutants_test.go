package architecture

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// mutants are second places in plausible forms: the name of the rule that must see it, the file in which it would be,
// and its content. The checks at the time of the first round of review passed all of its mutants.
var mutants = []struct{ rule, path, source string }{
	{"CSV", "testbed/look/report/mine.go", `import "encoding/csv"`},
	{"kinds of faults by their names", "emulator/result/mine.go", `func voids(kind string) bool {
			switch kind { case "link", "pfc-storm": return true }
			return false
		}`},
	{"kinds of faults by their names", "nicd/mine.go", `func slow(kind string) bool { return kind == "one-way" }`},
	{"kinds of faults by their names", "switchd/mine.go", `func lost(h fabric.Harm) bool {
			return h.Kind == link.Bleach
		}`},
	{"text cut at commas", "testbed/look/report/mine.go", `import ("bufio"; "strings")
		func rows(f *os.File) (all [][]string) {
			for lines := bufio.NewScanner(f); lines.Scan(); {
				all = append(all, strings.Split(lines.Text(), ","))
			}
			return all
		}`},
	{"text cut at commas", "testbed/many/mine.go", `func first(line string) string {
			cell, _, _ := strings.Cut(line, ",")
			return cell
		}`},
	{"text cut at commas", "testbed/many/mine.go", `func cells(line []byte) [][]byte {
			return bytes.Split(line, []byte{','})
		}`},
	{"text cut at commas", "testbed/many/mine.go", `func cells(line string) []string {
			return strings.FieldsFunc(line, func(r rune) bool { return r == ',' })
		}`},
	{"files of CSV of a run folder", "testbed/many/reproduce/mine.go", `func flows(dir string) (*os.File, error) {
			return os.Open(filepath.Join(dir, "flows.csv"))
		}`},
	{"files of CSV of a run folder", "testbed/look/mine/mine.go", `const name = "dcqcn/series_ports.csv"
		func text(files fs.FS) ([]byte, error) { return fs.ReadFile(files, name) }`},
	{"metrics of summary.json", "testbed/look/mine/mine.go", `type figures map[string]float64
		type summary struct { Metrics figures ` + "`json:\"metrics\"`" + ` }`},
	{"metrics of summary.json", "testbed/look/mine/mine.go", `type summary struct {
			Metrics struct { Drops uint64 ` + "`json:\"drops\"`" + ` } ` + "`json:\"metrics\"`" + `
		}`},
	{"metrics of summary.json", "testbed/look/mine/mine.go", `type summary struct {
			Metrics map[string]float64 ` + "`json:\"metrics,omitempty\"`" + `
		}`},
	{"metrics of summary.json", "testbed/look/mine/mine.go", `func all(of map[string]any) any { return of["metrics"] }`},
	{"names of summary.json, manifest.json and host.json", "testbed/look/mine/mine.go",
		`func read(files fs.FS) ([]byte, error) { return fs.ReadFile(files, "summary.json") }`},
	{"names of summary.json, manifest.json and host.json", "testbed/many/mine.go", `const name = "manifest.json"
		func read(files fs.FS, into any) error {
			text, err := fs.ReadFile(files, name)
			return errors.Join(err, json.Unmarshal(text, into))
		}`},
	{"names of summary.json, manifest.json and host.json", "cmd/rocelab/mine.go",
		`func read(dir string) (*os.File, error) { return os.Open(dir + "/host.json") }`},
	{"times of a run folder", "testbed/look/diff/mine.go", `func parseMicroseconds(text string) (int64, error) {
			return strconv.ParseInt(text, 10, 64)
		}`},
	{"times of a run folder", "testbed/look/diff/mine.go", `func instant(text string) int64 {
			whole, part, _ := strings.Cut(text, ".")
			n, _ := strconv.ParseInt(whole, 10, 64)
			d, _ := strconv.ParseInt((part + "000000")[:6], 10, 64)
			return n*1e6 + d
		}`},
	{"times of a run folder", "testbed/look/diff/mine.go", `func instant(text string) (ps int64) {
			at := strings.IndexByte(text, '.')
			n, _ := strconv.ParseInt(text[:at], 10, 64)
			return n*1_000_000
		}`},
	{"statistics by name", "testbed/many/mine.go", `func medianOf(v []float64) float64 { return 0 }`},
	{"statistics by name", "testbed/many/mine.go", `type sample []float64
		func (s sample) Median() float64 { return 0 }`},
	{"statistics by name", "testbed/many/tune/mine.go", `type sample []float64
		func (s *sample) P99() float64 { return 0 }`},
	{"statistics by name", "testbed/many/tune/mine.go", `func score(v []float64) float64 {
			percentile := func(p int) float64 { return v[p] }
			return percentile(50)
		}`},
	{"statistics by name", "testbed/many/tune/mine.go", `var resampled = func(v []float64) []float64 { return v }`},
	{"the middle of a list", "testbed/many/mine.go", `func typical(v []float64) float64 { return v[len(v)/2] }`},
	{"the middle of a list", "testbed/many/mine.go", `func typical(v []float64) float64 {
			n := len(v)
			return v[n/2]
		}`},
	{"the middle of a list", "testbed/many/mine.go", `func typical(v []float64) float64 {
			n := len(v)
			return (v[n/2-1] + v[n/2]) / 2
		}`},
	{"the middle of a list", "testbed/many/mine.go", `func typical(v []float64) float64 { return v[(len(v)-1)>>1] }`},
	{"the middle of a list", "testbed/many/mine.go", `func typical(v []float64) float64 {
			middle := len(v) / 2
			return v[middle]
		}`},
	{"the middle of a list", "testbed/many/bench/mine.go", `func typical(v []float64) float64 {
			const rounds = 100
			return v[rounds/2]
		}`},
	{"a quantile by its index", "testbed/many/bench/mine.go", `func x(v []float64) float64 { return v[len(v)*99/100] }`},
	{"a quantile by its index", "testbed/many/bench/mine.go", `func late(v []float64) float64 {
			return v[int(0.99*float64(len(v)))]
		}`},
	{"a draw with replacement", "testbed/many/tune/mine.go", `func spread(v []float64, c *rand.Rand) (means []float64) {
			for range 1000 {
				sum := 0.0
				for range v {
					sum += v[c.IntN(len(v))]
				}
				means = append(means, sum/float64(len(v)))
			}
			return means
		}`},
	{"a draw with replacement", "testbed/many/tune/mine.go", `func spread(v []float64, c *chance.Stream) (sum float64) {
			for range v {
				i := c.Below(uint64(len(v)))
				sum += v[i]
			}
			return sum
		}`},
	{"tables of text", "testbed/many/mine.go", `import "github.com/jedib0t/go-pretty/v6/table"`},
	{"tables of text", "testbed/many/mine.go", `import "text/tabwriter"`},
	{"templates of HTML", "cmd/rocelab/mine.go", `import "html/template"`},
	{"templates of text", "testbed/many/tune/mine.go", `import "text/template"`},
	{"tables of Markdown", "testbed/many/tune/mine.go", `func print(w io.Writer) {
			fmt.Fprintf(w, "| metric | a |\n| --- | --- |\n")
		}`},
	{"tables of Markdown", "testbed/many/tune/mine.go", `func print(w io.Writer) { io.WriteString(w, "|---|---:|\n") }`},
	{"ethtool", "testbed/nodes/netns/mine.go", `const SIOCETHTOOL = 35142`},
	{"ethtool", "testbed/nodes/netns/mine.go", `func ask(fd, request uintptr) {
			unix.Syscall(unix.SYS_IOCTL, fd, 0x8946, request)
		}`},
	{"ethtool", "testbed/nodes/netns/mine.go", `func ask(fd int) { ioctl(fd, unix.SIOCETHTOOL) }`},
	{"kmin and kmax", "switchd/mine.go", `func wrong(c *config) bool { return c.Kmin > c.Kmax }`},
	{"kmin and kmax", "emulator/sonic/mine.go", `func wrong(kminBytes, kmaxBytes int64) bool {
			return kminBytes > kmaxBytes
		}`},
	{"kmin and kmax", "emulator/scenario/mine.go", `func right(kminOf, kmaxOf *int64) bool { return *kmaxOf >= *kminOf }`},
	{"guaranteed and buffer", "switchd/mine.go", `func wrong(c *config) bool { return c.Guaranteed > c.Buffer }`},
	{"YAML", "testbed/many/tune/mine.go", `import "github.com/goccy/go-yaml"`},
	{"YAML", "testbed/many/tune/mine.go", `import "sigs.k8s.io/yaml"`},
	{"YAML", "testbed/many/tune/mine.go", `import "gopkg.in/yaml.v3"`},
	{"YAML", "testbed/many/tune/mine.go", `import "go.yaml.in/yaml/v4"`},
	{"tokens of JSON", "testbed/many/tune/mine.go", `func next(d *json.Decoder) { d.Token() }`},
	{"JSON of configurations", "emulator/sonic/mine.go", `func root(text []byte) (root map[string]any, err error) {
			return root, json.Unmarshal(text, &root)
		}`},
}

// Second places are seen in any form: each of the table is refused by its rule.
func TestSecondPlacesAreSeen(t *testing.T) {
	tried := map[string]bool{}
	for _, m := range mutants {
		tried[m.rule] = true
		file, err := parser.ParseFile(token.NewFileSet(), m.path, "package mine\n"+m.source, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%v\n%s", err, m.source)
			continue
		}
		if len(ruleOf(t, m.rule).refused(m.path, file, map[string]string{})) == 0 {
			t.Errorf("%q does not see, in %s:\n%s", m.rule, m.path, m.source)
		}
	}
	for _, r := range rules {
		if !tried[r.name] {
			t.Errorf("%q has no mutant", r.name)
		}
	}
}

// Ordinary code is passed: a check that refuses everything would pass the test above.
func TestOrdinaryCodeIsPassed(t *testing.T) {
	const source = `package mine
		import ("encoding/json"; "strings"; "text/scanner")
		type point struct { Metric string ` + "`json:\"metric\"`" + ` }
		func decide(v []float64, kmin, queue int64, path string) bool {
			steps := strings.Split(path, ".")
			last := v[len(v)-1]
			return last > 0 && queue > kmin && len(steps)/2 > 1 && strings.HasSuffix(path, ".json")
		}`
	for _, path := range []string{"testbed/many/tune/mine.go", "emulator/sonic/mine.go"} {
		t.Run(path, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rules {
				for _, s := range r.refused(path, file, map[string]string{}) {
					t.Errorf("%s: %s: %s", path, r.name, strings.TrimSpace(s.what))
				}
			}
		})
	}
}
