package packet

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// How long Open waits for the carrier of an interface, and how often it looks.
const (
	carrierWait = 2 * time.Second
	carrierPoll = time.Millisecond
)

// Open makes a socket with rings of the given geometry and binds it to an interface of the calling thread's network
// namespace. The interface and the other end of its cable must be up. From then on frames are received, and sent frames
// leave. The descriptor is for Map, here or in a process that it is passed to; it is closed on exec. Needs CAP_NET_RAW.
func Open(ifname string, g Geometry) (fd int, err error) {
	if err := g.check(); err != nil {
		return -1, fmt.Errorf("open a packet socket on %s: %w", ifname, err)
	}
	index, err := operational(ifname)
	if err != nil {
		return -1, fmt.Errorf("open a packet socket on %s: %w", ifname, err)
	}
	// Protocol 0 receives nothing until bind names one: no frame of another
	// interface gets into the ring.
	fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		if errors.Is(err, unix.EPERM) {
			err = fmt.Errorf("%w: the capability CAP_NET_RAW is needed, run as root", err)
		}
		return -1, fmt.Errorf("open a packet socket on %s: %w", ifname, err)
	}
	if err := configure(fd, index, g); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("open a packet socket on %s: %w", ifname, err)
	}
	return fd, nil
}

func configure(fd, index int, g Geometry) error {
	// Not set: PACKET_LOSS would skip a frame that the kernel cannot send
	// instead of reporting it; PACKET_QDISC_BYPASS would hide frames from
	// tcpdump.
	for _, o := range []struct {
		name         string
		option, with int
	}{
		{"PACKET_VERSION", unix.PACKET_VERSION, unix.TPACKET_V2},
		{"PACKET_RESERVE", unix.PACKET_RESERVE, tagLen},
		{"PACKET_IGNORE_OUTGOING", unix.PACKET_IGNORE_OUTGOING, 1},
	} {
		if err := unix.SetsockoptInt(fd, unix.SOL_PACKET, o.option, o.with); err != nil {
			return fmt.Errorf("set %s: %w", o.name, err)
		}
	}
	if err := unix.SetsockoptTpacketReq(fd, unix.SOL_PACKET, unix.PACKET_RX_RING, g.receive().Request()); err != nil {
		return fmt.Errorf("allocate a receive ring of %d bytes: %w", g.receive().Bytes(), err)
	}
	if err := unix.SetsockoptTpacketReq(fd, unix.SOL_PACKET, unix.PACKET_TX_RING, g.send().Request()); err != nil {
		return fmt.Errorf("allocate a send ring of %d bytes: %w", g.send().Bytes(), err)
	}
	address := &unix.SockaddrLinklayer{Protocol: NetworkOrder(unix.ETH_P_ALL), Ifindex: index}
	if err := unix.Bind(fd, address); err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	return nil
}

// operational waits until an interface can send, and returns its index.
//
// The kernel attaches the queueing discipline of an interface a little after both ends were set up, in a work item of
// its own (net/core/link_watch.c); frames sent before are dropped. Under load that takes milliseconds.
func operational(ifname string) (index int, err error) {
	for waited := time.Duration(0); ; waited += carrierPoll {
		link, err := netlink.LinkByName(ifname)
		if err != nil {
			return 0, err
		}
		l := link.Attrs()
		if l.Flags&net.FlagUp == 0 {
			return 0, fmt.Errorf("%w: set the interface up first", unix.ENETDOWN)
		}
		// Drivers without a carrier leave the state unknown. A veth end knows it, if not yet.
		if l.OperState == netlink.OperUp || l.OperState == netlink.OperUnknown && link.Type() != "veth" {
			return l.Index, nil
		}
		if waited >= carrierWait {
			return 0, fmt.Errorf("no carrier for %v (state %v): set the other end up first", carrierWait, l.OperState)
		}
		time.Sleep(carrierPoll)
	}
}

// OpenTap is Open for an observer: the port receives also what this host sends on
// the interface, and Outgoing reports which. It should send nothing.
func OpenTap(ifname string, g Geometry) (fd int, err error) {
	if fd, err = Open(ifname, g); err != nil {
		return -1, err
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_PACKET, unix.PACKET_IGNORE_OUTGOING, 0); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("receive frames sent on %s: %w", ifname, err)
	}
	return fd, nil
}

// Outgoing reports whether this host sent the frame that Next returned. It must
// be asked before Release.
func (p *Port) Outgoing() bool {
	const packetType = 10 // of sll_pkttype in sockaddr_ll, which follows the slot's header
	return p.receive.Mem[p.receive.At+sendOffset+packetType] == unix.PACKET_OUTGOING
}
