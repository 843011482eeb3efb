package realtime

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

// needsRights skips a test on a host that gives no thread the class.
func needsRights(t *testing.T) {
	t.Helper()
	tier.Slow(t) // it takes a core from others for a second
	tier.Root(t, "real-time priority")
	if err := Check(); err != nil {
		t.Skip(err)
	}
}

// A thread that waits now and then keeps its class to the end, and gets its own back then.
func TestAThreadThatWaitsKeepsItsClass(t *testing.T) {
	needsRights(t)
	g, stop, done := NewGuard(), make(chan struct{}), make(chan int)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		g.Raise("a", os.Getpid(), unix.Gettid())
		done <- unix.Gettid()
		for until := time.Now().Add(1500 * time.Millisecond); time.Now().Before(until); {
			time.Sleep(5 * time.Millisecond)
		}
		done <- 0
		<-stop
	}()
	tid := <-done
	if class := classOf(t, tid); class != unix.SCHED_FIFO {
		t.Errorf("class %d", class)
	}
	<-done
	if got := g.End(); len(got) != 1 || !got[0].Given || got[0].Lost != "" {
		t.Errorf("%+v", got)
	}
	if class := classOf(t, tid); class != unix.SCHED_NORMAL {
		t.Errorf("class %d at the end", class)
	}
	close(stop)
}

// A thread that waits a little, which the kernel lets have a core for ever, loses the class after a second.
func TestAThreadThatHardlyWaitsLosesItsClass(t *testing.T) {
	needsRights(t)
	g, done := NewGuard(), make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		g.Raise("a", os.Getpid(), unix.Gettid())
		pause := unix.Timespec{Nsec: 100_000}
		for begin := time.Now(); time.Since(begin) < 1500*time.Millisecond; {
			for turn := time.Now(); time.Since(turn) < 20*time.Millisecond; {
			}
			unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&pause)), 0, 0)
		}
		if class := classOf(t, unix.Gettid()); class != unix.SCHED_NORMAL {
			t.Errorf("class %d", class)
		}
	}()
	<-done
	if got := g.End(); len(got) != 1 || !got[0].Given || !strings.Contains(got[0].Lost, "of a core for a second") {
		t.Errorf("%+v", got)
	}
}

// shell runs a loop that never waits.
func shell(t *testing.T, before string) *exec.Cmd {
	t.Helper()
	c := exec.Command("sh", "-c", before+"; ulimit -t 4; read go; while :; do :; done")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	time.AfterFunc(100*time.Millisecond, func() { in.Write([]byte("\n")) })
	return c
}

// A thread that never waits loses its class after half a second.
func TestAThreadThatNeverWaitsLosesItsClass(t *testing.T) {
	needsRights(t)
	c := shell(t, "trap '' XCPU")
	g := NewGuard()
	g.Raise("a", c.Process.Pid, c.Process.Pid)
	for wait := time.Now(); classOf(t, c.Process.Pid) == unix.SCHED_FIFO && time.Since(wait) < 2*time.Second; {
		time.Sleep(20 * time.Millisecond)
	}
	c.Process.Kill()
	c.Wait()
	if got := g.End(); len(got) != 1 || !got[0].Given || !strings.Contains(got[0].Lost, "did not wait once") {
		t.Errorf("%+v", got)
	}
}

// If there is no guard, the kernel kills.
func TestAThreadThatNeverWaitsIsKilledWithoutAGuard(t *testing.T) {
	needsRights(t)
	c := shell(t, "trap '' XCPU")
	alone := &thread{pid: c.Process.Pid, tid: c.Process.Pid}
	if err := alone.raise(); err != nil {
		t.Fatal(err)
	}
	defer alone.close()
	var ended *exec.ExitError
	if err := c.Wait(); !errors.As(err, &ended) {
		t.Fatal(err)
	}
	signal, after := ended.Sys().(syscall.WaitStatus).Signal(), ended.ProcessState.UserTime()
	if signal != syscall.SIGKILL || after > 3*time.Second {
		t.Errorf("ended by %v after %v", signal, after)
	}
}
