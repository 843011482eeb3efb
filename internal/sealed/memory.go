//go:build linux

// Package sealed makes memory that processes share and that none of them can cut short: a process that maps it reads
// and writes it without a fault, whatever the others do.
//
// It is a file in memory (memfd_create(2)) without a name in any folder. Its blocks are allocated before it is mapped,
// unlike those of a file that was only made longer: the first touch of those would end the process if memory is short.
// Seals do not protect the contents: a process that gets the file may write into it.
package sealed

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Seals are those of memory that Memory made: neither its size nor the seals can change.
const Seals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

// Memory returns a file of zeros, size bytes long, open only to the user's own processes. /proc calls it "/memfd:" and
// the name, of up to 249 bytes. The error advises what to do if the host has no memory left, or none for this process.
func Memory(name string, size int) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_NOEXEC_SEAL)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	}
	if err != nil {
		return nil, fmt.Errorf("create shared memory: %w", err)
	}
	file := os.NewFile(uintptr(fd), name)
	err = file.Chmod(0o600)
	if err == nil {
		err = allocate(fd, int64(size))
	}
	if err == nil {
		_, err = unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, Seals)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%d B of shared memory: %w", size, err)
	}
	return file, nil
}

// allocate gives the file its size and its blocks.
func allocate(fd int, size int64) error {
	for {
		err := unix.Fallocate(fd, 0, 0, size)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.ENOMEM):
			return fmt.Errorf("%w: free memory on the host, or raise the limit (memory.max) of this process's cgroup", err)
		}
		return err
	}
}

// Sealed reports whether the size of a file is for good, as that of Memory is.
func Sealed(file *os.File) bool {
	seals, err := unix.FcntlInt(file.Fd(), unix.F_GET_SEALS, 0)
	return err == nil && seals&Seals == Seals
}
