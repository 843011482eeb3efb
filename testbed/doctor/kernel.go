package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unsafe"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/enter"
)

// spaces are the namespaces of a container.
var spaces = []struct {
	name, file string
	flag       int
}{
	{"network", "net", unix.CLONE_NEWNET}, {"mount", "mnt", unix.CLONE_NEWNS}, {"PID", "pid", unix.CLONE_NEWPID},
	{"UTS", "uts", unix.CLONE_NEWUTS}, {"IPC", "ipc", unix.CLONE_NEWIPC},
}

func (h host) namespaces() []Finding {
	const name = "namespaces"
	var made, lacking, refused []string
	var why error
	for _, s := range spaces {
		if _, err := os.Stat(h.path("proc/self/ns/" + s.file)); errors.Is(err, fs.ErrNotExist) {
			lacking = append(lacking, s.name)
			continue
		}
		if err := enter.Thread(func() error { return unix.Unshare(s.flag) }); err != nil {
			refused, why = append(refused, s.name), err
			continue
		}
		made = append(made, s.name)
	}
	switch {
	case lacking != nil:
		return []Finding{{name, Missing, "the kernel has no " + strings.Join(lacking, ", ") + " namespaces",
			"a kernel built with CONFIG_NAMESPACES and each of CONFIG_{NET,PID,UTS,IPC}_NS, as those of all distributions are"}}
	case refused != nil:
		return []Finding{failed(name, fmt.Errorf("new %s namespaces: %w", strings.Join(refused, ", "), why),
			"raise the limits in /proc/sys/user, and allow unshare(2) in the seccomp profile of the container that this runs in")}
	}
	return []Finding{found(name, "%s", strings.Join(made, ", "))}
}

// network tries a veth pair, and packet rings on it, in a network namespace
// that ends with the trial.
func (h host) network() []Finding {
	const veth, rings = "veth", "packet rings"
	var list []Finding
	err := enter.Thread(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return err
		}
		attributes := netlink.NewLinkAttrs()
		attributes.Name = "doctor0"
		pair := &netlink.Veth{LinkAttrs: attributes, PeerName: "doctor1"}
		if err := netlink.LinkAdd(pair); err != nil {
			list = append(list, failed(veth, fmt.Errorf("make a veth pair: %w", err), "modprobe veth, or a kernel built with CONFIG_VETH"))
		} else {
			list = append(list, found(veth, "made and removed a pair"))
			defer netlink.LinkDel(pair) // at once, rather than with the namespace some time later
		}
		if err := tryRings(); err != nil {
			list = append(list, failed(rings, err, "a kernel built with CONFIG_PACKET, and memory for it"))
		} else {
			list = append(list, found(rings, "AF_PACKET with TPACKET_V2 rings in both directions"))
		}
		return nil
	})
	if err != nil {
		return []Finding{failed(veth, fmt.Errorf("not tried, for want of a network namespace: %w", err), ""),
			failed(rings, fmt.Errorf("not tried, for want of a network namespace: %w", err), "")}
	}
	return list
}

// tryRings opens a packet socket as the daemons' are, and maps its rings.
func tryRings() error {
	const page = 4096
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open a packet socket: %w", err)
	}
	defer unix.Close(fd)
	if err := unix.SetsockoptInt(fd, unix.SOL_PACKET, unix.PACKET_VERSION, unix.TPACKET_V2); err != nil {
		return fmt.Errorf("choose TPACKET_V2: %w", err)
	}
	size := unix.TpacketReq{Block_size: page, Block_nr: 1, Frame_size: page, Frame_nr: 1}
	for _, ring := range []int{unix.PACKET_RX_RING, unix.PACKET_TX_RING} {
		if err := unix.SetsockoptTpacketReq(fd, unix.SOL_PACKET, ring, &size); err != nil {
			return fmt.Errorf("make a packet ring: %w", err)
		}
	}
	m, err := unix.Mmap(fd, 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return fmt.Errorf("map a packet ring: %w", err)
	}
	return unix.Munmap(m)
}

// calls tries the system calls by which daemons share memory and wake each
// other.
func (h host) calls() []Finding {
	const name = "system calls"
	descriptor := func(open func() (int, error)) func() error {
		return func() error {
			fd, err := open()
			if err == nil {
				unix.Close(fd)
			}
			return err
		}
	}
	var lacking []string
	for _, c := range []struct {
		name string
		try  func() error
	}{
		{"memfd_create", descriptor(func() (int, error) { return unix.MemfdCreate("rocelab-doctor", unix.MFD_CLOEXEC) })},
		{"eventfd", descriptor(func() (int, error) { return unix.Eventfd(0, unix.EFD_CLOEXEC) })},
		{"pidfd_open", descriptor(func() (int, error) { return unix.PidfdOpen(os.Getpid(), 0) })},
		{"futex", wakeNobody},
	} {
		if err := c.try(); err != nil {
			lacking = append(lacking, fmt.Sprintf("%s: %v", c.name, err))
		}
	}
	if lacking != nil {
		return []Finding{{name, Missing, strings.Join(lacking, ", "),
			"a newer kernel; in a container, a seccomp profile that allows these calls"}}
	}
	return []Finding{found(name, "memfd_create, eventfd, pidfd_open, futex")}
}

// wakeNobody wakes the waiters of a word that nobody waits for.
func wakeNobody() error {
	const futexWake = 1 // FUTEX_WAKE of futex(2)
	var word uint32
	if _, _, e := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&word)), futexWake, 1, 0, 0, 0); e != 0 {
		return e
	}
	return nil
}
