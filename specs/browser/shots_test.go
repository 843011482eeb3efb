package browser

import (
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/tier"
)

// shots is where pictures of pages go: ROCELAB_SCREENSHOTS, or a folder that goes away.
func shots() string {
	GinkgoHelper()
	folder := os.Getenv("ROCELAB_SCREENSHOTS")
	if folder == "" {
		return GinkgoT().TempDir()
	}
	folder, err := filepath.Abs(folder)
	Expect(err).NotTo(HaveOccurred())
	Expect(os.MkdirAll(folder, 0o755)).To(Succeed())
	return folder
}

// kinds makes a page of every kind, and returns what each is in.
var kinds = map[string]func() string{
	"two variants": func() string { return "two/report.html" },
	"one variant": func() string {
		run("incast.yaml", "--variant", "dcqcn", "--out", "one")
		return "one/report.html"
	},
	"several seeds": func() string {
		run("incast.yaml", "--seeds", "3", "--out", "seeds")
		return "seeds/report.html"
	},
	"several runs": func() string {
		run("incast.yaml", "--seed", "7", "--out", "seven")
		rocelab("report", "two", "seven", "-o", "several.html")
		return "several.html"
	},
	"different scenarios": func() string {
		write("pair.yaml", "name: pair\nalgorithm: dcqcn\ntopology: {kind: star, hosts: 3}\n"+
			"traffic:\n  - {name: pair, from: h0, to: h2, size: 1MB}\n")
		run("pair.yaml", "--out", "pair")
		rocelab("report", "two", "pair", "-o", "different.html")
		return "different.html"
	},
	"empty series": func() string {
		f := copied("two", "empty")
		f.empty()
		f.seal()
		rocelab("report", "empty", "-o", "empty.html")
		return "empty.html"
	},
	"one flow's life": func() string {
		run("incast.yaml", "--event-log", "incast/h0-h4", "--variant", "dcqcn", "--out", "life")
		return "life/report.html"
	},
	"large fabric": func() string {
		write("large.yaml", "name: large\nalgorithm: dcqcn\ntopology: {kind: fat-tree, hosts: 128}\n"+
			"traffic:\n  - {name: permutation, kind: permutation, size: 100KB}\n"+
			"  - {name: burst, kind: incast, senders: h0..h39, receiver: h100, size: 500KB}\n")
		run("large.yaml", "--out", "fabric")
		return "fabric/report.html"
	},
	"collective": func() string {
		write("ring.yaml", "name: ring\nalgorithm: dcqcn\ntopology: {kind: star, hosts: 4}\n"+
			"traffic:\n  - {name: ring, kind: all-to-all, order: shifted, size: 150KB}\n")
		run("ring.yaml", "--out", "ring")
		return "ring/report.html"
	},
	"live": func() string {
		ownTestbeds()
		run("incast.yaml", "--variant", "dcqcn", "--on", "live", "--dilate", "1000", "--out", "live")
		return "live/report.html"
	},
	"live with hosts": func() string { return pinged("hosts") + "/report.html" },
	"live replay": func() string {
		run("ping.yaml", "--edges", pinged("source"), "--out", "replay")
		return "replay/report.html"
	},
	"pauses": func() string {
		run(scenario("pfc-storm.yaml"), "--out", "pauses")
		return "pauses/report.html"
	},
	"ranks": func() string {
		run(scenario("allreduce.yaml"), "--set", "traffic.job.size=1MB", "--out", "ranks")
		return "ranks/report.html"
	},
	"two data centres": func() string {
		run(scenario("wan-120km.yaml"), "--out", "far")
		return "far/report.html"
	},
	"no recording": func() string {
		run("incast.yaml", "--no-record", "--out", "unrecorded")
		return "unrecorded/report.html"
	},
	"names with markup": func() string {
		f := copied("two", "marked-up")
		f.rename("pc4", evil)
		f.rename("incast/h0-h4", evil)
		f.seal()
		rocelab("report", "marked-up", "-o", "marked-up.html")
		return "marked-up.html"
	},
	"10000 flows": func() string {
		f := copied("two", "flows")
		f.multiply("dcqcn", 10_000)
		f.seal()
		rocelab("report", "flows", "-o", "flows.html")
		return "flows.html"
	},
}

// scenario is one of the shipped scenarios.
func scenario(name string) string {
	GinkgoHelper()
	file, err := filepath.Abs("../scenarios/" + name)
	Expect(err).NotTo(HaveOccurred())
	return file
}

// ownTestbeds makes live runs keep their testbeds separate from others'.
func ownTestbeds() {
	GinkgoHelper()
	tier.Root(GinkgoT(), "a live run")
	GinkgoT().Setenv("ROCELAB_RUN", "/run/rocelab-browser-"+strconv.Itoa(os.Getpid()))
}

// pinged is the folder of a live run of two hosts, one of which pings the other. The verdict on its clock does not
// matter.
func pinged(folder string) string {
	GinkgoHelper()
	ownTestbeds()
	if _, err := exec.LookPath("ping"); err != nil {
		Skip("ping is not installed")
	}
	write("ping.yaml", `name: ping
topology:
  nodes:
    - {name: asks, stack: kernel, exec: "ping -c 5 -i 0.05 10.0.0.2"}
    - {name: answers, stack: kernel}
    - {name: s, kind: switch}
  rate: 100Mbps
  links: [{endpoints: [asks, s]}, {endpoints: [answers, s]}]
switch: {pfc: {enabled: false}, ecn: {kmin: 30KB, kmax: 90KB, scale_rate: 0bps}}
run: {until: 600ms}
`)
	c := exec.Command(program, "run", "ping.yaml", "--on", "live", "--out", folder)
	c.Dir = work
	out, err := c.CombinedOutput()
	if err != nil {
		Expect(c.ProcessState.ExitCode()).To(Equal(red), string(out))
	}
	return folder
}

// red is the exit code of a live run whose clock was not kept.
const red = 3

var _ = Describe("the page of a live run's replay", func() {
	It("is the page of the run but for the section on time", func() {
		source := pinged("heard")
		run("ping.yaml", "--edges", source, "--out", "repeated")
		live := read(source, "report.html")
		begin := strings.Index(live, `<section id="live"`)
		end := strings.Index(live, `<section id="verdict"`)
		Expect(begin).To(BeNumerically(">", 0))
		Expect(end).To(BeNumerically(">", begin))
		Expect(read("repeated", "report.html")).To(Equal(live[:begin] + live[end:]))
	})
})

var _ = Describe("pages", func() {
	for kind, made := range kinds {
		It("of "+kind+" are drawn in light, dark, narrow and on paper, for eyes", func() {
			page, folder := made(), shots()
			var found looked
			do(job{Do: "look", File: page, Width: 400}, &found)
			Expect(found.Pictures).To(Equal(found.Plots))
			Expect(found.ScrollWidth).To(Equal(400))
			for name, what := range map[string]job{
				"light":  {},
				"dark":   {Scheme: "dark"},
				"narrow": {Width: 400},
				"paper":  {Media: "print", Width: 760},
			} {
				what.Do, what.File, what.Out = "shoot", page, filepath.Join(folder, kind+", "+name+".png")
				do(what, nil)
				file, err := os.Open(what.Out)
				Expect(err).NotTo(HaveOccurred())
				size, err := png.DecodeConfig(file)
				file.Close()
				Expect(err).NotTo(HaveOccurred())
				Expect(size.Height).To(BeNumerically(">", 900), what.Out)
			}
		})
	}
})
