package authoring

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/program"
)

func TestAuthoring(t *testing.T) { lab.Suite(t, "Authoring") }

// programs is the folder of rocelab as an author has it.
var programs string

var _ = BeforeSuite(func() {
	var err error
	programs, err = os.MkdirTemp("", "rocelab-authoring-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, programs)
	Expect(program.Build(programs, []string{"cmd/rocelab", "plugins/shipped/cc-dcqcn"})).To(Succeed())
})

// python is the folder of a Python that can run a plugin. Without one the spec
// is skipped.
func python() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		path, err := exec.LookPath(name)
		if err == nil && exec.Command(path, "-c", "import grpc, google.protobuf").Run() == nil {
			return filepath.Dir(path)
		}
	}
	Skip("no python3 with grpc and google.protobuf: on Debian, install python3-grpcio and python3-protobuf", 1)
	return ""
}

// session is a shell of an author without a network, in an empty folder.
type session struct {
	folder string
	path   string // $PATH
}

func newSession() *session {
	return &session{GinkgoT().TempDir(), programs + ":" + os.Getenv("PATH")}
}

// run runs a command line, insists on its exit code and returns its output.
func (s *session) run(code int, line string) string {
	GinkgoHelper()
	c := exec.Command("bash", "-c", line)
	c.Dir = s.folder
	c.Env = append(os.Environ(), "PATH="+s.path, "GOPROXY=off", "GOFLAGS=", "ROCELAB_PLUGINS=", "XDG_DATA_HOME="+s.folder)
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		Expect(err).NotTo(HaveOccurred())
	}
	Expect(c.ProcessState.ExitCode()).To(Equal(code), "%s\n%s", line, out)
	return string(out)
}
