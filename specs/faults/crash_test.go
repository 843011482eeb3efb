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

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// panics are where the rocelab of these specs panics, by the value of ROCELAB_PANIC.
var panics = []struct{ at, file, before string }{
	{"main", "testbed/nodes/veth/run.go", "	results, err := r.runWindows(ctx)\n"},
	{"goroutine", "testbed/nodes/veth/run.go", "			a := receive(i, r.conns[i], most)\n"},
	{"start", "testbed/nodes/veth/deploy.go", "	t.running[i] = started\n"},
}

// panicking builds a rocelab with these faults into a folder.
func panicking(folder string) string {
	top, err := filepath.Abs("../..")
	Expect(err).NotTo(HaveOccurred())
	replace := overlaid()
	put := func(file, text string) {
		path := filepath.Join(folder, strings.ReplaceAll(file, "/", "-"))
		Expect(os.WriteFile(path, []byte(text), 0o644)).To(Succeed())
		replace[filepath.Join(top, file)] = path
	}
	put("testbed/nodes/veth/panic.go", "package veth\nimport \"os\"\nfunc panicAt(where string) {\n"+
		"if os.Getenv(\"ROCELAB_PANIC\") == where { panic(\"out of cheese\") }\n}\n")
	for _, p := range panics {
		from, changed := replace[filepath.Join(top, p.file)]
		if !changed {
			from = filepath.Join(top, p.file)
		}
		text, err := os.ReadFile(from)
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.Count(string(text), p.before)).To(Equal(1), "%s has moved on", p.file)
		put(p.file, strings.Replace(string(text), p.before, "panicAt(\""+p.at+"\")\n"+p.before, 1))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	Expect(err).NotTo(HaveOccurred())
	list := filepath.Join(folder, "overlay.json")
	Expect(os.WriteFile(list, overlay, 0o644)).To(Succeed())
	c := exec.Command("go", "build", "-overlay="+list, "-o", folder+"/", "./cmd/rocelab")
	c.Dir = top
	out, err := c.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	return folder
}

// overlaid are the files that the runner of these specs replaces, as specs/mutant does.
func overlaid() map[string]string {
	list := struct{ Replace map[string]string }{map[string]string{}}
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		if file, found := strings.CutPrefix(flag, "-overlay="); found {
			text, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			Expect(json.Unmarshal(text, &list)).To(Succeed())
		}
	}
	return list.Replace
}

var _ = Describe("A fault of rocelab itself", Label("veth", "faults", "slow"), Ordered, func() {
	var broken string
	BeforeAll(func() {
		lab.SkipUnlessSlow()
		needHost()
		broken = panicking(GinkgoT().TempDir())
	})

	DescribeTable("leaves nothing, asks to be reported, and is no wrong usage", func(at string, verb ...string) {
		m := newMachine()
		m.programs = broken
		m.extra = []string{"ROCELAB_PANIC=" + at}
		m.testbeds = append(m.testbeds, "fallen")
		code, complaint := m.do(60*time.Second, append([]string{verb[0], m.short(), "--runtime", "builtin"}, verb[1:]...)...)
		Expect(code).To(Equal(exit.CodeFault))
		Expect(complaint).To(And(ContainSubstring("please report it"), ContainSubstring("out of cheese"),
			ContainSubstring("panicAt")))
	},
		Entry("in the main goroutine of a run", "main", "run", "--on", "veth", "--no-folder"),
		Entry("in another goroutine of a run", "goroutine", "run", "--on", "veth", "--no-folder"),
		Entry("of a run whose testbed comes up", "start", "run", "--on", "veth", "--no-folder"),
		Entry("of a testbed that is deployed", "start", "deploy", "--testbed", "fallen"),
	)
})

var _ = Describe("SIGQUIT", Label("veth", "faults"), func() {
	It("says what rocelab was doing, and leaves nothing", func() {
		needHost()
		m := newMachine()
		run := m.run(m.endless(), "--runtime", "builtin", "--no-folder")
		run.underWay()
		Expect(run.Process.Signal(syscall.SIGQUIT)).To(Succeed())
		code, complaint := run.wait(30 * time.Second)
		Expect(code).To(Equal(exit.CodeQuit))
		Expect(complaint).To(And(ContainSubstring("rocelab: SIGQUIT"), ContainSubstring("goroutine 1 [")))
	})
})
