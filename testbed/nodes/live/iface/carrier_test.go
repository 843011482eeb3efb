package iface

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// hasCarrier reports what the other end of the cable sees.
func (s *space) hasCarrier() (has bool) {
	s.t.Helper()
	s.in(func() error {
		l, err := netlink.LinkByName("host0")
		if err == nil {
			has = l.Attrs().RawFlags&unix.IFF_LOWER_UP != 0
		}
		return err
	})
	return has
}

// carrier opens the carrier of the interface, with a function that returns the events heard within a time.
func (s *space) carrier(raise bool) (c *Carrier, heard func(time.Duration) string) {
	s.t.Helper()
	c, err := OpenCarrier(s.path, "edge0", raise)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	return c, func(most time.Duration) string {
		s.t.Helper()
		lost, err := c.Await(most)
		if err != nil {
			s.t.Fatal(err)
		}
		return lost
	}
}

// A carrier that is set is not one that is lost, however fast it goes. Of a frame that the other end sends meanwhile
// the kernel may count the drop here.
// Control: messages of our own change that are not taken for heard.
// Tier: everyday, root.
func TestACarrierIsSet(t *testing.T) {
	s := newSpace(t, append(slices.Clone(up), "ip addr add 10.9.0.1/24 dev host0",
		"ip neigh add 10.9.0.2 lladdr 02:00:00:00:00:02 nud permanent dev host0")...)
	c, heard := s.carrier(false)
	for range 20 {
		if err := c.Down(); err != nil {
			t.Fatal(err)
		}
		if s.hasCarrier() {
			t.Fatal("the other end has its carrier")
		}
		if err := c.Up(); err != nil {
			t.Fatal(err)
		}
		if !s.hasCarrier() {
			t.Fatal("the other end has no carrier")
		}
	}
	if lost := heard(50 * time.Millisecond); lost != "" {
		t.Errorf("it %s", lost)
	}
	if err := c.Down(); err != nil {
		t.Fatal(err)
	}
	s.in(func() error { // before the kernel has told its stack
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return unix.Sendto(fd, []byte("x"), 0, &unix.SockaddrInet4{Port: 9, Addr: [4]byte{10, 9, 0, 2}})
	})
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if !s.hasCarrier() {
		t.Error("after Close the other end has no carrier")
	}
	if got := c.Counters(); got.Times != 21 || got.Void > 1 {
		t.Errorf("%+v", got)
	}
}

// An interface that goes by itself is noticed, with the event. Tier: everyday, root.
func TestACarrierIsLost(t *testing.T) {
	for name, test := range map[string]struct{ do, want string }{
		"set down":         {"ip link set edge0 down", "was set down"},
		"other end down":   {"ip link set host0 down", "lost its carrier"},
		"removed":          {"ip link del edge0", "was removed or moved away"},
		"another, in vain": {"ip link add other0 type veth peer name other1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSpace(t, up...)
			c, heard := s.carrier(false)
			if err := errors.Join(c.Down(), c.Up()); err != nil {
				t.Fatal(err)
			}
			s.run(test.do)
			most := 20 * time.Second
			if test.want == "" {
				most = 20 * time.Millisecond
			}
			if got := heard(most); got != test.want {
				t.Errorf("it %q, want %q", got, test.want)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// An interface without a carrier at the start has not lost it; once it is there, it may.
// Tier: everyday, root.
func TestACarrierThatIsAwaited(t *testing.T) {
	s := newSpace(t, pair, "ip link set edge0 up")
	c, heard := s.carrier(false)
	if lost := heard(20 * time.Millisecond); lost != "" {
		t.Errorf("it %s", lost)
	}
	s.run("ip link set host0 up")
	for start := time.Now(); c.awaited && time.Since(start) < 20*time.Second; {
		if lost := heard(10 * time.Millisecond); lost != "" {
			t.Errorf("it %s", lost)
		}
	}
	s.run("ip link set host0 down")
	if lost := heard(20 * time.Second); lost != "lost its carrier" {
		t.Errorf("it %q", lost)
	}
}

// What a killed run set down is set up by PutBack, and by a run whose own it is.
// Control: settings that leave the carrier out.
// Tier: everyday, root.
func TestACarrierIsPutBack(t *testing.T) {
	s := newLivedSpace(t)
	before := s.settled()
	w := s.want()
	w.Carrier = true
	h := s.take(w)
	s.run("ip link set edge0 down")
	unix.Close(h.lock) // its holder is killed
	h.lock = -1
	if list, err := Changed(s.root); err != nil || len(list) != 1 || !strings.Contains(list[0], "it was up") {
		t.Errorf("%q, %v", list, err)
	}
	if done, err := PutBack(s.root); err != nil || len(done) != 1 {
		t.Errorf("put back: %q, %v", done, err)
	}
	s.asBefore(before)
	s.run("ip link set edge0 down")
	s.carrier(true)
	if !s.hasCarrier() {
		t.Error("it was not raised")
	}
}

// If a fault sets the interface down, force does not take from a host the routes and addresses that it would lose by
// that. Tier: everyday, root.
func TestACarrierOfAnInterfaceInUse(t *testing.T) {
	s := newSpace(t, append(slices.Clone(up), "ip addr add 192.0.2.1/24 dev edge0",
		"ip route add default via 192.0.2.2", "ip link add link edge0 name edge0.7 type macvlan")...)
	w := s.want()
	w.Force = true
	if err := Check(w); err != nil {
		t.Error(err)
	}
	w.Carrier = true
	err := Check(w)
	for _, want := range []string{"carries the address 192.0.2.1/24: ", "carries the route default: " + routeLost,
		"has the interface edge0.7 on it, "} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "by force") {
			t.Errorf("not %q: %v", want, err)
		}
	}
}
