package cluster_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/many/sweep/cluster"
)

var rewrite = flag.Bool("rewrite", false, "store the artefacts in testdata anew")

// job is a sweep whose paths have what shells and YAML read in their own way.
func job() cluster.Job {
	return cluster.Job{
		Name:       "Incast, Kmin",
		Program:    "/opt/it's here/rocelab",
		Submission: "/shared/a 'quoted' $HOME: #1/submit/001",
		Probe:      "ABCDEFGH",
		Runs:       200,
		Tasks:      20,
		AtOnce:     4,
		Cores:      2,
		Memory:     1<<30 + 1,
		Flags:      []string{"--account=hpc", "-p", "short", `--comment=a "b" c`},
	}
}

func must(t *testing.T) func(string, error) string {
	return func(text string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
}

// Artefacts for engines equal the stored ones.
func TestArtefacts(t *testing.T) {
	plain := cluster.Job{
		Name:       "",
		Program:    "/usr/bin/rocelab",
		Submission: "/sweeps/incast/submit/002",
		Probe:      "ABCDEFGH",
		Runs:       3,
		Tasks:      3,
		Cores:      1,
		Memory:     512 << 20,
	}
	claim := cluster.Volume{Claim: "results", Below: "a b"}
	for name, text := range map[string]string{
		"slurm.sh":       must(t)(cluster.Slurm(job(), nil)),
		"slurm-some.sh":  must(t)(cluster.Slurm(plain, []int{2, 0})),
		"job.yaml":       must(t)(cluster.Kubernetes(job(), "registry.example/rocelab:1", claim)),
		"job-plain.yaml": must(t)(cluster.Kubernetes(plain, "rocelab:1", cluster.Volume{Path: "/mnt/sweeps"})),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name)
			if *rewrite {
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || text != string(want) {
				t.Errorf("%s differs from what is stored (%v); -rewrite stores it:\n%s", path, err, text)
			}
		})
	}
}

// Shells find nothing to complain of in the scripts, but that a folder with a dollar in its
// name is meant to have it (SC2016).
func TestShellcheckFindsNothing(t *testing.T) {
	checker, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("shellcheck is not installed")
	}
	out, err := exec.Command(checker, "--exclude=SC2016", "testdata/slurm.sh", "testdata/slurm-some.sh").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A job that engines cannot take is named.
func TestWrongJobsAreNamed(t *testing.T) {
	for want, change := range map[string]func(*cluster.Job){
		"absolute path":        func(j *cluster.Job) { j.Submission = "submit/001" },
		"line breaks":          func(j *cluster.Job) { j.Submission = "/a\nb/submit/001" },
		"201 tasks for 200":    func(j *cluster.Job) { j.Tasks = 201 },
		"0 cores":              func(j *cluster.Job) { j.Cores = 0 },
		"has a line break":     func(j *cluster.Job) { j.Flags = []string{"--comment=a\nb"} },
		"begins with a dash":   func(j *cluster.Job) { j.Flags = []string{"short"} },
		"sbatch takes no path": func(j *cluster.Job) { j.Submission = "/100%/submit/001" },
	} {
		t.Run(want, func(t *testing.T) {
			j := job()
			change(&j)
			if _, err := cluster.Slurm(j, nil); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q, got %v", want, err)
			}
		})
	}
	if _, err := cluster.Kubernetes(job(), "", cluster.Volume{}); err == nil ||
		!strings.Contains(err.Error(), "--image") || !strings.Contains(err.Error(), "--volume") {
		t.Errorf("without image and volume: %v", err)
	}
}

func TestVolumes(t *testing.T) {
	for text, want := range map[string]cluster.Volume{
		"pvc:results":        {Claim: "results"},
		"pvc:results/a/b/":   {Claim: "results", Below: "a/b"},
		"hostpath:/mnt/all/": {Path: "/mnt/all"},
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := cluster.ParseVolume(text); err != nil || got != want {
				t.Errorf("%s: %+v, %v, want %+v", text, got, err, want)
			}
		})
	}
	for _, text := range []string{"", "results", "pvc:", "pvc:Results", "pvc:a/../b/../..", "hostpath:mnt", "nfs:/a"} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got, err := cluster.ParseVolume(text); err == nil {
				t.Errorf("%q: %+v, want an error", text, got)
			}
		})
	}
}

// Short runs share a task, and an engine's bound makes tasks larger.
func TestTasks(t *testing.T) {
	for _, c := range []struct {
		size cluster.Size
		want int
	}{
		{cluster.Size{Runs: 200}, 200},
		{cluster.Size{Runs: 200, OneRun: time.Second}, 1},
		{cluster.Size{Runs: 200, OneRun: time.Minute}, 40},
		{cluster.Size{Runs: 200, OneRun: time.Hour}, 200},
		{cluster.Size{Runs: 201, PerTask: 10}, 21},
		{cluster.Size{Runs: 5000, PerTask: 1, Most: 1001}, 1001},
		{cluster.Size{Runs: 5000, OneRun: 200 * time.Second, Most: 1001}, 1001},
	} {
		if got := c.size.Tasks(); got != c.want {
			t.Errorf("%+v: %d tasks, want %d", c.size, got, c.want)
		}
	}
}

func TestWhatClientsPrintIsRead(t *testing.T) {
	if got := cluster.Ranges([]int{5, 0, 1, 2, 7, 8, 5}); got != "0-2,5,7-8" {
		t.Errorf("ranges: %s", got)
	}
	config := "MaxArraySize            = 1001\nMaxBatchRequeue         = 5\n"
	if got := cluster.MaxArraySize(config); got != 1001 {
		t.Errorf("MaxArraySize: %d", got)
	}
	if got := cluster.MaxArraySize("slurm_load_ctl_conf error: Unable to contact slurm controller"); got != 0 {
		t.Errorf("MaxArraySize of nothing: %d", got)
	}
	for _, printed := range []string{"Submitted batch job 42\n", "42\n", "42;site\n",
		"sbatch: hello\nSubmitted batch job 42\n"} {
		t.Run(fmt.Sprintf("%q", printed), func(t *testing.T) {
			if got, err := cluster.SlurmJob(printed); got != "42" {
				t.Errorf("%q: %q, %v", printed, got, err)
			}
		})
	}
	if got, err := cluster.SlurmJob("no"); err == nil {
		t.Errorf("of no job: %q", got)
	}
	if got, err := cluster.KubernetesName("Warning: x\njob.batch/rocelab-a-x1 created\n"); got != "rocelab-a-x1" {
		t.Errorf("kubectl: %q, %v", got, err)
	}
	queue := "RUNNING|n1|None\nRUNNING|n2|None\nPENDING||Resources\nPENDING||Resources\n"
	if got := cluster.Queue(queue); got != "2 pending (Resources); 2 running on n1, n2" {
		t.Errorf("queue: %s", got)
	}
	status := `{"spec":{"completions":20},"status":{"active":3,"succeeded":15,"failedIndexes":"1,4",
		"conditions":[{"type":"Failed","status":"True","message":"m"}]}}`
	if got, err := cluster.JobStatus(status); got != "15 of 20 tasks done, 3 pods at work; failed: 1,4; Failed (m)" {
		t.Errorf("job: %s, %v", got, err)
	}
}

// Two submissions at once have a folder each, and are read in their order.
func TestSubmissionsAreNumbered(t *testing.T) {
	out := t.TempDir()
	if all, err := cluster.Submissions(out); err != nil || len(all) != 0 {
		t.Fatalf("of none: %v, %v", all, err)
	}
	made := make(chan error)
	for range 4 {
		go func() {
			_, err := cluster.NewSubmission(out, "slurm", 20, nil)
			made <- err
		}()
	}
	for range 4 {
		if err := <-made; err != nil {
			t.Error(err)
		}
	}
	all, err := cluster.Submissions(out)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range all {
		names = append(names, filepath.Base(s.Folder))
		if err := cluster.CheckProbe(s.Folder, s.Probe, "here"); err != nil {
			t.Error(err)
		}
		if err := cluster.CheckProbe(s.Folder, "other", "n2"); err == nil || !strings.Contains(err.Error(), "n2") {
			t.Errorf("a wrong probe: %v", err)
		}
	}
	if !slices.Equal(names, []string{"001", "002", "003", "004"}) {
		t.Errorf("submissions %v", names)
	}
}
