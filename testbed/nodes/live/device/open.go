package device

import (
	"errors"
	"fmt"
	"net"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/internal/ring"
	"github.com/rocelab/rocelab/testbed/nodes/live/device/offload"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Bounds of Geometry.MTU: the least that IPv4 asks of a link, and the largest that a
// packet of it can be.
const (
	minMTU = 68
	maxMTU = 65535
)

const (
	macsLen     = 12
	tagLen      = 4
	ethernetLen = 14
	// longest is a frame of MTU 0 with two tags.
	longest = ethernetLen + 2*tagLen
	// before is the length of the data in a slot before a frame: the slot's header, an address, at least 16 bytes for
	// an Ethernet header that ends aligned, the reserve for a tag, the header of offloads.
	before = (unix.SizeofTpacket2Hdr+unix.SizeofSockaddrLinklayer+longest+unix.TPACKET_ALIGNMENT-1)&^
		(unix.TPACKET_ALIGNMENT-1) + tagLen + offload.HeaderLen - ethernetLen
	// superMemory bounds what the kernel holds of super-frames that wait to be read. Unit: bytes.
	superMemory = 16 << 20
	// sendMemory bounds what the kernel holds of frames that are under way.
	sendMemory = 4 << 20
)

// Geometry sizes a port. The opener and the user of a socket must name the same.
type Geometry struct {
	// MTU is the largest packet of the interface; frames are up to MTU + 18 bytes, a
	// tag included. Unit: bytes. Range: minMTU to maxMTU.
	MTU int
	// Slots is the number of frames that may wait to be read; a super-frame counts as one. At least 1.
	Slots int
}

// Default returns the geometry for an MTU with a receive ring of about 16 MB: some 8,000 frames
// of 1500 bytes, a tenth of a second at 1 Gb/s.
func Default(mtu int) Geometry {
	g := Geometry{MTU: mtu, Slots: 1}
	return Geometry{MTU: mtu, Slots: max(256, (16<<20)/g.slot())}
}

func (g Geometry) slot() int           { return ring.Align(before + longest + g.MTU) }
func (g Geometry) layout() ring.Layout { return ring.Fit(g.slot(), g.Slots) }

// Bytes returns the memory that the kernel allocates for the ring, resident from
// Open until the socket is closed by all who hold it.
func (g Geometry) Bytes() int {
	if g.check() != nil {
		return 0
	}
	return g.layout().Bytes()
}

func (g Geometry) check() error {
	if g.MTU < minMTU || g.MTU > maxMTU {
		return fmt.Errorf("an MTU of %d bytes: allowed are %d to %d", g.MTU, minMTU, maxMTU)
	}
	if g.Slots < 1 {
		return fmt.Errorf("a ring of %d slots: it needs at least one", g.Slots)
	}
	return nil
}

// Open makes a socket and binds it to an interface of the calling thread's network
// namespace, which must be up. From then on frames are received, whomever they
// are for. The descriptor is for Map, here or in a process that it is passed to; it is
// closed on exec. Needs CAP_NET_RAW, and CAP_NET_ADMIN to queue more than a few super-frames.
func Open(ifname string, g Geometry) (fd int, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("open a packet socket on %s: %w", ifname, err)
		}
	}()
	if err := g.check(); err != nil {
		return -1, err
	}
	link, err := netlink.LinkByName(ifname)
	if err != nil {
		return -1, err
	}
	if link.Attrs().Flags&net.FlagUp == 0 {
		return -1, fmt.Errorf("%w: set the interface up first", unix.ENETDOWN)
	}
	// Protocol 0 receives nothing until bind names one: no frame of another
	// interface gets into the ring.
	fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if errors.Is(err, unix.EPERM) {
		err = fmt.Errorf("%w: the capability CAP_NET_RAW is needed, run as root", err)
	}
	if err != nil {
		return -1, err
	}
	if err := configure(fd, link.Attrs().Index, g); err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

func configure(fd, index int, g Geometry) error {
	for _, o := range []struct {
		name         string
		option, with int
	}{
		{"PACKET_VERSION", unix.PACKET_VERSION, unix.TPACKET_V2},
		{"PACKET_RESERVE", unix.PACKET_RESERVE, tagLen},
		{"PACKET_VNET_HDR", unix.PACKET_VNET_HDR, 1},
		{"PACKET_COPY_THRESH", unix.PACKET_COPY_THRESH, 1},
		{"PACKET_IGNORE_OUTGOING", unix.PACKET_IGNORE_OUTGOING, 1},
	} {
		if err := unix.SetsockoptInt(fd, unix.SOL_PACKET, o.option, o.with); err != nil {
			return fmt.Errorf("set %s: %w", o.name, err)
		}
	}
	enlarge(fd, unix.SO_RCVBUFFORCE, unix.SO_RCVBUF, superMemory)
	enlarge(fd, unix.SO_SNDBUFFORCE, unix.SO_SNDBUF, sendMemory)
	l := g.layout()
	if err := unix.SetsockoptTpacketReq(fd, unix.SOL_PACKET, unix.PACKET_RX_RING, l.Request()); err != nil {
		return fmt.Errorf("allocate a receive ring of %d bytes: %w", l.Bytes(), err)
	}
	promiscuous := &unix.PacketMreq{Ifindex: int32(index), Type: unix.PACKET_MR_PROMISC}
	if err := unix.SetsockoptPacketMreq(fd, unix.SOL_PACKET, unix.PACKET_ADD_MEMBERSHIP, promiscuous); err != nil {
		return fmt.Errorf("hear frames for all addresses: %w", err)
	}
	address := &unix.SockaddrLinklayer{Protocol: packet.NetworkOrder(unix.ETH_P_ALL), Ifindex: index}
	if err := unix.Bind(fd, address); err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	return nil
}

// enlarge sets a buffer's size, beyond the host's bound if the process may. If it may not, fewer frames have room, and
// the excess is counted.
func enlarge(fd, force, plain, bytes int) {
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, force, bytes) != nil {
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, plain, bytes)
	}
}
