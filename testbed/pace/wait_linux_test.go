package pace_test

import (
	"os"
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/pace"
	"golang.org/x/sys/unix"
)

// Tier: -short.
func TestAWaitEndsInTimeOrByASocket(t *testing.T) {
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
			if pace.Wait(until, sockets) {
				t.Fatalf("after %v a socket is ready in which nothing is", d)
			}
		}
	}
	if pace.Wait(pace.Now(), nil) {
		t.Error("none of no sockets is ready")
	}
	go func() {
		time.Sleep(5 * time.Millisecond)
		writer.Write([]byte{1})
	}()
	// A signal of the runtime may end a wait early.
	for ready := false; !ready; {
		ready = pace.Wait(pace.Never, sockets)
	}
	if !pace.Wait(pace.Never, sockets) {
		t.Error("a socket that is ready is not seen")
	}
}
