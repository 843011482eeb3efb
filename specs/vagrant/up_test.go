package vagrant

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// limit is the maximum time of a step, on a busy machine.
const limit = NodeTimeout(20 * time.Minute)

// inBox are packages that the box has already: an emulated processor would
// take minutes to install them.
var inBox = []string{"ethtool", "git", "tcpdump", "tshark"}

var _ = Describe("vagrant up", Label("vagrant"), Ordered, func() {
	var (
		folder   string // holds all that the specs make
		box, bin string
		fetched  string // where vagrant/fetch puts run folders
		machine  *sandbox
		bridges  string // of this host, before
	)

	BeforeAll(func(ctx SpecContext) {
		skipUnlessAsked()
		bridges = libvirtInterfaces()
		var err error
		folder, err = os.MkdirTemp(temporary(), "rocelab-vagrant-")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(os.RemoveAll, folder)
		box, bin = filepath.Join(folder, "small.box"), filepath.Join(folder, "bin")
		fetched = filepath.Join(folder, "fetched")
		machine = openSandbox(folder, "ROCELAB_BOX=rocelab/small", "ROCELAB_BOX_URL="+box, "ROCELAB_BIN="+bin,
			"ROCELAB_MEMORY=1024")
	}, limit)

	It("has programs that were built for it", func(ctx SpecContext) {
		Expect(os.Mkdir(bin, 0o755)).To(Succeed())
		c := command(ctx, "go", "build", "-trimpath", "-o", bin+"/", "./cmd/...")
		c.Env = append(c.Env, "CGO_ENABLED=0")
		_, err := output(c)
		Expect(err).NotTo(HaveOccurred())
		Expect(filepath.Join(bin, "rocelab")).To(BeAnExistingFile())
	}, limit)

	It("has a box that was made here", func(ctx SpecContext) {
		_, err := output(command(ctx, boxScript, append([]string{box}, inBox...)...))
		Expect(err).NotTo(HaveOccurred())
	}, limit)

	It("ends with a green doctor and the trace of memory", func(ctx SpecContext) {
		out, err := machine.vagrant(ctx, "up", "--provider", "libvirt")
		Expect(err).NotTo(HaveOccurred())
		Expect(out).To(ContainSubstring("installing runc"))
		Expect(out).To(ContainSubstring("this host can carry the testbed"))
		Expect(out).To(MatchRegexp(`on veth as in memory: pc4 pass [0-9a-f]{16} dcqcn pass [0-9a-f]{16}`))
	}, limit)

	It("provisions again without a change", func(ctx SpecContext) {
		out, err := machine.ssh(ctx, "sudo ROCELAB_BIN=/opt/rocelab/bin /rocelab/vagrant/provision.sh")
		Expect(err).NotTo(HaveOccurred())
		Expect(out).To(ContainSubstring("packages: all there"))
		Expect(out).To(ContainSubstring("long enough"))
	}, limit)

	It("says that there is nothing to fetch before the first run", func(ctx SpecContext) {
		out, err := machine.run(ctx, "vagrant/fetch", fetched)
		Expect(err).To(HaveOccurred())
		Expect(out).To(BeEmpty())
		Expect(fetched).NotTo(BeADirectory())
	}, limit)

	DescribeTable("runs the incast on four containers with the trace of this host", func(ctx SpecContext, runtime string) {
		scenario := "vagrant/incast.yaml"
		here, err := output(command(ctx, filepath.Join(bin, "rocelab"), "run", scenario, "--no-folder", "--format", "json"))
		Expect(err).NotTo(HaveOccurred())
		there, err := machine.ssh(ctx, "sudo rocelab run /rocelab/"+scenario+" --on veth --runtime "+runtime+
			" --no-folder --format json 2>&1")
		Expect(err).NotTo(HaveOccurred())
		Expect(there).To(ContainSubstring("4 containers (" + runtime + ")"))
		Expect(traces(there)).To(Equal(traces(here)))

		left, err := machine.ssh(ctx, "ip -o link show type veth; ip netns list; sudo ls -A /run/rocelab 2>/dev/null; "+
			"pgrep -a '^(switchd|nicd|rocelab)$'; true")
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.TrimSpace(left)).To(BeEmpty(), "left in the machine")
	},
		Entry("by runc", limit, "runc"),
		Entry("by the built-in launcher", limit, "builtin"),
	)

	It("gives the run folder out of the machine", func(ctx SpecContext) {
		_, err := machine.ssh(ctx, "cd /rocelab && sudo rocelab run vagrant/incast.yaml --on veth")
		Expect(err).NotTo(HaveOccurred())
		out, err := machine.run(ctx, "vagrant/fetch", fetched)
		Expect(err).NotTo(HaveOccurred())
		Expect(out).To(Equal("fetch: four-containers-1\nfetch: in " + fetched + ": 1 of 1\n"))
		Expect(filepath.Join(fetched, "four-containers-1/manifest.json")).To(BeARegularFile())
		Expect(filepath.Glob(filepath.Join(fetched, "four-containers-1/*/flows.csv"))).To(HaveLen(2))
		Expect(os.RemoveAll(fetched)).To(Succeed())
	}, limit)

	It("is undone by vagrant destroy", func(ctx SpecContext) {
		_, err := machine.vagrant(ctx, "destroy", "--force")
		Expect(err).NotTo(HaveOccurred())
		domains, err := machine.run(ctx, "virsh", "--quiet", "list", "--all", "--name")
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.TrimSpace(domains)).To(BeEmpty())
	}, limit)

	It("leaves nothing on this host", func(ctx SpecContext) {
		network, err := os.Readlink("/proc/" + machine.pid + "/ns/net")
		Expect(err).NotTo(HaveOccurred())
		Expect(inNetwork(network)).NotTo(BeEmpty())
		machine.end()
		Expect(inNetwork(network)).To(BeEmpty(), "processes of the sandbox")
		Expect(filepath.Glob(filepath.Join(folder, "*"))).To(ConsistOf(box, bin))
		Expect(libvirtInterfaces()).To(Equal(bridges))
		Expect(os.ReadFile("/proc/self/mountinfo")).NotTo(ContainSubstring(folder))
	}, limit)
})

// skipUnlessAsked skips the specs unless they were requested, and if this host lacks what they need.
func skipUnlessAsked() {
	if os.Getenv("ROCELAB_VAGRANT") != "1" {
		Skip("boots an emulated machine, which takes minutes; ROCELAB_VAGRANT=1 runs it", 1)
	}
	if os.Getuid() != 0 {
		Skip("needs root: it makes namespaces and mounts a disk", 1)
	}
	const source = "vagrant/emulation/setup.sh installs it"
	for _, name := range []string{"vagrant", "virsh", "qemu-system-x86_64", "qemu-img", "slirp4netns", "mmdebstrap",
		"extlinux", "rsync"} {
		tool(name, source)
	}
}

// temporary is the folder for large files, for which /tmp often has no room.
func temporary() string {
	if dir := os.Getenv("TMPDIR"); dir != "" {
		return dir
	}
	return "/var/tmp"
}

// traces are the fingerprints of a run's variants, from its JSON, which progress may surround.
func traces(text string) map[string]string {
	var run struct {
		Runs []struct{ Variant, Verdict, Trace string }
	}
	from := max(0, strings.IndexByte(text, '{'))
	ExpectWithOffset(1, json.NewDecoder(strings.NewReader(text[from:])).Decode(&run)).To(Succeed(), "%s", text)
	traces := map[string]string{}
	for _, r := range run.Runs {
		ExpectWithOffset(1, r.Verdict).To(Equal("pass"), "%s", r.Variant)
		traces[r.Variant] = r.Trace
	}
	ExpectWithOffset(1, traces).To(HaveLen(2))
	return traces
}

// libvirtInterfaces are the interfaces of this host that have the names libvirt
// gives.
func libvirtInterfaces() string {
	bridges, _ := filepath.Glob("/sys/class/net/virbr*")
	taps, _ := filepath.Glob("/sys/class/net/vnet*")
	return strings.Join(append(bridges, taps...), " ")
}

// inNetwork lists the processes in a network namespace.
func inNetwork(namespace string) (list []string) {
	links, _ := filepath.Glob("/proc/[0-9]*/ns/net")
	for _, link := range links {
		if target, _ := os.Readlink(link); target == namespace {
			line, _ := os.ReadFile(strings.TrimSuffix(link, "ns/net") + "cmdline")
			list = append(list, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return list
}
