package campaign

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
)

// A process may take the system's free memory, or the rest of its tightest group's limit.
func TestAvailable(t *testing.T) {
	const meminfo = "MemTotal:       32000 kB\nMemFree:  1 kB\nMemAvailable:   16000 kB\n"
	for what, c := range map[string]struct {
		files map[string]string
		want  uint64
	}{
		"a system without groups": {map[string]string{"/proc/meminfo": meminfo}, 16000 << 10},
		"nothing to be known":     {nil, 0},
		"a damaged line":          {map[string]string{"/proc/meminfo": "MemAvailable: much kB\n"}, 0},
		"a group with a limit": {map[string]string{
			"/proc/meminfo":                        meminfo,
			"/proc/self/cgroup":                    "0::/a/b\n",
			"/sys/fs/cgroup/a/b/memory.max":        "max\n",
			"/sys/fs/cgroup/a/b/memory.current":    "5\n",
			"/sys/fs/cgroup/a/memory.max":          "9000000\n",
			"/sys/fs/cgroup/a/memory.current":      "4000000\n",
			"/sys/fs/cgroup/memory.max":            "15000000\n",
			"/sys/fs/cgroup/memory.current":        "1000000\n",
			"/sys/fs/cgroup/memory/unrelated/file": "1\n",
		}, 5000000},
		"a group that is full": {map[string]string{
			"/proc/meminfo":                   meminfo,
			"/proc/self/cgroup":               "0::/a\n",
			"/sys/fs/cgroup/a/memory.max":     "9000000\n",
			"/sys/fs/cgroup/a/memory.current": "9000001\n",
		}, 1},
		"a group of version 1": {map[string]string{
			"/proc/meminfo":     meminfo,
			"/proc/self/cgroup": "12:pids:/x\n5:memory:/x\nnonsense\n",
			"/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "8000000\n",
			"/sys/fs/cgroup/memory/x/memory.usage_in_bytes": "2000000\n",
			"/sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n", // no limit
			"/sys/fs/cgroup/memory/memory.usage_in_bytes":   "9223372036854771711\n",
		}, 6000000},
	} {
		t.Run(what, func(t *testing.T) {
			got := available(func(file string) ([]byte, error) {
				if text, ok := c.files[file]; ok {
					return []byte(text), nil
				}
				return nil, &fs.PathError{Op: "open", Path: file, Err: errors.New("no such file")}
			})
			if got != c.want {
				t.Errorf("%s: %d bytes, want %d", what, got, c.want)
			}
		})
	}
	if Available() == 0 {
		t.Log("this system does not say what it has")
	}
}

// A run waits for room beside others, and takes it when they leave; the only one waits for
// nothing.
func TestRoom(t *testing.T) {
	large := &plan.Plan{Record: plan.Record{Off: true}, Switches: []plan.Switch{{Links: make([]int, 100_000)}}}
	r := &Room{Bound: 1}
	first := r.Enter(large) // alone, though it takes more than there is
	entered := make(chan func())
	go func() { entered <- r.Enter(&plan.Plan{}) }()
	select {
	case <-entered:
		t.Fatal("a second run has room where there is none")
	case <-time.After(20 * time.Millisecond):
	}
	first()
	(<-entered)()
	if r.runs != 0 || r.guessed != 0 {
		t.Errorf("%d runs, %d bytes are left", r.runs, r.guessed)
	}

	for _, r := range []*Room{{}, {Bound: 1 << 50}} {
		t.Run(fmt.Sprintf("Bound=%v", r.Bound), func(t *testing.T) {
			// no bound, and a high one
			first, second := r.Enter(large), r.Enter(large)
			if r.runs != 2 {
				t.Errorf("%d runs", r.runs)
			}
			first()
			second()
		})
	}
}

// A guess that was too low is corrected by observation.
func TestRoomLearns(t *testing.T) {
	r := &Room{}
	leave := r.Enter(&plan.Plan{})
	taken := make([]byte, 256<<20)
	for i := 0; i < len(taken); i += 4096 {
		taken[i] = 1
	}
	leave()
	if r.ratio < 8 {
		t.Errorf("a run that took 256 MB is guessed to take %.1f times what a plan of nothing does", r.ratio)
	}
	if taken[4096] != 1 {
		t.Error("it was given back")
	}
}

// The most that was taken is found.
func TestPeak(t *testing.T) {
	stop := Peak()
	taken := make([]byte, 128<<20)
	for i := 0; i < len(taken); i += 4096 {
		taken[i] = 1
	}
	if most := stop(); most < 64<<20 || taken[4096] != 1 {
		t.Errorf("%d bytes", most)
	}
}
