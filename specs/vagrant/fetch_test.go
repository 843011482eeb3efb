package vagrant

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// What stands in for vagrant, ssh and sudo: the machine is the folder $MACHINE.
var stands = map[string]string{
	"vagrant": `[ "$1" = ssh-config ] && [ -n "$MACHINE" ] || exit 1
printf 'Host default\n  HostName 192.0.2.1\n'`,
	"ssh": `[ "$1" = -F ] && grep -q 192.0.2.1 "$2" && [ "$3" = default ] || exit 255
shift 3
exec sh -c "$(echo "$*" | sed "s,/rocelab/,$MACHINE/rocelab/,g")"`,
	"sudo": `exec "$@"`,
}

var _ = Describe("vagrant/fetch", Label("short"), func() {
	var machine, here, path string

	// put writes a file of a run folder, on either side.
	put := func(side, name, text string) {
		name = filepath.Join(side, name)
		Expect(os.MkdirAll(filepath.Dir(name), 0o755)).To(Succeed())
		Expect(os.WriteFile(name, []byte(text), 0o644)).To(Succeed())
	}
	// fetch runs it, and returns what it said and its exit status.
	fetch := func(ctx context.Context, env ...string) (string, int) {
		c := exec.CommandContext(ctx, "../../vagrant/fetch", here)
		c.Env = append(os.Environ(), append([]string{"PATH=" + path, "MACHINE=" + machine}, env...)...)
		out, _ := c.CombinedOutput()
		return string(out), c.ProcessState.ExitCode()
	}
	runs := func(folder string) (names []string) {
		list, err := os.ReadDir(folder)
		Expect(err).NotTo(HaveOccurred())
		for _, entry := range list {
			names = append(names, entry.Name())
		}
		return names
	}

	BeforeEach(func() {
		tool("bash", "apt install bash")
		folder := GinkgoT().TempDir()
		machine, here = filepath.Join(folder, "machine"), filepath.Join(folder, "here")
		for name, script := range stands {
			put(folder, "bin/"+name, "#!/bin/sh\n"+script+"\n")
			Expect(os.Chmod(filepath.Join(folder, "bin", name), 0o755)).To(Succeed())
		}
		path = filepath.Join(folder, "bin") + ":" + os.Getenv("PATH")
		Expect(os.MkdirAll(filepath.Join(machine, "rocelab"), 0o755)).To(Succeed())
	})

	It("brings every whole run folder, and says which", func(ctx SpecContext) {
		put(machine, "rocelab/rocelab-runs/incast-1/pc4/flows.csv", "one")
		put(machine, "rocelab/rocelab-runs/incast-2/manifest.json", "two")
		put(machine, "rocelab/rocelab-runs/incast-3.part/manifest.json", "not yet")
		out, code := fetch(ctx)
		Expect(code).To(Equal(0), out)
		Expect(out).To(Equal("fetch: incast-1\nfetch: incast-2\nfetch: incast-3.part is not finished: left in the machine\n" +
			"fetch: in " + here + ": 2 of 2\n"))
		Expect(runs(here)).To(Equal([]string{"incast-1", "incast-2"}))
		Expect(os.ReadFile(filepath.Join(here, "incast-1/pc4/flows.csv"))).To(BeEquivalentTo("one"))

		out, code = fetch(ctx)
		Expect(code).To(Equal(0), out)
		Expect(out).To(ContainSubstring("incast-1 is here already"))
	})

	It("changes nothing that is here", func(ctx SpecContext) {
		put(here, "incast-1/manifest.json", "mine")
		put(machine, "rocelab/rocelab-runs/incast-1/manifest.json", "the machine's")
		out, code := fetch(ctx)
		Expect(code).To(Equal(1), out)
		Expect(out).To(ContainSubstring("incast-1 is here with other content: kept"))
		Expect(os.ReadFile(filepath.Join(here, "incast-1/manifest.json"))).To(BeEquivalentTo("mine"))
		Expect(runs(here)).To(Equal([]string{"incast-1"}))
	})

	It("says so where there is nothing", func(ctx SpecContext) {
		out, code := fetch(ctx)
		Expect(code).To(Equal(1), out)
		Expect(out).To(ContainSubstring("the machine has no run folders in /rocelab/rocelab-runs"))
		Expect(here).NotTo(BeADirectory())
	})

	It("says so where there is no machine", func(ctx SpecContext) {
		out, code := fetch(ctx, "MACHINE=")
		Expect(code).To(Equal(4), out)
		Expect(strings.TrimSpace(out)).To(HaveSuffix("`vagrant up` makes it"))
		Expect(here).NotTo(BeADirectory())
	})
})
