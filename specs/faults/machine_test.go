package faults

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// machine is the part of the host that a spec may use, and must leave as it was: a state folder, a folder for temporary
// files, a working folder.
type machine struct {
	state, temporary, work string
	programs               string
	extra                  []string // environment
	testbeds               []string // names that there have been
}

// newMachine returns a machine that is examined when the spec is over.
func newMachine() *machine {
	dir, err := os.MkdirTemp("", "rf-") // short: paths of sockets are
	Expect(err).NotTo(HaveOccurred())
	Expect(os.Chmod(dir, 0o755)).To(Succeed())
	m := &machine{state: filepath.Join(dir, "run"), temporary: filepath.Join(dir, "tmp"),
		work: filepath.Join(dir, "work"), programs: programs}
	Expect(os.Mkdir(m.temporary, 0o777)).To(Succeed())
	Expect(os.Mkdir(m.work, 0o777)).To(Succeed())
	before, set := os.LookupEnv("ROCELAB_RUN")
	os.Setenv("ROCELAB_RUN", m.state) // for package veth, with which specs look on
	DeferCleanup(func() {
		if os.Unsetenv("ROCELAB_RUN"); set {
			os.Setenv("ROCELAB_RUN", before)
		}
		os.RemoveAll(dir)
	})
	DeferCleanup(func() { // runs first
		left := m.leftovers(reaping)
		if left != "" { // do not burden the host with it
			m.command("destroy", "--all", "--force").Run()
		}
		Expect(left).To(BeEmpty(), "left behind")
	})
	return m
}

// scenario writes a scenario: senders into one port, each with a flow of the given size.
func (m *machine) scenario(senders int, size, more string) string {
	path := filepath.Join(m.work, "incast.yaml")
	text := fmt.Sprintf("name: incast\ntopology: {kind: star, hosts: %d}\ntraffic:\n  - {name: incast, kind: incast, "+
		"size: %s}\n%s", senders+1, size, more)
	Expect(os.WriteFile(path, []byte(text), 0o644)).To(Succeed())
	return path
}

// short ends in a moment, endless only on request.
func (m *machine) short() string   { return m.scenario(3, "50KB", "algorithm: dcqcn\n") }
func (m *machine) endless() string { return m.scenario(3, "100GB", "algorithm: dcqcn\n") }

// command is a command line of rocelab.
func (m *machine) command(args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(m.programs, "rocelab"), args...)
	c.Dir = m.work
	c.Env = append(os.Environ(), "ROCELAB_RUN="+m.state, "TMPDIR="+m.temporary)
	c.Env = append(c.Env, m.extra...)
	return c
}

// job is a command under way.
type job struct {
	*exec.Cmd
	out, err bytes.Buffer
	began    time.Time
	ended    chan struct{}
}

func (m *machine) start(c *exec.Cmd) *job {
	j := &job{Cmd: c, began: time.Now(), ended: make(chan struct{})}
	c.Stdout, c.Stderr = &j.out, &j.err
	ExpectWithOffset(1, c.Start()).To(Succeed())
	m.testbeds = append(m.testbeds, fmt.Sprintf("run-%d", c.Process.Pid)) // as run calls its own
	go func() { c.Wait(); close(j.ended) }()
	DeferCleanup(func() {
		select {
		case <-j.ended:
		default:
			c.Process.Kill()
			<-j.ended
		}
	})
	return j
}

// wait returns the exit code and the output on stderr.
func (j *job) wait(most time.Duration) (code int, complaint string) {
	EventuallyWithOffset(1, j.ended, most).Should(BeClosed(), "%v does not end", j.Args)
	GinkgoWriter.Printf("%s\nexit code %d after %v\n%s%s\n", strings.Join(j.Args, " "), j.ProcessState.ExitCode(),
		time.Since(j.began), j.out.String(), j.err.String())
	return j.ProcessState.ExitCode(), j.err.String()
}

// do runs a command to its end.
func (m *machine) do(most time.Duration, args ...string) (code int, complaint string) {
	return m.start(m.command(args...)).wait(most)
}

// run carries a scenario out on a testbed of its own.
func (m *machine) run(path string, args ...string) *job {
	return m.start(m.command(append([]string{"run", path, "--on", "veth", "--progress", "none"}, args...)...))
}

// underWay returns the testbed once a run on it has begun its windows.
func (j *job) underWay() *veth.State {
	var s *veth.State
	EventuallyWithOffset(1, func() (uint64, error) {
		select {
		case <-j.ended:
			return 0, StopTrying("it ended: " + j.err.String())
		default:
		}
		list, err := veth.List()
		if err != nil || len(list) != 1 {
			return 0, errors.Join(err, fmt.Errorf("%d testbeds", len(list)))
		}
		live, err := veth.Attach(list[0].Name)
		if err != nil {
			return 0, err
		}
		defer live.Close()
		s = list[0]
		return live.Page.Window(), nil
	}, "20s", "5ms").Should(BeNumerically(">", 10))
	return s
}

// container returns the container of a node.
func container(s *veth.State, node string) *veth.ContainerState {
	n, ok := s.Node(node)
	ExpectWithOffset(1, ok).To(BeTrue())
	return &s.Containers[n.Container]
}

// reaping is how long ended processes may take to be gone: reaping them may be up to a slow process 1.
const reaping = 5 * time.Second

// leftovers lists the remains of the machine's testbeds, for processes after that grace.
func (m *machine) leftovers(grace time.Duration) string {
	var left []string
	add := func(format string, args ...any) { left = append(left, fmt.Sprintf(format, args...)) }
	for _, dir := range []string{m.state, m.temporary} {
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			add("file %s", filepath.Join(dir, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			add("%v", err)
		}
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	Expect(err).NotTo(HaveOccurred())
	for line := range strings.Lines(string(mounts)) {
		if strings.Contains(line, " "+m.state+"/") {
			add("mount %s", line)
		}
	}
	filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && m.names(path) {
			add("cgroup %s", path)
		}
		return nil
	})
	deadline := time.Now().Add(grace)
	for m.processes() != nil && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	for _, p := range m.processes() {
		add("process %s", p)
	}
	return strings.Join(left, "\n")
}

// processes returns the processes that were started with the machine's state folder in their environment, or from its
// programs.
func (m *machine) processes() (list []string) {
	all, err := filepath.Glob("/proc/[0-9]*")
	Expect(err).NotTo(HaveOccurred())
	for _, dir := range all {
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		groups, _ := os.ReadFile(filepath.Join(dir, "cgroup"))
		name := bytes.ReplaceAll(line, []byte{0}, []byte{' '})
		if dir == fmt.Sprintf("/proc/%d", os.Getpid()) {
			continue
		}
		if bytes.Contains(env, []byte("TMPDIR="+m.temporary)) || m.names(string(groups)) {
			list = append(list, fmt.Sprintf("%s: %s", filepath.Base(dir), name))
		}
	}
	return list
}

// names reports whether a text names a container of the machine's testbeds.
func (m *machine) names(text string) bool {
	return slices.ContainsFunc(m.testbeds, func(name string) bool { return strings.Contains(text, "/rocelab-"+name+".") })
}
