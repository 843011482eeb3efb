//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
)

// Only the seed chooses, and each fault has its turn before any has a second one.
func TestASeedChoosesTheCases(t *testing.T) {
	seen := map[string]int{}
	for i := range 3 * len(Faults) {
		c := choose(7, i, Faults)
		if again := choose(7, i, Faults); *again != *c {
			t.Fatalf("case %d is %v and then %v", i, c, again)
		}
		if f := find(c.Fault); !f.fits(c) {
			t.Errorf("case %d: %v does not fit its fault", i, c)
		}
		seen[c.Fault]++
		if i%len(Faults) == len(Faults)-1 && len(seen) != len(Faults) {
			t.Errorf("%d faults after %d cases, of %d", len(seen), i+1, len(Faults))
		}
	}
	for name, n := range seen {
		t.Run(name, func(t *testing.T) {
			if n != 3 {
				t.Errorf("%s has %d turns of 3", name, n)
			}
		})
	}
	if *choose(7, 3, Faults) == *choose(8, 3, Faults) {
		t.Error("another seed, the same case")
	}
}

// Each fault is there once, has a description, and its place in the table.
func TestFaultsAreWhole(t *testing.T) {
	names := map[string]bool{}
	for _, f := range Faults {
		if f.Name == "" || f.Kind == "" || f.Inject == nil || names[f.Name] {
			t.Errorf("%q of %q is without name, kind or deed, or is there twice", f.Name, f.Kind)
		}
		names[f.Name] = true
	}
	for _, kind := range []string{"CLI: TERM", "CLI: KILL", "CLI: QUIT", "daemons", "plugins", "veth", "/run full",
		"/dev/shm", "cgroup", "removed", "record", "page", "foreign frames", "system calls"} {
		t.Run(kind, func(t *testing.T) {
			if !slices.ContainsFunc(Faults, func(f Fault) bool { return strings.Contains(f.Kind, kind) }) {
				t.Errorf("there is no fault of kind %q", kind)
			}
		})
	}
}

// The arguments of --set for a simplified case turn the chosen case into it.
func TestACaseIsRepeatedByItsCommand(t *testing.T) {
	for i := range 100 {
		chosen := choose(1, i, Faults)
		simple := *chosen
		if err := simple.set("hosts=9,form=alone,size=1MB,phase=start,delay=3ms,daemons=pool"); err != nil {
			t.Fatal(err)
		}
		again := *chosen
		if err := again.set(simple.differences(chosen)); err != nil || again != simple {
			t.Errorf("%v becomes %v, %v", &simple, &again, err)
		}
		if chosen.differences(chosen) != "" {
			t.Errorf("%v differs from itself: %s", chosen, chosen.differences(chosen))
		}
	}
	if new(Case).set("colour=red") == nil {
		t.Error("a parameter that there is not is accepted")
	}
}

// The oracle's judgement on a command that ended in this way.
func TestTheOracleJudges(t *testing.T) {
	const trace, sound = "abc", `{"runs": [{"trace": "abc"}]}`
	fault := &Fault{Codes: []int{4, 130}, Says: "nicd|switchd"}
	for _, c := range []struct {
		name, state string
		code        int
		out, err    string
		want        string
	}{
		{"unharmed", "injected", 0, sound, "", ""},
		{"another trace", "injected", 0, `{"runs": [{"trace": "abd"}]}`, "", wrongTrace},
		{"no trace", "injected", 0, ``, "", wrongTrace},
		{"named", "injected", 4, "", "nicd of h1 died", ""},
		{"unnamed", "injected", 4, "", "something died", wrongMessage},
		{"silent", "injected", 4, "", " \n", wrongMessage},
		{"another code", "injected", 2, "", "nicd of h1 died", wrongCode},
		{"a code for nothing", "too late", 4, "", "nicd of h1 died", wrongCode},
		{"refused, and yet", "refused", 4, "", "nicd of h1 died", wrongCode},
		{"a fault of its own", "injected", 6, "", "nicd", wrongCrash},
		{"a panic", "injected", 4, "", "nicd\npanic: out of cheese", wrongCrash},
		{"a dump", "injected", 4, "", "nicd\ngoroutine 1 [running]:", wrongCrash},
		{"a bus error", "injected", 4, "", "unexpected fault address 0x7 of nicd", wrongCrash},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &bed{Case: &Case{Form: "alone"}, command: &job{}}
			b.command.out.WriteString(c.out)
			r := &Result{State: c.state, Code: c.code, Complaint: c.err}
			b.judge(fault, r, nil, trace)
			switch {
			case c.want == "" && len(r.Wrong) > 0, c.want != "" && len(r.Wrong) != 1:
				t.Errorf("%s: %v", c.name, r.Wrong)
			case c.want != "" && r.Wrong[0].Kind != c.want:
				t.Errorf("%s: %v instead of %s", c.name, r.Wrong, c.want)
			}
		})
	}
	r := &Result{State: "injected"}
	new(bed).judge(fault, r, errHung, trace)
	if len(r.Wrong) != 1 || r.Wrong[0].Kind != wrongHung {
		t.Errorf("hung: %v", r.Wrong)
	}
}

// The table counts each case once in its row and once in the sum.
func TestTheTableCounts(t *testing.T) {
	hung := &Result{Kind: kindPage, State: "injected", Wrong: []Finding{{wrongHung, "run"}, {wrongHung, "destroy"}}}
	late := &Result{Kind: kindRun, State: "too late"}
	rows := tally([]*Result{hung, late, hung})
	sum := rows[len(rows)-1]
	if len(rows) != 3 || sum.Cases != 3 || sum.Injected != 2 || sum.Hung != 2 || sum.TooLate != 1 || sum.Left != 0 {
		t.Errorf("%+v", rows)
	}
	var out bytes.Buffer
	if err := printTally(&out, rows); err != nil || !strings.Contains(out.String(), kindPage) {
		t.Errorf("%v: %s", err, out.String())
	}
}

// A process that outlives its command, a file and a mount are seen, and taken away.
func TestWhatIsLeftIsSeen(t *testing.T) {
	tier.Root(t, "a mount")
	b := &bed{Case: choose(1, 0, Faults)}
	if err := b.open(); err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if list := b.leftNow(false); len(list) > 0 {
		t.Fatalf("at first: %v", list)
	}
	sleeper := exec.Command("sleep", "600")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	defer sleeper.Wait()
	if err := os.MkdirAll(filepath.Join(b.state, "left"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.disk(filepath.Join(b.state, "left"), 1<<20); err != nil {
		t.Fatal(err)
	}
	b.mounts = nil // as if it were rocelab's
	list := strings.Join(b.leftNow(false), "\n")
	for _, want := range []string{"file " + b.state, "mount " + b.state, "sleep 600"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(list, want) {
				t.Errorf("%q is not in what is left:\n%s", want, list)
			}
		})
	}
	b.close()
	if list := b.leftNow(false); len(list) > 0 {
		t.Errorf("at last: %v", list)
	}
}

// The seed of the injections that run with the tests.
const seed = "2"

// Some random faults every day, many in .ci/run, thousands by night: nothing goes
// wrong in any.
func TestRandomFaults(t *testing.T) {
	tier.Root(t, "a testbed")
	program.DependOnTree(t)
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	count := "10"
	switch {
	case tier.RunsNight():
		count = "3000"
	case tier.RunsSlow():
		count = "50"
	}
	args := []string{"run", ".", "--seed", seed, "--count", count, "--jobs", "2", "--shrink"}
	if more := os.Getenv("ROCELAB_NEMESIS"); more != "" { // such as --kind page
		args = append(args, strings.Fields(more)...)
	}
	c := exec.Command("go", args...)
	out, err := c.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
