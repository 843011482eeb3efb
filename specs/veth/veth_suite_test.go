package veth

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

func TestMain(m *testing.M) {
	container.Init()
	os.Exit(m.Run())
}

func TestVeth(t *testing.T) { lab.Suite(t, "Veth") }

// scratch holds everything that the suite writes.
var scratch string

// The folders in it: programs as they are released, those without algorithms
// built in, the shipped plugins, and one that halves its rates.
func program(name string) string { return filepath.Join(scratch, "bin", name) }
func bare(name string) string    { return filepath.Join(scratch, "bare", name) }
func plugins() string            { return filepath.Join(scratch, "plugins") }
func halved() string             { return filepath.Join(scratch, "halved") }

var _ = BeforeSuite(func() {
	tier.Root(GinkgoT(), "a testbed")
	if err := doctor.Required(); err != nil {
		Skip(err.Error())
	}
	var err error
	scratch, err = os.MkdirTemp("", "rocelab-specs-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, scratch)
	build("bin", []string{"cmd/rocelab", "cmd/rocelab-cc"})
	build("bare", []string{"cmd/rocelab"}, "-tags=nobuiltin")
	var algorithms []string
	for name := range shippedPlugins() {
		algorithms = append(algorithms, "plugins/shipped/cc-"+name)
	}
	build("plugins", algorithms)
	build("halved", []string{"specs/veth/testdata/halved"})

	// Testbeds of their own, on a file system in memory as /run is; and
	// temporary files where they can be counted.
	isolate("ROCELAB_RUN", fmt.Sprintf("/run/rocelab-specs-%d", os.Getpid()))
	tmp := filepath.Join(scratch, "tmp")
	Expect(os.Mkdir(tmp, 0o700)).To(Succeed())
	isolate("TMPDIR", tmp)
})

var _ = AfterSuite(func() {
	if scratch != "" {
		Expect(veth.Root()).NotTo(BeADirectory())
	}
})

// build builds commands into a folder of scratch.
func build(folder string, commands []string, flags ...string) {
	ExpectWithOffset(1, programs.Build(filepath.Join(scratch, folder), commands, flags...)).To(Succeed())
}

// isolate sets a variable of the environment for the suite.
func isolate(name, value string) {
	before, was := os.LookupEnv(name)
	Expect(os.Setenv(name, value)).To(Succeed())
	DeferCleanup(func() error {
		if !was {
			return os.Unsetenv(name)
		}
		return os.Setenv(name, before)
	})
}
