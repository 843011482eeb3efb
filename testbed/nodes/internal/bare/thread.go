package bare

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
)

// Thread has the counters of a thread at an instant.
type Thread struct{ ran, waited time.Duration }

// ReadThread reads the counters of the calling thread.
func ReadThread() Thread { return readThread("/") }

// Since returns the time on cores between two readings.
func (t Thread) Since(before Thread) result.Scheduling {
	return result.Scheduling{Ran: max(0, t.ran-before.ran), Waited: max(0, t.waited-before.waited)}
}

// readThread reads schedstat of the host whose files lie below root. Its first two numbers are the time on a core and
// the time of waiting for one while ready to run, in nanoseconds.
func readThread(root string) Thread {
	text, _ := os.ReadFile(filepath.Join(root, "proc/thread-self/schedstat"))
	words := append(strings.Fields(string(text)), "", "")
	number := func(word string) time.Duration {
		n, _ := strconv.ParseInt(word, 10, 64) // a kernel without these counters has an empty file
		return time.Duration(n)
	}
	return Thread{ran: number(words[0]), waited: number(words[1])}
}
