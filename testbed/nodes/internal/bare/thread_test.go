package bare

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
)

// A kernel without schedstat has no numbers, and a counter that went back counts nothing.
func TestThread(t *testing.T) {
	at := func(text string) Thread {
		root := t.TempDir()
		file := filepath.Join(root, "proc/thread-self/schedstat")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return readThread(root)
	}
	before, after := at("5000 700 3\n"), at("9000 1000 4\n")
	if got := after.Since(before); got != (result.Scheduling{Ran: 4 * time.Microsecond, Waited: 300}) {
		t.Errorf("%+v", got)
	}
	if got := at("").Since(before); got != (result.Scheduling{}) {
		t.Errorf("backwards: %+v", got)
	}
}
