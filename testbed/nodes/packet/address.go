package packet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// interfaceIndex returns the index of the interface that a packet socket is bound to.
// It is negative once the interface was removed.
func interfaceIndex(fd int) (int, error) {
	address, err := unix.Getsockname(fd)
	if err != nil {
		return 0, err
	}
	bound, ok := address.(*unix.SockaddrLinklayer)
	if !ok {
		return 0, errors.New("the descriptor is not a packet socket")
	}
	return bound.Ifindex, nil
}

// InterfaceName returns the name of the interface that a packet socket is bound to.
func InterfaceName(fd int) (string, error) {
	index, err := interfaceIndex(fd)
	if err != nil {
		return "", err
	}
	var request unix.Ifreq
	request.SetUint32(uint32(index))
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFNAME, &request); err != nil {
		return "", fmt.Errorf("name of interface %d: %w", index, err)
	}
	return request.Name(), nil
}

// NetworkOrder is a protocol's number as bind takes it.
func NetworkOrder(v uint16) uint16 {
	var b [2]byte
	binary.BigEndian.PutUint16(b[:], v)
	return binary.NativeEndian.Uint16(b[:])
}
