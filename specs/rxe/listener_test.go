package rxe

import (
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// rocePort is the UDP port of RoCEv2.
const rocePort = 4791

// heard counts the frames at an interface, as the codec reads them.
type heard struct {
	roce   int // frames of RoCEv2, decoded and with a right ICRC
	data   int // of these, those that carry messages
	marked int // of all, those that a switch marked: CE
	strays int // frames to the port of RoCEv2 that the codec takes for something else
}

// listen reads what passes an interface until it is asked what it heard.
func listen(path, name string) (stop func() heard) {
	GinkgoHelper()
	var fd int
	Expect(netns.In(path, func() (err error) {
		fd, err = packetSocket(name)
		return err
	})).To(Succeed())
	var h heard
	var reader sync.WaitGroup
	done := make(chan struct{})
	reader.Go(func() {
		defer unix.Close(fd)
		frame := make([]byte, 1<<16)
		for {
			n, _, err := unix.Recvfrom(fd, frame, 0) // a tenth of a second at most
			if err == nil {
				h.count(frame[:n])
				continue
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	stop = sync.OnceValue(func() heard {
		close(done)
		reader.Wait()
		return h
	})
	DeferCleanup(func() { stop() })
	return stop
}

func packetSocket(name string) (fd int, err error) {
	request, err := unix.NewIfreq(name)
	if err != nil {
		return 0, err
	}
	const every = unix.ETH_P_ALL<<8 | unix.ETH_P_ALL>>8 // in the order of the network
	fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	if err = unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, request); err == nil {
		err = unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: every, Ifindex: int(request.Uint32())})
	}
	if err == nil {
		err = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 100_000})
	}
	if err == nil {
		err = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, 64<<20)
	}
	if err != nil {
		unix.Close(fd)
	}
	return fd, err
}

func (h *heard) count(frame []byte) {
	var f wire.Frame
	switch {
	case !wire.DecodeAny(frame, &f):
		h.strays++
	case f.IsOpaque() && f.Rare.DstPort == rocePort:
		h.strays++
	case f.IsOpaque(), f.IsPFC():
	default:
		h.roce++
		if f.IsData() {
			h.data++
		}
		if f.ECN() == wire.CE {
			h.marked++
		}
	}
}
