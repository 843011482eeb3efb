package daemon

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// The files in /proc of a process that hides belong to root, for any user of the process (proc(5)).
func TestDaemonsHideFromOthers(t *testing.T) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "control"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	daemon := exec.Command("/proc/self/exe", "--listeners=1")
	daemon.Args[0] = NIC
	daemon.ExtraFiles = []*os.File{f}
	if os.Geteuid() == 0 {
		const nobody = 65534
		daemon.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	defer daemon.Wait()
	defer daemon.Process.Kill()
	owner := uint32(0)
	for until := time.Now().Add(5 * time.Second); time.Now().Before(until); time.Sleep(time.Millisecond) {
		info, err := os.Stat(fmt.Sprintf("/proc/%d/environ", daemon.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		if owner = info.Sys().(*syscall.Stat_t).Uid; owner == 0 {
			return
		}
	}
	t.Errorf("its files in /proc belong to user %d, want 0", owner)
}
