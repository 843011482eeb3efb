//go:build linux

// Package sealed makes memory that processes share and that none of them can cut
// short: who maps it reads and writes it without a fault, whatever the others do.
//
// It is a file in memory (memfd_create(2)) without a name in any folder. Its blocks
// are there before anybody maps it, as a file's that was only made longer are not:
// the first touch of those would end the process where memory is short. What seals
// cannot hold is what is written: whoever is handed the file may write into it.
package sealed

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Seals are those of memory that Memory made: its size is for good, and so are they.
const Seals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

// Memory returns a file of so many zero bytes, open to the user's own processes alone.
// /proc calls it "/memfd:" and the name, of up to 249 bytes. The error says what to do
// where the host has no memory left, or not for this process.
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
