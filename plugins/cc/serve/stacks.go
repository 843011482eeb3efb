//go:build linux && !mem

package serve

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"

	"golang.org/x/sys/unix"
)

// dumpOnQuit makes SIGQUIT write the stacks of all goroutines to stderr and end this process with code 2. Go's runtime
// does the same by default, but leaves out a goroutine that runs on another thread, which is the one that hangs; with
// GOTRACEBACK=crash it includes that one, too, but turns every panic into an abort with a core file. If the variable is
// set, the runtime does what it asks for.
func dumpOnQuit() {
	if os.Getenv("GOTRACEBACK") != "" {
		return
	}
	quits := make(chan os.Signal, 1)
	signal.Notify(quits, unix.SIGQUIT)
	stderr := os.Stderr // go-plugin puts another in its place, for what goes by gRPC
	go func() {
		<-quits
		fmt.Fprintf(stderr, "SIGQUIT: quit\n\n%s\n", stacks())
		os.Exit(2)
	}()
}

// mostStacks bounds the stacks that are written, in bytes, as the runtime bounds their number.
const mostStacks = 16 << 20

// stacks returns the stacks of all goroutines, which it stops.
func stacks() []byte {
	for size := 64 << 10; ; size *= 2 {
		text := make([]byte, size)
		if n := runtime.Stack(text, true); n < size || size >= mostStacks {
			return text[:n]
		}
	}
}
