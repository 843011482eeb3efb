package faults

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
)

func TestFaults(t *testing.T) { lab.Suite(t, "Faults") }

// programs is the folder of the built programs, plugins that of plugins which
// do what they must not.
var programs, plugins string

var _ = BeforeSuite(func() {
	folder, err := os.MkdirTemp("", "rocelab-faults-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, folder)
	Expect(os.Chmod(folder, 0o755)).To(Succeed()) // for the user without rights
	programs, plugins = filepath.Join(folder, "bin"), filepath.Join(folder, "plugins")
	Expect(program.Build(programs, []string{"cmd/rocelab", "cmd/rocelab-link"})).To(Succeed())
	Expect(program.Build(plugins, []string{"specs/faults/testdata/faulty", "specs/faults/testdata/prober",
		"plugins/process/testdata/future"})).To(Succeed())
})

// needHost skips a spec where the host lacks what a testbed needs.
func needHost() {
	tier.Root(GinkgoT(), "a testbed")
	if err := doctor.Required(); err != nil {
		Skip(err.Error(), 1)
	}
}

// needRuntime skips a spec whose container runtime is not installed.
func needRuntime(name string) {
	if name != "builtin" {
		if _, err := exec.LookPath(name); err != nil {
			Skip(name+" is not installed", 1)
		}
	}
}
