package faults

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
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
		needRuntime(runtime)
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

	It("of a run that hangs ends it all the same, with who hangs", func() {
		run := m.run(m.endless(), "--runtime", "builtin")
		Expect(syscall.Kill(container(run.underWay(), "s0").Pid, syscall.SIGSTOP)).To(Succeed())
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		code, complaint := run.wait(8 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(And(ContainSubstring("switchd of s0"), ContainSubstring("stopped")))
	})

	It("that comes twice ends the program at once, and destroy clears what that left", func() {
		run := m.run(m.endless(), "--runtime", "builtin")
		// With its switch stopped the run cannot end as it should.
		Expect(syscall.Kill(container(run.underWay(), "s0").Pid, syscall.SIGSTOP)).To(Succeed())
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		Consistently(run.ended, "300ms").ShouldNot(BeClosed())
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		run.wait(time.Second)
		code, _ := m.do(20*time.Second, "destroy")
		Expect(code).To(BeZero())
	})

	It("by a terminal that is closed is one like any other", func() {
		if signal.Ignored(syscall.SIGHUP) {
			Skip("SIGHUP is ignored here, as by nohup, and so it is in what is started")
		}
		run := m.run(m.endless(), "--runtime", "builtin", "--no-folder")
		run.underWay()
		Expect(run.Process.Signal(syscall.SIGHUP)).To(Succeed())
		code, _ := run.wait(10 * time.Second)
		Expect(code).To(Equal(130))
	})

	It("by a reader of its output that goes away is an error, and nothing is left", func() {
		c := m.command("run", m.endless(), "--on", "veth", "--runtime", "builtin", "--progress", "plain")
		reader, writer, err := os.Pipe()
		Expect(err).NotTo(HaveOccurred())
		c.Stderr = writer
		Expect(c.Start()).To(Succeed())
		m.testbeds = append(m.testbeds, fmt.Sprintf("run-%d", c.Process.Pid))
		writer.Close()
		reader.Close() // before anything is written
		run := &job{Cmd: c, ended: make(chan struct{})}
		go func() { c.Wait(); close(run.ended) }()
		run.underWay()
		Consistently(run.ended, "2500ms").ShouldNot(BeClosed()) // it reports every 2 s
		Expect(c.Process.Signal(syscall.SIGINT)).To(Succeed())
		Eventually(run.ended, "10s").Should(BeClosed())
	})

	It("by SIGKILL in the middle of a run ends the daemons, and destroy clears the rest", func() {
		run := m.run(m.endless(), "--runtime", "builtin")
		s := run.underWay()
		Expect(run.Process.Kill()).To(Succeed())
		run.wait(5 * time.Second)
		for i := range s.Containers {
			Eventually(func() error { return syscall.Kill(s.Containers[i].Pid, 0) }, "10s").Should(HaveOccurred(),
				"%s lives on", s.Containers[i].Name)
		}
		code, _ := m.do(20*time.Second, "destroy")
		Expect(code).To(BeZero())
		code, _ = m.do(20*time.Second, "destroy", "--testbed", s.Name) // again
		Expect(code).To(BeZero())
	})

	It("by SIGKILL of a run on a deployed testbed leaves that as good as new", func() {
		m.testbeds = append(m.testbeds, "again")
		code, _ := m.do(time.Minute, "deploy", m.short(), "--testbed", "again", "--runtime", "builtin")
		Expect(code).To(BeZero())
		run := m.run(m.endless(), "--testbed", "again", "--no-folder")
		run.underWay()
		Expect(run.Process.Kill()).To(Succeed())
		run.wait(5 * time.Second)
		code, _ = m.run(m.short(), "--testbed", "again", "--no-folder").wait(20 * time.Second)
		Expect(code).To(BeZero())
		code, _ = m.do(20*time.Second, "destroy", "--testbed", "again")
		Expect(code).To(BeZero())
	})

	DescribeTable("by SIGKILL of a testbed that is coming up leaves what destroy clears",
		func(runtime string, sign string) {
			needRuntime(runtime)
			run := m.run(m.scenario(30, "100GB", "algorithm: dcqcn\n"), "--runtime", runtime)
			Eventually(func() []string {
				found, _ := filepath.Glob(filepath.Join(m.state, "*", sign))
				return found
			}, "20s", "1ms").ShouldNot(BeEmpty())
			Expect(run.Process.Kill()).To(Succeed())
			run.wait(5 * time.Second)
			// The daemons have no connection yet. A runc that dies with its caller may leave its own first process,
			// which waits for it and is for destroy to end.
			Eventually(func() []string {
				return slices.DeleteFunc(m.processes(), func(p string) bool { return strings.HasSuffix(p, "runc init ") })
			}, "10s").Should(BeEmpty(), "live on")
			code, _ := m.do(30*time.Second, "destroy", "--all")
			Expect(code).To(BeZero())
		},
		Entry("with its folder alone", "builtin", "net"),
		Entry("with its namespaces", "builtin", "net/*"),
		Entry("with its containers", "builtin", "containers/*"),
		Entry("with its containers, by runc", "runc", "containers/*"),
		Entry("with its daemons", "builtin", "containers/*.h20"),
		Entry("with its daemons, by runc", "runc", "containers/*.h20"),
	)
})
