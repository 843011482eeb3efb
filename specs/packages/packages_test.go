package packages

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/look/report/asset"
)

// limit is the time limit of a step, on a busy machine.
const limit = NodeTimeout(20 * time.Minute)

// daemons are links to rocelab.
var daemons = []string{"switchd", "nicd", "wand"}

const (
	library   = "/usr/lib/rocelab/"
	scenarios = "/usr/share/rocelab/scenarios/"
)

var _ = Describe("Packages", Ordered, ContinueOnFailure, Label("slow"), func() {
	var clone, first string // the commit that is packed, and the folder of its packages

	BeforeAll(func(ctx SpecContext) {
		if _, err := os.Stat("../../.git"); err != nil {
			Skip("the source is no git checkout, and what is packed is a commit")
		}
		tool("git", "apt install git")
		clone = filepath.Join(folder("first"), "clone")
		first = pack(ctx, "../..", clone, "022", "TZ=UTC")
	}, limit)

	It("are five files, the wheel, the installer, the notes and the checksums", func() {
		Expect(bytesIn(first)).To(HaveLen(9))
	})

	It("are installed by the installer, and found by PATH", func(ctx SpecContext) {
		to := folder("installed")
		out := run(shell(ctx, "sh %s/install.sh --from file://%s --to %s", first, first, to))
		Expect(out).To(ContainSubstring("installed rocelab v"))
		Expect(run(exec.CommandContext(ctx, filepath.Join(to, "bin/rocelab"), "demo"))).To(ContainSubstring("pc4"))
		Expect(filepath.Glob(filepath.Join(to, "lib/rocelab/*/lib/rocelab/rocelab-cc"))).To(HaveLen(1))

		By("writing an algorithm in Go without a checkout")
		mine := folder("author")
		run(shell(ctx, "cd %s && %s/bin/rocelab algorithm new mine", mine, to))
		run(shell(ctx, "cd %s/mine && go vet ./... && go test ./... && go build -o plugins/ ./cc-mine", mine))
		out = run(shell(ctx, "cd %s/mine && %s/bin/rocelab run incast.yaml --plugin-dir plugins", mine, to))
		Expect(out).To(ContainSubstring("mine"))
		graph := run(shell(ctx, "cd %s/mine && go mod graph | sed 's/ .*//; s/@.*//' | sort -u | wc -l", mine))
		Expect(strconv.Atoi(strings.TrimSpace(graph))).To(BeNumerically("<", 65), "modules")

		By("having notes")
		notes, err := os.ReadFile(filepath.Join(first, "NOTES.md"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(notes)).To(ContainSubstring("\n### Added\n"))
	}, limit)

	It("are packed for every system by one command", func(ctx SpecContext) {
		tier.Night(GinkgoT())
		all := folder("release")
		fmt.Fprintln(GinkgoWriter, run(shell(ctx, "go -C %s/packaging run . --release --out %s", clone, all)))
		for _, pattern := range []string{"amd64.deb", "arm64.deb", "amd64.rpm", "arm64.rpm", "amd64.oci.tar", "arm64.oci.tar",
			"-darwin-arm64.tar.gz", "-darwin-amd64.tar.gz", "-windows-amd64.zip"} {
			Expect(filepath.Glob(filepath.Join(all, "rocelab-*"+pattern))).To(HaveLen(1), pattern)
		}
		c := exec.CommandContext(ctx, "sha256sum", "--check", "--strict", "SHA256SUMS")
		c.Dir = all
		Expect(strings.Count(run(c), ": OK\n")).To(Equal(2*5 + 3*2 + 3))
	}, limit)

	It("are the same to the byte in two folders, time zones and umasks", func(ctx SpecContext) {
		tier.Night(GinkgoT())
		second := pack(ctx, clone, filepath.Join(folder("second"), "another", "place"), "077", "TZ=Pacific/Kiritimati",
			"LC_ALL=C.UTF-8", "GOFLAGS=", "GOAMD64=v3", "GOMAXPROCS=1")
		Expect(bytesIn(second)).To(Equal(bytesIn(first)))
	}, limit)

	It("are the same where nothing was compiled before", func(ctx SpecContext) {
		tier.Night(GinkgoT())
		fresh := pack(ctx, clone, filepath.Join(folder("fresh"), "clone"), "022", "GOCACHE="+folder("cache"))
		Expect(bytesIn(fresh)).To(Equal(bytesIn(first)))
	}, limit)

	It("have the checksums that SHA256SUMS says", func(ctx SpecContext) {
		c := exec.CommandContext(ctx, "sha256sum", "--check", "--strict", "SHA256SUMS")
		c.Dir = first
		Expect(strings.Count(run(c), ": OK\n")).To(Equal(8))
	})

	It("come with a bill of the programs, and of each module in them with its licence", func(ctx SpecContext) {
		data, err := os.ReadFile(made(first, "cdx.json"))
		Expect(err).NotTo(HaveOccurred())
		var bill struct {
			Format     string `json:"bomFormat"`
			Components []struct {
				Type, Name, Version string
				Hashes              []struct{ Alg, Content string }
				Licenses            []struct{ License struct{ ID string } }
			}
		}
		Expect(json.Unmarshal(data, &bill)).To(Succeed())
		Expect(bill.Format).To(Equal("CycloneDX"))
		files := digests(untar(ctx, first), nil)
		listed := map[string]string{}
		var programs []string
		for _, c := range bill.Components {
			if c.Type == "file" {
				programs = append(programs, c.Name)
				Expect(files[strings.TrimPrefix(c.Name, "/usr")]).To(HaveSuffix(" "+c.Hashes[0].Content), c.Name)
				continue
			}
			Expect(c.Licenses).NotTo(BeEmpty(), c.Name)
			Expect(c.Licenses[0].License.ID).NotTo(BeEmpty(), c.Name)
			listed[c.Name] = c.Version
		}
		Expect(programs).To(ConsistOf(library+"rocelab", library+"rocelab-cc", library+"rocelab-link"))
		Expect(listed).To(HaveKey("stdlib"))
		Expect(listed).To(HaveKeyWithValue("uplot", asset.UPlotVersion))
		for _, program := range programs {
			stamp := run(exec.CommandContext(ctx, "go", "version", "-m",
				filepath.Join(untar(ctx, first), strings.TrimPrefix(program, "/usr"))))
			linked := regexp.MustCompile(`(?m)^\tdep\t(\S+)\t(\S+)`).FindAllStringSubmatch(stamp, -1)
			Expect(len(linked)).To(BeNumerically(">", 5))
			for _, module := range linked {
				if module[1] == "github.com/rocelab/rocelab/plugins/cc" {
					continue // rocelab's own
				}
				Expect(listed).To(HaveKeyWithValue(module[1], module[2]))
			}
		}
	})

	It("hold in the tarball what is below usr in the others, and the licences of all", func(ctx SpecContext) {
		unpacked := untar(ctx, first)
		files := slices.Sorted(maps.Keys(digests(unpacked, nil)))
		for _, name := range slices.Concat(daemons, []string{"rocelab", "rocelab-cc", "rocelab-link", "cc-pc4", "cc-dcqcn"}) {
			Expect(files).To(ContainElement("/lib/rocelab/" + name))
		}
		text, err := os.ReadFile(filepath.Join(unpacked, "share/doc/rocelab/THIRD-PARTY.txt"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(ContainSubstring("github.com/hashicorp/yamux"))
		Expect(string(text)).To(ContainSubstring("\nuplot " + asset.UPlotVersion + "\nMIT\n"))
		Expect(string(text)).To(ContainSubstring("Mozilla Public License"))
		for _, name := range []string{"LICENSE", "copyright", "README.md", "CHANGELOG.md", "docs/architecture.md"} {
			Expect(files).To(ContainElement("/share/doc/rocelab/" + name))
		}
		// Programs are found where the tarball was unpacked, by a link from elsewhere too.
		link := filepath.Join(GinkgoT().TempDir(), "rocelab")
		Expect(os.Symlink(filepath.Join(unpacked, "bin/rocelab"), link)).To(Succeed())
		out := run(exec.CommandContext(ctx, link, "run", "--no-folder", "--run-as", "process",
			filepath.Join(unpacked, "share/rocelab/scenarios/incast.yaml")))
		Expect(out).To(ContainSubstring("PASS"))
	})

	It("install as .deb into a clean Debian, work there, and leave nothing when purged", func(ctx SpecContext) {
		tier.Root(GinkgoT(), "a root of its own")
		root := cleanRoot(ctx)
		before := digests(root, volatile)
		Expect(exec.Command("cp", made(first, "deb"), filepath.Join(root, "tmp/rocelab.deb")).Run()).To(Succeed())
		run(inRoot(ctx, root, "dpkg", "--install", "/tmp/rocelab.deb"))
		Expect(os.Remove(filepath.Join(root, "tmp/rocelab.deb"))).To(Succeed())
		installed := digests(root, volatile)

		version := run(inRoot(ctx, root, "rocelab", "--version"))
		pseudo := regexp.MustCompile(`-([0-9a-f]{12}|\d+\.\d+\.\d+)-[a-z0-9]+\.deb$`).FindStringSubmatch(made(first, "deb"))
		Expect(pseudo).NotTo(BeNil())
		Expect(version).To(ContainSubstring(pseudo[1]))
		out := run(inRoot(ctx, root, "rocelab", "run", "--no-folder", scenarios+"incast.yaml"))
		Expect(out).To(ContainSubstring("PASS"))
		builtin := run(inRoot(ctx, root, "rocelab", "run", "--no-folder", "--format", "json", scenarios+"incast.yaml"))
		process := run(inRoot(ctx, root, "rocelab", "run", "--no-folder", "--format", "json", "--run-as", "process",
			scenarios+"incast.yaml"))
		Expect(traces(process)).To(Equal(traces(builtin)))

		page := run(inRoot(ctx, root, "gzip", "-dc", "/usr/share/man/man1/rocelab-run.1.gz"))
		Expect(page).To(MatchRegexp(`(?m)^\.TH "ROCELAB-RUN" "1"`))
		completed := run(inRoot(ctx, root, "bash", "-c", `. /usr/share/bash-completion/bash_completion
			_completion_loader rocelab
			COMP_WORDS=(rocelab vali) COMP_CWORD=1 COMP_LINE="rocelab vali" COMP_POINT=12
			$(complete -p rocelab | sed 's/.*-F \([^ ]*\).*/\1/') 2>/dev/null && echo "${COMPREPLY[@]}"`))
		Expect(strings.TrimSpace(completed)).To(HavePrefix("validate"))

		run(inRoot(ctx, root, "dpkg", "--purge", "rocelab"))
		Expect(digests(root, volatile)).To(Equal(before))
		Expect(installed).NotTo(Equal(before))
	}, limit)

	It("install as .rpm into an empty root, with the files of the .deb, and are erased from it", func(ctx SpecContext) {
		tier.Root(GinkgoT(), "a root of its own")
		rpm := tool("rpm", "apt install rpm")
		root, debian := folder("rpm"), folder("deb")
		run(exec.CommandContext(ctx, tool("dpkg-deb", "apt install dpkg"), "--extract", made(first, "deb"), debian))
		run(exec.CommandContext(ctx, rpm, "--root", root, "--install", "--force-debian", "--nosignature", made(first, "rpm")))
		Expect(run(exec.CommandContext(ctx, rpm, "--root", root, "--verify", "rocelab"))).To(BeEmpty())
		got, want := digests(filepath.Join(root, "usr"), nil), map[string]string{}
		for path, digest := range digests(filepath.Join(debian, "usr"), nil) {
			want[strings.Replace(path, "zsh/vendor-completions", "zsh/site-functions", 1)] = digest
		}
		Expect(got).To(Equal(want))
		run(exec.CommandContext(ctx, rpm, "--root", root, "--erase", "rocelab"))
		Expect(filepath.Join(root, "usr/lib/rocelab")).NotTo(BeAnExistingFile())
		Expect(filepath.Join(root, "usr/share/doc/rocelab")).NotTo(BeAnExistingFile())
	})

	It("are an image whose programs start in a root that has nothing else, for any user", func(ctx SpecContext) {
		tier.Root(GinkgoT(), "a root of its own")
		umoci := tool("umoci", "apt install umoci")
		layout, bundle := folder("layout"), filepath.Join(folder("image"), "bundle")
		run(exec.CommandContext(ctx, "tar", "-C", layout, "-xf", made(first, "oci.tar")))
		tag := strings.TrimSpace(run(exec.CommandContext(ctx, umoci, "list", "--layout", layout)))
		run(exec.CommandContext(ctx, umoci, "unpack", "--image", layout+":"+tag, bundle))
		root := filepath.Join(bundle, "rootfs")

		var config struct {
			Process struct {
				Args []string
				Cwd  string
			}
		}
		data, err := os.ReadFile(filepath.Join(bundle, "config.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Unmarshal(data, &config)).To(Succeed())
		Expect(config.Process.Args).To(Equal([]string{"/usr/bin/rocelab", "--help"}))
		Expect(config.Process.Cwd).To(Equal("/work"))

		files := digests(root, nil)
		Expect(files).NotTo(HaveKey("/bin"))
		Expect(files).NotTo(HaveKey("/lib"))
		Expect(run(exec.CommandContext(ctx, "chroot", root, "/usr/bin/rocelab", "--version"))).To(HavePrefix("rocelab"))
		Expect(os.Mkdir(filepath.Join(root, "proc"), 0o555)).To(Succeed()) // as runtimes do
		for _, how := range []string{"builtin", "process"} {
			c := inRoot(ctx, root, "--userspec=65534:65534", "/usr/bin/rocelab", "run", "--run-as", how,
				"--out", "/work/"+how, scenarios+"incast.yaml")
			Expect(run(c)).To(ContainSubstring("PASS"))
			Expect(filepath.Join(root, "work", how, "manifest.json")).To(BeAnExistingFile())
		}
		c := exec.CommandContext(ctx, "chroot", root, library+"rocelab-cc", "--list")
		Expect(strings.Fields(run(c))).To(ContainElements("pc4", "dcqcn"))
		c = exec.CommandContext(ctx, "chroot", root, library+"rocelab-link")
		c.Env = []string{"CNI_COMMAND=VERSION"}
		c.Stdin = strings.NewReader(`{"cniVersion": "1.0.0"}`)
		Expect(run(c)).To(ContainSubstring("supportedVersions"))
	}, limit)
})

// bytesIn returns the SHA-256 of each package. Their rights follow the umask.
func bytesIn(dist string) map[string]string {
	GinkgoHelper()
	all := digests(dist, nil)
	for path, digest := range all {
		all[path] = strings.Fields(digest)[1]
	}
	return all
}

// untar unpacks the tarball and returns its only folder.
func untar(ctx SpecContext, dist string) string {
	GinkgoHelper()
	to := folder("tarball")
	run(exec.CommandContext(ctx, "tar", "-C", to, "-xzf", made(dist, "tar.gz")))
	list, err := filepath.Glob(filepath.Join(to, "*"))
	Expect(err).NotTo(HaveOccurred())
	Expect(list).To(HaveLen(1))
	return list[0]
}

// cleanRoot makes a Debian of what every Debian has, and bash-completion.
func cleanRoot(ctx SpecContext) string {
	GinkgoHelper()
	root := filepath.Join(folder("debian"), "root")
	suite, mirror := os.Getenv("ROCELAB_SUITE"), os.Getenv("ROCELAB_MIRROR")
	if suite == "" {
		suite = "bookworm"
	}
	if mirror == "" {
		mirror = "http://deb.debian.org/debian"
	}
	c := exec.CommandContext(ctx, tool("mmdebstrap", "apt install mmdebstrap"), "--quiet", "--mode=root",
		"--variant=essential", "--include=bash-completion", "--dpkgopt=force-unsafe-io",
		"--aptopt=Apt::Install-Recommends \"false\"", "--aptopt=Acquire::Languages \"none\"",
		suite, root, "deb "+mirror+" "+suite+" main")
	run(c)
	return root
}

// volatile reports whether dpkg writes a path in any installation.
func volatile(path string) bool {
	return path == "/var/log/dpkg.log" || strings.HasPrefix(path, "/var/lib/dpkg/status") ||
		strings.HasPrefix(path, "/proc/")
}

// traces returns the fingerprints in what a run prints as JSON.
func traces(report string) []string {
	GinkgoHelper()
	list := regexp.MustCompile(`"trace": *"[0-9a-f]{16}"`).FindAllString(report, -1)
	Expect(list).NotTo(BeEmpty())
	return list
}
