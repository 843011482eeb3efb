package campaign

import (
	"bytes"
	"os"
	"path"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// inUse is the memory of this process, in bytes: what the Go runtime holds of the system.
func inUse() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// Available returns how much memory this process may still take, in bytes: the system's free memory, or its cgroups'
// limit, whichever is less. 0 if neither is known.
func Available() uint64 { return available(os.ReadFile) }

func available(read func(string) ([]byte, error)) uint64 {
	least := uint64(0)
	note := func(bytes uint64) {
		if least == 0 || bytes < least {
			least = bytes
		}
	}
	number := func(file string) (uint64, bool) {
		text, err := read(file)
		if err != nil {
			return 0, false
		}
		value, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
		return value, err == nil
	}
	if text, err := read("/proc/meminfo"); err == nil {
		for line := range bytes.Lines(text) {
			if rest, ok := bytes.CutPrefix(line, []byte("MemAvailable:")); ok {
				kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(string(rest)), " kB"), 10, 54)
				if err == nil {
					note(kib << 10)
				}
			}
		}
	}
	groups, err := read("/proc/self/cgroup")
	if err != nil {
		return least
	}
	for line := range bytes.Lines(groups) {
		fields := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		root, limit, used := "/sys/fs/cgroup", "memory.max", "memory.current"
		switch {
		case len(fields) != 3:
			continue
		case fields[1] == "memory": // version 1
			root, limit, used = "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
		case fields[1] != "":
			continue
		}
		for group := path.Join("/", fields[2]); ; group = path.Dir(group) {
			most, limited := number(path.Join(root, group, limit))
			if now, known := number(path.Join(root, group, used)); limited && known && most < 1<<60 {
				note(max(1, most-min(most, now)))
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}

// Room bounds the memory of a process's runs together. A run's memory is first guessed from its plan; the guess is
// corrected by observation.
type Room struct {
	// Bound is for the whole process, in bytes; 0 for no bound.
	Bound uint64

	mu      sync.Mutex
	changed *sync.Cond
	// before is the memory of the process when the first run began, guessed the sum of the guesses of runs in progress,
	// runs their number.
	before, guessed uint64
	runs            int
	// ratio is the ratio of observed to guessed memory.
	ratio float64
}

// Enter waits until a run of a plan has room beside those under way; the only one always
// has. Leave gives the room back.
func (r *Room) Enter(p *plan.Plan) (leave func()) {
	need := uint64(plan.Memory(p))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changed == nil {
		r.changed, r.before, r.ratio = sync.NewCond(&r.mu), inUse(), 1
	}
	for r.runs > 0 && r.Bound > 0 && r.expected(need) > r.Bound {
		r.changed.Wait()
	}
	r.runs++
	r.guessed += need
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.look()
		r.runs--
		r.guessed -= need
		r.changed.Broadcast()
	}
}

// expected returns the expected memory of the process with another run beside the ones in progress.
func (r *Room) expected(need uint64) uint64 {
	r.look()
	return max(inUse(), r.before) + uint64(unit.Whole[int64](r.ratio*float64(need)))
}

// look corrects the guess by observation; the caller holds mu.
func (r *Room) look() {
	if now := inUse(); r.guessed > 0 && now > r.before {
		r.ratio = max(r.ratio, float64(now-r.before)/float64(r.guessed))
	}
}

// Peak returns the most memory that the process has taken beyond what it has now until stop
// is called, in bytes.
func Peak() (stop func() uint64) {
	before, most := inUse(), uint64(0)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		every := time.NewTicker(2 * time.Millisecond)
		defer every.Stop()
		for {
			most = max(most, inUse())
			select {
			case <-done:
				return
			case <-every.C:
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-ended
		return max(most, before) - before
	}
}
