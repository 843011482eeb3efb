package sweep

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/tier"
)

// Each of these is a fault of a machine; the engine is the processes here. Tier: slow, 1 to
// 5 s each, and once the build.
var _ = Describe("a sweep that is submitted to this machine", Label("faults"), func() {
	var work, scenario, out string
	const runs = 8

	BeforeEach(func() {
		tier.Slow(GinkgoT())
		work = GinkgoT().TempDir()
		scenario, out = incast(work, "50MB"), filepath.Join(work, "out")
	})

	// submit begins a submission in tasks of perTask runs.
	submit := func(ctx context.Context, perTask int, more ...string) *exec.Cmd {
		GinkgoHelper()
		args := append([]string{"sweep", "submit", scenario, "--seeds", fmt.Sprint(runs), "--out", out, "--to", "local",
			"--per-task", fmt.Sprint(perTask)}, more...)
		return exec.CommandContext(ctx, rocelab(false), args...)
	}

	// Red when the processes of tasks write elsewhere, and when shards overlap or leave gaps.
	It("has the table of one process", func(ctx SpecContext) {
		Expect(run(submit(ctx, 3)).code).To(BeZero())
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
		Expect(sweeps(ctx, "submit", out, "--to", "local").stdout).To(ContainSubstring("nothing to submit"))
	})

	// Red when 137 is not tried again.
	It("outlives a run that is killed", func(ctx SpecContext) {
		c := submit(ctx, runs, "--at-once", "1")
		Expect(c.Start()).To(Succeed())
		var shard map[int]string
		Eventually(func() int { return len(rows(out)) }).WithTimeout(patience).Should(BeNumerically(">", 1))
		shard = processes("sweep", out, "--shard 0/1")
		Expect(shard).To(HaveLen(1))
		for pid := range shard {
			Expect(syscall.Kill(pid, syscall.SIGKILL)).To(Succeed())
		}
		Expect(c.Wait()).To(Succeed())
		tries, err := filepath.Glob(filepath.Join(out, "submit", "001", "tries", "*"))
		Expect(err).NotTo(HaveOccurred())
		Expect(tries).To(HaveLen(1))
		Expect(os.ReadFile(tries[0])).To(ContainSubstring(`"code":137`))
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
	})

	// Red when SIGTERM publishes half a run.
	It("leaves nothing half done when it is told to stop, and goes on", func(ctx SpecContext) {
		c := submit(ctx, runs, "--at-once", "1")
		Expect(c.Start()).To(Succeed())
		Eventually(func() int { return len(rows(out)) }).WithTimeout(patience).Should(BeNumerically(">", 1))
		Expect(c.Process.Signal(syscall.SIGTERM)).To(Succeed())
		c.Wait()
		Expect(c.ProcessState.ExitCode()).To(Equal(130))
		Expect(len(rows(out))).To(BeNumerically("<", runs), "it was not told early enough")
		nothingLeft(out)
		Expect(sweeps(ctx, "status", out).stdout).To(ContainSubstring("stopped by a signal"))
		Expect(sweeps(ctx, "submit", out, "--to", "local").code).To(BeZero())
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
	})

	// Red when a folder without a row counts as done.
	It("makes half a result anew", func(ctx SpecContext) {
		Expect(run(submit(ctx, 3)).code).To(BeZero())
		half := rows(out)[2]
		Expect(os.Truncate(half, 20)).To(Succeed())
		Expect(os.Remove(rows(out)[5])).To(Succeed())
		Expect(sweeps(ctx, "status", out).stdout).To(ContainSubstring("damaged"))
		Expect(sweeps(ctx, "submit", out, "--to", "local", "--per-task", "3").code).To(BeZero())
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
	})

	// Red when both write under one name, or one fails as the other is there first.
	It("may be submitted twice at once", func(ctx SpecContext) {
		Expect(sweeps(ctx, "submit", scenario, "--seeds", "1", "--out", out, "--to", "local").code).To(BeZero())
		first, second := submit(ctx, 2), submit(ctx, 3)
		Expect(first.Start()).To(Succeed())
		Expect(second.Start()).To(Succeed())
		Expect(first.Wait()).To(Succeed())
		Expect(second.Wait()).To(Succeed())
		Expect(filepath.Join(out, "submit", "003")).To(BeADirectory())
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
	})

	// Red when the results of other models are published, and when the reason is not given.
	It("names what another build does not make", func(ctx SpecContext) {
		s := run(submit(ctx, 4, "--program", rocelab(true)))
		Expect(s.code).To(Equal(4))
		Expect(rows(out)).To(BeEmpty())
		Expect(s.stdout).To(ContainSubstring("is missing: its task was tried once"))
		Expect(os.ReadFile(filepath.Join(out, "submit", "001", "logs", "0.log"))).To(ContainSubstring("version"))
		Expect(sweeps(ctx, "submit", out, "--to", "local").code).To(BeZero())
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
	})

	// Red when a write that failed is taken for done.
	It("names what a full disk did not take, and goes on when there is room", func(ctx SpecContext) {
		tier.Root(GinkgoT(), "a small disk")
		Expect(os.Mkdir(out, 0o700)).To(Succeed())
		Expect(syscall.Mount("tmpfs", out, "tmpfs", 0, "size=400k")).To(Succeed())
		DeferCleanup(func() { Expect(syscall.Unmount(out, syscall.MNT_DETACH)).To(Succeed()) })
		s := run(submit(ctx, 4))
		Expect(s.code).To(Equal(4))
		Expect(len(rows(out))).To(BeNumerically("<", runs))
		nothingLeft(out)
		Expect(s.stdout).To(ContainSubstring("exit code 4"))
		Expect(syscall.Mount("tmpfs", out, "tmpfs", syscall.MS_REMOUNT, "size=50m")).To(Succeed())
		Expect(sweeps(ctx, "submit", out, "--to", "local").code).To(BeZero())
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
	})
})

// Tier: slow, for the build.
var _ = Describe("a submission that cannot be", func() {
	var scenario, out string

	BeforeEach(func() {
		tier.Slow(GinkgoT())
		work := GinkgoT().TempDir()
		scenario, out = incast(work, "100KB"), filepath.Join(work, "out")
	})

	DescribeTable("is refused in words", func(ctx SpecContext, code int, words string, args ...string) {
		s := sweeps(ctx, append([]string{"submit", scenario, "--out", out}, args...)...)
		Expect(s.code).To(Equal(code))
		Expect(s.stderr).To(ContainSubstring(words))
		Expect(filepath.Join(out, "submit")).NotTo(BeADirectory(), "nothing is submitted")
	},
		Entry("no engine", 2, "--to local|slurm|kubernetes"),
		Entry("another engine", 2, `--to "lsf": allowed are local, slurm, kubernetes`, "--to", "lsf"),
		Entry("a key that does not exist", 2, "kmni", "--to", "local", "--grid", "switch.ecn.kmni=1KB"),
		Entry("a value that is invalid", 2, "kmin", "--to", "local", "--grid", "switch.ecn.kmin=1MB,2MB"),
		Entry("too many runs", 2, "2000000", "--to", "local", "--seeds", "2000000"),
		Entry("no image", 2, "--image", "--to", "kubernetes", "--print"),
		Entry("a volume of another kind", 2, "pvc:NAME", "--to", "kubernetes", "--print", "--image", "a", "--volume", "b"),
		Entry("flags for no engine", 2, "to pass flags to", "--to", "local", "--", "--account=a"),
	)

	It("says what to do without the engine's client", func(ctx SpecContext) {
		c := exec.CommandContext(ctx, rocelab(false), "sweep", "submit", scenario, "--to", "slurm", "--out", out)
		c.Env = []string{"PATH=/nonexistent", "HOME=" + GinkgoT().TempDir()}
		s := run(c)
		Expect(s.code).To(Equal(4))
		Expect(s.stderr).To(ContainSubstring("sbatch is not installed here: submit on a login node"))
	})

	It("is only printed with --print", func(ctx SpecContext) {
		s := sweeps(ctx, "submit", scenario, "--seeds", "6", "--to", "slurm", "--out", out, "--print", "--per-task", "2",
			"--", "--account=hpc", "-p", "short")
		Expect(s.code).To(BeZero())
		Expect(s.stdout).To(ContainSubstring("#SBATCH --array=0-2\n"))
		Expect(s.stdout).To(ContainSubstring("#SBATCH --account=hpc\n#SBATCH -p short\n"))
		Expect(os.ReadFile(filepath.Join(out, "submit", "001", "slurm.sh"))).To(BeEquivalentTo(s.stdout))
		Expect(rows(out)).To(BeEmpty())
	})
})
