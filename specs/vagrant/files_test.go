package vagrant

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/tier"
)

// scripts are those of the folders vagrant and .ci, seen from here.
func scripts() (list []string) {
	for _, pattern := range []string{"vagrant/*.sh", "vagrant/*/*.sh", "vagrant/fetch", ".ci/*"} {
		found, err := filepath.Glob("../../" + pattern)
		Expect(err).NotTo(HaveOccurred())
		list = append(list, found...)
	}
	Expect(list).To(HaveLen(7))
	return list
}

// tool returns the path of a program, and skips the spec without one.
func tool(name, source string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		Skip(name+" is not installed: "+source, 1)
	}
	return path
}

// ruby runs a test written in Ruby.
func ruby(ctx context.Context, test string) {
	out, err := exec.CommandContext(ctx, tool("ruby", "apt install ruby"), test).CombinedOutput()
	ExpectWithOffset(1, err).NotTo(HaveOccurred(), "%s", out)
	ExpectWithOffset(1, string(out)).To(MatchRegexp(`[1-9]\d* runs, [1-9]\d* assertions, 0 failures, 0 errors, 0 skips`))
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

	It("follow the host and the environment", Label("short"), func(ctx SpecContext) {
		ruby(ctx, "host_test.rb")
	})

	It("are read so by vagrant itself", func(ctx SpecContext) {
		tier.Everyday(GinkgoT())
		tool("vagrant", "vagrant/emulation/setup.sh installs it")
		library := exec.CommandContext(ctx, tool("ruby", "apt install ruby"), "-rvagrant", "-e", "")
		if out, err := library.CombinedOutput(); err != nil {
			Skip("vagrant is not a library of this Ruby, as Debian's is: " + string(out))
		}
		provider := exec.CommandContext(ctx, "ruby", "-e", `gem "vagrant-libvirt"`)
		if provider.Run() != nil {
			Skip("the provider libvirt is not installed: apt install vagrant-libvirt")
		}
		ruby(ctx, "vagrantfile_test.rb")
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
