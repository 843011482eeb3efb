//go:build linux

package main

import (
	"io/fs"
	"math/rand/v2"
	"net"
	"path/filepath"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

const kindWire = "foreign frames on a veth, junk and silence on control sockets, destroy --force by another"

// wireFaults are others who speak where daemons do, or take the testbed away.
var wireFaults = []Fault{
	{
		Kind:   kindWire,
		Name:   "foreign frames",
		Fits:   withTestbed,
		Inject: func(b *bed) error { return b.withLink(b.sendFrames) },
		Codes:  []int{4}, // so many may leave no room for the run's own
		Says:   "lost frames",
	},
	onSocket("junk on a control socket", func(b *bed, c *net.UnixConn) error {
		chance := rand.New(rand.NewPCG(b.Pick, 3))
		junk := make([]byte, 1+chance.IntN(20000))
		for i := range junk {
			junk[i] = byte(chance.Uint32())
		}
		_, err := c.Write(junk)
		c.Close()
		return err
	}),
	onSocket("silence on a control socket", func(b *bed, c *net.UnixConn) error {
		b.silent = append(b.silent, c)
		return nil
	}),
	{
		Kind: kindWire,
		Name: "destroy --force by another",
		Fits: func(c *Case) bool { return withTestbed(c) && c.Form != "destroy" },
		Inject: func(b *bed) error {
			if _, err := filepath.Glob(b.testbed()); err != nil {
				return errAbsent
			}
			_, code, err := b.do("destroy", "--force", "--testbed", filepath.Base(b.testbed()))
			b.note("destroy ended with %d, %v", code, err)
			return err
		},
		Codes: []int{4, 2},
	},
}

// onSocket does something with a connection to one of the control sockets.
func onSocket(name string, do func(b *bed, c *net.UnixConn) error) Fault {
	return Fault{
		Kind: kindWire,
		Name: name,
		Fits: withTestbed,
		Inject: func(b *bed) error {
			list := b.below(func(d fs.DirEntry) bool { return d.Type() == fs.ModeSocket })
			if len(list) == 0 {
				return errAbsent
			}
			path := list[b.Pick%uint64(len(list))]
			b.note("%s", filepath.Base(path))
			for _, kind := range []string{"unix", "unixpacket"} {
				if c, err := net.DialUnix(kind, nil, &net.UnixAddr{Name: path, Net: kind}); err == nil {
					return do(b, c)
				}
			}
			return errAbsent
		},
		Codes: []int{4},
		Says:  saysDaemon + "|control|connection",
	}
}

// sendFrames sends frames of random bytes out of a link, of RoCEv2's types and
// others.
func (b *bed) sendFrames(link netlink.Link) error {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	chance := rand.New(rand.NewPCG(b.Pick, 4))
	for range 200 {
		frame := make([]byte, 14+chance.IntN(1000))
		for i := range frame {
			frame[i] = byte(chance.Uint32())
		}
		kinds := [][2]byte{{0x08, 0x00}, {0x88, 0x08}, {0x88, 0xb5}, {0x88, 0xb6}, {frame[12], frame[13]}}
		kind := kinds[chance.IntN(len(kinds))]
		frame[12], frame[13] = kind[0], kind[1]
		to := &unix.SockaddrLinklayer{Ifindex: link.Attrs().Index}
		if err := unix.Sendto(fd, frame, 0, to); err != nil {
			return err
		}
	}
	return nil
}
