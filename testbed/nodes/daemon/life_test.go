package daemon

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestMain makes the test binary a daemon.
func TestMain(m *testing.M) {
	Become(Host{})
	os.Exit(m.Run())
}

// A daemon and its siblings end with the holder of the other end of their pipe, even before any connection. Tier:
// -short.
func TestDaemonsEndWithTheirPipe(t *testing.T) {
	for _, listeners := range []int{1, 3} {
		t.Run(fmt.Sprintf("listeners=%v", listeners), func(t *testing.T) {
			life, hold, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer hold.Close()
			// All of them print to this pipe, which ends when the last one has.
			printed, print, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer printed.Close()
			c := exec.Command(os.Args[0], Any, fmt.Sprintf("--listeners=%d", listeners), "--once", "--alive")
			for i := range listeners {
				l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(t.TempDir(), fmt.Sprint(i)), Net: "unix"})
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				f, err := l.File()
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				c.ExtraFiles = append(c.ExtraFiles, f)
			}
			c.ExtraFiles = append(c.ExtraFiles, life)
			c.Stdout, c.Stderr = print, print
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			life.Close()
			print.Close()
			ended := make(chan string)
			go func() {
				text, _ := io.ReadAll(printed)
				ended <- string(text)
			}()
			select {
			case text := <-ended:
				t.Errorf("%d daemons ended with nothing: %s", listeners, text)
				return
			case <-time.After(200 * time.Millisecond):
			}
			hold.Close()
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				t.Errorf("of %d daemons some live on", listeners)
				c.Process.Kill()
			}
			c.Wait()
		})
	}
}

// Windows that go on without a guard of their thread are noticed, windows that end are not waited for.
func TestWindowsWithoutAGuardAreNoticed(t *testing.T) {
	over := make(chan struct{})
	if endsWithin(over, time.Millisecond) {
		t.Error("they go on")
	}
	close(over)
	if !endsWithin(over, time.Hour) {
		t.Error("they have ended")
	}
}
