package mutant

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/rocelab/rocelab/specs/mutant/schemata"
)

const root = "../.."

// rules are the specs with a mutant for every sentence; others hold rules of switches and NICs beside much else.
const rules = "./specs/rules"

var suites = []string{rules, "./specs/marking", "./specs/lossless", "./specs/recovery", "./specs/twodc", "./specs/why"}

// mostSeconds is how long one sentence may compute, in seconds of a processor, before it counts as hanging: some ten
// times the longest.
const mostSeconds = 300

// limited is a command that is killed after the given seconds of processor time, which pass as slowly as the program on
// a machine that has much else to do.
func limited(seconds int, program string, args ...string) *exec.Cmd {
	script := `ulimit -t "$0" && exec "$@"`
	return exec.Command("sh", append([]string{"-c", script, strconv.Itoa(seconds), program}, args...)...)
}

// sentences runs those sentences of a suite that the pattern selects, by its program in the folder programs, with the
// mutant of that number, and returns how each went. The folder is for the report. A program that dies is an error.
func sentences(programs, suite, folder, pattern string, number int, more ...string) (
	map[string]types.SpecReport, error) {
	report := filepath.Join(folder, "report.json")
	if err := os.Remove(report); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	args := append([]string{"-ginkgo.focus=" + pattern, "-ginkgo.json-report=" + report, "-ginkgo.no-color"}, more...)
	run := limited(mostSeconds, schemata.Program(programs, suite), args...)
	run.Dir = filepath.Join(root, suite) // it reads scenarios beside it
	// All specs of the suite count, also the ones that ROCELAB_SLOW=only leaves out.
	run.Env = append(os.Environ(), fmt.Sprint(schemata.NumberVariable, "=", number), "ROCELAB_SLOW=1")
	out, failed := run.CombinedOutput()
	text, err := os.ReadFile(report)
	if err != nil {
		return nil, fmt.Errorf("%w: %w\n%s", failed, err, out)
	}
	var suites []types.Report
	if err := json.Unmarshal(text, &suites); err != nil {
		return nil, err
	}
	went := map[string]types.SpecReport{}
	for _, r := range suites[0].SpecReports {
		if r.LeafNodeType == types.NodeTypeIt && r.State != types.SpecStateSkipped {
			went[r.FullText()] = r
		}
	}
	return went, nil
}

// theory is the suite of the mutants in the folder theory.
const theory = "./specs/theory"

// places is which of the suites has each sentence, by the programs in the folder.
func places(programs string, suites ...string) (map[string]string, error) {
	known := map[string]string{}
	for _, suite := range suites {
		list, err := sentences(programs, suite, programs, "", 0, "-ginkgo.dry-run")
		if err != nil {
			return nil, err
		}
		for sentence := range list {
			known[sentence] = suite
		}
	}
	return known, nil
}

func absolute(t *testing.T) string {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	return top
}
