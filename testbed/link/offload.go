package link

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// featureBlocks is how many words of 32 features this asks for; the kernel of
// today has 64 features and answers with the number of words it has.
const featureBlocks = 8

// getFeatures and setFeatures are ethtool_gfeatures and ethtool_sfeatures of
// linux/ethtool.h.
type getFeatures struct {
	command, size uint32
	blocks        [featureBlocks]struct{ available, requested, active, neverChanged uint32 }
}

type setFeatures struct {
	command, size uint32
	blocks        [featureBlocks]struct{ valid, requested uint32 }
}

// disableOffloads switches off every feature of an interface that is active and may be
// changed: checksums left to a device that does not exist, super-frames, tags
// kept beside the frame. It takes two calls to the kernel, which needs no names
// of features for it.
//
// Source: ETHTOOL_GFEATURES and ETHTOOL_SFEATURES in linux/ethtool.h; netdevice(7).
func disableOffloads(name string) error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open a socket: %w", err)
	}
	defer unix.Close(socket)

	have := &getFeatures{command: unix.ETHTOOL_GFEATURES, size: featureBlocks}
	if err := ethtool(socket, name, unsafe.Pointer(have)); err != nil {
		return fmt.Errorf("read the offloads of %s: %w", name, err)
	}
	off := &setFeatures{command: unix.ETHTOOL_SFEATURES, size: min(have.size, featureBlocks)}
	for i := range off.size {
		b := have.blocks[i]
		off.blocks[i].valid = b.active & b.available &^ b.neverChanged
	}
	if err := ethtool(socket, name, unsafe.Pointer(off)); err != nil {
		return fmt.Errorf("switch the offloads of %s off: %w", name, err)
	}
	return nil
}

// ethtool carries out one command on an interface of the calling thread's
// namespace.
func ethtool(socket int, name string, command unsafe.Pointer) error {
	// struct ifreq: the name, and a union of 24 bytes that here is a pointer.
	request := &struct {
		name    [unix.IFNAMSIZ]byte
		command unsafe.Pointer
		_       [24 - unsafe.Sizeof(uintptr(0))]byte
	}{command: command}
	copy(request.name[:], name)
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(socket), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(request)))
	if errno != 0 {
		return errno
	}
	return nil
}
