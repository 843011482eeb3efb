package vagrant

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/tier"
)

// enterRoot runs a command in a root file system ($1) with this checkout ($2) at
// /rocelab and Go's build cache ($3) at its usual place. It has mounts and PIDs
// of its own, and cannot change how this host queues frames.
const enterRoot = `
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --bind "$1/proc/sys/net/core" "$1/proc/sys/net/core"
mount -o remount,bind,ro "$1/proc/sys/net/core"
mount --rbind /sys "$1/sys"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
mount --bind "$2" "$1/rocelab"
mount -o remount,bind,ro "$1/rocelab"
mount --bind "$3" "$1/root/.cache/go-build"
cd "$1"
pivot_root . mnt
umount -l /mnt
shift 3
exec /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"`

// wrongTrace is a program rocelab whose runs on veth have another trace.
const wrongTrace = `#!/bin/sh
case "$*" in
run*veth*) /opt/true/rocelab "$@" | sed 's/"trace": *"./"trace": "x/' ;;
*) exec /opt/true/rocelab "$@" ;;
esac
`

var _ = Describe("provision.sh in a clean Debian", Label("slow"), Ordered, func() {
	var root string
	var outside *proxy

	// provision runs it in the root and returns what it said.
	provision := func(ctx context.Context, env ...string) (string, error) {
		checkout, err := filepath.Abs("../..")
		Expect(err).NotTo(HaveOccurred())
		args := append([]string{"--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--",
			"sh", "-euc", enterRoot, "sh", root, checkout, goEnv(ctx, "GOCACHE")}, env...)
		c := command(ctx, "unshare", append(args, "bash", "/rocelab/vagrant/provision.sh")...)
		var said strings.Builder
		c.Stdout, c.Stderr = &said, &said
		err = c.Run()
		GinkgoWriter.Println(said.String())
		return said.String(), err
	}

	BeforeAll(func(ctx SpecContext) {
		lab.SkipUnlessSlow()
		tier.Root(GinkgoT(), "a root file system")
		tool("mmdebstrap", "apt install mmdebstrap")
		tool("unshare", "apt install util-linux")
		var err error
		root, err = os.MkdirTemp(temporary(), "rocelab-root-")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(os.RemoveAll, root)
		outside = openProxy(goEnv(ctx, "GOROOT"), goEnv(ctx, "GOMODCACHE"))
		_, err = output(command(ctx, "mmdebstrap", "--quiet", "--variant=minbase", "--skip=check/empty",
			"--aptopt=Acquire::Languages \"none\"", "bookworm", root, debianMirror()))
		Expect(err).NotTo(HaveOccurred())
		for _, folder := range []string{"rocelab", "root/.cache/go-build", "opt/true", "opt/wrong"} {
			Expect(os.MkdirAll(filepath.Join(root, folder), 0o755)).To(Succeed())
		}
		// From here on only the proxy knows the address of Debian.
		Expect(os.WriteFile(filepath.Join(root, "etc/apt/sources.list"),
			[]byte("deb http://"+debianHost+"/debian bookworm main\n"), 0o644)).To(Succeed())
	}, limit)

	It("fetches packages, Go and modules through the proxies, and ends with the trace of memory", func(ctx SpecContext) {
		said, err := provision(ctx, "HTTP_PROXY=http://user:secret@"+outside.address, "GOPROXY=http://"+modulesHost,
			"ROCELAB_GO_MIRROR=http://"+goHost+"/dl/")
		Expect(err).NotTo(HaveOccurred(), "%s", said)
		Expect(said).To(ContainSubstring("http_proxy: http://" + outside.address))
		Expect(said).NotTo(ContainSubstring("secret"))
		Expect(said).To(ContainSubstring("packages: installing git"))
		Expect(said).To(ContainSubstring("Go: downloading http://" + goHost + "/dl/go"))
		Expect(said).To(ContainSubstring("this host can carry the testbed"))
		Expect(said).To(MatchRegexp(`on veth as in memory: pc4 pass [0-9a-f]{16} dcqcn pass [0-9a-f]{16}\n`))
		for _, host := range []string{debianHost, goHost, modulesHost} {
			Expect(outside.asked(host)).To(BeNumerically(">", 0), host)
		}
	}, limit)

	It("runs again without the outside, and fails where the trace on veth is another", func(ctx SpecContext) {
		program, err := os.ReadFile(filepath.Join(root, "usr/local/bin/rocelab"))
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(filepath.Join(root, "opt/true/rocelab"), program, 0o755)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(root, "opt/wrong/rocelab"), []byte(wrongTrace), 0o755)).To(Succeed())

		said, err := provision(ctx, "ROCELAB_BIN=/opt/wrong")
		Expect(err).To(HaveOccurred())
		Expect(said).To(ContainSubstring("packages: all there"))
		Expect(said).To(ContainSubstring("the incast on veth is not the one in memory, so do not trust results"))
		Expect(said).To(MatchRegexp(`in memory: pc4 pass [0-9a-f]{16}.*\n.*on veth: +pc4 pass x[0-9a-f]{15}`))
	}, limit)
})

// goEnv is a variable of the go that runs these specs.
func goEnv(ctx context.Context, name string) string {
	out, err := exec.CommandContext(ctx, "go", "env", name).Output()
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	return strings.TrimSpace(string(out))
}

// debianMirror is where Debian comes from, as for the box.
func debianMirror() string {
	if mirror := os.Getenv("ROCELAB_MIRROR"); mirror != "" {
		return mirror
	}
	return "http://deb.debian.org/debian"
}
