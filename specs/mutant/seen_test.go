package mutant

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/mutant/schemata"
)

// part is a test of a program, or a sentence of a suite, that runs by itself.
type part struct {
	name string
	// cost is the time of a processor that it takes without a mutant; met are the numbers of the comparisons whose
	// sides are equal in it.
	cost time.Duration
	met  map[int]bool
}

// seen returns the comparisons, by their index, whose other edge turns a test of a package red, in -short. Each test is
// run once without a mutant, which shows the tests in which the sides of each comparison are equal; only these are run
// with its other edge, the quickest first: one, then two more in a process, then four.
func seen(t *testing.T, all []schemata.Comparison, pkg string) (list []int) {
	t.Helper()
	folder := t.TempDir()
	if err := schemata.BuildComparisons(absolute(t), folder, all, pkg); err != nil {
		t.Fatal(err)
	}
	p := program{path: schemata.Program(folder, pkg), folder: filepath.Join(root, pkg), suite: pkg == rules}
	parts := p.parts(t, folder, pkg)
	inParallel(len(parts), func(i int) {
		if err := p.plain(parts[i], filepath.Join(folder, fmt.Sprint("met", i))); err != nil {
			t.Errorf("%s: %s: red without a mutant: %v", pkg, parts[i].name, err)
		}
	})
	slices.SortStableFunc(parts, func(a, b *part) int { return cmp.Compare(a.cost, b.cost) })
	met, red, hung := make([]bool, len(all)), make([]bool, len(all)), make([]bool, len(all))
	inParallel(len(all), func(i int) {
		meeting := slices.DeleteFunc(slices.Clone(parts), func(p *part) bool { return !p.met[i+1] })
		met[i] = len(meeting) > 0
		for some := 1; len(meeting) > 0 && !red[i]; some *= 2 {
			some = min(some, len(meeting))
			red[i], hung[i] = p.red(meeting[:some], i+1)
			meeting = meeting[some:]
		}
	})
	for i, yes := range red {
		if yes {
			list = append(list, i)
		}
	}
	count := func(of []bool) (n int) {
		for _, yes := range of {
			if yes {
				n++
			}
		}
		return n
	}
	t.Logf("%s: of %d comparisons %d have equal sides in its %d tests, and the other edge turns %d red, %d by a limit",
		pkg, len(all), count(met), len(parts), count(red), count(hung))
	return list
}

// program is a built test program.
type program struct {
	path, folder string
	// suite is set if it is one of Ginkgo's, whose sentences are run.
	suite bool
}

// parts are the tests of the program, and the sentences of a suite's. The program of the package is in the folder.
func (p *program) parts(t *testing.T, folder, pkg string) (parts []*part) {
	t.Helper()
	if p.suite {
		all, err := sentences(folder, pkg, folder, "", 0, "-ginkgo.dry-run", "-test.short")
		if err != nil {
			t.Fatal(err)
		}
		for _, sentence := range slices.Sorted(maps.Keys(all)) {
			parts = append(parts, &part{name: sentence})
		}
		return parts
	}
	list := exec.Command(p.path, "-test.list=^(Test|Fuzz|Example)")
	list.Dir = p.folder
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		parts = append(parts, &part{name: name})
	}
	return parts
}

// plain runs the part without a mutant, for its cost and what meets in it. The file at that path is written.
func (p *program) plain(one *part, path string) error {
	run := p.command(mostSeconds, []*part{one}, 0, schemata.MetVariable+"="+path)
	if out, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	one.cost = run.ProcessState.UserTime() + run.ProcessState.SystemTime()
	var err error
	one.met, err = schemata.Met(path)
	return err
}

// red reports whether a part is red with a mutant. Red is also what takes ten times the parts' time and three seconds
// of a processor, as a loop that never ends does; hung reports that.
func (p *program) red(parts []*part, number int) (red, hung bool) {
	cost := time.Duration(0)
	for _, one := range parts {
		cost += one.cost
	}
	run := p.command(3+int(10*cost.Seconds()), parts, number)
	_, red = errors.AsType[*exec.ExitError](run.Run())
	return red, red && !run.ProcessState.Exited()
}

// command is a process that runs parts, in -short and up to the first that is red.
func (p *program) command(seconds int, parts []*part, number int, env ...string) *exec.Cmd {
	var names []string
	for _, one := range parts {
		names = append(names, regexp.QuoteMeta(one.name))
	}
	which := "(" + strings.Join(names, "|") + ")$"
	args := []string{"-test.short", "-test.failfast", "-test.run=^" + which}
	if p.suite { // whose name Ginkgo puts before a sentence
		args = []string{"-test.short", "-ginkgo.fail-fast", "-ginkgo.fail-on-empty", "-ginkgo.focus= " + which}
	}
	run := limited(seconds, p.path, args...)
	run.Dir = p.folder
	run.Env = append(os.Environ(), fmt.Sprint(schemata.NumberVariable, "=", number), "ROCELAB_SLOW=", "ROCELAB_NIGHT=")
	run.Env = append(run.Env, env...)
	return run
}
