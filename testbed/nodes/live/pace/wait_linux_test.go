package pace_test

import (
	"os"
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
