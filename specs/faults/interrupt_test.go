package faults

import (
	"os"
	"path/filepath"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("An interruption", Label("veth", "faults"), func() {
	var m *machine
	BeforeEach(func() {
		needHost()
		m = newMachine()
	})

	It("keeps what there is of a run, marked, and leaves nothing else", func() {
		run := m.run(m.endless(), "--out", "kept")
		run.underWay()
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		code, _ := run.wait(10 * time.Second)
		Expect(code).To(Equal(130))
		Expect(run.out.String()).To(ContainSubstring("interrupted"))
		manifest, err := os.ReadFile(filepath.Join(m.work, "kept", "manifest.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(manifest)).To(ContainSubstring(`"interrupted"`))
	})

	DescribeTable("of a testbed that is coming up takes it down again", func(runtime string, sign string) {
		run := m.run(m.scenario(30, "100GB", "algorithm: dcqcn\n"), "--runtime", runtime)
		Eventually(func() []string {
			found, _ := filepath.Glob(filepath.Join(m.state, "*", sign))
			return found
		}, "20s", "1ms").ShouldNot(BeEmpty())
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		code, complaint := run.wait(20 * time.Second)
		Expect(code).To(Equal(130))
		Expect(complaint).To(ContainSubstring("interrupted"))
	},
		Entry("with its namespaces", "builtin", "net/*"),
		Entry("with its containers", "builtin", "containers/*"),
		Entry("with its containers, by runc", "runc", "containers/*"),
	)

	It("that comes twice ends the program, and destroy clears what that left", func() {
		run := m.run(m.endless(), "--runtime", "builtin")
		s := run.underWay()
		// With its switch stopped the run cannot end as it should.
		Expect(syscall.Kill(container(s, "s0").Pid, syscall.SIGSTOP)).To(Succeed())
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		Consistently(run.ended, "300ms").ShouldNot(BeClosed())
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		run.wait(5 * time.Second)
		code, _ := m.do(20*time.Second, "destroy")
		Expect(code).To(BeZero())
	})

	It("by SIGKILL in the middle of a run ends the daemons, and destroy clears the rest", func() {
		run := m.run(m.endless(), "--runtime", "builtin")
		s := run.underWay()
		Expect(run.Process.Kill()).To(Succeed())
		run.wait(5 * time.Second)
		for i := range s.Containers {
			Eventually(func() error { return syscall.Kill(s.Containers[i].Pid, 0) }, "10s").Should(HaveOccurred(), "%s lives on", s.Containers[i].Name)
		}
		code, _ := m.do(20*time.Second, "destroy")
		Expect(code).To(BeZero())
		code, _ = m.do(20*time.Second, "destroy", s.Name) // again
		Expect(code).To(BeZero())
	})

	DescribeTable("by SIGKILL of a testbed that is coming up leaves what destroy clears", func(runtime string, sign string) {
		run := m.run(m.scenario(30, "100GB", "algorithm: dcqcn\n"), "--runtime", runtime)
		Eventually(func() []string {
			found, _ := filepath.Glob(filepath.Join(m.state, "*", sign))
			return found
		}, "20s", "1ms").ShouldNot(BeEmpty())
		Expect(run.Process.Kill()).To(Succeed())
		run.wait(5 * time.Second)
		code, _ := m.do(30*time.Second, "destroy", "--all")
		Expect(code).To(BeZero())
	},
		Entry("with its folder alone", "builtin", "net"),
		Entry("with its namespaces", "builtin", "net/*"),
		Entry("with its containers", "builtin", "containers/*"),
		Entry("with its containers, by runc", "runc", "containers/*"),
	)
})
