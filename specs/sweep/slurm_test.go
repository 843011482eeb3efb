package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/sweep/internal/slurm"
	"github.com/rocelab/rocelab/specs/tier"
)

// Tier: slow, some 10 s each, the one with a node cut off a minute.
var _ = Describe("a sweep that is submitted to Slurm", Label("slurm", "faults"), func() {
	var c *slurm.Cluster
	var work, scenario, out string

	BeforeEach(func(ctx SpecContext) {
		tier.Slow(GinkgoT())
		tier.Root(GinkgoT(), "a cluster of namespaces")
		if missing := slurm.Missing(); missing != "" {
			Skip("not installed: " + missing)
		}
		rocelab(false) // before the cluster: it takes the longest
		work = GinkgoT().TempDir()
		scenario, out = incast(work, "50MB"), filepath.Join(work, "out")
		folder := filepath.Join(work, "cluster")
		Expect(os.Mkdir(folder, 0o755)).To(Succeed())
		var err error
		c, err = slurm.Start(ctx, folder, 2, 5*time.Second)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(func() { Expect(c.Stop()).To(Succeed()) })
	})

	// on is rocelab sweep where users of the cluster submit.
	on := func(ctx context.Context, args ...string) said {
		GinkgoHelper()
		return run(c.Command(ctx, rocelab(false), append([]string{"sweep"}, args...)...))
	}
	// queue lists the remaining work of Slurm.
	queue := func(ctx context.Context) string {
		GinkgoHelper()
		s := run(c.Command(ctx, "squeue", "--array", "--noheader", "--format=%K %T %N %r"))
		Expect(s.code).To(BeZero())
		return s.stdout
	}
	whole := func(ctx context.Context) {
		GinkgoHelper()
		Eventually(func() string { return queue(ctx) }).WithTimeout(patience).WithPolling(time.Second / 2).Should(BeEmpty())
	}
	// state stops a node from taking further tasks, or lets it take them again.
	state := func(ctx context.Context, node, state string) {
		GinkgoHelper()
		Expect(run(c.Command(ctx, "scontrol", "update", "NodeName="+node, "State="+state, "Reason=spec")).code).To(BeZero())
	}
	// logs are the output of the tasks of a submission.
	logs := func(number int) string {
		GinkgoHelper()
		files, err := filepath.Glob(filepath.Join(out, "submit", fmt.Sprintf("%03d", number), "logs", "*"))
		Expect(err).NotTo(HaveOccurred())
		var all strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			all.Write(text)
		}
		return all.String()
	}

	AfterEach(func() {
		if CurrentSpecReport().Failed() && c != nil {
			GinkgoWriter.Println(logs(1))
		}
	})

	// Red when tasks of the node that was cut off lock others out, or write another result.
	It("has the table of one machine though a node is cut off in the middle", func(ctx SpecContext) {
		const runs = 200
		Expect(on(ctx, "submit", scenario, "--seeds", fmt.Sprint(runs), "--out", out, "--to", "slurm", "--per-task", "10",
			"--memory", "500MB").code).To(BeZero())
		Eventually(func() int { return len(rows(out)) }).WithTimeout(patience).Should(BeNumerically(">", 40))
		// Between two tasks a node has none for a moment.
		Eventually(func() string { return queue(ctx) }).WithTimeout(patience).Should(ContainSubstring("RUNNING n2"))
		Expect(c.Cut(ctx, "n2")).To(Succeed())
		cut := len(rows(out))
		Expect(cut).To(BeNumerically("<", runs), "it was not cut in the middle")

		// Slurm takes minutes to recover by itself; the missing runs are submitted again, with those still running on
		// the unreachable node.
		Expect(on(ctx, "submit", out, "--to", "slurm", "--per-task", "5", "--memory", "500MB", "--",
			"--exclude=n2").code).To(BeZero())
		Eventually(func() int { return len(rows(out)) }).WithTimeout(2 * patience).WithPolling(time.Second).
			Should(Equal(runs))
		Expect(on(ctx, "status", out).stdout).To(ContainSubstring("200 of 200 runs done"))
		nothingHalf(out)
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
		byHost := sweeps(ctx, "table", out, "--format", "csv", "--with-host").stdout
		Expect(byHost).To(ContainSubstring("n1"))
		Expect(byHost).To(ContainSubstring("n2"))
	})

	// Red when a task that Slurm restarts does not continue its former work.
	It("takes up a task that is requeued", func(ctx SpecContext) {
		const runs = 12
		Expect(on(ctx, "submit", scenario, "--seeds", fmt.Sprint(runs), "--out", out, "--to", "slurm", "--per-task", "12",
			"--memory", "500MB").code).To(BeZero())
		Eventually(func() int { return len(rows(out)) }).WithTimeout(patience).Should(BeNumerically(">", 1))
		task := strings.Fields(run(c.Command(ctx, "squeue", "--array", "--noheader", "--format=%i %N")).stdout)
		Expect(task).To(HaveLen(2))
		Expect(run(c.Command(ctx, "scontrol", "requeue", task[0])).code).To(BeZero())
		Expect(len(rows(out))).To(BeNumerically("<", runs), "it was not requeued early enough")
		// Slurm begins it in two minutes, since a node refuses for that long a task that it was told to end. Another
		// node takes it at once.
		Eventually(func() string { return queue(ctx) }).WithTimeout(patience).Should(ContainSubstring("BeginTime"))
		Expect(run(c.Command(ctx, "scontrol", "update", "JobId="+task[0], "StartTime=now",
			"ExcNodeList="+task[1])).code).To(BeZero())
		whole(ctx)
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
	})

	// Red when a run is killed instead of told to stop: its partial results are left. srun starts the run for the sake
	// of signals before a preemption, which reach nothing else; scancel reaches all.
	It("stops when it is cancelled, and goes on when it is submitted again", func(ctx SpecContext) {
		const runs = 12
		Expect(on(ctx, "submit", scenario, "--seeds", fmt.Sprint(runs), "--out", out, "--to", "slurm", "--per-task", "12",
			"--memory", "500MB").code).To(BeZero())
		Eventually(func() int { return len(rows(out)) }).WithTimeout(patience).Should(BeNumerically(">", 1))
		Expect(on(ctx, "status", out).stdout).To(ContainSubstring("1 running on n"))
		Expect(run(c.Command(ctx, "scancel", "--name=rocelab-incast")).code).To(BeZero())
		whole(ctx)
		Expect(len(rows(out))).To(BeNumerically("<", runs), "it was not cancelled early enough")
		nothingLeft(out)
		Expect(on(ctx, "status", out).stdout).To(ContainSubstring("stopped by a signal"))
		Expect(on(ctx, "submit", out, "--to", "slurm", "--per-task", "4", "--memory", "500MB").code).To(BeZero())
		whole(ctx)
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
	})

	// Red when results of other models are published, or exit code 4 does not move a task.
	It("leaves a node with another build to others", func(ctx SpecContext) {
		const runs = 8
		mount, err := c.On(ctx, "n2", "mount", "--bind", rocelab(true), rocelab(false))
		Expect(err).NotTo(HaveOccurred())
		Expect(run(mount).code).To(BeZero())
		state(ctx, "n1", "DRAIN") // or it might take all tasks before n2 comes to take one
		Expect(on(ctx, "submit", scenario, "--seeds", fmt.Sprint(runs), "--out", out, "--to", "slurm", "--per-task", "1",
			"--memory", "500MB").code).To(BeZero())
		Eventually(func() string { return logs(1) }).WithTimeout(patience).Should(
			ContainSubstring("exit code 4 on n2: again without n2"))
		state(ctx, "n1", "RESUME")
		whole(ctx)
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
		Expect(sweeps(ctx, "table", out, "--format", "csv", "--with-host").stdout).NotTo(ContainSubstring("n2,"))
	})

	// Red when the probe is not looked at: the node would write to a folder that is not read.
	It("leaves a node whose folder is another to others", func(ctx SpecContext) {
		const runs = 8
		Expect(on(ctx, "submit", scenario, "--seeds", fmt.Sprint(runs), "--out", out, "--to", "slurm", "--per-task", "1",
			"--memory", "500MB", "--print").code).To(BeZero())
		stale := out + "-stale"
		Expect(os.CopyFS(stale, os.DirFS(out))).To(Succeed())
		Expect(os.RemoveAll(filepath.Join(out, "submit"))).To(Succeed())
		mount, err := c.On(ctx, "n2", "mount", "--bind", stale, out)
		Expect(err).NotTo(HaveOccurred())
		Expect(run(mount).code).To(BeZero())
		state(ctx, "n1", "DRAIN")
		Expect(on(ctx, "submit", out, "--to", "slurm", "--per-task", "1", "--memory", "500MB").code).To(BeZero())
		var said []string
		Eventually(func() (err error) {
			said, err = filepath.Glob(filepath.Join(stale, "submit", "001", "logs", "*"))
			if len(said) == 0 {
				err = errors.Join(err, errors.New("no task was on n2"))
			}
			return err
		}).WithTimeout(patience).Should(Succeed())
		state(ctx, "n1", "RESUME")
		whole(ctx)
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
		Expect(rows(stale)).To(BeEmpty())
		Expect(os.ReadFile(said[0])).To(ContainSubstring("its probe differs"))
	})

	// Red when status does not say what it may be: Slurm gives the tasks no file for what they print.
	It("says that nobody began what a node without the folder was given", func(ctx SpecContext) {
		const runs = 8
		Expect(os.Mkdir(out, 0o755)).To(Succeed())
		mount, err := c.On(ctx, "n2", "mount", "-t", "tmpfs", "tmpfs", out)
		Expect(err).NotTo(HaveOccurred())
		Expect(run(mount).code).To(BeZero())
		Expect(on(ctx, "submit", scenario, "--seeds", fmt.Sprint(runs), "--out", out, "--to", "slurm", "--per-task", "1",
			"--memory", "500MB", "--", "--hold").code).To(BeZero())
		job := strings.Fields(run(c.Command(ctx, "squeue", "--noheader", "--format=%F")).stdout)
		Expect(job).To(HaveLen(1))
		for _, change := range [][]string{
			{"update", "JobId=" + job[0] + "_0", "ReqNodeList=n2"}, // neither node may take them all
			{"update", "JobId=" + job[0] + "_1", "ReqNodeList=n1"},
			{"release", job[0]},
		} {
			Expect(run(c.Command(ctx, "scontrol", change...)).code).To(BeZero(), "%q", change)
		}
		Eventually(func() int { return len(rows(out)) }).WithTimeout(patience).Should(BeNumerically(">", 0))
		whole(ctx)
		Expect(len(rows(out))).To(BeNumerically("<", runs), "no task was on n2")
		Expect(on(ctx, "status", out).stdout).To(ContainSubstring("no node started their tasks"))
		Expect(on(ctx, "submit", out, "--to", "slurm", "--memory", "500MB", "--", "--exclude=n2").code).To(
			BeZero())
		whole(ctx)
		Expect(table(ctx, out)).To(Equal(reference(ctx, scenario, runs)))
	})
})
