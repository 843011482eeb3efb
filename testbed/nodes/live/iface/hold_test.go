package iface

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// newLivedSpace makes a namespace whose interface has all that taking it changes.
func newLivedSpace(t *testing.T) *space {
	t.Helper()
	s := newSpace(t, append(slices.Clone(up), "ip -6 neigh add fe80::99 lladdr 02:00:00:00:00:99 nud permanent dev edge0",
		"ip -6 addr add fe80::77/64 dev edge0")...)
	s.in(func() error { return change("edge0", []string{"rx-gro"}, true) })
	return s
}

// Taking an interface makes it quiet, and releasing it puts every field back.
// Tier: everyday, root.
func TestReleasePutsEveryFieldBack(t *testing.T) {
	s := newLivedSpace(t)
	before := s.settled()
	h := s.take(s.want())
	for _, want := range []string{"sysctl net/ipv6/conf/edge0/disable_ipv6: 1, was 0",
		"link edge0 offload rx-gro: false, was true", "link edge0 neighbour fe80::99: 02:00:00:00:00:99, is gone"} {
		if changed := s.settled().Since(before); !slices.Contains(changed, want) {
			t.Errorf("not %q: %q", want, changed)
		}
	}
	if h.MTU != 1500 || h.MAC != before["link edge0 mac"] || len(h.Forced) > 0 {
		t.Errorf("%+v", h)
	}
	for range 2 { // a second time is no error
		if err := h.Release(); err != nil {
			t.Fatal(err)
		}
	}
	s.asBefore(before)
}

// An interface that IPv6 is off for, as our own hosts have it, is not changed, nor is IPv6
// switched on after.
// Tier: everyday, root.
func TestWhatIsQuietStaysAsItIs(t *testing.T) {
	s := newSpace(t, append(slices.Clone(up), "sysctl -qw net.ipv6.conf.edge0.disable_ipv6=1")...)
	before := s.settled()
	h := s.take(s.want())
	if changed := s.settled().Since(before); len(changed) > 0 {
		t.Errorf("changed: %q", changed)
	}
	if err := h.Release(); err != nil {
		t.Error(err)
	}
	s.asBefore(before)
}

// By force, an interface that is down is set up in silence, and one with an address of IPv6
// keeps it.
// Tier: slow, root.
func TestForce(t *testing.T) {
	tier.Slow(t)
	s := newSpace(t, pair, "ip link add control0 type veth peer name control1",
		"sysctl -qw net.ipv6.conf.host0.disable_ipv6=1 net.ipv6.conf.control1.disable_ipv6=1", "ip link set host0 up",
		"ip link set control1 up", "ip link add used0 type veth peer name used1", "ip link set used0 up",
		"ip link set used1 up", "ip -6 addr add fd00::1/64 dev used0 nodad", "ip route add 10.3.0.0/16 dev used0")
	before := s.settled()
	w := s.want()
	w.Force = true
	h := s.take(w)
	if len(h.Forced) != 1 || !strings.Contains(h.Forced[0], "is down") {
		t.Errorf("forced: %q", h.Forced)
	}
	s.run("ip link set control0 up")
	sent := func(name string) (n uint64) {
		s.in(func() error {
			l, err := netlink.LinkByName(name)
			if err == nil {
				n = l.Attrs().Statistics.TxPackets
			}
			return err
		})
		return n
	}
	for start := time.Now(); sent("control0") < 3 && time.Since(start) < 20*time.Second; {
		time.Sleep(10 * time.Millisecond)
	}
	if loud, quiet := sent("control0"), sent("edge0"); loud < 3 || quiet > 0 {
		t.Errorf("the interface said %d frames by itself; one that was just set up %d", quiet, loud)
	}
	used := s.take(Want{Interface: "used0", Namespace: s.path, Force: true})
	if got := s.run("ip -6 addr show dev used0"); !strings.Contains(got, "fd00::1/64") {
		t.Errorf("the host's address is gone: %s", got)
	}
	if len(used.Forced) != 2 {
		t.Errorf("forced: %q", used.Forced)
	}
	for _, h := range []*Hold{h, used} {
		if err := h.Release(); err != nil {
			t.Error(err)
		}
	}
	s.run("ip link set control0 down")
	s.asBefore(before)
}

// Who has an interface is named to the next, who changes nothing; PutBack leaves it alone.
// Tier: everyday, root.
func TestOneHolderAtATime(t *testing.T) {
	s := newLivedSpace(t)
	before := s.settled()
	h := s.take(s.want())
	_, err := Take(s.root, s.want())
	if err == nil || !strings.Contains(err.Error(), "interface edge0 in "+s.path+" is used by another edge of this run") {
		t.Errorf("taken twice: %v", err)
	}
	if done, err := PutBack(s.root); err != nil || len(done) > 0 {
		t.Errorf("put back what is held: %q, %v", done, err)
	}
	held := s.snapshot()
	if held["sysctl net/ipv6/conf/edge0/disable_ipv6"] != "1" {
		t.Error("the second holder changed it")
	}
	if err := h.Release(); err != nil {
		t.Error(err)
	}
	s.asBefore(before)
}

// holderVariable makes this process take an interface and wait to be killed.
const holderVariable = "IFACE_TEST_HOLDER"

func TestMain(m *testing.M) {
	if at := os.Getenv(holderVariable); at != "" {
		root, path, _ := strings.Cut(at, ":")
		if _, err := Take(root, Want{Interface: "edge0", Namespace: path}); err != nil {
			os.Stdout.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Stdout.WriteString("taken\n")
		select {}
	}
	os.Exit(m.Run())
}

// killedHolder is a process that had the interface.
func (s *space) killedHolder(meanwhile func(pid int)) {
	s.t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), holderVariable+"="+s.root+":"+s.path)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	said, _ := bufio.NewReader(out).ReadString('\n')
	if meanwhile != nil {
		meanwhile(c.Process.Pid)
	}
	if err := c.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	_ = c.Wait()
	if said != "taken\n" {
		s.t.Fatal(said)
	}
}

// What a killed holder left is put back by PutBack, or by the next who takes the
// interface and releases it.
// Tier: everyday, root.
func TestAKilledHolderIsPutBack(t *testing.T) {
	s := newLivedSpace(t)
	before := s.settled()
	s.killedHolder(func(pid int) {
		_, err := Take(s.root, s.want())
		if err == nil || !strings.Contains(err.Error(), "is used by another run, process "+strconv.Itoa(pid)) {
			t.Errorf("taken twice: %v", err)
		}
		if list, err := Changed(s.root); len(list) != 0 || err != nil {
			t.Errorf("what is held counts as left: %q, %v", list, err)
		}
	})
	list, err := Changed(s.root)
	if err != nil || len(list) != 1 || !strings.HasPrefix(list[0], s.want().String()+": IPv6 was on") {
		t.Errorf("left are %q, %v", list, err)
	}
	if changed := s.snapshot().Since(before); len(changed) == 0 {
		t.Error("nothing was to be put back, which proves nothing")
	}
	done, err := PutBack(s.root)
	if err != nil || !slices.Equal(done, []string{s.want().String()}) {
		t.Errorf("put back %q, %v", done, err)
	}
	s.asBefore(before)
	if list, err := Changed(s.root); len(list) != 0 || err != nil {
		t.Errorf("left are %q, %v", list, err)
	}

	s.killedHolder(nil)
	if err := s.take(s.want()).Release(); err != nil {
		t.Error(err)
	}
	s.asBefore(before)
}

// An interface that gets another MAC meanwhile is still restored: by its holder, and after a killed holder by PutBack
// and by the next. One without a mark, since the kernel has none, is named. Tier: everyday, root.
func TestAnInterfaceWithAnotherMACIsPutBack(t *testing.T) {
	s := newLivedSpace(t)
	before := s.settled()
	another := func(last string) { s.run("ip link set edge0 address 02:00:00:00:01:" + last) }
	check := func(what string) {
		t.Helper()
		now := s.settled()
		for field, was := range before {
			if is := now[field]; is != was && field != "link edge0 mac" {
				t.Errorf("%s: %s: %q, was %q", what, field, is, was)
			}
		}
		if _, err := os.Lstat(filepath.Join(s.root, folderName)); err == nil {
			t.Errorf("%s: the records are left behind", what)
		}
	}
	h := s.take(s.want())
	another("01")
	if err := h.Release(); err != nil {
		t.Error(err)
	}
	check("released")
	s.killedHolder(func(int) { another("02") })
	if done, err := PutBack(s.root); err != nil || len(done) != 1 {
		t.Errorf("put back %q, %v", done, err)
	}
	check("put back")
	s.killedHolder(func(int) { another("03") })
	if err := s.take(s.want()).Release(); err != nil {
		t.Error(err)
	}
	check("taken again")

	h = s.take(s.want())
	s.run("ip link property del dev edge0 altname " + h.record.Mark)
	h.record.Mark = ""
	if err := h.record.save(s.root); err != nil {
		t.Fatal(err)
	}
	another("04")
	const says = "its MAC was 02:00:00:00:01:03 and is 02:00:00:00:01:04, so that it may be another interface: " +
		"look at it (IPv6 was on, rx-gro was on)"
	for range 2 {
		if err := h.Release(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("released: %v", err)
		}
		if done, err := PutBack(s.root); err == nil || len(done) > 0 || !strings.Contains(err.Error(), says) {
			t.Errorf("put back %q: %v", done, err)
		}
		if h, err := Take(s.root, s.want()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("taken again: %v, %v", h, err)
		}
		h.lock, _ = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	}
}

// An interface that went, with its namespace or alone, is forgotten.
// Tier: everyday, root.
func TestWhatIsGoneIsForgotten(t *testing.T) {
	for name, remove := range map[string]func(*space) error{
		"interface": func(s *space) error { s.run("ip link del edge0"); return nil },
		"another of its name and index": func(s *space) error {
			index, _, _ := strings.Cut(s.run("ip -o link show edge0"), ":")
			s.run("ip link del edge0")
			s.run("ip link add edge0 index " + index + " type veth peer name host0")
			return nil
		},
		"namespace": func(s *space) error { return netns.RemoveNamespace(s.path) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newLivedSpace(t)
			h := s.take(s.want())
			s2 := newLivedSpace(t)
			s2.killedHolder(nil)
			for _, s := range []*space{s, s2} {
				if err := remove(s); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.Release(); err != nil {
				t.Error(err)
			}
			if done, err := PutBack(s2.root); err != nil || len(done) > 0 {
				t.Errorf("put back %q, %v", done, err)
			}
			for _, s := range []*space{s, s2} {
				if left, _ := filepath.Glob(filepath.Join(s.root, folderName, "*")); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
			}
		})
	}
}

// A record that cannot be read stays, and is named.
func TestADamagedRecordIsNamed(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, folderName, "1-2.json")
	for _, content := range []string{"", "{", `{"inode": 7, "index": 2}`} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+partSuffix, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := PutBack(root); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", content, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path + partSuffix); err == nil {
			t.Error("a record that was not finished, so that nothing was changed, stays")
		}
	}
	if done, err := PutBack(t.TempDir()); err != nil || done != nil || Left(err) != nil {
		t.Errorf("without records: %q, %v", done, err)
	}
}

// Records that cannot be read do not keep others from being followed, and each is a sentence of its own.
func TestOneDamagedRecordIsInNobodysWay(t *testing.T) {
	root := t.TempDir()
	gone := record{Interface: "a", Namespace: "/nowhere", Inode: 1, Index: 2}
	if err := gone.save(root); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1-1.json", "1-3.json"} {
		if err := os.WriteFile(filepath.Join(root, folderName, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := PutBack(root)
	left := Left(err)
	if len(left) != 2 || !strings.Contains(left[0], "1-1.json") || !strings.Contains(left[1], "1-3.json") ||
		!strings.HasSuffix(left[1], "look at the interface, then remove the file") {
		t.Errorf("left: %q", left)
	}
	if _, err := os.Stat(gone.path(root)); err == nil {
		t.Error("the record of what is gone stays")
	}
}

// Records are written while others put back: neither is in the way of the other. Tier: everyday.
func TestRecordsAreWrittenWhileOthersPutBack(t *testing.T) {
	tier.Everyday(t)
	root := filepath.Join(t.TempDir(), "run")
	ended := make(chan struct{})
	defer func() { <-ended }()
	var over atomic.Bool
	defer over.Store(true)
	go func() {
		defer close(ended)
		for !over.Load() {
			// The namespace is none, so that each record that is whole is forgotten.
			if _, err := PutBack(root); err != nil {
				t.Errorf("put back: %v", err)
				return
			}
		}
	}()
	for i := range 2000 {
		r := record{Interface: "a", Namespace: "/nowhere", Inode: 1, Index: 1 + i%3}
		if err := r.save(root); err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
	}
}
