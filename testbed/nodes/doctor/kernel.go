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

	"github.com/rocelab/rocelab/testbed/nodes/enter"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
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
			"raise the limits in /proc/sys/user, and allow unshare(2) in the seccomp profile of the container that "+
				"this runs in")}
	}
	return []Finding{found(name, "%s", strings.Join(made, ", "))}
}

// network tries a veth pair, and packet rings on it, in a network namespace
// that ends with the trial.
func (h host) network() []Finding {
	const veth, rings = "veth", "packet rings"
	attributes := netlink.NewLinkAttrs()
	attributes.Name = "doctor0"
	pair := &netlink.Veth{LinkAttrs: attributes, PeerName: "doctor1"}
	var made, opened error
	err := enter.Thread(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("not tried, for lack of a network namespace: %w", err)
		}
		if made = netlink.LinkAdd(pair); made != nil {
			return nil
		}
		opened = tryRings(pair)
		return nil
	})
	switch {
	case err != nil:
		return []Finding{failed(veth, err, "see namespaces"), failed(rings, err, "see namespaces")}
	case made != nil:
		return []Finding{failed(veth, fmt.Errorf("make a veth pair: %w", made),
			"modprobe veth, or a kernel built with CONFIG_VETH"),
			{rings, Missing, "not tried, for lack of a veth pair", "see veth"}}
	case opened != nil:
		return []Finding{found(veth, "made a pair"),
			failed(rings, opened, "a kernel built with CONFIG_PACKET, and memory for the rings")}
	}
	return []Finding{found(veth, "made a pair"), found(rings, "AF_PACKET with TPACKET_V2 rings in both directions")}
}

// tryRings opens a packet socket on a pair as the testbed does, and maps its
// rings as the daemons do.
func tryRings(pair *netlink.Veth) error {
	peer, err := netlink.LinkByName(pair.PeerName)
	if err == nil {
		err = errors.Join(netlink.LinkSetUp(pair), netlink.LinkSetUp(peer))
	}
	if err != nil {
		return fmt.Errorf("set the veth pair up: %w", err)
	}
	g := packet.Geometry{Frame: 1500, Receive: 8, Send: 8}
	fd, err := packet.Open(pair.Name, g)
	if err != nil {
		return err
	}
	port, err := packet.Map(fd, g)
	if err != nil {
		return errors.Join(err, unix.Close(fd))
	}
	return port.Close()
}

// calls tries the system calls with which daemons share memory and wake each other.
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
	return []Finding{found(name, "memfd_create, pidfd_open, futex")}
}

// wakeNobody wakes the waiters of a word that has none.
func wakeNobody() error {
	const futexWake = 1 // FUTEX_WAKE of futex(2)
	var word uint32
	if _, _, e := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&word)), futexWake, 1, 0, 0, 0); e != 0 {
		return e
	}
	return nil
}
