//go:build linux

package sealed

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

// The blocks are there before the memory is mapped, and its size cannot be changed.
func TestMemoryIsThereAndStays(t *testing.T) {
	const size = 3*4096 + 64
	file, err := Memory("rocelab-test", size)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	blocks := info.Sys().(*syscall.Stat_t).Blocks
	if info.Size() != size || blocks*512 < size || info.Mode().Perm() != 0o600 {
		t.Errorf("%d B with %d blocks of 512 B, %v", info.Size(), blocks, info.Mode())
	}
	for _, other := range []int64{0, 4096, 2 * size} {
		t.Run(fmt.Sprintf("other=%v", other), func(t *testing.T) {
			if err := file.Truncate(other); !errors.Is(err, unix.EPERM) {
				t.Errorf("cut to %d B: %v", other, err)
			}
		})
	}
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_WRITE); !errors.Is(err, unix.EPERM) {
		t.Errorf("a seal more: %v", err)
	}
	if !Sealed(file) {
		t.Error("it does not count as sealed")
	}
	plain, err := os.Create(filepath.Join(t.TempDir(), "plain"))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if Sealed(plain) {
		t.Error("a plain file counts as sealed")
	}
}

// If there is no room the blocks are refused at once, in words, and not by a signal to the process that touches them
// first. Tier: everyday, as root.
func TestMemoryThatIsNotThereIsAnError(t *testing.T) {
	tier.Root(t, "mounting a small file system in memory")
	folder := t.TempDir()
	if err := unix.Mount("none", folder, "tmpfs", 0, "size=16k"); err != nil {
		t.Skip("this host mounts nothing: ", err)
	}
	t.Cleanup(func() { unix.Unmount(folder, 0) })
	file, err := os.Create(filepath.Join(folder, "full"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	err = allocate(int(file.Fd()), 64<<10)
	if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "memory.max") {
		t.Errorf("64 kB in 16 kB: %v", err)
	}
}
