package vagrant

import (
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// scripts are those of the folder vagrant, seen from here.
func scripts() []string {
	list, err := filepath.Glob("../../vagrant/*.sh")
	Expect(err).NotTo(HaveOccurred())
	more, err := filepath.Glob("../../vagrant/*/*.sh")
	Expect(err).NotTo(HaveOccurred())
	Expect(append(list, more...)).To(HaveLen(4))
	return append(list, more...)
}

// tool returns the path of a program, and skips the spec where there is none.
func tool(name, source string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		Skip(name+" is not installed: "+source, 1)
	}
	return path
}

var _ = Describe("The files of the machine", func() {
	It("are a Vagrantfile that vagrant finds valid", func(ctx SpecContext) {
		c := exec.CommandContext(ctx, tool("vagrant", "vagrant/emulation/setup.sh installs it"), "validate",
			"--ignore-provider")
		c.Dir = "../.."
		c.Env = append(os.Environ(), "VAGRANT_HOME="+GinkgoT().TempDir(), "VAGRANT_DOTFILE_PATH="+GinkgoT().TempDir())
		out, err := c.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), "%s", out)
	})

	It("are scripts that bash can read", func(ctx SpecContext) {
		for _, script := range scripts() {
			out, err := exec.CommandContext(ctx, tool("bash", "apt install bash"), "-n", script).CombinedOutput()
			Expect(err).NotTo(HaveOccurred(), "%s", out)
		}
	})

	It("are scripts that shellcheck has no complaint about", func(ctx SpecContext) {
		out, err := exec.CommandContext(ctx, tool("shellcheck", "apt install shellcheck"), scripts()...).CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), "%s", out)
	})
})
