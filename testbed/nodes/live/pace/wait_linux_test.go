package pace_test

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"golang.org/x/sys/unix"
)

func TestAWaitEndsInTimeOrByASocket(t *testing.T) {
	t.Run("giving the processor up", func(t *testing.T) { endsInTimeOrByASocket(t, pace.Wait) })
	t.Run("keeping the processor", func(t *testing.T) { endsInTimeOrByASocket(t, pace.Keep) })
}

func endsInTimeOrByASocket(t *testing.T, wait func(int64, []unix.PollFd) bool) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	sockets := []unix.PollFd{{Fd: int32(reader.Fd()), Events: unix.POLLIN}}
	for _, d := range []time.Duration{-time.Second, 0, 300 * time.Microsecond, 3 * time.Millisecond} {
		until := pace.Now() + int64(d)
		for pace.Now() < until {
			if wait(until, sockets) {
				t.Fatalf("after %v a socket is ready in which nothing is", d)
			}
		}
	}
	if wait(pace.Now(), nil) {
		t.Error("none of no sockets is ready")
	}
	go func() {
		time.Sleep(5 * time.Millisecond)
		writer.Write([]byte{1})
	}()
	// A signal of the runtime may end a wait early.
	for ready := false; !ready; {
		ready = wait(pace.Never, sockets)
	}
	if !wait(pace.Never, sockets) {
		t.Error("a socket that is ready is not seen")
	}
}

// A thread of the loop asks for a core for a short time at a time. An old kernel has no such slices to show.
func TestASharpenedThreadHasAShortSlice(t *testing.T) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and not unlocked: the thread ends with it
		before, err := unix.SchedGetAttr(0, 0)
		if err != nil || before.Runtime == 0 {
			t.Log("this kernel does not show slices")
			return
		}
		if err := pace.Sharpen(); err != nil {
			t.Error(err)
		}
		after, err := unix.SchedGetAttr(0, 0)
		if err != nil || after.Runtime != 100_000 || after.Nice != before.Nice || after.Policy != before.Policy {
			t.Errorf("%v: %+v, before %+v", err, after, before)
		}
	}()
	<-done
}
