package netns

import (
	"bytes"
	"net"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// tap opens a packet socket on all interfaces of a namespace, so that it hears
// a link from its first moment, what its own end sends included.
func tap(t *testing.T, path string) int {
	t.Helper()
	var fd int
	inside(t, path, func() (err error) {
		all := int(unix.ETH_P_ALL>>8 | unix.ETH_P_ALL<<8&0xff00)
		fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, all)
		return err
	})
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}

// heard returns the first frame on any of the taps before the deadline.
func heard(t *testing.T, deadline time.Time, taps ...int) []byte {
	t.Helper()
	polled := make([]unix.PollFd, len(taps))
	for i, fd := range taps {
		polled[i] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	}
	for {
		left := time.Until(deadline)
		if left <= 0 {
			return nil
		}
		n, err := unix.Poll(polled, int(left.Milliseconds())+1)
		if err != nil && err != unix.EINTR {
			t.Fatal(err)
		}
		for _, p := range polled {
			if n > 0 && p.Revents&unix.POLLIN != 0 {
				frame := make([]byte, 65536)
				length, err := unix.Read(int(p.Fd), frame)
				if err != nil {
					t.Fatal(err)
				}
				return frame[:length]
			}
		}
	}
}

// chatty gives a namespace IPv6, as a container runtime's has.
func chatty(t *testing.T, path string) {
	t.Helper()
	inside(t, path, func() error {
		for _, which := range []string{"all", "default"} {
			if err := os.WriteFile("/proc/sys/net/ipv6/conf/"+which+"/disable_ipv6", []byte("0"), 0); err != nil &&
				!os.IsNotExist(err) {
				return err
			}
		}
		return nil
	})
}

// An end that kept IPv6 would solicit routers at once, and report multicast
// groups within the next seconds.
func TestNothingIsHeardOnALink(t *testing.T) {
	n := namespaces(t, "a", "b", "pod1", "pod2")
	chatty(t, n[2])
	chatty(t, n[3])
	var taps []int
	for _, path := range n {
		taps = append(taps, tap(t, path))
	}
	links := []Link{
		{A: at(n[0], "p", macA), B: at(n[1], "p", macB), MTU: 1500},
		{A: at(n[2], "p", macA), B: at(n[3], "p", macB), MTU: 1500},
	}
	if err := ConnectAll(t.Context(), links, nil); err != nil {
		t.Fatal(err)
	}
	if frame := heard(t, time.Now().Add(3500*time.Millisecond), taps...); frame != nil {
		t.Errorf("a foreign frame: % x", frame)
	}
}

func TestALinkCarriesAFrameOfItsMTUUnchanged(t *testing.T) {
	n := namespaces(t, "a", "b")
	l := Link{A: at(n[0], "p", macA), B: at(n[1], "p", macB), MTU: 4264}
	if err := Connect(l); err != nil {
		t.Fatal(err)
	}
	sender, receiver := tap(t, n[0]), tap(t, n[1])
	var index int
	inside(t, n[0], func() error {
		i, err := net.InterfaceByName("p")
		if err == nil {
			index = i.Index
		}
		return err
	})
	frame := make([]byte, 14+l.MTU)
	for i := range frame {
		frame[i] = byte(i * 7)
	}
	copy(frame, macB)
	copy(frame[6:], macA)
	if err := unix.Sendto(sender, frame, 0, &unix.SockaddrLinklayer{Ifindex: index}); err != nil {
		t.Fatal(err)
	}
	if got := heard(t, time.Now().Add(10*time.Second), receiver); !bytes.Equal(got, frame) {
		t.Errorf("%d bytes arrived, sent were %d", len(got), len(frame))
	}
}
