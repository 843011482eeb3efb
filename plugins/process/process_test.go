package process_test

import (
	"bytes"
	"errors"
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

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/dcqcn"
	"github.com/rocelab/rocelab/plugins/process"
)

// programs builds each program once for all tests.
var programs struct {
	sync.Mutex
	folder string
	built  map[string]string
}

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "process-test-")
	if err != nil {
		panic(err)
	}
	programs.folder, programs.built = folder, map[string]string{}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// build builds a command of this module, or one in testdata.
func build(t testing.TB, pkg string) string {
	t.Helper()
	programs.Lock()
	defer programs.Unlock()
	if path := programs.built[pkg]; path != "" {
		return path
	}
	path := filepath.Join(programs.folder, filepath.Base(pkg))
	if out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	programs.built[pkg] = path
	return path
}

func start(t testing.TB, pkg string, o process.Options) *process.Plugin {
	t.Helper()
	p, err := process.Start(build(t, pkg), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// misbehaving starts the plugin of that name and configures it: when to do
// what.
func misbehaving(t testing.TB, on, do string, o process.Options) (cc.Controller, error) {
	t.Helper()
	a := start(t, "./testdata/misbehaving", o).Algorithm()
	params, err := cc.ParseParams(a.Describe(), map[string]string{"on": on, "do": do})
	if err != nil {
		t.Fatal(err)
	}
	return a.New(params)
}

func must(t testing.TB) func(cc.Controller, error) cc.Controller {
	return func(c cc.Controller, err error) cc.Controller {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

func TestDescriptionAndSignalsCross(t *testing.T) {
	p := start(t, "./testdata/misbehaving", process.Options{})
	d := p.Algorithm().Describe()
	if d.Name != "misbehaving" || d.Version != "1.2.3" || d.Source != "tests" || len(d.Params) != 3 ||
		d.Params[0].Kind != cc.KindChoice || !slices.Contains(d.Params[1].Choices, "hang") || d.Params[2].Min != "1Kbps" {
		t.Errorf("description %+v", d)
	}
	c := must(t)(p.Algorithm().New(cc.Params{}))
	if want := (cc.Signals{ECT: true, CNP: true, CNPInterval: 50 * unit.Microsecond, ECNEcho: true}); c.Signals() != want {
		t.Errorf("signals %+v, want %+v", c.Signals(), want)
	}
	if s := fmt.Sprint(c); s != "misbehaving (process)" {
		t.Errorf("the controller is called %q", s)
	}
}

// What the author's New says comes back as it is.
func TestRefusedParametersComeBack(t *testing.T) {
	_, err := misbehaving(t, "new", "blame", process.Options{})
	var wrong *cc.ParamError
	if !errors.As(err, &wrong) || wrong.Param != "least" || wrong.Problem != "is above the line rate" {
		t.Errorf("got %v", err)
	}
	for do, want := range map[string]string{"refuse": "not today", "nil": "neither a controller nor an error"} {
		if _, err := misbehaving(t, "new", do, process.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", do, err, want)
		}
	}
	// An algorithm that asks for a sender side only, and one that has none.
	c := must(t)(misbehaving(t, "receiver", "nil", process.Options{}))
	if c.NewReceiver(cctest.Facts()) != nil || c.NewSender(cctest.Facts()) == nil {
		t.Error("a nil receiver came back as one, or a sender as nil")
	}
	if must(t)(misbehaving(t, "sender", "nil", process.Options{})).NewSender(cctest.Facts()) != nil {
		t.Error("a nil sender came back as one")
	}
}

// The process draws the numbers that the flow's stream holds, from where it
// stands.
func TestChanceCrosses(t *testing.T) {
	c := must(t)(misbehaving(t, "nothing", "exit", process.Options{}))
	f := cctest.Facts()
	f.Chance = chance.New(7, "flow")
	f.Chance.Uint64()
	want := chance.New(7, "flow")
	want.Uint64()
	s := c.NewSender(f)
	for i := range 1000 {
		e, d := cc.Event{Kind: cc.EventCNP, Now: unit.Time(i)}, cc.Decision{Window: 9}
		s.Handle(&e, &d)
		if rate := unit.BitRate(1 + want.Below(uint64(f.LineRate))); d.Rate != rate || d.Window != 9 {
			t.Fatalf("event %d: %+v, want rate %d and window 9", i, d, rate)
		}
	}
}

// Groups are posted, more of them than the ring holds, and the data sees the
// last; feedback goes there and back.
func TestReceiver(t *testing.T) {
	c := must(t)(misbehaving(t, "nothing", "exit", process.Options{}))
	r, other := c.NewReceiver(cctest.Facts()), c.NewReceiver(cctest.Facts())
	for n := range 1000 {
		r.Group(cc.Group{Flows: n})
		other.Group(cc.Group{Flows: 1})
	}
	fb := cc.Feedback{BaseRate: 3}
	r.Data(&cc.Arrival{Now: 77, Bytes: 1000}, &fb)
	if want := (cc.Feedback{BaseRate: 999*unit.Kbps + 1003, OneWayDelay: 77}); fb != want {
		t.Errorf("feedback %+v, want %+v", fb, want)
	}
}

// fault is one way to fail: when, how, and what the error must say.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		on, do string
		want   []string
	}{
		{"cnp", "exit", []string{"exited with code 3", "the CNP event of flow sending at 12.3us", "I am off"}},
		{"cnp", "panic", []string{"exited with code 2", "the CNP event of flow sending at 12.3us", "panic: out of cheese"}},
		{"cnp", "hang", []string{"no answer to the CNP event of flow sending at 12.3us within 300ms"}},
		{"data", "panic", []string{"a data packet of flow receiving at 45us", "panic: out of cheese"}},
		{"data", "hang", []string{"no answer to a data packet of flow receiving at 45us within 300ms"}},
		{"sender", "panic", []string{"the set-up of the sender of flow 42", "out of cheese"}},
		{"receiver", "exit", []string{"exited with code 3 at the set-up of the receiver of flow 42"}},
	} {
		t.Run(c.on+"-"+c.do, func(t *testing.T) {
			plug := must(t)(misbehaving(t, c.on, c.do, process.Options{Deadline: 300 * time.Millisecond}))
			f := cctest.Facts()
			f.Flow = 42
			s, r := plug.NewSender(f), plug.NewReceiver(f)
			s.(cc.Failing).NameFlow("sending")
			r.(cc.Failing).NameFlow("receiving")
			d, fb := cc.Decision{Rate: 1}, cc.Feedback{}
			s.Handle(&cc.Event{Kind: cc.EventCNP, Now: unit.Time(12300 * unit.Nanosecond)}, &d)
			r.Data(&cc.Arrival{Now: unit.Time(45 * unit.Microsecond)}, &fb)
			if fb.BaseRate != -1 {
				t.Errorf("feedback %+v of a broken plugin, want base rate -1", fb)
			}
			began := time.Now()
			s.Handle(&cc.Event{}, &d)
			r.Group(cc.Group{})
			if d.Rate != 0 || time.Since(began) > 200*time.Millisecond {
				t.Errorf("decision %+v after %v, want rate 0 at once", d, time.Since(began))
			}
			err := s.(cc.Failing).Err()
			if err == nil || r.(cc.Failing).Err() != err {
				t.Fatalf("sender says %v, receiver %v", err, r.(cc.Failing).Err())
			}
			for _, part := range append(c.want, "algorithm misbehaving (plugin /", "misbehaving, pid ") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			var broken *process.Error
			if !errors.As(err, &broken) || exists(broken.Pid) {
				t.Errorf("%v: the process is still there, or no *process.Error", err)
			}
			if c := plug; c.NewSender(f) == nil || c.NewReceiver(f) == nil {
				t.Error("a broken plugin made no sender or receiver that could say so")
			}
		})
	}
}

func exists(pid int) bool { return unix.Kill(pid, 0) == nil }

func TestKilledPluginIsNoticed(t *testing.T) {
	plug := must(t)(misbehaving(t, "nothing", "exit", process.Options{}))
	s := plug.NewSender(cctest.Facts())
	d := cc.Decision{}
	s.Handle(&cc.Event{}, &d)
	if out, err := exec.Command("pkill", "-KILL", "-P", fmt.Sprint(os.Getpid()), "-x", "misbehaving").CombinedOutput(); err != nil {
		t.Skipf("pkill: %v %s", err, out)
	}
	s.Handle(&cc.Event{Kind: cc.EventNak}, &d)
	if err := s.(cc.Failing).Err(); d.Rate != 0 || err == nil || !strings.Contains(err.Error(), "was ended by signal: killed at the NAK event") {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestFailuresOfConfiguration(t *testing.T) {
	for do, want := range map[string]string{"panic": "panic: out of cheese", "exit": "exited with code 3 at its configuration: I am off", "hang": "no answer to its configuration within 300ms"} {
		if _, err := misbehaving(t, "new", do, process.Options{Deadline: 300 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", do, err, want)
		}
	}
}

// Of a batch, what was answered before the crash counts, and the culprit is
// named.
func TestCrashWithinABatch(t *testing.T) {
	plug := must(t)(misbehaving(t, "third", "panic", process.Options{}))
	steps := make([]cc.Step, 5)
	for i := range steps {
		f := cctest.Facts()
		f.Flow = uint32(10 + i)
		steps[i] = cc.Step{Sender: plug.NewSender(f), Event: cc.Event{Kind: cc.EventAck, Now: unit.Time(i)}, Decision: cc.Decision{Rate: unit.Gbps}}
	}
	steps[0].Sender.(cc.Batched).Batcher().HandleAll(steps)
	for i := range steps {
		if answered := steps[i].Decision.Rate != 0; answered != (i < 2) {
			t.Errorf("step %d: %+v", i, steps[i].Decision)
		}
	}
	if err := steps[0].Sender.(cc.Failing).Err(); err == nil || !strings.Contains(err.Error(), "the ACK event of flow 12 at 2ps") {
		t.Error(err)
	}
}

// A batch gives what the same steps give one by one, chained decisions and
// fired wake-ups included, also where it is larger than the ring.
func TestBatchEqualsOneByOne(t *testing.T) {
	for _, name := range []string{"dcqcn", "pc4", "fixed"} {
		plug := must(t)(start(t, "../../cmd/cc-"+name, process.Options{}).Algorithm().New(cc.Params{}))
		const flows, rounds = 5, 300
		var alone, together [flows]cc.Sender
		var standing [flows]cc.Decision
		for i := range flows {
			alone[i], together[i] = plug.NewSender(cctest.Facts()), plug.NewSender(cctest.Facts())
			standing[i].Rate = 100 * unit.Gbps
		}
		luck := chance.New(1, name)
		var want []cc.Decision
		var steps []cc.Step
		first := standing
		for round := range rounds {
			i := int(luck.Below(flows))
			e := cc.Event{Kind: cc.EventKind(luck.Below(7)), Now: unit.Time(round+1) * unit.Time(50*unit.Microsecond), Sent: unit.Bytes(round) * unit.MB,
				RTT: 10 * unit.Microsecond, BaseRate: unit.BitRate(luck.Below(100)) * unit.Gbps, Echo: int64(round) * 50_000}
			if round < flows {
				i, e.Kind = round, cc.EventStart
			}
			d := &standing[i]
			fired := int64(d.WakeAt)
			if e.Kind == cc.EventSent {
				fired = int64(d.WakeBytes)
			}
			d.Clear(e.Kind, fired)
			alone[i].Handle(&e, d)
			want = append(want, *d)
			d.Rate = min(d.Rate, 100*unit.Gbps)
			steps = append(steps, cc.Step{Sender: together[i], Event: e, Fired: fired, Decision: first[i]})
		}
		steps[0].Sender.(cc.Batched).Batcher().HandleAll(steps)
		changed := 0
		for i := range steps {
			if steps[i].Decision != want[i] {
				t.Fatalf("%s: step %d answered %+v, alone %+v", name, i, steps[i].Decision, want[i])
			}
			if want[i] != want[0] {
				changed++
			}
		}
		if changed == 0 && name != "fixed" {
			t.Errorf("%s: no decision ever changed", name)
		}
	}
}

// What the NIC does to a decision between two events is done between two
// steps: the rate is bounded, the wake-up that fired is cleared.
func TestStepsGoOnFromOneAnother(t *testing.T) {
	s := must(t)(misbehaving(t, "echo", "exit", process.Options{})).NewSender(cctest.Facts())
	steps := []cc.Step{
		{Event: cc.Event{Kind: cc.EventAck}, Decision: cc.Decision{Rate: 5, WakeAt: 7}},
		{Event: cc.Event{Kind: cc.EventAck}},
		{Event: cc.Event{Kind: cc.EventTimer}, Fired: 100},
		{Event: cc.Event{Kind: cc.EventTimer}, Fired: 99},
	}
	for i := range steps {
		steps[i].Sender = s
	}
	s.(cc.Batched).Batcher().HandleAll(steps)
	line := 100 * unit.Gbps
	for i, want := range []cc.Decision{{Window: 5, Gap: 7}, {Window: unit.Bytes(line), Gap: 100}, {Window: unit.Bytes(line)}, {Window: unit.Bytes(line), Gap: 100}} {
		want.Rate, want.WakeAt = 2*line, 100
		if steps[i].Decision != want {
			t.Errorf("step %d: %+v, want %+v", i, steps[i].Decision, want)
		}
	}
}

// Scripts of flows' lives give the same transcripts from a process.
func TestScriptsReplay(t *testing.T) {
	for _, name := range []string{"dcqcn", "pc4", "fixed"} {
		cctest.Golden(t, start(t, "../../cmd/cc-"+name, process.Options{}).Algorithm(), "../"+name+"/testdata/*.txt", false)
	}
}

// Callers from several goroutines get what each would get alone.
func TestCallersTakeTurns(t *testing.T) {
	play := func(c cc.Controller) (d cc.Decision) {
		s := c.NewSender(cctest.Facts())
		d.Rate = 100 * unit.Gbps
		for i := range 300 {
			s.Handle(&cc.Event{Kind: cc.EventCNP, Now: unit.Time(i+1) * unit.Time(unit.Microsecond)}, &d)
		}
		return d
	}
	want := play(must(t)(dcqcn.Algorithm{}.New(cc.Params{})))
	plug := must(t)(start(t, "../../cmd/cc-dcqcn", process.Options{}).Algorithm().New(cc.Params{}))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if d := play(plug); d != want {
				t.Errorf("decision %+v, alone %+v", d, want)
			}
		})
	}
	wait.Wait()
}

func TestProgramsThatAreNoPlugins(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	o := process.Options{StartLimit: time.Second}
	for _, c := range []struct{ path, want string }{
		{build(t, "./testdata/future"), "speaks protocol version 7, this rocelab speaks 1: rebuild the plugin"},
		{build(t, "./testdata/stranger"), "was built with other events and decisions (layout 0000000000000001, here "},
		{write("chatty", "#!/bin/sh\necho hello\n", 0o755), `is no plugin: it wrote "hello" to stdout`},
		{write("mute", "#!/bin/sh\necho 'no such lamp' >&2; exit 1\n", 0o755), "is no plugin: it ended without a handshake: no such lamp"},
		{write("idle", "#!/bin/sh\nsleep 1000\n", 0o755), "no handshake within 1s"},
		{write("text", "just words\n", 0o755), "cannot be run"},
		{write("plain", "#!/bin/sh\n", 0o644), "permission denied"},
		{filepath.Join(folder, "missing"), "no such file"},
	} {
		_, err := process.Probe(c.path, o)
		var broken *process.Error
		if !errors.As(err, &broken) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", filepath.Base(c.path), err, c.want)
		}
	}
	if left, _ := exec.Command("pgrep", "-f", folder).Output(); len(left) > 0 {
		t.Errorf("processes were left: %s", left)
	}
}

func TestStartedByHandItExplainsItself(t *testing.T) {
	cmd := exec.Command(build(t, "../../cmd/cc-pc4"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(stderr.String(), "cc-pc4 is a plugin for rocelab") || !strings.Contains(stderr.String(), "--plugin-dir") {
		t.Errorf("%v: %s", err, &stderr)
	}
}

// What a plugin prints, wherever to, is in its log, which only its owner can
// read.
func TestLog(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	p, err := process.Start(build(t, "./testdata/misbehaving"), process.Options{Log: name})
	if err != nil {
		t.Fatal(err)
	}
	params, _ := cc.ParseParams(p.Algorithm().Describe(), map[string]string{"on": "cnp", "do": "print"})
	c := must(t)(p.Algorithm().New(params))
	d := cc.Decision{}
	c.NewSender(cctest.Facts()).Handle(&cc.Event{Kind: cc.EventCNP}, &d)
	wantLine := func(line string) {
		for limit := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
			text, err := os.ReadFile(name)
			if err == nil && strings.Contains(string(text), line) {
				return
			}
			if time.Now().After(limit) {
				t.Fatalf("the log holds %q, %v, want %q", text, err, line)
			}
		}
	}
	wantLine("to stdout")
	wantLine("to stderr")
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// The log of a program that hangs says where.
func TestHangIsLocated(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	c := must(t)(misbehaving(t, "cnp", "hang", process.Options{Log: name, Deadline: 300 * time.Millisecond}))
	s := c.NewSender(cctest.Facts())
	s.Handle(&cc.Event{Kind: cc.EventCNP}, &cc.Decision{})
	if err := s.(cc.Failing).Err(); err == nil || !strings.HasSuffix(err.Error(), "within 300ms; its stacks are in "+name) {
		t.Error(err)
	}
	if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "main.(*controller).misbehave") {
		t.Errorf("%v, the log holds %q", err, text)
	}
}

// A plugin dies with its host, even when the host is killed and the plugin
// hangs.
func TestPluginDiesWithItsHost(t *testing.T) {
	if os.Getenv("PROCESS_TEST_HOST") != "" {
		beHost(t)
	}
	path := build(t, "./testdata/misbehaving")
	host := exec.Command(os.Args[0], "-test.run=^TestPluginDiesWithItsHost$")
	host.Env = append(os.Environ(), "PROCESS_TEST_HOST="+path)
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscanf(out, "pid %d\n", &pid); err != nil || !exists(pid) {
		t.Fatalf("pid %d: %v", pid, err)
	}
	host.Process.Kill()
	host.Wait()
	for limit := time.Now().Add(10 * time.Second); exists(pid); time.Sleep(time.Millisecond) {
		if state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); strings.Contains(string(state), ") Z ") {
			break // dead; whoever inherited it is slow to notice
		}
		if time.Now().After(limit) {
			unix.Kill(pid, unix.SIGKILL)
			t.Fatalf("process %d outlived its host", pid)
		}
	}
}

// beHost starts a plugin, tells its pid and waits for an answer that will not
// come.
func beHost(t *testing.T) {
	p, err := process.Start(os.Getenv("PROCESS_TEST_HOST"), process.Options{Deadline: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	params, _ := cc.ParseParams(p.Algorithm().Describe(), map[string]string{"on": "cnp", "do": "hang"})
	c := must(t)(p.Algorithm().New(params))
	s := c.NewSender(cctest.Facts())
	children, err := exec.Command("pgrep", "-P", fmt.Sprint(os.Getpid()), "-x", "misbehaving").Output()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("pid %s", children)
	s.Handle(&cc.Event{Kind: cc.EventCNP}, &cc.Decision{})
}

func TestCloseLeavesNothing(t *testing.T) {
	path := build(t, "./testdata/misbehaving")
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	files := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	round := func() *process.Plugin {
		p, err := process.Start(path, process.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%v, %v: a running plugin leaves files that stay if its host is killed", left, err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		return p
	}
	round()
	before, running := files(), runtime.NumGoroutine()
	p := round()
	if after := files(); after != before {
		t.Errorf("%d files open, %d before", after, before)
	}
	for limit := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > running; time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), running)
		}
	}
	if err := p.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := p.Algorithm().New(cc.Params{}); err == nil || !strings.Contains(err.Error(), "was closed") {
		t.Errorf("a closed plugin says %v", err)
	}
	if children, _ := exec.Command("pgrep", "-P", fmt.Sprint(os.Getpid()), "-x", "misbehaving").Output(); len(children) > 0 {
		t.Errorf("processes were left: %s", children)
	}
}
