package faults

import (
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

var _ = Describe("A plugin", Label("veth", "faults"), func() {
	var m *machine
	BeforeEach(func() {
		needHost()
		m = newMachine()
	})

	// with runs an incast under the algorithm of a plugin folder.
	with := func(folder, algorithm string, on ...string) (code int, complaint string) {
		path := m.scenario(3, "50KB", "algorithm: "+algorithm+"\n")
		return m.do(30*time.Second, append([]string{"run", path, "--no-folder", "--plugin-dir", folder, "--run-as",
			"process"}, on...)...)
	}
	only := func(program string) string {
		dir := GinkgoT().TempDir()
		Expect(os.Link(filepath.Join(plugins, program), filepath.Join(dir, "cc-"+program))).To(Succeed())
		return dir
	}

	for _, runner := range []string{"mem", "veth"} {
		hangs := Label() // on veth both runners wait for seconds
		if runner == "veth" {
			hangs = Label("slow")
		}
		DescribeTable("that fails on "+runner+" ends the run as a plugin's fault",
			func(settings string, blame types.GomegaMatcher) {
				if settings == "do: hang" && runner == "veth" {
					lab.SkipUnlessSlow()
				}
				code, complaint := with(only("faulty"), "{name: faulty, params: {"+settings+"}}", "--on", runner,
					"--progress", "none")
				Expect(complaint).To(And(ContainSubstring("faulty"), blame))
				Expect(code).To(Equal(5))
			},
			Entry("when it exits", "do: exit", And(ContainSubstring("exited with code 3"), ContainSubstring("I am off"),
				ContainSubstring("flow"))),
			Entry("when it panics", "do: panic", And(ContainSubstring("out of cheese"), ContainSubstring("flow"))),
			Entry("when it hangs", hangs, "do: hang", And(ContainSubstring("no answer"), ContainSubstring("flow"))),
			Entry("when it answers a negative rate", "do: negative", And(ContainSubstring("-5"), ContainSubstring("flow"))),
		)

		It("that fails among flows without an end ends the run on "+runner+" at once", func() {
			path := filepath.Join(m.work, "mixed.yaml")
			Expect(os.WriteFile(path, []byte(`name: mixed
topology: {kind: star, hosts: 3}
traffic:
  - {name: sound, kind: flow, from: h0, to: h2, size: 100GB, algorithm: dcqcn}
  - {name: faulty, kind: flow, from: h1, to: h2, size: 1MB, start: 20us, algorithm: faulty}
`), 0o644)).To(Succeed())
			code, complaint := m.do(15*time.Second, "run", path, "--no-folder", "--plugin-dir", only("faulty"), "--on", runner,
				"--progress", "none")
			Expect(complaint).To(And(ContainSubstring("exited with code 3"), ContainSubstring("faulty")))
			Expect(code).To(Equal(5))
		})

		It("of another protocol version is refused on "+runner, func() {
			code, complaint := with(only("future"), "future", "--on", runner)
			Expect(complaint).To(And(ContainSubstring("cc-future"), ContainSubstring("protocol version 7")))
			Expect(code).To(Equal(5))
		})

		It("that is none is refused on "+runner+", with what it is", func() {
			dir := GinkgoT().TempDir()
			Expect(os.WriteFile(filepath.Join(dir, "cc-novel"), []byte("#!/bin/sh\necho once upon a time\n"), 0o755)).To(
				Succeed())
			code, complaint := with(dir, "novel", "--on", runner)
			Expect(complaint).To(And(ContainSubstring("cc-novel"),
				Or(ContainSubstring("not a plugin"), ContainSubstring("not a program by itself")))) // a script, on veth
			Expect(code).To(Equal(5))
		})

		It("whose name another claims is refused on "+runner+", both named", func() {
			a, b := only("faulty"), only("faulty")
			code, complaint := with(a, "faulty", "--plugin-dir", b, "--on", runner)
			Expect(complaint).To(And(ContainSubstring(a), ContainSubstring(b)))
			Expect(code).To(BeElementOf(2, 5))
		})
	}
})
