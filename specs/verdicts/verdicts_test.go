package verdicts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

// folder holds the command line, which built makes.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "verdicts-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// built builds the command line when the first test wants it.
var built = sync.OnceValue(func() error { return program.Build(folder, []string{"cmd/rocelab"}) })

// run runs a variant of a scenario of testdata, and returns its exit code and what it printed.
func run(t *testing.T, scenario, variant string, more ...string) (code int, stdout string) {
	t.Helper()
	if err := built(); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", filepath.Join("testdata", scenario+".yaml"), "--no-folder"}
	if variant != "" {
		args = append(args, "--variant", variant)
	}
	command := exec.Command(filepath.Join(folder, "rocelab"), append(args, more...)...)
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if complaint.Len() > 0 && command.ProcessState.ExitCode() == exit.CodeUsage {
		t.Fatalf("%s\n%s", command, &complaint)
	}
	return command.ProcessState.ExitCode(), out.String()
}

// document is the output of run with --format json.
type document struct {
	Runs []struct {
		Verdict  string
		Findings []findingJSON
		Metrics  map[string]*float64
	}
}

// findingJSON is a finding in it.
type findingJSON struct{ About, Status, Text string }

// documentOf reads what a run of one variant printed.
func documentOf(t *testing.T, out string) (d document) {
	t.Helper()
	if err := json.Unmarshal([]byte(out), &d); err != nil || len(d.Runs) != 1 {
		t.Fatalf("no run was printed: %v\n%s", err, out)
	}
	return d
}

// has reports whether the run has a finding with a status, "" for any, whose text begins so.
func (d document) has(status, text string) bool {
	for _, f := range d.Runs[0].Findings {
		if strings.HasPrefix(f.Text, text) && (status == "" || f.Status == status) {
			return true
		}
	}
	return false
}

// figures are the metrics of a variant of a scenario, by name; those that were not measured are left out.
func figures(t *testing.T, scenario, variant string) map[string]float64 {
	t.Helper()
	_, out := run(t, scenario, variant, "--format", "json")
	measured := map[string]float64{}
	for name, value := range documentOf(t, out).Runs[0].Metrics {
		if value != nil {
			measured[name] = *value
		}
	}
	return measured
}

// checksAtOnce is the number of expectations that a run gets: a verdict lists at most that many that are not met.
const checksAtOnce = 10

// Each metric has a run that meets an expectation of it, and one with only the fault in its scenario that does not: it
// ends with exit code 1 and names the expectation. Expectations are halfway between the two figures. Tier: every day,
// some 7 s.
func TestEveryMetricTurnsARunRed(t *testing.T) {
	tier.Everyday(t)
	pairs := map[string][]string{}
	for metric, scenario := range scenarioOf {
		pairs[scenario] = append(pairs[scenario], metric)
	}
	for scenario, metrics := range pairs {
		t.Run(scenario, func(t *testing.T) {
			slices.Sort(metrics)
			calm, ill := figures(t, scenario, "calm"), figures(t, scenario, "ill")
			var checks []string
			for _, metric := range metrics {
				a, inA := calm[metric]
				b, inB := ill[metric]
				if !inA || !inB || a == b {
					t.Errorf("%s is %v and %v (measured: %v, %v): it tells the two runs apart in no way", metric, a, b, inA, inB)
					continue
				}
				op := "<"
				if a > b {
					op = ">"
				}
				checks = append(checks, metric+" "+op+" "+strconv.FormatFloat((a+b)/2, 'f', 9, 64))
			}
			for some := range slices.Chunk(checks, checksAtOnce) {
				set := "expect.checks=[" + strings.Join(some, ", ") + "]"
				if code, out := run(t, scenario, "calm", "--set", set); code != exit.CodePass {
					t.Errorf("calm with %s ends with %d:\n%s", set, code, out)
				}
				code, out := run(t, scenario, "ill", "--set", set, "--format", "json")
				if code != exit.CodeFailed && code != exit.CodeVerdict { // which outweighs it
					t.Errorf("ill with %s ends with %d:\n%s", set, code, out)
				}
				d := documentOf(t, out)
				for _, check := range some {
					if !d.has("failed", check+" (line ") {
						t.Errorf("%s is not among the findings:\n%s", check, out)
					}
				}
			}
		})
	}
}

// Every metric has a scenario, or another test that makes it.
func TestEveryMetricHasARun(t *testing.T) {
	for _, name := range result.MetricNames() {
		_, here := scenarioOf[name]
		if _, there := elsewhere[name]; here == there {
			t.Errorf("%s: has a scenario here: %v, elsewhere: %v; want one of the two", name, here, there)
		}
	}
	for name := range scenarioOf {
		if _, is := result.MetricOf(name); !is {
			t.Errorf("there is no metric %s", name)
		}
	}
	for name, test := range elsewhere {
		if _, is := result.MetricOf(name); !is {
			t.Errorf("there is no metric %s", name)
		}
		test.find(t)
	}
}
