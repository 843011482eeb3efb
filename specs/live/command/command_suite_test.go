package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

func TestCommand(t *testing.T) { lab.Suite(t, "Live commands", "live", "slow") }

// program is the rocelab that was built as in the README; work is the folder in which it runs.
var program, work string

var _ = BeforeSuite(func() {
	lab.SkipUnlessSlow()
	tier.Root(GinkgoT(), "a testbed")
	if err := doctor.Required(); err != nil {
		Skip(err.Error())
	}
	folder, err := os.MkdirTemp("", "rocelab-live-command-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, folder)
	program, work = filepath.Join(folder, "bin", "rocelab"), filepath.Join(folder, "work")
	Expect(os.Mkdir(work, 0o700)).To(Succeed())
	all := []string{"cmd/rocelab", "cmd/rocelab-cc", "cmd/rocelab-link"}
	Expect(programs.Build(filepath.Dir(program), all)).To(Succeed())
	Expect(os.Setenv("ROCELAB_RUN", fmt.Sprintf("/run/rocelab-live-command-%d", os.Getpid()))).To(Succeed())
	DeferCleanup(os.Unsetenv, "ROCELAB_RUN")
})

// nothingLeft insists that there is no testbed and no record of an interface any more.
func nothingLeft() {
	GinkgoHelper()
	Eventually(veth.Root, "10s").ShouldNot(BeADirectory())
}

// job is a command of rocelab under way.
type job struct {
	*exec.Cmd
	out, err bytes.Buffer
	ended    chan struct{}
}

// launch begins a command of rocelab.
func launch(args ...string) *job {
	GinkgoHelper()
	j := &job{Cmd: exec.Command(program, args...), ended: make(chan struct{})}
	j.Dir, j.Stdout, j.Stderr = work, &j.out, &j.err
	Expect(j.Start()).To(Succeed())
	go func() { j.Wait(); close(j.ended) }()
	return j
}

// begin begins one that ends with the spec.
func begin(args ...string) *job {
	GinkgoHelper()
	j := launch(args...)
	DeferCleanup(func() {
		j.Process.Signal(os.Interrupt)
		select {
		case <-j.ended:
		case <-time.After(20 * time.Second):
			j.Process.Kill()
		}
	})
	return j
}

// end waits until a command has ended by itself, and returns its exit code.
func (j *job) end() int {
	GinkgoHelper()
	Eventually(j.ended, "60s").Should(BeClosed(), "%q does not end", j.Args)
	GinkgoWriter.Printf("%s\nexit code %d\n%s%s\n", strings.Join(j.Args, " "), j.ProcessState.ExitCode(), &j.out, &j.err)
	return j.ProcessState.ExitCode()
}

// rocelab carries out a command to its end.
func rocelab(args ...string) (code int, stdout, stderr string) {
	GinkgoHelper()
	j := launch(args...)
	code = j.end()
	return code, j.out.String(), j.err.String()
}

// scenario writes a scenario and returns its place.
func scenario(name, text string) string {
	GinkgoHelper()
	path := filepath.Join(work, name)
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

// shipped is the place of a scenario of live runs that ships.
func shipped(name string) string {
	GinkgoHelper()
	path, err := filepath.Abs(filepath.Join("../../scenarios/live", name))
	Expect(err).NotTo(HaveOccurred())
	return path
}

// read returns a file.
func read(parts ...string) string {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(parts...))
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}
