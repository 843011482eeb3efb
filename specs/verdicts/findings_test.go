package verdicts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/tier"
)

// finding is a finding that is more than a remark, and the run that has it.
type finding struct {
	// status and subject are as the source of emulator/result spells them; words are a part of the text that is the same
	// in all runs.
	status, subject, words string
	// scenario and variant are those of testdata, set what is changed of it; or elsewhere is the test that has such a run.
	scenario, variant, set string
	elsewhere              test
}

// findings has each of them. No input breaks conservation: a mutant of the source does, or an outcome made by hand.
var findings = []finding{
	{
		status:   "Failed",
		subject:  "Completion",
		words:    "did not complete by the end of the",
		scenario: "stuck",
		variant:  "until",
	},
	{
		status:   "Failed",
		subject:  "Completion",
		words:    "the run's limit of",
		scenario: "stuck",
		variant:  "limit",
	},
	{
		status:   "Failed",
		subject:  "Completion",
		words:    "flows until stopped got nothing through at the end of the ",
		scenario: "stuck",
		variant:  "endless",
	},
	{
		status:   "Failed",
		subject:  "Expectation",
		words:    ": ",
		scenario: "stuck",
		variant:  "until",
		set:      "expect.checks=[drops == 0]",
	},
	{
		status:    "Void",
		subject:   "Effect",
		words:     "no flow sent a packet, and no frame came in at an edge",
		elsewhere: test{"emulator/result/verdict_test.go", "func TestNothingCameIn("},
	},
	{
		status:   "Void",
		subject:  "Effect",
		words:    "no flow sent a packet",
		scenario: "idle",
		variant:  "unsent",
	},
	{
		status:   "Void",
		subject:  "Effect",
		words:    "no congestion, which the scenario requires",
		scenario: "idle",
		variant:  "alone",
	},
	{
		status:   "Void",
		subject:  "Storm",
		words:    "never began: it was due at",
		scenario: "idle",
		variant:  "stormless",
	},
	{
		status:   "Void",
		subject:  "LeastTime",
		words:    "congestion costs little, and the scenario requires that it costs",
		scenario: "sites",
		variant:  "calm",
		set:      "expect.congestion=costly",
	},
	{
		status:   "Red",
		subject:  "Losslessness",
		words:    "not lossless: deadlock at",
		scenario: "ring",
		variant:  "ill",
	},
	{
		status:   "Red",
		subject:  "Losslessness",
		words:    "not lossless: ",
		scenario: "ring",
		variant:  "ill",
		set:      "switch.watchdog={enabled: true, detect: 1ms, restore: 1ms}",
	},
	{
		status:   "first.cause.status()",
		subject:  "Losslessness",
		words:    "",
		scenario: "headroom",
		variant:  "calm",
		set:      "nic.pfc=false",
	},
	{
		status:    "Interrupted",
		subject:   "Completion",
		words:     "stopped from outside at",
		elsewhere: test{"specs/live/command/kill_test.go", "interrupted: completion: stopped from outside at"},
	},
	{
		status:    "Red",
		subject:   "Conservation",
		words:     "",
		elsewhere: test{"emulator/result/verdict_test.go", "frame vanishes on a link"},
	},
	{
		status:    "Failed",
		subject:   "Commands",
		words:     "host %s: ",
		elsewhere: test{"specs/live/command/refusal_test.go", "that fails makes the run fail, with its exit status"},
	},
	{
		status:    "Void",
		subject:   "Effect",
		words:     "",
		elsewhere: test{"cmd/rocelab/plugins_test.go", "func TestSwitchedOff("},
	},
	{
		status:    "Failed",
		subject:   "Replay",
		words:     "",
		elsewhere: test{"cmd/rocelab/edges_test.go", `s.run(1, "run", "beside.yaml", "--edges", "first", "--out", "replay")`},
	},
	{
		status:    "Amber",
		subject:   "Timeliness",
		words:     "lost outside the models",
		elsewhere: test{"specs/live/fault_test.go", "is removed: the run comes to its end, and says what was lost"},
	},
	{
		status:    "status",
		subject:   "Timeliness",
		words:     "the run stood still for",
		elsewhere: test{"emulator/result/timeliness_test.go", "the run stood still for 1s at model time 5us"},
	},
	{
		status:    "status",
		subject:   "Timeliness",
		words:     "%s: %s is %s, above %s",
		elsewhere: test{"specs/live/command/run_test.go", "ends with the code of its verdict"},
	},
}

// subjects are the subjects as runs print them.
var subjects = map[string]string{"Completion": "completion", "Expectation": "expectation", "Effect": "effect",
	"Storm": "storm", "LeastTime": "bound", "Losslessness": "losslessness"}

// exits are the exit codes of runs with a finding.
var exits = map[string]int{
	"Failed":               result.ExitFailed,
	"first.cause.status()": result.ExitVerdict, // red
	"Void":                 result.ExitVerdict,
	"Red":                  result.ExitVerdict,
	"Interrupted":          result.ExitInterrupted,
}

// Each finding comes out of a run through the command line, with its status and its exit code. Tier: every day, 2 s.
func TestEveryFindingTurnsARunRed(t *testing.T) {
	tier.Everyday(t)
	for _, f := range findings {
		t.Run(f.status+" "+f.subject+" "+f.words, func(t *testing.T) {
			if f.scenario == "" {
				f.elsewhere.find(t)
				return
			}
			args := []string{"--format", "json"}
			if f.set != "" {
				args = append(args, "--set", f.set)
			}
			code, out := run(t, f.scenario, f.variant, args...)
			if code != exits[f.status] {
				t.Errorf("exit code %d, want %d:\n%s", code, exits[f.status], out)
			}
			if !slices.ContainsFunc(documentOf(t, out).Runs[0].Findings, func(got findingJSON) bool {
				return got.Status != "pass" && got.About == subjects[f.subject] && strings.Contains(got.Text, f.words)
			}) {
				t.Errorf("no such finding:\n%s", out)
			}
		})
	}
}

// Each finding of the source has a row. Tier: -short.
func TestEveryFindingHasARun(t *testing.T) {
	used := make([]bool, len(findings))
	for _, source := range sourceFindings(t) {
		at := slices.IndexFunc(findings, func(f finding) bool {
			return f.status == source.status && f.subject == source.subject &&
				strings.Contains(source.words, f.words) && (f.words == "") == (source.words == "")
		})
		if at < 0 {
			t.Errorf("%s %s: %q has no run that has it", source.status, source.subject, source.words)
			continue
		}
		used[at] = true
	}
	for i, f := range findings {
		if !used[i] {
			t.Errorf("%s %s: no source has %q any more", f.status, f.subject, f.words)
		}
	}
}

// sourceFindings are the findings that the source of emulator/result makes, remarks excepted; words are all literals of
// the text.
func sourceFindings(t *testing.T) (list []finding) {
	t.Helper()
	folder := filepath.Join("..", "..", "emulator", "result")
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		spell := func(e ast.Expr) string { return string(text[e.Pos()-1 : e.End()-1]) }
		ast.Inspect(parsed, func(n ast.Node) bool {
			literal, is := n.(*ast.CompositeLit)
			if !is || literal.Type == nil {
				return true
			}
			for _, made := range findingsIn(literal) {
				if status := spell(made.Elts[0]); status != "Pass" {
					list = append(list, finding{status: status, subject: spell(made.Elts[1]), words: literals(made.Elts[2])})
				}
			}
			return true
		})
	}
	return list
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
			text += strings.Trim(l.Value, "\"`")
		}
		return true
	})
	return text
}

// On containers a run has the findings, word for word, that it has in memory: one that does not complete over a dark
// link, one that locks up, and one whose lock a watchdog breaks. Tier: every day, some 4 s; it needs root.
func TestFindingsOnContainers(t *testing.T) {
	tier.Root(t, "containers")
	tier.Everyday(t)
	t.Setenv("ROCELAB_RUN", t.TempDir())
	for _, c := range []struct{ scenario, variant, set string }{
		{"stuck", "until", "run.until=1ms"},
		{"ring", "ill", "run.until=4ms"},
		{"ring", "ill", "switch.watchdog={enabled: true, detect: 1ms, restore: 1ms}"},
	} {
		t.Run(c.scenario+" "+c.set, func(t *testing.T) {
			code, out := run(t, c.scenario, c.variant, "--set", c.set, "--format", "json")
			again, veth := run(t, c.scenario, c.variant, "--set", c.set, "--format", "json", "--on", "veth",
				"--progress", "none")
			if code == 0 || again != code {
				t.Errorf("exit code %d in memory and %d on containers:\n%s", code, again, veth)
			}
			inMemory, onContainers := documentOf(t, out).Runs[0].Findings, documentOf(t, veth).Runs[0].Findings
			if !slices.Equal(inMemory, onContainers) {
				t.Errorf("findings are\n%v\nin memory\n%v", onContainers, inMemory)
			}
		})
	}
}
