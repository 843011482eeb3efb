package guest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/containernetworking/plugins/pkg/ns"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/rxe/image"
	"github.com/rocelab/rocelab/specs/tier"
)

// child is set in a process of the test that starts a machine and is killed.
const child = "ROCELAB_TEST_GUEST"

// A machine ends with the process that started it, however that ends: here while the
// machine boots. Tier: slow, as root.
func TestAMachineEndsWithItsProcess(t *testing.T) {
	if os.Getenv(child) != "" {
		bootForEver(t)
	}
	tier.Slow(t)
	tier.Root(t, "a network interface for a virtual machine")
	made := prepared(t)
	c := exec.Command(os.Args[0], "-test.run=^TestAMachineEndsWithItsProcess$", "-test.v")
	c.Env = append(os.Environ(), child+"="+made.Kernel+" "+made.Initramfs)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer c.Process.Kill()
	qemu := awaitChild(t, c.Process.Pid)
	defer unix.Close(qemu)
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if !ends(qemu, 20*time.Second) {
		unix.PidfdSendSignal(qemu, unix.SIGKILL, nil, 0)
		t.Error("QEMU goes on without the process that started it")
	}
}

// A context that ends, ends the start of a machine, and the machine. Tier: slow, as root.
func TestAStartThatIsCancelledLeavesNothing(t *testing.T) {
	tier.Slow(t)
	tier.Root(t, "a network interface for a virtual machine")
	made := prepared(t)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := Start(ctx, config(t, made))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("start said %v", err)
	}
	if left := children(t, os.Getpid()); len(left) > 0 {
		t.Errorf("children left: %v", left)
	}
}

// A file that is not an image is reported with QEMU's words. Tier: slow, as root.
func TestAMachineThatDoesNotBootIsNamed(t *testing.T) {
	tier.Slow(t)
	tier.Root(t, "a network interface for a virtual machine")
	prepared(t)
	_, err := Start(t.Context(), config(t, image.Image{Kernel: "/no/kernel", Initramfs: "/no/initramfs"}))
	if err == nil || !strings.Contains(err.Error(), "11.0.0.1") || !strings.Contains(err.Error(), "/no/kernel") {
		t.Errorf("start said %v", err)
	}
}

// prepared is the image, or a skip that names what this machine lacks.
func prepared(t *testing.T) image.Image {
	folder, err := image.Folder()
	if err != nil {
		t.Fatal(err)
	}
	made, err := image.Prepare(t.Context(), folder, func(step string) { t.Log(step) })
	if missing, ok := errors.AsType[*image.UnavailableError](err); ok {
		t.Skip(missing)
	}
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func config(t *testing.T, made image.Image) Config {
	space, err := ns.TempNetNS()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { space.Close() })
	tap, err := Tap(space.Path(), "rxe0", 9000)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tap.Close() })
	return Config{
		Image:   made,
		Tap:     tap,
		MAC:     net.HardwareAddr{2, 0, 0, 0, 0, 1},
		Address: netip.MustParsePrefix("11.0.0.1/8"),
		MTU:     9000,
	}
}

// bootForEver is the child: it starts a machine and then waits to be killed.
func bootForEver(t *testing.T) {
	kernel, initramfs, _ := strings.Cut(os.Getenv(child), " ")
	Start(t.Context(), config(t, image.Image{Kernel: kernel, Initramfs: initramfs}))
	time.Sleep(time.Hour)
}

// awaitChild waits for a process to have QEMU as a child, and holds that.
func awaitChild(t *testing.T, parent int) (pidfd int) {
	for range 200 {
		for _, pid := range children(t, parent) {
			if name, _ := os.ReadFile(fmt.Sprintf("/proc/%s/comm", pid)); !strings.HasPrefix(string(name), "qemu") {
				continue
			}
			var number int
			fmt.Sscan(pid, &number)
			if fd, err := unix.PidfdOpen(number, 0); err == nil {
				return fd
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("no QEMU was started")
	return -1
}

// children are the children of a process, whichever of its threads made them.
func children(t *testing.T, parent int) (pids []string) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", parent))
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", parent, thread.Name()))
		pids = append(pids, strings.Fields(string(list))...)
	}
	return pids
}

// ends reports whether a process ends within a time.
func ends(pidfd int, within time.Duration) bool {
	poll := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(poll, int(within.Milliseconds()))
		if err != unix.EINTR {
			return n == 1
		}
	}
}
