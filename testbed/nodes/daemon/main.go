package daemon

import (
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// gcPercent is the heap's growth in percent at which a daemon collects: a model allocates while queues fill for the
// first time and hardly after that.
const gcPercent = 400

// run is the main function of a daemon with the algorithms of host; args are its arguments without the program's name.
// It returns the exit code.
func run(name string, args []string, host Host) int {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	listeners := flags.Int("listeners", 0, "number of listening control sockets, from descriptor 3 on; beyond the "+
		"first, each gets a process of its own")
	once := flags.Bool("once", false, "end when all connections have ended")
	alive := flags.Bool("alive", false, "end with the end of the file of the descriptor after the listeners, a pipe's")
	fenced := flags.Bool("fence", false, "start plugins by the descriptors after these, in a fence of their own")
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "%s is a daemon of a rocelab testbed: it hosts models of nodes and is started "+
			"by `rocelab deploy` or\n`rocelab run --on veth`, which pass it its sockets. It is not for use by "+
			"hand.\n\n", name)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *listeners < 1 || flags.NArg() > 0 {
		flags.Usage()
		return 2
	}
	next := firstFile + *listeners
	if *alive {
		host.life = next
		next++
		go endWith(host.life)
	}
	debug.SetGCPercent(gcPercent)
	// Nothing of this reaches a plugin.
	if err := unix.CloseRange(firstFile, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		fmt.Fprintf(os.Stderr, "%s: keep descriptors from others: %v\n", name, err)
		return 1
	}
	if *fenced {
		host.gate = cgroup.GateOf(uintptr(next))
	}
	if err := host.serveAll(*listeners, *once, os.Args[:len(os.Args)-len(args)]); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return 1
	}
	return 0
}

// firstFile is the first descriptor that a parent passes on.
const firstFile = 3

// endWith ends this process when the holder of the other end of a pipe ends, at any moment: from the first instruction
// on, before any connection.
func endWith(descriptor int) {
	io.Copy(io.Discard, os.NewFile(uintptr(descriptor), "life"))
	os.Exit(1)
}

func (h *Host) serveAll(listeners int, once bool, leading []string) error {
	for i := 1; i < listeners; i++ {
		if err := h.startSibling(firstFile+i, once, leading); err != nil {
			return err
		}
	}
	f := os.NewFile(firstFile, "control")
	defer f.Close()
	any, err := net.FileListener(f)
	if err != nil {
		return fmt.Errorf("descriptor %d: %w", firstFile, err)
	}
	l, ok := any.(*net.UnixListener)
	if !ok {
		return fmt.Errorf("descriptor %d is no Unix socket", firstFile)
	}
	defer l.Close()
	return newServer(h).serve(l, once)
}

// startSibling starts another process of this program for one listener; leading are the arguments before the daemon's
// own.
func (h *Host) startSibling(descriptor int, once bool, leading []string) error {
	f := os.NewFile(uintptr(descriptor), "control")
	defer f.Close()
	c := exec.Command("/proc/self/exe", "--listeners=1", fmt.Sprintf("--once=%v", once),
		fmt.Sprintf("--alive=%v", h.life != 0), fmt.Sprintf("--fence=%v", h.gate != nil))
	c.Args = append(slices.Clone(leading), c.Args[1:]...)
	c.ExtraFiles = []*os.File{f}
	if h.life != 0 {
		// Not by its own number, which this process watches already.
		own, err := unix.FcntlInt(uintptr(h.life), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("descriptor %d: %w", h.life, err)
		}
		pipe := os.NewFile(uintptr(own), "life")
		defer pipe.Close()
		c.ExtraFiles = append(c.ExtraFiles, pipe)
	}
	if h.gate != nil {
		c.ExtraFiles = append(c.ExtraFiles, h.gate.Files()...)
	}
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		return fmt.Errorf("second daemon in the container: %w", err)
	}
	go c.Wait()
	return nil
}
