package cluster_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/many/sweep/cluster"
)

// rocelab stands for the program: `sweep OUT --shard i/n` does run r = i, i+n, ... of six, and a file OUT/row-r marks
// it as done. The content of a file OUT/do-r is carried out in its place.
const rocelab = `#!/bin/sh
out=$2 i=${4%/*} n=${4#*/}
echo "$4" >>"$out/called"
worst=0
r=$i
while [ "$r" -lt 6 ]; do
  if [ ! -e "$out/row-$r" ]; then
    if [ -e "$out/do-$r" ]; then . "$out/do-$r"; fi
    touch "$out/row-$r"
  fi
  r=$((r + n))
done
exit $worst
`

// six is a folder with six runs, some with other actions.
func six(t *testing.T, do map[int]string) (task *cluster.Task, out string) {
	t.Helper()
	out = t.TempDir()
	program := filepath.Join(out, "rocelab")
	files := map[string]string{"rocelab": rocelab}
	for r, what := range do {
		files[fmt.Sprintf("do-%d", r)] = what
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s, err := cluster.NewSubmission(out, "local", 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &cluster.Task{
		Submission: s.Folder,
		Probe:      s.Probe,
		Shard:      sweep.Shard{Index: 0, Of: 2},
		Host:       "here",
		Program:    program,
		Stderr:     t.Output(),
		Runs:       6,
		Missing: func(s sweep.Shard) (missing []int, err error) {
			for r := s.Index; r < 6; r += s.Of {
				if _, err := os.Stat(filepath.Join(out, fmt.Sprintf("row-%d", r))); err != nil {
					missing = append(missing, r)
				}
			}
			return missing, nil
		},
	}, out
}

// called are the shards that were asked of the program, in order.
func called(t *testing.T, out string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(out, "called"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// A task's actions after each exit code, and its code for the engine.
func TestExitCodes(t *testing.T) {
	for name, c := range map[string]struct {
		do     map[int]string
		code   int
		called string
		rows   string
	}{
		"passes":            {nil, 0, "0/2", "0 2 4"},
		"a failed run":      {map[int]string{2: "worst=1"}, 0, "0/2", "0 2 4"},
		"a red run":         {map[int]string{2: "worst=3"}, 0, "0/2", "0 2 4"},
		"an invalid one":    {map[int]string{2: "worst=2"}, 2, "0/2", "0 2 4"},
		"a broken plugin":   {map[int]string{2: "worst=5"}, 5, "0/2", "0 2 4"},
		"a poor host":       {map[int]string{2: "exit 4"}, 4, "0/2", "0"},
		"killed once":       {map[int]string{2: `rm "$out/do-2"; kill -9 $$`}, 0, "0/2 2/6 4/6", "0 2 4"},
		"killed always":     {map[int]string{2: "kill -9 $$"}, 137, "0/2 2/6 2/6 2/6 4/6", "0 4"},
		"interrupted once":  {map[int]string{0: `rm "$out/do-0"; exit 130`}, 0, "0/2 0/6 2/6 4/6", "0 2 4"},
		"terminated once":   {map[int]string{0: `rm "$out/do-0"; kill -15 $$`}, 0, "0/2 0/6 2/6 4/6", "0 2 4"},
		"killed, then poor": {map[int]string{0: `echo exit 4 >"$out/do-0"; kill -9 $$`}, 4, "0/2 0/6", ""},
	} {
		t.Run(name, func(t *testing.T) {
			task, out := six(t, c.do)
			code, err := task.Run(t.Context())
			if code != c.code || err != nil {
				t.Errorf("code %d, %v, want %d", code, err, c.code)
			}
			if got := called(t, out); got != c.called {
				t.Errorf("shards %q, want %q", got, c.called)
			}
			var rows []string
			for r := range 6 {
				if _, err := os.Stat(filepath.Join(out, fmt.Sprintf("row-%d", r))); err == nil {
					rows = append(rows, fmt.Sprint(r))
				}
			}
			if got := strings.Join(rows, " "); got != c.rows {
				t.Errorf("rows %q, want %q", got, c.rows)
			}
		})
	}
}

// Among runs that are tried one by one the gravest code is returned, in any order.
func TestTheGravestCodeIsTold(t *testing.T) {
	rank := []int{0, 2, 5, 137}
	for i, a := range rank {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			for j, b := range rank {
				ends := func(code int) string {
					if code == 137 {
						return "kill -9 $$"
					}
					return fmt.Sprintf("worst=%d", code)
				}
				// The first shard is killed, so that its runs are made one by one.
				task, _ := six(t, map[int]string{0: `rm "$out/do-0"; kill -9 $$`, 2: ends(a), 4: ends(b)})
				if code, err := task.Run(t.Context()); code != rank[max(i, j)] || err != nil {
					t.Errorf("runs that end with %d and %d: code %d, %v", a, b, code, err)
				}
			}
		})
	}
}

// A task whose host died has a try without an end. The next goes on run by run, and one that always dies with its task
// is skipped after three.
func TestATaskThatDiedIsTakenUp(t *testing.T) {
	task, out := six(t, nil)
	journal := filepath.Join(task.Submission, "tries", "n9-1.jsonl")
	begun := func(lines ...string) {
		text := ""
		for _, shard := range lines {
			text += fmt.Sprintf("{\"shard\":%q,\"host\":\"n9\",\"time\":\"2026-01-01T00:00:00Z\"}\n", shard)
		}
		if err := os.WriteFile(journal, []byte(text+`{"shard":"2/6","ho`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	begun("0/2", "2/6", "2/6")
	if code, err := task.Run(t.Context()); code != 0 || err != nil || called(t, out) != "0/6 2/6 4/6" {
		t.Errorf("code %d, %v, shards %q", code, err, called(t, out))
	}
	again, out := six(t, nil)
	journal = filepath.Join(again.Submission, "tries", "n9-1.jsonl")
	begun("0/2", "2/6", "2/6", "2/6")
	if code, err := again.Run(t.Context()); code != 137 || err != nil || called(t, out) != "0/6 4/6" {
		t.Errorf("code %d, %v, shards %q", code, err, called(t, out))
	}
	tries, err := cluster.ReadTries(again.Submission)
	if err != nil || cluster.Begun(tries["2/6"]) != 3 || cluster.Begun(tries["4/6"]) != 1 {
		t.Errorf("tries %v, %v", tries, err)
	}
}

// A task that is asked to stop stops its run, ends, and has not used up a try.
func TestATaskStops(t *testing.T) {
	task, out := six(t, map[int]string{2: `trap 'exit 130' TERM; touch "$out/waits"; while :; do sleep 0.01; done`})
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(out, "waits")); err == nil {
				stop()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if code, err := task.Run(ctx); code != 143 || err != nil {
		t.Errorf("code %d, %v, want 143", code, err)
	}
	tries, err := cluster.ReadTries(task.Submission)
	if err != nil || len(tries["0/2"]) != 2 || cluster.Begun(tries["0/2"]) != 0 {
		t.Errorf("tries %+v, %v, want one that does not count", tries, err)
	}
	os.Remove(filepath.Join(out, "do-2"))
	if code, err := task.Run(t.Context()); code != 0 || err != nil || called(t, out) != "0/2 0/2" {
		t.Errorf("the next task: code %d, %v, shards %q", code, err, called(t, out))
	}
}

// A node that does not share the folder runs nothing and gives the reason.
func TestAFolderThatIsNotShared(t *testing.T) {
	task, out := six(t, nil)
	for name, change := range map[string]func(){
		"the probe differs": func() { task.Probe = "another" },
		"does not see the":  func() { task.Submission = filepath.Join(out, "submit", "007") },
	} {
		t.Run(name, func(t *testing.T) {
			change()
			if code, err := task.Run(t.Context()); code != 4 || err == nil || !strings.Contains(err.Error(), "share") {
				t.Errorf("%s: code %d, %v", name, code, err)
			}
		})
	}
	if got := called(t, out); got != "" {
		t.Errorf("it ran %s", got)
	}
}

// A missing run has its reason, as far as the tries show it.
func TestWhatIsMissingSaysWhy(t *testing.T) {
	const waits = `kill -15 $PPID; trap 'exit 130' TERM; while :; do sleep 0.01; done`
	for want, do := range map[string]string{
		"tried 3 times, the last on here ended with exit code 137":         "kill -9 $$",
		"its task was tried once, the last on here ended with exit code 4": "exit 4",
		"stopped by a signal on here":                                      waits,
		"begun on n9 at 2026-01-01T00:00:00Z, without an end":              "",
	} {
		t.Run(want, func(t *testing.T) {
			task, _ := six(t, map[int]string{2: do})
			s := &cluster.Submission{Folder: task.Submission, Tasks: 2}
			switch {
			case do == "":
				line := `{"shard":"0/2","host":"n9","time":"2026-01-01T00:00:00Z"}` + "\n"
				if err := os.WriteFile(filepath.Join(task.Submission, "tries", "n9.jsonl"), []byte(line), 0o600); err != nil {
					t.Fatal(err)
				}
			default:
				ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGTERM)
				if _, err := task.Run(ctx); err != nil {
					t.Error(err)
				}
				stop()
			}
			all, err := cluster.ReadTries(task.Submission)
			if got := s.Why(all, 2, 6); got != want || err != nil {
				t.Errorf("%q, %v, want %q", got, err, want)
			}
			if got := s.Why(all, 1, 6); got != "" {
				t.Errorf("of a task that nobody began: %q", got)
			}
		})
	}
}
