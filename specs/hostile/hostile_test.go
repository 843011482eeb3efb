package hostile

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
)

// built has the programs.
var built string

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", fmt.Sprint(5*runtime.NumCPU())) // most rows wait
	code := func() int {
		var err error
		if built, err = os.MkdirTemp("", "hostile-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(built)
		return m.Run()
	}()
	os.Exit(code)
}

// build builds what the rows need, once.
func build(t *testing.T) {
	t.Helper()
	if err := programs(); err != nil {
		t.Fatal(err)
	}
}

var programs = sync.OnceValue(func() error {
	packages := []string{"cmd/rocelab", "cmd/rocelab-link", "specs/hostile/testdata/hostile"}
	if err := program.Build(built, packages); err != nil {
		return err
	}
	return os.Chmod(built, 0o755)
})

// A plugin that misbehaves ends its run with exit code 5 and the words that name it,
// or does no harm; and nothing of it is left.
func TestHostilePlugins(t *testing.T) {
	tier.Everyday(t)
	build(t)
	each := func(runner, language string, rows []row, ready func(*testing.T)) {
		t.Run(runner+"/"+language, func(t *testing.T) {
			ready(t)
			for _, r := range rows {
				if r.on != "" && r.on != runner || !r.everyday && !tier.RunsSlow() {
					continue
				}
				t.Run(r.way, func(t *testing.T) {
					t.Parallel()
					r.run(t, runner, language)
				})
			}
		})
	}
	each("mem", "go", inGo, func(*testing.T) {})
	each("mem", "python", inPython, needPython)
	each("veth", "go", inGo, needTestbed)
}

func needTestbed(t *testing.T) {
	tier.Root(t, "a testbed")
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
}

const python = "/usr/bin/python3"

func needPython(t *testing.T) {
	if exec.Command(python, "-c", "import grpc, google.protobuf").Run() != nil {
		t.Skip("no " + python + " with grpc and google.protobuf")
	}
}

// bound is the time limit of a row: longer than the longest deadline, on a busy machine.
const bound = 90 * time.Second

// run carries a scenario out with a plugin that misbehaves in the row's way.
func (r *row) run(t *testing.T, runner, language string) {
	place := newPlace(t)
	place.install(r.way, language)
	args := append([]string{"run", place.scenario(r.way), "--on", runner, "--no-folder", "--progress", "none",
		"--plugin-dir", place.plugins, "--plugin-logs", place.logs}, r.flags...)
	if r.impatient && runner == "veth" {
		args = append(args, "--standstill", "1s")
	}
	began := time.Now()
	code, complaint := place.rocelab(args...)
	t.Logf("exit code %d after %.1f s: %s", code, time.Since(began).Seconds(), complaint)
	if code != r.code {
		t.Errorf("exit code %d, want %d", code, r.code)
	}
	words := r.says
	if r.code == plugin {
		words = append(words, "plugin ", r.way)
	}
	for _, part := range words {
		if !strings.Contains(complaint, part) {
			t.Errorf("no %q in %q", part, complaint)
		}
	}
	if strings.ContainsRune(complaint, 0x1b) || len(complaint) > 8<<10 {
		t.Errorf("a message of %d B that a terminal obeys, or too long: %.500q", len(complaint), complaint)
	}
	place.checkLogs(slices.Contains(r.flags, "--plugin-log"))
	place.checkLeft()
}

// place is where a row runs: folders of its own.
type place struct {
	*testing.T
	folder, plugins, logs, temporary, state string
}

func newPlace(t *testing.T) *place {
	folder, err := os.MkdirTemp("", "rh-") // short: paths of sockets are
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	p := &place{T: t, folder: folder}
	for name, at := range map[string]*string{"plugins": &p.plugins, "logs": &p.logs, "tmp": &p.temporary} {
		*at = filepath.Join(folder, name)
		if err := os.Mkdir(*at, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	p.state = filepath.Join(folder, "run")
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// install puts the plugin of a way into the plugin folder.
func (p *place) install(way, language string) {
	from, to := filepath.Join(built, "hostile"), filepath.Join(p.plugins, "cc-"+way)
	if language == "python" {
		from, to = "testdata/hostile.py", filepath.Join(p.plugins, way+".py")
	}
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o755)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// scenario writes a scenario in which two flows meet, and are marked.
func (p *place) scenario(algorithm string) string {
	path := filepath.Join(p.folder, "incast.yaml")
	text := "name: incast\ntopology: {kind: star, hosts: 3}\ntraffic:\n  - {name: incast, kind: incast, size: 300KB}\n" +
		"switch: {ecn: {kmin: 5KB, kmax: 10KB, pmax: 1}}\n" +
		"algorithm: " + algorithm + "\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.Fatal(err)
	}
	return path
}

// environ is the environment of what runs in the place.
func (p *place) environ() []string {
	library, err := filepath.Abs("../../plugins/python")
	if err != nil {
		p.Fatal(err)
	}
	return append(os.Environ(), "ROCELAB_RUN="+p.state, "TMPDIR="+p.temporary, "ROCELAB_PYTHON="+library)
}

// rocelab runs a command to its end. Its processes get at most 16 GB of addresses, even if rocelab's limits are
// missing.
func (p *place) rocelab(args ...string) (code int, complaint string) {
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 16000000; exec "$@"`, "sh",
		filepath.Join(built, "rocelab")}, args...)...)
	c.Env = p.environ()
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr, c.WaitDelay = &out, &problems, time.Second
	err := c.Run()
	if ctx.Err() != nil || errors.Is(err, exec.ErrWaitDelay) {
		p.Errorf("hangs: %v", err)
	}
	if strings.ContainsRune(out.String(), 0x1b) {
		p.Errorf("a terminal would obey %q", out.String())
	}
	return c.ProcessState.ExitCode(), problems.String()
}

// checkLogs looks for a log beyond its limit, 16 MB by default, and 1 MB if it is set.
func (p *place) checkLogs(set bool) {
	most := int64(17 << 20)
	if set {
		most = 2 << 20
	}
	logs, _ := filepath.Glob(p.logs + "/*")
	for _, log := range logs {
		if info, err := os.Stat(log); err == nil && info.Size() > most {
			p.Errorf("%s has %d MB", log, info.Size()>>20)
		}
	}
}

// checkLeft looks for what is left: files, and processes that have the place's folder
// in their environment. Processes are given a while: to reap them may be the matter of
// a process 1 that takes its time.
func (p *place) checkLeft() {
	for _, folder := range []string{p.temporary, p.state} {
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			p.Errorf("left: %s", filepath.Join(folder, e.Name()))
		}
	}
	var left []string
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if left = p.processes(); left == nil || time.Now().After(deadline) {
			break
		}
	}
	for _, process := range left {
		p.Errorf("left: process %s", process)
	}
}

func (p *place) processes() (list []string) {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range all {
		environ, _ := os.ReadFile(process + "/environ")
		if bytes.Contains(environ, []byte("TMPDIR="+p.temporary)) {
			line, _ := os.ReadFile(process + "/cmdline")
			list = append(list, fmt.Sprintf("%s: %s", filepath.Base(process), bytes.ReplaceAll(line, []byte{0}, []byte(" "))))
		}
	}
	return list
}
