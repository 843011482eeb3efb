package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

// program is the program that Python is to start.
func program(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := programs.Build(folder, []string{"cmd/rocelab"}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "rocelab")
}

// withModules is a Python that has modules, "" for none: the one of $PATH need not be Debian's.
func withModules(modules string) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, "-c", "import "+modules).Run() == nil {
			return path
		}
	}
	return ""
}

// run runs a Python in a folder of its own.
func run(t *testing.T, interpreter string, args ...string) string {
	t.Helper()
	folder, err := filepath.Abs("../../python")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(interpreter, append([]string{"-B"}, args...)...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "PYTHONPATH="+folder, "ROCELAB="+program(t))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// The package's own tests pass, with pandas if a Python has it and without.
func TestPackage(t *testing.T) {
	tier.Slow(t)
	interpreter := withModules("pandas")
	if interpreter == "" {
		interpreter = withModules("json")
	}
	if interpreter == "" {
		t.Skip("no python3")
	}
	said := run(t, interpreter, "-m", "unittest", "-v", "test_rocelab_runs")
	if !strings.Contains(said, "\nOK") {
		t.Error(said)
	}
	t.Log(said)
}

// The cells of the notebook draw its three pictures.
func TestNotebook(t *testing.T) {
	tier.Slow(t)
	interpreter := withModules("pandas, matplotlib")
	if interpreter == "" {
		t.Skip("no python3 with pandas and matplotlib: on Debian, install python3-pandas and python3-matplotlib")
	}
	notebook, err := filepath.Abs("../../python/incast.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	cells, err := filepath.Abs("testdata/run_cells.py")
	if err != nil {
		t.Fatal(err)
	}
	run(t, interpreter, cells, notebook, "queue.svg", "flows.svg", "completion.svg")
}

// The wheel is made and installed without a network, and reads a run folder from where it was installed.
// Tier: slow.
func TestWheel(t *testing.T) {
	tier.Slow(t)
	interpreter := withModules("pip")
	if interpreter == "" {
		t.Skip("no python3 with pip: on Debian, install python3-pip")
	}
	folder := t.TempDir()
	in := func(dir, name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(folder, "site"))
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", c, err, out)
		}
		return string(out)
	}
	in("../..", "go", "-C", "packaging", "run", ".", "--wheel", "--out", filepath.Join(folder, "dist"))
	wheels, err := filepath.Glob(filepath.Join(folder, "dist/rocelab_runs-*-py3-none-any.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatal(wheels, err)
	}
	in(folder, interpreter, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", "site", wheels[0])
	scenario, err := filepath.Abs("../scenarios/incast.yaml")
	if err != nil {
		t.Fatal(err)
	}
	in(folder, program(t), "run", scenario, "--out", "x")
	said := in(folder, interpreter, "-c", `import rocelab_runs.plot
result = rocelab_runs.load("x").check()
print(rocelab_runs.__file__, len(rocelab_runs.plot.fct_points(result)["pc4"]))`)
	if want := filepath.Join(folder, "site/rocelab_runs/__init__.py") + " 16\n"; said != want {
		t.Errorf("it prints %q, want %q", said, want)
	}
}
