package interference

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
)

// machine is a host of files below a folder.
func machine(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const stat = "cpu  100 2 300 400 5 0 7 42 9 9\ncpu0 1 1 1 1 1 1 1 21 0 0\nintr 5\n"

var versionOne = map[string]string{
	"proc/stat": stat,
	"proc/self/mountinfo": "30 20 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n" +
		"31 20 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
	"proc/self/cgroup":                     "2:cpu,cpuacct:/job\n1:memory:/job\n",
	"sys/fs/cgroup/cpu/cpu.stat":           "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n",
	"sys/fs/cgroup/cpu/job/cpu.stat":       "nr_periods 5\nnr_throttled 2\nthrottled_time 1500000\n",
	"sys/fs/cgroup/memory/job/cpu.stat":    "throttled_time 7000000\n",
	"sys/fs/cgroup/cpu/neighbour/cpu.stat": "throttled_time 9000000\n",
}

var versionTwo = map[string]string{
	"proc/stat":                               stat,
	"proc/self/mountinfo":                     "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
	"proc/self/cgroup":                        "0::/slice/job\n",
	"sys/fs/cgroup/cpu.stat":                  "usage_usec 9\n",
	"sys/fs/cgroup/slice/cpu.stat":            "usage_usec 9\nnr_throttled 1\nthrottled_usec 250\n",
	"sys/fs/cgroup/slice/job/cpu.stat":        "usage_usec 9\nnr_throttled 1\nthrottled_usec 1000\n",
	"sys/fs/cgroup/slice/neighbour/cpu.stat":  "throttled_usec 9000\n",
	"sys/fs/cgroup/slice/cgroup.controllers":  "cpu memory\n",
	"sys/fs/cgroup/slice/job/inside/cpu.stat": "throttled_usec 9000\n",
}

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  Reading
	}{
		"version 1":         {versionOne, Reading{420 * time.Millisecond, 1500 * time.Microsecond}},
		"version 2":         {versionTwo, Reading{420 * time.Millisecond, 1250 * time.Microsecond}},
		"an old kernel":     {map[string]string{"proc/stat": "cpu  1 2 3 4\n"}, Reading{}},
		"no file at all":    {nil, Reading{}},
		"what is no number": {map[string]string{"proc/stat": "cpu  1 2 3 4 5 6 7 many\n"}, Reading{}},
	} {
		if got := read(machine(t, c.files)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// What counts is the difference, and a counter that went back counts nothing.
func TestSince(t *testing.T) {
	later := maps.Clone(versionTwo)
	later["proc/stat"] = "cpu  100 2 300 400 5 0 7 45 9 9\n"
	before, after := read(machine(t, versionTwo)), read(machine(t, later))
	if got := after.Since(before); got != (result.Interference{Steal: 30 * time.Millisecond}) {
		t.Errorf("%+v", got)
	}
	if got := before.Since(after); got != (result.Interference{}) {
		t.Errorf("backwards: %+v", got)
	}
}

// On this host the counters never run backwards.
func TestReadOfThisHost(t *testing.T) {
	before := Read()
	if after := Read(); after.steal < before.steal || after.throttled < before.throttled {
		t.Errorf("%v, then %v", before, after)
	}
}
