//go:build linux && !mem

package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/keeper"
)

// lastErrno is the last error number of Linux, EHWPOISON.
const lastErrno = 133

// hosts are the errors of execve(2) that are the host's fault: want of processes, memory, descriptors of the process
// and of the system, and a disk that does not read. All others are about the program.
var hosts = map[syscall.Errno]bool{
	unix.EAGAIN: true,
	unix.ENOMEM: true,
	unix.EMFILE: true,
	unix.ENFILE: true,
	unix.EIO:    true,
}

// words are the texts that replace the errors of the system about a program.
var words = map[syscall.Errno]string{
	unix.ENOENT:  "cannot be run: the program that its first line names is missing",
	unix.EPERM:   "may not be executed here (its folders and file system may forbid it)",
	unix.EACCES:  "may not be executed here (its folders and file system may forbid it)",
	unix.ENOEXEC: "is not an executable program: the system knows no way to run it",
}

// Whose fault it is that a program was not executed, for every error that the system may give; before that step
// everything is the host's.
func TestWhoseFaultAnErrorIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := &Plugin{program: Program{Path: path}}
	for errno := syscall.Errno(1); errno <= lastErrno; errno++ {
		for _, step := range []string{keeper.Execute, "make its folder"} {
			t.Run(step, func(t *testing.T) {
				got := p.executeError(fmt.Errorf("keeper: %w", &keeper.Error{Step: step, Errno: errno}))
				own, want := errors.As(got, new(*Error)), step == keeper.Execute && !hosts[errno]
				if own != want {
					t.Errorf("%s, %v: %v; the plugin's is %v, want %v", step, errno, got, own, want)
					return
				}
				if !errors.Is(got, errno) && !own {
					t.Errorf("%s: %v is not in %v", step, errno, got)
				}
				text := words[errno]
				if text == "" {
					text = "cannot be run: " + errno.Error()
				}
				if own && !strings.HasSuffix(got.Error(), text) {
					t.Errorf("%v: %v, want %s", errno, got, text)
				}
			})
		}
	}
}
