package vagrant

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// The scripts of the folder vagrant/emulation, from the checkout's root.
const (
	boxScript     = "vagrant/emulation/box.sh"
	sandboxScript = "vagrant/emulation/sandbox.sh"
)

// sandbox is one of sandbox.sh that is up, and the environment of vagrant in it.
type sandbox struct {
	pid string // for sandbox.sh --join
	env []string
	end func() // ends it; what ran in it is gone afterwards
}

// openSandbox brings a sandbox up and ends it with the specs.
func openSandbox(folder string, env ...string) *sandbox {
	c := command(context.Background(), sandboxScript, "sh", "-c", "echo $ROCELAB_SANDBOX; exec cat")
	c.Env = append(c.Env, "TMPDIR="+folder)
	c.Stderr = GinkgoWriter
	hold, err := c.StdinPipe() // closed, it ends cat and so the sandbox
	Expect(err).NotTo(HaveOccurred())
	out, err := c.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(c.Start()).To(Succeed())
	s := &sandbox{env: env}
	s.end = func() {
		s.end = func() {}
		hold.Close()
		Expect(c.Wait()).To(Succeed())
	}
	DeferCleanup(func() { s.end() })
	line, err := bufio.NewReader(out).ReadString('\n')
	Expect(err).NotTo(HaveOccurred(), "the sandbox did not come up")
	s.pid = strings.TrimSpace(line)
	return s
}

// run runs a command in the sandbox and returns its standard output.
func (s *sandbox) run(ctx context.Context, args ...string) (string, error) {
	c := command(ctx, sandboxScript, append([]string{"--join", s.pid}, args...)...)
	c.Env = append(c.Env, s.env...)
	return output(c)
}

// vagrant runs vagrant in the sandbox; without a terminal it draws no progress.
func (s *sandbox) vagrant(ctx context.Context, args ...string) (string, error) {
	return s.run(ctx, append([]string{"vagrant", "--no-tty", "--no-color"}, args...)...)
}

// ssh runs a command line in the machine.
func (s *sandbox) ssh(ctx context.Context, line string) (string, error) {
	return s.vagrant(ctx, "ssh", "--no-tty", "--command", line)
}

// command is a command in the checkout's root that leaves nothing running when
// ctx ends: it gets time to clean up after itself.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = "../.."
	c.Env = os.Environ()
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 30 * time.Second
	return c
}

// output runs a command and returns its standard output, and shows all of it
// as it comes where specs are verbose, and otherwise if the spec fails.
func output(c *exec.Cmd) (string, error) {
	var out strings.Builder
	c.Stdout, c.Stderr = io.MultiWriter(&out, GinkgoWriter), GinkgoWriter
	err := c.Run()
	return out.String(), err
}
