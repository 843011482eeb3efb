package browser

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	programs "github.com/rocelab/rocelab/specs/program"
)

func TestBrowser(t *testing.T) { lab.Suite(t, "Browser", "browser", "slow") }

var (
	work    string // holds all run folders and pages
	program string // rocelab, built
	reader  *driver
)

// incast is a scenario that both variants end within milliseconds.
const incast = `name: small-incast
topology: {kind: star, hosts: 5}
traffic:
  - {name: incast, kind: incast, senders: 4, receiver: h4, size: 1MB}
variants:
  - {name: pc4, algorithm: pc4}
  - {name: dcqcn, algorithm: dcqcn}
`

var _ = BeforeSuite(func() {
	lab.SkipUnlessSlow()
	modules := fetched()
	var err error
	work, err = os.MkdirTemp("", "rocelab-browser-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, work)
	program = filepath.Join(work, "rocelab")
	Expect(programs.Build(work, []string{"cmd/rocelab"})).To(Succeed())
	write("incast.yaml", incast)
	run("incast.yaml", "--out", "two")
	reader = openDriver(modules)
	DeferCleanup(reader.close)
})

// run makes rocelab run a scenario, in the folder of all pages, and returns its output.
func run(args ...string) string {
	GinkgoHelper()
	return rocelab(append([]string{"run"}, args...)...)
}

func rocelab(args ...string) string {
	GinkgoHelper()
	var stdout, stderr bytes.Buffer
	c := exec.Command(program, args...)
	c.Dir, c.Stdout, c.Stderr = work, &stdout, &stderr
	Expect(c.Run()).To(Succeed(), "%q: %s%s", args, &stdout, &stderr)
	return stdout.String()
}

func write(name, text string) {
	GinkgoHelper()
	Expect(os.WriteFile(filepath.Join(work, name), []byte(text), 0o600)).To(Succeed())
}

func read(parts ...string) string {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(append([]string{work}, parts...)...))
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}
