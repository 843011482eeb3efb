package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFIFORights(t *testing.T) {
	for name, c := range map[string]struct {
		capabilities, runtime string
		limit                 uint64
		may                   bool
		why                   string
	}{
		"root":                      {"0000000000800000", "950000", 0, true, "CAP_SYS_NICE"},
		"a limit":                   {"0000000000000000", "950000", 1, true, "RLIMIT_RTPRIO is 1"},
		"an ordinary user":          {"0000000000400000", "950000", 0, false, "neither"},
		"a kernel that gives none":  {"0000000000800000", "0", 1, false, "sched_rt_runtime_us"},
		"a kernel without a bound":  {"0000000000800000", "-1", 0, true, "CAP_SYS_NICE"},
		"a kernel that has no file": {"0000000000800000", "", 0, true, "CAP_SYS_NICE"},
	} {
		root := t.TempDir()
		put := func(file, text string) {
			path := filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		put("proc/self/status", "Name:\tx\nCapEff:\t"+c.capabilities)
		if c.runtime != "" {
			put("proc/sys/kernel/sched_rt_runtime_us", c.runtime)
		}
		if may, why := (host{root}).fifo(c.limit); may != c.may || !strings.Contains(why, c.why) {
			t.Errorf("%s: %v, %s", name, may, why)
		}
	}
	if may, why := (host{t.TempDir()}).fifo(1); may || why == "" {
		t.Errorf("a host without /proc: %v, %s", may, why)
	}
}
