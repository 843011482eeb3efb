package rxe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
)

// stations are the addresses that the fabric gives to its first two edges.
var stations = [2]netip.Prefix{netip.MustParsePrefix("10.0.0.1/8"), netip.MustParsePrefix("10.0.0.2/8")}

// twoSites has a switch at each site, 120 km of fibre between them, and a machine at
// each switch. The machines' links are faster than the fibre's, so that what waits does
// so at the port to the fibre, which has its own thresholds.
const twoSites = `
name: rxe
topology:
  nodes:
    - {name: west, kind: edge, interface: rxe0, namespace: %[1]s, mtu: 1500B}
    - {name: east, kind: edge, interface: rxe1, namespace: %[1]s, mtu: 1500B}
    - {name: w, kind: switch}
    - {name: e, kind: switch}
  rate: 1Gbps
  links:
    - {endpoints: [west, w]}
    - {endpoints: [east, e]}
    - {endpoints: [w, e], wan: {length: 120km, loss: %[2]g}, rate: 50Mbps}
switch:
  pfc: {enabled: false}
  dci: {buffer: 2MB, ecn: {kmin: %[3]s, kmax: %[4]s}}
run: {until: 300s}
`

// crossing is a run of rocelab between the machines.
type crossing struct {
	command *exec.Cmd
	said    bytes.Buffer
	folder  string
}

// cross starts a run of the two sites, held to the clock.
func cross(program, path string, loss float64, kmin, kmax string) *crossing {
	GinkgoHelper()
	work := GinkgoT().TempDir()
	scenario := filepath.Join(work, "rxe.yaml")
	Expect(os.WriteFile(scenario, fmt.Appendf(nil, twoSites, path, loss, kmin, kmax), 0o600)).To(Succeed())
	folder := filepath.Join(work, "run")
	c := start(program, "run", scenario, "--on", "live", "--out", folder, "--progress", "none")
	c.folder = folder
	return c
}

// start starts rocelab, which goes on until the spec ends.
func start(program string, args ...string) *crossing {
	GinkgoHelper()
	c := &crossing{command: exec.Command(program, args...)}
	c.command.Env = append(os.Environ(), "ROCELAB_RUN="+runFolder())
	c.command.Stdout, c.command.Stderr = &c.said, &c.said
	c.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	Expect(c.command.Start()).To(Succeed())
	DeferCleanup(c.end)
	return c
}

// runFolder is where testbeds of these specs are.
func runFolder() string { return fmt.Sprintf("/run/rocelab-rxe-%d", os.Getpid()) }

// build builds rocelab, and returns its path.
func build() string {
	GinkgoHelper()
	folder := GinkgoT().TempDir()
	Expect(program.Build(folder, []string{"cmd/rocelab"})).To(Succeed())
	return filepath.Join(folder, "rocelab")
}

// end ends the run as Ctrl-C does. Its exit code is that of the verdict on time, which a
// busy machine spoils and which no spec judges.
func (c *crossing) end() {
	if c.command.ProcessState == nil {
		c.command.Process.Signal(syscall.SIGINT)
		c.command.Wait()
		fmt.Fprintf(GinkgoWriter, "rocelab: %v\n%s", c.command.ProcessState, &c.said)
	}
}

// summary has the parts of a run's own summary that matter here.
type summary struct {
	Trace   string
	Metrics map[string]any
}

// summary ends the run and returns its summary.
func (c *crossing) summary() summary {
	GinkgoHelper()
	c.end()
	return read(c.folder)
}

// read reads the summary of the only run in a folder.
func read(folder string) (s summary) {
	GinkgoHelper()
	found, err := filepath.Glob(filepath.Join(folder, "*", "summary.json"))
	Expect(err).NotTo(HaveOccurred())
	Expect(found).To(HaveLen(1), "run folder %s", folder)
	content, err := os.ReadFile(found[0])
	Expect(err).NotTo(HaveOccurred())
	Expect(json.Unmarshal(content, &s)).To(Succeed())
	return s
}

// replay runs in memory what came in at the edges of the run, and returns its summary.
func (c *crossing) replay(program string) summary {
	GinkgoHelper()
	c.end()
	folder := c.folder + "-replay"
	scenario := filepath.Join(filepath.Dir(c.folder), "rxe.yaml")
	again := exec.Command(program, "run", scenario, "--on", "mem", "--edges", c.folder, "--out", folder)
	out, err := again.CombinedOutput()
	fmt.Fprintf(GinkgoWriter, "replay: %v\n%s", err, out) // the run was interrupted, and so is this one
	return read(folder)
}

// reach waits until the first machine reaches the second.
func (m *machines) reach(server netip.Addr) {
	GinkgoHelper()
	run(m[0], time.Minute, fmt.Sprintf("until ping -c 1 -W 1 %v >/dev/null; do sleep 0.2; done", server))
}

var _ = Describe("Two machines with soft-RoCE, two switches and 120 km between them", Ordered, func() {
	var (
		m       *machines
		path    string
		program string
		server  = stations[1].Addr()
	)

	BeforeAll(func(ctx SpecContext) {
		if err := doctor.Required(); err != nil {
			Skip(err.Error())
		}
		program = build()
		DeferCleanup(func() { Expect(runFolder()).NotTo(BeADirectory()) })
		path = space()
		m = boot(ctx, [2]*os.File{tap(path, "rxe0", 1500), tap(path, "rxe1", 1500)}, stations, 1500)
	})

	It("run perftest and rping, which take the fibre's time", func() {
		c := cross(program, path, 0, "1MB", "2MB")
		m.reach(server)
		for _, tool := range []string{"ib_write_bw", "ib_send_bw", "ib_read_bw"} {
			expectDone(m.perftest(server, tool, bounded, "-s 65536 -n 20", marked), 65536, 20)
		}
		Expect(m.rping(server, 5, 4096)).To(ContainSubstring("rdma-ping-4"))
		// Half a round trip in us, the least of all: never below the fibre's 600.
		Expect(column(m.perftest(server, "ib_write_lat", "-s 8 -n 50 -u 17"), 3)).To(BeNumerically(">=", 600))
		ce := received(m[1])["InCEPkts"]
		Expect(c.summary().Metrics).To(HaveKeyWithValue("marks", BeZero()))
		Expect(ce).To(BeZero())
	})

	It("see the marks of the switch at the fibre, in frames that are right but for them", func() {
		before, stop := received(m[1]), listen(path, "rxe1")
		c := cross(program, path, 0, "20KB", "60KB")
		m.reach(server)
		expectDone(m.perftest(server, "ib_write_bw", bounded, "-s 65536 -n 50", marked), 65536, 50)
		after, h := received(m[1]), stop()
		Expect(h.strays).To(BeZero())
		Expect(h.data).To(BeNumerically(">=", 50*64))
		Expect(h.marked).To(BeNumerically(">", 0))
		Expect(after["InCEPkts"] - before["InCEPkts"]).To(Equal(h.marked))
		Expect(c.summary().Metrics["marks"]).To(BeNumerically(">=", h.marked))
	})

	It("send again what the fibre loses, and every byte is right; in memory it is the same run", func() {
		before, c := softRoCE(m[1]), cross(program, path, 0.02, "1MB", "2MB")
		m.reach(server)
		expectDone(m.perftest(server, "ib_write_bw", "-t 1 -u 17 -s 16384 -n 40"), 16384, 40)
		Expect(m.rping(server, 10, 4096)).To(ContainSubstring("rdma-ping-9"))
		after := softRoCE(m[1])
		Expect(c.summary().Metrics["drops_injected"]).To(BeNumerically(">", 0))
		Expect(after["out_of_seq_request"] - before["out_of_seq_request"]).To(BeNumerically(">", 0))

		replayed := c.replay(program)
		Expect(replayed.Trace).To(Equal(c.summary().Trace))
		Expect(replayed.Metrics["drops_injected"]).To(Equal(c.summary().Metrics["drops_injected"]))
	})

	It("run across a bump in the wire, and see its marks", func() {
		before := received(m[1])["InCEPkts"]
		c := start("nsenter", "--net="+path, program, "wire", "rxe0", "rxe1", "--rate", "50Mbps", "--length", "120km",
			"--ecn", "20KB,60KB")
		m.reach(server)
		expectDone(m.perftest(server, "ib_write_bw", bounded, "-s 65536 -n 20", marked), 65536, 20)
		expectDone(m.perftest(server, "ib_read_bw", bounded, "-s 65536 -n 20"), 65536, 20)
		Expect(m.rping(server, 5, 4096)).To(ContainSubstring("rdma-ping-4"))
		ce := received(m[1])["InCEPkts"] - before
		c.end()
		said := regexp.MustCompile(`rxe0 > rxe1: \d+ frames in, \d+ out, (\d+) marked`).FindStringSubmatch(c.said.String())
		Expect(said).To(HaveLen(2), c.said.String())
		counted, err := strconv.Atoi(said[1])
		Expect(err).NotTo(HaveOccurred())
		Expect(ce).To(BeNumerically(">", 0))
		Expect(counted).To(BeNumerically(">=", ce))
	})
})
