package veth

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// twoDC is a training over two data centres, with CNPs, with rates in them and with pauses: 16
// hosts, 8 leaves, 4 spines, and 4 long-haul paths, each a container of its own.
func twoDC() []*plan.Plan {
	return slices.Concat(lab.Plans(lab.TwoDC), lab.Plans(lab.TwoDCPauses), lab.Plans(lab.TwoDCRates))
}

// fullTwoDC is an incast across the fibre in the whole of the fabric: 1024 NICs of
// 128 servers, 32 leaves, 4 spines and 64 long-haul paths.
const fullTwoDC = `
name: full-two-dc
algorithm: dcqcn
topology: {kind: two-dc}
switch: {proximal: {enabled: true}}
nic: {rto: {floor: 20ms, initial: 20ms}}
traffic: [{kind: incast, senders: "a-h0..a-h7", receiver: b-h0, size: 500KB}]
`

// write writes a scenario into a file.
func write(yaml string) string {
	GinkgoHelper()
	name := filepath.Join(GinkgoT().TempDir(), "scenario.yaml")
	Expect(os.WriteFile(name, []byte(yaml), 0o600)).To(Succeed())
	return name
}

// timed runs a scenario in one of the ways, and returns its wall time and what
// rocelab said on stderr.
func timed(scenario string, w way) (took time.Duration, trace, said string) {
	GinkgoHelper()
	began := time.Now()
	stdout, stderr := rocelab(program("rocelab"), exit.CodePass,
		append([]string{"run", scenario, "--no-folder", "--format", "json"}, w.args...)...)
	took = time.Since(began)
	r := parse(stdout)
	Expect(r.Runs).To(HaveLen(1))
	return took.Round(time.Millisecond), r.Runs[0].Trace, stderr
}

var broughtUp = regexp.MustCompile(`testbed: (\d+) containers .*`)

var _ = Describe("two data centres", Label("veth", "two-dc"), func() {
	It("write on containers the folder that they write in memory, with what switches did and said", func() {
		files, _ := inEach([]way{inProcess, asBytes, onContainers}, exit.CodePass, write(lab.TwoDC), "--capture", "wan0:0",
			"--capture", "a-spine0:4")
		for _, action := range []string{"congested,b-", "congested,a-", "react,b-", "learn,", "preempt,", "share,"} {
			Expect(files["two-dc/proximal.csv"]).To(MatchRegexp(`(?m)^two-dc,1,a-.*,` + action))
		}
		Expect(files["two-dc/proximal_counters.csv"]).To(ContainSubstring("\ntwo-dc,1,b-spine1,"))
		Expect(lab.Frames([]byte(files["two-dc/capture.pcapng"]))).NotTo(BeEmpty())
		Expect(files["two-dc/summary.json"]).To(MatchRegexp(`"bound_us": [1-9]`))
	})

	It("in small are 32 containers, on which a run takes seconds", Label("slow"), func() {
		lab.SkipUnlessSlow()
		t := lab.NewTable("where", "wall", "testbed")
		small := write(lab.TwoDC)
		mem, want, _ := timed(small, inProcess)
		t.Row(inProcess.name, mem, "")
		for _, w := range []way{onContainers, inPool} {
			took, trace, said := timed(small, w)
			Expect(trace).To(Equal(want), w.name)
			Expect(said).To(MatchRegexp("testbed: 3[23] containers .* 40 veth pairs"), w.name) // a pool has one of its own
			t.Row(w.name, took, broughtUp.FindString(said))
		}
		t.Report("16 hosts, 8 leaves, 4 spines, 4 paths")
	})

	It("in full are 228 containers, which come up, run, and go away", Label("slow"), func() {
		lab.SkipUnlessSlow()
		t := lab.NewTable("where", "wall", "testbed")
		full := write(fullTwoDC)
		mem, want, _ := timed(full, inProcess)
		t.Row(inProcess.name, mem, "")
		leavesNothing(func() {
			took, trace, said := timed(full, onContainers)
			Expect(trace).To(Equal(want))
			Expect(said).To(ContainSubstring("228 containers"))
			t.Row(onContainers.name, took, broughtUp.FindString(said))
		})
		t.Report("1024 NICs in 128 servers, 32 leaves, 4 spines, 64 paths")
	})
})
