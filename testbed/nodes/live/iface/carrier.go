package iface

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Carrier is the carrier of an interface, as the other end of its cable sees it: a run sets it, and learns when it goes
// by itself. It belongs to one goroutine.
//
// The interface is set down, and its other end loses its carrier, as it does if a cable is pulled. What the other
// end sends meanwhile is lost, and the kernel counts some of it as dropped here.
type Carrier struct {
	name   string
	index  int
	heard  *nl.NetlinkSocket // of changes of interfaces
	handle *netlink.Handle   // in the namespace of the interface
	drops  *os.File

	off bool // we have set it down
	// awaited is set if it had no carrier at the start, or has none yet since we set it up.
	awaited bool
	before  uint64 // what it had dropped on its way in when we set it down
	counted CarrierCounters
}

// CarrierCounters count a run's actions on a carrier.
type CarrierCounters struct {
	// Times is the number of times that the interface was set down.
	Times uint64
	// Void counts the frames that the other end sent meanwhile, as far as the interface has counted them as dropped.
	Void uint64
}

// OpenCarrier opens the carrier of an interface in the network namespace at a path, "" for that of this process. Needs
// CAP_NET_ADMIN. An interface that is down, as a run that was killed may leave it, is set up with raise.
func OpenCarrier(namespace, ifname string, raise bool) (c *Carrier, err error) {
	c = &Carrier{name: ifname}
	err = in(namespace, func() (err error) {
		if c.heard, err = nl.Subscribe(unix.NETLINK_ROUTE, unix.RTNLGRP_LINK); err != nil {
			return err
		}
		if c.handle, err = netlink.NewHandle(unix.NETLINK_ROUTE); err != nil {
			return err
		}
		if c.drops, err = packet.OpenDrops(); err != nil {
			return err
		}
		l, err := c.handle.LinkByName(ifname)
		if err != nil {
			return err
		}
		c.index = l.Attrs().Index
		if raise && l.Attrs().RawFlags&unix.IFF_UP == 0 {
			c.awaited = true
			return c.handle.LinkSetUp(l)
		}
		c.awaited = l.Attrs().RawFlags&unix.IFF_LOWER_UP == 0
		return nil
	})
	if err != nil {
		err = errors.Join(fmt.Errorf("carrier of %s: %w", ifname, err), c.Close())
		return nil, err
	}
	return c, nil
}

// Counters returns the counts so far.
func (c *Carrier) Counters() CarrierCounters { return c.counted }

// Close sets the interface up if Down has set it down, and lets it go. An interface that is gone is not an error.
func (c *Carrier) Close() error {
	var err error
	if c.off {
		if err = c.Up(); isMissing(err) {
			err = nil
		}
	}
	if c.heard != nil {
		c.heard.Close()
	}
	if c.handle != nil {
		c.handle.Close()
	}
	if c.drops != nil {
		c.drops.Close()
	}
	return err
}

// Down takes the carrier of the other end away.
func (c *Carrier) Down() error {
	if c.off {
		return nil
	}
	c.before = c.dropped()
	err := c.set(c.handle.LinkSetDown, "down")
	c.off = err == nil
	if c.off {
		c.counted.Times++
	}
	return err
}

// Up gives the other end its carrier back.
func (c *Carrier) Up() error {
	if !c.off {
		return nil
	}
	if now := c.dropped(); now > c.before {
		c.counted.Void += now - c.before
	}
	if err := c.set(c.handle.LinkSetUp, "up"); err != nil {
		return err
	}
	c.off, c.awaited = false, true
	_, err := c.look()
	return err
}

// set changes the interface, and takes the messages until then for heard: the kernel sends them before it answers.
func (c *Carrier) set(do func(netlink.Link) error, to string) error {
	if err := do(&netlink.Device{LinkAttrs: netlink.LinkAttrs{Index: c.index}}); err != nil {
		return fmt.Errorf("set interface %s %s: %w", c.name, to, err)
	}
	var message [nl.RECEIVE_BUFFER_SIZE]byte
	for {
		_, _, err := unix.Recvfrom(c.heard.GetFd(), message[:], unix.MSG_DONTWAIT)
		if errors.Is(err, unix.EAGAIN) {
			return nil
		} else if err != nil && !errors.Is(err, unix.EINTR) && !errors.Is(err, unix.ENOBUFS) {
			return fmt.Errorf("hear of interface %s: %w", c.name, err)
		}
	}
}

// dropped returns the interface's count of drops on its way in.
func (c *Carrier) dropped() uint64 {
	d, err := packet.ReadDrops(c.drops, c.name)
	if err != nil {
		return 0 // it has another name by now
	}
	return d.In
}

// Await waits for a time, or until the interface goes down by itself: then it returns the event, as in "was set down",
// otherwise "". The kernel reports a lost carrier within a second.
func (c *Carrier) Await(most time.Duration) (lost string, err error) {
	for end := time.Now().Add(most); lost == "" && err == nil; {
		left := time.Until(end)
		if left < time.Microsecond {
			break
		}
		lost, err = c.hear(left)
	}
	return lost, err
}

// hear waits for the next messages.
func (c *Carrier) hear(most time.Duration) (lost string, err error) {
	wait := unix.NsecToTimeval(most.Nanoseconds())
	if err := c.heard.SetReceiveTimeout(&wait); err != nil {
		return "", err
	}
	list, from, err := c.heard.Receive()
	switch {
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR):
		return "", nil
	case errors.Is(err, unix.ENOBUFS): // messages were lost
		return c.look()
	case err != nil:
		return "", fmt.Errorf("hear of interface %s: %w", c.name, err)
	case from.Pid != nl.PidKernel:
		return "", nil
	}
	for i := range list {
		if lost = c.read(&list[i]); lost != "" {
			break
		}
	}
	if lost != "" { // what is removed is set down first
		if _, err := c.handle.LinkByIndex(c.index); isMissing(err) {
			lost = gone
		}
	}
	return lost, nil
}

// read reads a message.
func (c *Carrier) read(m *syscall.NetlinkMessage) (lost string) {
	if len(m.Data) < unix.SizeofIfInfomsg {
		return ""
	}
	info := nl.DeserializeIfInfomsg(m.Data)
	switch {
	case int(info.Index) != c.index || info.Family != unix.AF_UNSPEC:
		return ""
	case m.Header.Type == unix.RTM_DELLINK:
		return gone
	case m.Header.Type == unix.RTM_NEWLINK:
		return c.take(info.Flags)
	}
	return ""
}

// gone describes an interface that is not there any more.
const gone = "was removed or moved away"

// look asks for the state of the interface.
func (c *Carrier) look() (lost string, err error) {
	l, err := c.handle.LinkByIndex(c.index)
	if isMissing(err) {
		return gone, nil
	} else if err != nil {
		return "", fmt.Errorf("look at interface %s: %w", c.name, err)
	}
	return c.take(l.Attrs().RawFlags), nil
}

// take takes over the state of the interface.
func (c *Carrier) take(flags uint32) (lost string) {
	switch {
	case c.off:
		return ""
	case flags&unix.IFF_UP == 0:
		return "was set down"
	case flags&unix.IFF_LOWER_UP != 0:
		c.awaited = false
	case !c.awaited:
		return "lost its carrier"
	}
	return ""
}

// isMissing reports whether an interface is not there.
func isMissing(err error) bool {
	_, missing := errors.AsType[netlink.LinkNotFoundError](err)
	return missing || errors.Is(err, unix.ENODEV)
}
