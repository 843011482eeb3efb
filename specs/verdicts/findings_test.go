package verdicts

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/specs/tier"
)

// finding is a finding that is more than a remark, and the run that has it.
type finding struct {
	// status and subject are as the source spells them; words are a part of the text, with the verbs of its format.
	status, subject, words string
	// scenario and variant are those of testdata, with the changes in set; or elsewhere is the test that has such a
	// run.
	scenario, variant, set string
	elsewhere              test
}

// findings has each of them that a run in memory has; elsewhereFindings has the others.
var findings = slices.Concat([]finding{
	{
		status:   "Failed",
		subject:  "Completion",
		words:    "QPs went into the error state, the first that of",
		scenario: "broken",
		variant:  "ill",
	},
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
		words:    "flows without a size got no data through at the end of the ",
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
		subject:  "nodeFault",
		words:    "the fault %s of %s never began: it was due at %v",
		scenario: "idle",
		variant:  "alone",
		set:      "faults=[{kind: slow-host, host: h1, from: 900ms, rate: 1Gbps}]",
	},
	{
		status:   "Void",
		subject:  "LeastTime",
		words:    "congestion costs little, but the scenario requires that it costs",
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
		words:    "not lossless: %s",
		scenario: "ring",
		variant:  "ill",
		set:      "switch.watchdog={enabled: true, detect: 1ms, restore: 1ms}",
	},
	{
		status:   "first.cause.status()",
		subject:  "Losslessness",
		words:    "because its peer %s does not obey PFC",
		scenario: "headroom",
		variant:  "calm",
		set:      "nic.pfc=false",
	},
	{
		status:   "first.cause.status()",
		subject:  "Losslessness",
		words:    "XOFF did not arrive at",
		scenario: "headroom",
		variant:  "calm",
		set:      "faults=[{link: h0-s0, loss: 0.9, toward: h0}]",
	},
}, elsewhereFindings)

// subjects are the subjects as runs print them.
var subjects = map[string]string{"Completion": "completion", "Expectation": "expectation", "Effect": "effect",
	"Storm": "storm", "nodeFault": "fault", "LeastTime": "bound", "Losslessness": "losslessness"}

// exits are the exit codes of runs with a finding.
var exits = map[string]int{
	"Failed":               exit.CodeFailed,
	"first.cause.status()": exit.CodeVerdict, // red
	"Void":                 exit.CodeVerdict,
	"Red":                  exit.CodeVerdict,
	"Interrupted":          exit.CodeInterrupted,
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
				return got.Status != "pass" && got.About == subjects[f.subject] && hasWords(got.Text, f.words)
			}) {
				t.Errorf("no such finding:\n%s", out)
			}
		})
	}
}

// hasWords reports whether a text has the parts of words between the verbs of a format, one after the other.
func hasWords(text, words string) bool {
	for _, part := range verb.Split(words, -1) {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return true
}

// verb is a verb of a format.
var verb = regexp.MustCompile(`%[.0-9]*[a-z]`)

// On containers a run has the same findings as in memory, word for word: one that does not complete over a dark link,
// one that locks up, and one whose lock a watchdog breaks. Tier: every day, some 4 s; it needs root.
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
