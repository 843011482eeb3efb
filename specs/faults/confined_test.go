package faults

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// The rights of a plugin on each runner, as described in SECURITY.md: plugin prober tries them.
var _ = Describe("A plugin that tries what it may not", Label("veth", "faults", "slow"), func() {
	var m *machine
	BeforeEach(func() {
		lab.SkipUnlessSlow()
		needHost()
		m = newMachine()
	})

	// try runs it, and returns the exit code, the complaint and what it printed.
	try := func(do, host string, on ...string) (code int, complaint, printed string) {
		folder, logs := GinkgoT().TempDir(), filepath.Join(m.work, "logs")
		Expect(os.Link(filepath.Join(plugins, "prober"), filepath.Join(folder, "cc-prober"))).To(Succeed())
		path := m.scenario(1, "20KB", "algorithm: {name: prober, params: {do: "+do+"}}\n")
		code, complaint = m.do(time.Minute, append([]string{"run", path, "--no-folder", "--progress", "none", "--plugin-dir",
			folder, "--plugin-logs", logs}, on...)...)
		text, _ := os.ReadFile(filepath.Join(logs, host+".log")) // there is none if nothing was printed
		return code, complaint, string(text)
	}

	for _, runtime := range []string{"builtin", "runc"} {
		on := []string{"--on", "veth", "--runtime", runtime}

		It("reaches neither its daemon nor its keeper nor the kernel's odd corners, with "+runtime, func() {
			needRuntime(runtime)
			code, _, printed := try("reach", "h0", on...)
			Expect(code).To(Equal(0))
			came := map[string]string{}
			for _, line := range regexp.MustCompile(`(?m)^tried (.*?): (.*)$`).FindAllStringSubmatch(printed, -1) {
				came[line[1]] = line[2]
			}
			const (
				none    = "0000000000000000"
				denied  = "permission denied"
				refused = "operation not permitted"
				unknown = "function not implemented"
				family  = "address family not supported by protocol"
			)
			Expect(came).To(Equal(map[string]string{
				"CapEff": none, "CapPrm": none, "CapInh": none, "CapAmb": none,
				"NoNewPrivs":                    "1",
				"being root":                    "false",
				"to be root":                    refused,
				"the descriptors of the daemon": denied,
				"the descriptors of the keeper": denied,
				"the memory of the daemon":      denied,
				"the memory of the keeper":      denied,
				"to end the daemon":             refused,
				"to end the keeper":             refused,
				"to stop the daemon":            refused,
				"to stop the keeper":            refused,
				"pidfd_open":                    "done",
				"pidfd_getfd":                   unknown,
				"ptrace":                        unknown,
				"process_vm_readv":              unknown,
				"bpf":                           unknown,
				"io_uring_setup":                unknown,
				"perf_event_open":               unknown,
				"keyctl":                        unknown,
				"userfaultfd":                   unknown,
				"mount":                         unknown,
				"unshare":                       unknown,
				"setns":                         unknown,
				"clone of a user namespace":     unknown,
				"clone3":                        unknown,
				"sync":                          unknown,
				"personality":                   unknown,
				"mknod":                         unknown,
				"chroot":                        unknown,
				"a socket of family netlink":    family,
				"a socket of family packet":     family,
				"a socket of family inet":       family,
				"a socket of family vsock":      family,
				"a socket of family alg":        family,
				"a socket of family unix":       "done",
				"a file in /tmp":                "done",
				"the names in /tmp":             denied,
				"its own limit":                 "done",
			}))
		})

		It("ends with a system call of another ABI, with "+runtime, func() {
			needRuntime(runtime)
			code, complaint, printed := try("abi", "h0", on...)
			Expect(code).To(Equal(5))
			Expect(complaint).To(ContainSubstring("algorithm prober"))
			Expect(printed).NotTo(ContainSubstring("tried"))
		})
	}

	for name, on := range map[string][]string{
		"in memory":     {"--on", "mem"},
		"with built-in": {"--on", "veth", "--runtime", "builtin"},
		"with runc":     {"--on", "veth", "--runtime", "runc"},
		"in a pool":     {"--on", "veth", "--runtime", "builtin", "--daemons", "pool"},
	} {
		needed := func() string {
			if strings.HasSuffix(name, "runc") {
				needRuntime("runc")
			}
			switch {
			case name == "in memory":
				return "cc-prober"
			case name == "in a pool":
				return "pool"
			}
			return "h0"
		}

		It("ends at its limit of memory "+name+", which is named with its flag", func() {
			code, complaint, printed := try("memory", needed(), append(on, "--plugin-memory", "200MB")...)
			Expect(complaint).To(And(ContainSubstring("algorithm prober"), ContainSubstring("flow incast/h0-h1"),
				ContainSubstring("it met its limit of 200MB of memory, which --plugin-memory raises")))
			Expect(code).To(Equal(5))
			Expect(printed).NotTo(ContainSubstring("tried"))
		})

		It("ends at its limit of tasks "+name+", which is named with its flag", func() {
			code, complaint, printed := try("tasks", needed(), append(on, "--plugin-tasks", "100")...)
			Expect(complaint).To(And(ContainSubstring("algorithm prober"),
				ContainSubstring("it met its limit of 100 tasks, which --plugin-tasks raises")))
			Expect(code).To(Equal(5))
			Expect(printed).NotTo(ContainSubstring("tried"))
		})

		It("fills no more of its log than the limit "+name, func() {
			code, _, printed := try("log", needed(), append(on, "--plugin-log", "1MB")...)
			Expect(code).To(Equal(0))
			Expect(printed).To(HaveSuffix("the rest was dropped (--plugin-log sets how much is kept)\n"))
			Expect(len(printed)).To(And(BeNumerically(">", 1_000_000), BeNumerically("<", 1_000_200)))
		})
	}
})
