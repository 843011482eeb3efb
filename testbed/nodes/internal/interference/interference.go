package interference

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/cgroup"
)

// Reading is the state of the counters at an instant.
type Reading struct{ steal, throttled time.Duration }

// Read reads the counters of this host and of the cgroups of this process.
func Read() Reading { return read("/") }

// Since returns what the host took between two readings.
func (r Reading) Since(before Reading) result.Interference {
	return result.Interference{
		Steal:     max(0, r.steal-before.steal),
		Throttled: max(0, r.throttled-before.throttled),
	}
}

// read reads the counters of the machine whose files lie below root.
func read(root string) Reading {
	return Reading{steal: stolen(root), throttled: throttled(root)}
}

const (
	// tick is the unit of /proc/stat.
	tick = time.Second / 100
	// stealColumn is the column of the stolen time in the line of all CPUs, counting the name.
	stealColumn = 8
)

// stolen is the time of all CPUs that the hypervisor gave to others.
func stolen(root string) time.Duration {
	words := line(filepath.Join(root, "proc/stat"), "cpu")
	if len(words) <= stealColumn {
		return 0
	}
	return number(words[stealColumn]) * tick
}

// throttled returns the time for which limits held back the cgroup of this process and the cgroups around it, up to the
// mount: a limit may be at any of them.
func throttled(root string) (sum time.Duration) {
	trees, err := cgroup.Read(root)
	if err != nil {
		return 0
	}
	for _, tree := range trees {
		key, one := "throttled_time", time.Nanosecond
		if tree.Unified {
			key, one = "throttled_usec", time.Microsecond
		} else if !tree.Has("cpu") {
			continue
		}
		for group := tree.Own; ; group = filepath.Dir(group) {
			if words := line(filepath.Join(root, group, "cpu.stat"), key); len(words) > 1 {
				sum += number(words[1]) * one
			}
			if group == tree.Mount || group == filepath.Dir(group) {
				break
			}
		}
	}
	return sum
}

// line returns the words of the line of a file that begins with a word; nil if there is
// none.
func line(file, first string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for l := range strings.Lines(string(text)) {
		if words := strings.Fields(l); len(words) > 0 && words[0] == first {
			return words
		}
	}
	return nil
}

// number reads a counter; a word that is not a number counts as 0.
func number(word string) time.Duration {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(n)
}
