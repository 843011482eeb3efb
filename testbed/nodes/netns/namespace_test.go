package netns

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

// needRoot skips a test that makes namespaces if it lacks the rights.
func needRoot(t testing.TB) {
	t.Helper()
	tier.Root(t, "making network namespaces and links (CAP_SYS_ADMIN, CAP_NET_ADMIN)")
}

// at is an end.
func at(namespace, name string, mac net.HardwareAddr) End {
	return End{Namespace: namespace, Interface: name, MAC: mac}
}

// namespaces makes one namespace for each name and removes them after the test.
func namespaces(t testing.TB, names ...string) []string {
	t.Helper()
	needRoot(t)
	dir := t.TempDir()
	var paths []string
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := NewNamespace(path); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := RemoveNamespace(path); err != nil {
				t.Error(err)
			}
		})
		paths = append(paths, path)
	}
	return paths
}

// inside calls do in the namespace and fails the test on its error.
func inside(t testing.TB, path string, do func() error) {
	t.Helper()
	if err := In(path, do); err != nil {
		t.Fatal(err)
	}
}

func mounted(t *testing.T, path string) bool {
	t.Helper()
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(table, []byte(" "+path+" "))
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

const ipv6Default = "/proc/sys/net/ipv6/conf/default/disable_ipv6"

func TestNamespaceHasLoopbackUpAndNoIPv6(t *testing.T) {
	needRoot(t)
	if _, err := os.Stat(ipv6Default); err != nil {
		t.Skip("this kernel has no IPv6")
	}
	before := read(t, ipv6Default)
	path := namespaces(t, "n")[0]
	inside(t, path, func() error {
		links, err := netlink.LinkList()
		if err != nil {
			return err
		}
		for _, l := range links {
			if l.Attrs().Name == "lo" && l.Attrs().RawFlags&unix.IFF_UP == 0 {
				t.Error("loopback is down")
			}
		}
		for _, which := range []string{"all", "default", "lo"} {
			if got := read(t, "/proc/sys/net/ipv6/conf/"+which+"/disable_ipv6"); got != "1" {
				t.Errorf("disable_ipv6 of %s is %s, want 1", which, got)
			}
		}
		return nil
	})
	if after := read(t, ipv6Default); after != before {
		t.Errorf("the host's own disable_ipv6 went from %s to %s", before, after)
	}
}

func TestInEntersTheNamespaceAndComesBack(t *testing.T) {
	path := namespaces(t, "n")[0]
	var there, kept unix.Stat_t
	inside(t, path, func() error { return unix.Stat("/proc/thread-self/ns/net", &there) })
	if err := unix.Stat(path, &kept); err != nil {
		t.Fatal(err)
	}
	if there.Ino != kept.Ino {
		t.Errorf("In ran in namespace %d, %s is %d", there.Ino, path, kept.Ino)
	}
	var here unix.Stat_t
	if err := unix.Stat("/proc/thread-self/ns/net", &here); err != nil || here.Ino == kept.Ino {
		t.Errorf("the test's own thread is in namespace %d (%v)", here.Ino, err)
	}
}

func TestInRefusesWhatIsNoNamespace(t *testing.T) {
	plainFile := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(plainFile, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		plainFile:             plainFile + " is not a network namespace",
		plainFile + "-absent": "network namespace " + plainFile + "-absent: no such file or directory",
	} {
		err := In(path, func() error { t.Error("it was called"); return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestNewNamespaceLeavesAnExistingFileAlone(t *testing.T) {
	needRoot(t)
	path := filepath.Join(t.TempDir(), "n")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := NewNamespace(path)
	if err == nil || !strings.Contains(err.Error(), "make network namespace "+path+": file exists") {
		t.Errorf("error %v", err)
	}
	if read(t, path) != "mine" || mounted(t, path) {
		t.Error("the file was touched")
	}
}

func TestNewNamespaceNeedsItsFolder(t *testing.T) {
	needRoot(t)
	path := filepath.Join(t.TempDir(), "absent", "n")
	if err := NewNamespace(path); err == nil || !strings.Contains(err.Error(), path+": no such file") {
		t.Errorf("error %v", err)
	}
}

func TestRemoveNamespaceIsIdempotentAndLeavesNothing(t *testing.T) {
	path := namespaces(t, "n")[0]
	if !mounted(t, path) {
		t.Fatal("the namespace is not mounted")
	}
	for range 2 {
		if err := RemoveNamespace(path); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(path); !os.IsNotExist(err) || mounted(t, path) {
			t.Fatalf("something is left: %v, mounted %v", err, mounted(t, path))
		}
	}
}

func TestRemoveNamespaceTakesTheFileOfAStartCutShort(t *testing.T) {
	needRoot(t)
	path := filepath.Join(t.TempDir(), "n")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := RemoveNamespace(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

func TestRemoveNamespaceSparesWhatIsNotItsOwn(t *testing.T) {
	needRoot(t)
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "file"), filepath.Join(dir, "folder")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, folder} {
		if err := RemoveNamespace(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v", err)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}
