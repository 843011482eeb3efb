package veth

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/internal/control"
	"github.com/rocelab/rocelab/testbed/nodes/live/stack"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// Config has the settings for bringing a testbed up.
type Config struct {
	// Name is the testbed's; see CheckName.
	Name string
	// Scenario is the scenario that it is made for, for listings.
	Scenario string
	// Runtime is a name that container.Find knows; "" means auto.
	Runtime string
	// Daemons defaults to PerServer.
	Daemons Daemons
	// Program is the program of the daemons, which containers hold by the daemons' names. "" is the running program,
	// which then calls daemon.Become first in main.
	Program string
	// Plugins gives, by the names of algorithms, the host paths of the programs
	// that containers hold, for runs that ask for them.
	Plugins map[string]string
	// Limits are the limits of plugins: the plugins of a container share its memory and tasks. Deployed testbeds keep
	// them.
	Limits process.Limits
	// Ephemeral makes the daemons end when the run's process does.
	Ephemeral bool
	// Progress, if not nil, is called with the part being brought up, and how much of it is.
	Progress func(what string, done, total int)
}

// Testbed is a testbed that is up.
type Testbed struct {
	*State
	program  string
	progress func(what string, done, total int)
	// neighbours are the stations that its hosts know.
	neighbours []stack.Neighbour
	made       container.Identity // its folder; zero if another process deployed it
	running    []container.Container
	// conns are the connections to the daemons of an ephemeral testbed, which end with them. Each run on another
	// testbed makes new ones.
	conns []*control.Conn
}

// Deploy brings up the testbed of a plan. On an error, or when ctx is
// cancelled, nothing of it remains.
func Deploy(ctx context.Context, p *plan.Plan, c Config) (*Testbed, error) {
	if err := CheckName(c.Name); err != nil {
		return nil, err
	}
	s := &State{
		Name:      c.Name,
		Created:   time.Now().UTC().Truncate(time.Second),
		Ephemeral: c.Ephemeral,
		Scenario:  c.Scenario,
		Daemons:   c.Daemons,
		Plugins:   c.Plugins,
		Limits:    c.Limits.OrDefault(),
	}
	if s.Daemons == "" {
		s.Daemons = PerServer
	}
	if err := layout(p, s); err != nil {
		return nil, err
	}
	if err := checkPaths(s); err != nil {
		return nil, err
	}
	t := &Testbed{State: s, program: c.Program, progress: c.Progress, neighbours: neighbours(p)}
	if t.program == "" {
		var err error
		if t.program, err = ownProgram(); err != nil {
			return nil, err
		}
	}
	if err := t.noteDigests(); err != nil {
		return nil, err
	}
	if t.progress == nil {
		t.progress = func(string, int, int) {}
	}
	if err := t.claim(); err != nil {
		return nil, err
	}
	if err := t.bringUp(ctx, c.Runtime); err != nil {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
		defer cancel()
		return nil, errors.Join(err, t.Destroy(clean))
	}
	if !t.Ephemeral {
		disown(t.Name)
	}
	return t, nil
}

// cleanUpTime bounds the clean-up after a failure.
const cleanUpTime = time.Minute

// claim makes the testbed's folder, and with it takes its name. After an error
// nothing of it remains.
func (t *Testbed) claim() error {
	if err := CheckRoot(); err != nil {
		return err
	}
	err := t.makeDir()
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("testbed %s exists already: give another name with --testbed, or `rocelab destroy --testbed %[1]s`",
			t.Name)
	} else if err != nil {
		return stateError(err)
	}
	adopt(t.Name)
	t.made, err = container.IdentityOf(t.Dir())
	for _, sub := range []string{"net", "control", "log", "containers"} {
		err = errors.Join(err, os.Mkdir(t.path(sub), 0o700))
	}
	if err == nil {
		err = t.save()
	}
	if err != nil {
		disown(t.Name)
		return errors.Join(stateError(err), os.RemoveAll(t.Dir()), removeRoot())
	}
	return nil
}

// makeDir makes the testbed's folder in the folder of all testbeds, which the end of
// another testbed may take away meanwhile.
func (t *Testbed) makeDir() (err error) {
	const often = 100
	for range often {
		if err := os.MkdirAll(Root(), 0o700); err != nil {
			return err
		}
		if err = os.Mkdir(t.Dir(), 0o700); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

// stateError reports that the state of a testbed cannot be kept, with a remedy.
func stateError(err error) error {
	remedy := "ROCELAB_RUN names another folder than " + Root()
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		remedy = fmt.Sprintf("free space there: `df %s` shows it; or %s", Root(), remedy)
	}
	return fmt.Errorf("state of the testbed: %w (%s)", err, remedy)
}

// bringUp brings up namespaces, links and containers.
func (t *Testbed) bringUp(ctx context.Context, runtimeName string) error {
	if runtimeName == "" {
		runtimeName = container.Auto
	}
	r, err := container.Find(runtimeName)
	if err != nil {
		return err
	}
	t.Runtime = r.Name()
	n := len(t.Containers)
	err = each(ctx, n, workers, func(i int) error { return netns.NewNamespace(t.Containers[i].NetNS) },
		func(done int) { t.progress("namespaces", done, n) })
	if err != nil {
		return err
	}
	links := t.links()
	err = netns.ConnectAll(ctx, links, func(done int) { t.progress("links", done, len(links)) })
	if err != nil {
		return err
	}
	if err := t.makeHosts(ctx); err != nil {
		return err
	}
	t.running = make([]container.Container, n)
	err = each(ctx, n, workers, func(i int) error { return t.start(ctx, r, i) },
		func(done int) { t.progress("containers", done, n) })
	if err != nil {
		return err
	}
	t.Ready = true
	if err := t.save(); err != nil {
		return stateError(err)
	}
	return nil
}

// links are the veth pairs, one for each link.
func (t *Testbed) links() (list []netns.Link) {
	for i := range t.Links {
		list = append(list, t.Veth(i))
	}
	return list
}

// Veth returns the veth pair of a link of the testbed: the namespaces of its ends, and their names there.
func (s *State) Veth(i int) netns.Link {
	end := func(e linkEnd) netns.End {
		n, _ := s.Node(e.Node)
		return netns.End{Namespace: s.Containers[n.Container].NetNS, Interface: e.Interface}
	}
	l := &s.Links[i]
	return netns.Link{A: end(l.A), B: end(l.B), MTU: int(s.MTU)}
}

// start starts container i with its control sockets.
func (t *Testbed) start(ctx context.Context, r container.Runtime, i int) error {
	c := &t.Containers[i]
	log, err := os.OpenFile(c.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return stateError(err)
	}
	defer log.Close()
	args := []string{fmt.Sprintf("--listeners=%d", len(c.Sockets))}
	if t.Ephemeral {
		args = append(args, "--once", "--alive")
	}
	spec := container.Spec{
		ID:       t.Name + "." + c.Name,
		Hostname: c.Name,
		NetNS:    c.NetNS,
		Program:  t.program,
		Name:     daemonFor(c.Kind),
		Args:     args,
		Env:      environment(),
		Log:      log,
		Dir:      t.path("containers"),
	}
	if t.holdsPlugins(c) {
		spec.Args = append(spec.Args, "--fence")
		spec.Fence, spec.Plugins = t.Limits.Fence(), map[string]string{}
		for name, path := range t.Plugins {
			spec.Plugins[pluginName(name)] = path
		}
	}
	for _, path := range c.Sockets {
		f, err := listen(path)
		if err != nil {
			return err
		}
		defer f.Close()
		spec.Files = append(spec.Files, f)
	}
	if t.Ephemeral {
		end, err := lifeline()
		if err != nil {
			return err
		}
		spec.Files = append(spec.Files, end)
	}
	started, err := r.Start(ctx, spec)
	if err != nil {
		return fmt.Errorf("container %s: %w", c.Name, err)
	}
	t.running[i] = started
	c.Pid = started.Pid()
	return nil
}

// holdsPlugins reports whether daemons in the container start plugins: algorithms run
// where NICs are hosted.
func (t *Testbed) holdsPlugins(c *ContainerState) bool {
	host := serverKind
	if t.Daemons == Pool {
		host = poolName
	}
	return len(t.Plugins) > 0 && c.Kind == host
}

// lifeline is the reading end of a pipe whose other end is held only by this process until its end: through it daemons
// that are to end with it learn of that, whatever ended it.
var lifeline = sync.OnceValues(func() (*os.File, error) {
	var pipe [2]int // as a file, the writing end would be closed once nothing refers to it
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("pipe2", err)
	}
	return os.NewFile(uintptr(pipe[0]), "lifeline"), nil
})

// environment is the environment of a daemon.
func environment() (env []string) {
	for _, name := range []string{"GODEBUG", "GOMAXPROCS", "GOTRACEBACK"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return append(env, "HOME=/tmp", "PATH=/bin")
}

// listen makes a control socket that only its owner can connect to.
func listen(path string) (*os.File, error) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	defer l.Close()
	l.SetUnlinkOnClose(false)
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, err
	}
	return l.File()
}

// workers is the number of namespaces or containers brought up at a time.
var workers = 4 * runtime.NumCPU()

// each calls do for 0 to n-1, atOnce at a time, and stops at the first error or when ctx is cancelled. Done is called
// from one goroutine at a time.
func each(ctx context.Context, n, atOnce int, do func(i int) error, done func(done int)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	finished := 0
	todo := make(chan int)
	var wg sync.WaitGroup
	for range min(n, atOnce) {
		wg.Go(func() {
			defer crash.Guard()()
			for i := range todo {
				if err := do(i); err != nil {
					cancel(err)
					continue
				}
				mu.Lock()
				finished++
				done(finished)
				mu.Unlock()
			}
		})
	}
feed:
	for i := range n {
		select {
		case todo <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(todo)
	wg.Wait()
	return context.Cause(ctx)
}
