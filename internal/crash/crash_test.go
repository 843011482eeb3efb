//go:build unix

package crash_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rocelab/rocelab/internal/crash"
)

// The test binary panics in a goroutine if this variable is set; its value selects how.
const part = "ROCELAB_CRASH_PART"

func TestMain(m *testing.M) {
	how := os.Getenv(part)
	if how == "" {
		os.Exit(m.Run())
	}
	if how != "unhandled" {
		crash.OnPanic(func(reason any, stack []byte) {
			fmt.Printf("cleaned up after: %v\n%s", reason, stack)
			os.Exit(6)
		})
	}
	go func() {
		defer crash.Guard()()
		fall(how)
	}()
	select {}
}

// fall panics, or reads a page of a file that is no longer there.
func fall(how string) {
	if how != "page" {
		panic("out of cheese")
	}
	f, err := os.Create(filepath.Join(os.TempDir(), fmt.Sprintf("rocelab-crash-%d", os.Getpid())))
	if err == nil {
		os.Remove(f.Name())
		err = f.Truncate(4096)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	page, err := syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	f.Truncate(0)
	fmt.Println(page[7])
}

func TestAPanicInAGoroutineIsHandedOver(t *testing.T) {
	for _, c := range []struct {
		how, want string
		code      int
	}{
		{"plain", "cleaned up after: out of cheese\n", 6},
		{"page", "cleaned up after: runtime error: invalid memory address", 6},
		{"unhandled", "panic: out of cheese", 2},
	} {
		t.Run(c.how, func(t *testing.T) {
			test := exec.Command(os.Args[0])
			test.Env = append(os.Environ(), part+"="+c.how)
			out, _ := test.CombinedOutput()
			if got := test.ProcessState.ExitCode(); got != c.code || !strings.Contains(string(out), c.want) ||
				!strings.Contains(string(out), "fall") {
				t.Errorf("%s: exit code %d, %s", c.how, got, out)
			}
		})
	}
}
