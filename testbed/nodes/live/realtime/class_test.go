package realtime

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/result"
)

func TestOneCoreIsRefused(t *testing.T) {
	if err := checkCores(1); !errors.Is(err, errOneCore) {
		t.Errorf("one core: %v", err)
	}
	if err := checkCores(2); err != nil {
		t.Errorf("two cores: %v", err)
	}
}

// A name of a thread may have anything in it.
func TestProcessorTimeIsReadBehindTheName(t *testing.T) {
	const line = "7 (a) b (1 2 3) R 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20 0 1 0 9999\n"
	if got, err := processorTime(line); err != nil || got != 2_810_000_000 {
		t.Errorf("%d ns, %v", got, err)
	}
	for _, wrong := range []string{"", "7 (a) R 1 2", "7 (a) R 1 2 3 4 5 6 7 8 9 10 x 31"} {
		if _, err := processorTime(wrong); err == nil {
			t.Errorf("%q has a time", wrong)
		}
	}
}

func TestTheCgroupThatSharesOutProcessorTime(t *testing.T) {
	for text, want := range map[string]string{
		"4:memory:/a\n1:cpu:/b\n0::/\n":   "/b",
		"4:cpu,cpuacct:/b:c\n0::/\n":      "/b:c",
		"4:cpuacct:/a\n3:cpuset:/a\n0::/": "",
	} {
		if got := cpuGroup(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A share of a core is that of the last second, however often it was read.
func TestAShareAbove80PercentOfASecondIsTooMuch(t *testing.T) {
	const step = int64(100 * time.Millisecond)
	for _, c := range []struct {
		share func(i int64) float64
		after int64 // steps; 0 for never
	}{
		{func(int64) float64 { return 0.79 }, 0},
		{func(int64) float64 { return 0.81 }, 10},
		{func(i int64) float64 { return float64(i / 8 % 2) }, 0}, // 0.8 s of two
		{func(i int64) float64 { return map[bool]float64{true: 1}[i >= 30] }, 39},
	} {
		spinner := new(thread)
		used, at := int64(0), int64(0)
		for i := range int64(100) {
			why := spinner.tooMuch(reading{i * step, used}, false)
			if why != "" && at == 0 {
				at = i
			}
			used += int64(c.share(i) * float64(step))
		}
		if at != c.after {
			t.Errorf("too much after %d steps, want %d", at, c.after)
		}
	}
}

func TestAThreadIsFound(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if got, err := Find(os.Getpid(), unix.Gettid()); err != nil || got != unix.Gettid() {
		t.Errorf("thread %d, %v", got, err)
	}
	if got, err := Find(os.Getpid(), 1<<22+1); err == nil {
		t.Errorf("thread %d, which is not there", got)
	}
}

// A process without the right to the class gets that reason, and nothing changes.
func TestWithoutTheRightItStaysAsItIs(t *testing.T) {
	ended := make(chan []result.Priority)
	go func() {
		runtime.LockOSThread() // and not unlocked: the thread has lost its rights
		defer close(ended)
		var sets [2]unix.CapUserData
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		if err := unix.Capset(&header, &sets[0]); err != nil {
			t.Error(err)
			return
		}
		g := NewGuard()
		g.Raise("the pool", os.Getpid(), unix.Gettid())
		if class := classOf(t, unix.Gettid()); class != unix.SCHED_NORMAL {
			t.Errorf("class %d", class)
		}
		ended <- g.End()
	}()
	got := <-ended
	if len(got) != 1 || got[0].Given || got[0].Participant != "the pool" ||
		!strings.Contains(got[0].Lost, "CAP_SYS_NICE") {
		t.Errorf("%+v", got)
	}
}

// classOf is a thread's class.
func classOf(t *testing.T, tid int) uint32 {
	t.Helper()
	attr, err := unix.SchedGetAttr(tid, 0)
	if err != nil {
		t.Error(err)
		return ^uint32(0)
	}
	return attr.Policy
}
