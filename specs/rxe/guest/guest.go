// Package guest runs small virtual machines with the kernel's soft-RoCE: hosts with foreign software, on a device of
// the spec's own. QEMU emulates them without help of the processor, so that they run wherever Debian does, ten times
// slower.
package guest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rocelab/rocelab/specs/rxe/image"
)

// Config describes a machine.
type Config struct {
	Image      image.Image
	Tap        *os.File // its network interface's other side, see Tap; the machine takes a copy
	MAC        net.HardwareAddr
	Address    netip.Prefix
	MTU        int                             // bytes; soft-RoCE has its MTU from it: 1024 from 1500, 4096 from 9000
	Neighbours map[netip.Addr]net.HardwareAddr // which it need not ask for
}

// memory is the memory of a machine, in MB. Registered buffers and the file system need 40.
const memory = 192

// maxMTU is the largest MTU that the device offers to the machine: bytes.
const maxMTU = 9000

// startLimit is the maximum time until a machine's soft-RoCE is ready. It takes 8 s on an idle processor.
const startLimit = 2 * time.Minute

// Guest is a machine that runs.
type Guest struct {
	process *os.Process
	ended   chan struct{} // closed when QEMU has ended
	console *console
	serial  *tail // what the kernel, the first program and QEMU say
	running sync.Mutex
}

// Start boots a machine and waits until soft-RoCE is ready. The machine ends with
// Close, and with this process however that ends.
func Start(ctx context.Context, c Config) (*Guest, error) {
	g, err := start(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("virtual machine %v: %w", c.Address.Addr(), err)
	}
	return g, nil
}

func start(ctx context.Context, c Config) (*Guest, error) {
	if c.MTU > maxMTU {
		return nil, fmt.Errorf("its MTU of %d is above %d", c.MTU, maxMTU)
	}
	g := &Guest{ended: make(chan struct{}), serial: &tail{}}
	cmd := exec.Command("qemu-system-x86_64", arguments(c)...)
	cmd.ExtraFiles = []*os.File{c.Tap}
	cmd.Stderr = g.serial
	commands, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	g.console = newConsole(commands, answers)
	if err := g.launch(cmd); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if err := g.console.ready(ctx); err != nil {
		g.Close()
		return nil, fmt.Errorf("soft-RoCE is not ready: %w; its last words:\n%s", err, g.serial)
	}
	return g, nil
}

// launch starts QEMU on a thread that lives as long as it: the kernel ends a child
// when the thread that made it ends, not the process.
func (g *Guest) launch(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		g.process = cmd.Process
		started <- err
		if err == nil {
			cmd.Wait()
			g.console.close()
			close(g.ended)
		}
	}()
	return <-started
}

func arguments(c Config) []string {
	var neighbours []string
	for address, mac := range c.Neighbours {
		neighbours = append(neighbours, address.String()+"="+mac.String())
	}
	kernel := fmt.Sprintf("console=ttyS0 quiet panic=-1 address=%v mtu=%d neighbours=%s", c.Address, c.MTU,
		strings.Join(neighbours, ","))
	return []string{"-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
		"-machine", "q35,accel=tcg", "-smp", "1", "-m", fmt.Sprint(memory),
		"-kernel", c.Image.Kernel, "-initrd", c.Image.Initramfs, "-append", kernel,
		"-chardev", "stdio,id=run,signal=off",
		"-device", "virtio-serial-pci", "-device", "virtserialport,chardev=run,name=run",
		"-serial", "file:/dev/stderr",
		"-netdev", "tap,id=net,fd=3",
		// Frames as they would be on a wire: checksums done, none longer than the MTU.
		"-device", fmt.Sprintf("virtio-net-pci,netdev=net,mac=%v,csum=off,gso=off,host_mtu=%d,romfile=", c.MAC, maxMTU),
	}
}

// Output is the output of a command and how it ended.
type Output struct {
	Text   string // standard output and standard error, as they came
	Status int    // 137 if it took longer than it may
}

// Run runs a line of the shell in the machine; one command at a time, so a second one waits. Programs that the line
// starts with & go on when Run returns. The error means that the machine is gone or does not answer, not that the
// command failed.
func (g *Guest) Run(limit time.Duration, line string) (Output, error) {
	g.running.Lock()
	defer g.running.Unlock()
	out, err := g.console.run(limit, line)
	if err != nil {
		err = fmt.Errorf("command %q in a virtual machine: %w; its last words:\n%s", line, err, g.serial)
	}
	return out, err
}

// Close ends the machine. It may be called more than once.
func (g *Guest) Close() error {
	err := g.process.Kill()
	<-g.ended
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// tail keeps the end of the output written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(b []byte) (int, error) {
	const most = 4096
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - most; over > 0 {
		t.kept = t.kept[over:]
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.kept))
}
