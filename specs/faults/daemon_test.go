package faults

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

var _ = Describe("A daemon", Label("veth", "faults"), func() {
	var m *machine
	BeforeEach(func() {
		needHost()
		m = newMachine()
	})

	DescribeTable("that is killed during a run ends the run, named with its log",
		func(node, culprit string, more ...string) {
			run := m.run(m.endless(), append(more, "--runtime", "builtin")...)
			victim := container(run.underWay(), node)
			Expect(syscall.Kill(victim.Pid, syscall.SIGKILL)).To(Succeed())
			code, complaint := run.wait(10 * time.Second)
			Expect(code).To(Equal(4))
			Expect(complaint).To(And(ContainSubstring(culprit), ContainSubstring("signal: killed")))
		},
		Entry("a NIC's", "h2", "nicd of h2"),
		Entry("a switch's", "s0", "switchd of s0"),
		Entry("a NIC's, with a daemon for each node", "h1", "nicd of h1", "--daemons", "node"),
	)

	It("that stops answering ends the run, named", func() {
		run := m.run(m.endless(), "--runtime", "builtin", "--standstill", "2s")
		victim := container(run.underWay(), "h2")
		Expect(syscall.Kill(victim.Pid, syscall.SIGSTOP)).To(Succeed())
		code, complaint := run.wait(15 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(And(ContainSubstring("nothing moved for 2s"), ContainSubstring("nicd of h2")))
		Expect(complaint).NotTo(ContainSubstring("nicd of h1"))
	})

	It("of a deployed testbed that stopped answering between two runs ends the next, named", Label("slow"), func() {
		lab.SkipUnlessSlow() // before the first window a run waits six times as long
		m.testbeds = append(m.testbeds, "stopped")
		code, _ := m.do(time.Minute, "deploy", m.endless(), "--runtime", "builtin", "--testbed", "stopped")
		Expect(code).To(BeZero())
		victim := container(m.load("stopped"), "h1")
		Expect(syscall.Kill(victim.Pid, syscall.SIGSTOP)).To(Succeed())
		code, complaint := m.run(m.endless(), "--testbed", "stopped", "--standstill", "2s").wait(15 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(And(ContainSubstring("nicd of h1"), Not(ContainSubstring("nicd of h2"))))
		code, _ = m.do(20*time.Second, "destroy", "--testbed", "stopped")
		Expect(code).To(BeZero())
	})

	It("that dies at its start ends the run at once, with its last words", func() {
		m.programs = GinkgoT().TempDir()
		buildDying(m.programs)
		began := time.Now()
		code, complaint := m.run(m.short(), "--runtime", "builtin").wait(10 * time.Second)
		Expect(code).To(Equal(4))
		// All of them die: who is first is the machine's choice.
		Expect(complaint).To(And(MatchRegexp("nicd of h[0-9]"), ContainSubstring("exit status 7"),
			ContainSubstring("no luck today")))
		Expect(time.Since(began)).To(BeNumerically("<", 8*time.Second))
	})

	It("that died while its testbed stood idle is named by the next run", func() {
		m.testbeds = append(m.testbeds, "idle")
		code, _ := m.do(time.Minute, "deploy", m.short(), "--runtime", "builtin", "--testbed", "idle")
		Expect(code).To(BeZero())
		Expect(syscall.Kill(container(m.load("idle"), "s0").Pid, syscall.SIGKILL)).To(Succeed())
		code, complaint := m.run(m.short(), "--testbed", "idle").wait(10 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(ContainSubstring("switchd of s0 is not running"))
		code, _ = m.do(20*time.Second, "destroy", "--testbed", "idle")
		Expect(code).To(BeZero())
	})
})

// buildDying builds a rocelab whose nicd dies at its start.
func buildDying(folder string) {
	GinkgoHelper()
	const healthy, start = "testbed/nodes/daemon/main.go", "	flags := flag.NewFlagSet"
	path, err := filepath.Abs(filepath.Join("../..", healthy))
	Expect(err).NotTo(HaveOccurred())
	source, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	Expect(strings.Count(string(source), start)).To(Equal(1))
	dying := filepath.Join(folder, "main.go")
	Expect(os.WriteFile(dying, []byte(strings.Replace(string(source), start, `	if name == NIC {
		fmt.Fprintln(os.Stderr, "no luck today")
		os.Exit(7)
	}
`+start, 1)), 0o600)).To(Succeed())
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: dying}})
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o600)).To(Succeed())
	// Not for others: the path of the overlay is this test's.
	list := "-overlay=" + filepath.Join(folder, "overlay.json")
	build := exec.Command("go", "build", list, "-o", folder+"/", "./cmd/rocelab")
	build.Dir = "../.."
	out, err := build.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
}
