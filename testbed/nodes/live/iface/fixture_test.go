package iface

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface/ifacetest"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// space is a network namespace with a folder of testbeds of its own.
type space struct {
	t          *testing.T
	path, root string
}

// newSpace makes a namespace as hosts have it, with IPv6, and runs commands in it.
func newSpace(t *testing.T, commands ...string) *space {
	t.Helper()
	tier.Root(t, "making network namespaces")
	dir := t.TempDir()
	s := &space{t: t, path: filepath.Join(dir, "net"), root: filepath.Join(dir, "run")}
	if err := netns.NewNamespace(s.path); err != nil {
		t.Skipf("this host gives no network namespace: %v", err)
	}
	t.Cleanup(func() { _ = netns.RemoveNamespace(s.path) })
	s.in(func() error {
		for _, which := range []string{"all", "default"} {
			if err := os.WriteFile(ipv6Switch(which), []byte("0"), 0); err != nil {
				return err
			}
		}
		// Addresses are used at once: trying them takes seconds.
		return os.WriteFile("/proc/sys/net/ipv6/conf/default/accept_dad", []byte("0"), 0)
	})
	for _, c := range commands {
		s.run(c)
	}
	return s
}

// pair makes the two ends of a cable, up and with the addresses that the kernel gives.
const pair = "ip link add edge0 type veth peer name host0"

var up = []string{pair, "ip link set edge0 up", "ip link set host0 up"}

func (s *space) in(f func() error) {
	s.t.Helper()
	if err := netns.In(s.path, f); err != nil {
		s.t.Fatal(err)
	}
}

// run runs a command in the namespace.
func (s *space) run(command string) string {
	s.t.Helper()
	var out []byte
	s.in(func() (err error) {
		words := strings.Fields(command)
		out, err = exec.Command(words[0], words[1:]...).CombinedOutput()
		if err != nil {
			s.t.Errorf("%s: %s", command, out)
		}
		return err
	})
	return string(out)
}

func (s *space) want() Want { return Want{Interface: "edge0", Namespace: s.path} }

func (s *space) take(w Want) *Hold {
	s.t.Helper()
	h, err := Take(s.root, w)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = h.Release() })
	return h
}

// settled is the snapshot after the kernel has given and tried all addresses.
func (s *space) settled() ifacetest.Snapshot {
	s.t.Helper()
	var last ifacetest.Snapshot
	for same := 0; same < 3; time.Sleep(10 * time.Millisecond) {
		now := s.snapshot()
		if last != nil && len(now.Since(last)) == 0 && !strings.Contains(s.run("ip -6 addr"), "tentative") {
			same++
		} else {
			same = 0
		}
		last = now
	}
	return last
}

func (s *space) snapshot() (found ifacetest.Snapshot) {
	s.t.Helper()
	s.in(func() (err error) {
		found, err = ifacetest.Take()
		return err
	})
	return found
}

// asBefore asks that all is as it was, and no record is left.
func (s *space) asBefore(before ifacetest.Snapshot) {
	s.t.Helper()
	if changed := s.settled().Since(before); len(changed) > 0 {
		s.t.Errorf("changed:\n%s", strings.Join(changed, "\n"))
	}
	if left, _ := filepath.Glob(filepath.Join(s.root, "*")); len(left) > 0 {
		s.t.Errorf("left behind: %v", left)
	}
	if _, err := os.Lstat(filepath.Join(s.root, folderName)); err == nil {
		s.t.Error("the records are left behind")
	}
}
