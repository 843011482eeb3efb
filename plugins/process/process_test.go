//go:build linux && !mem

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

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/dcqcn"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

// programs builds each program once for all tests.
var programs struct {
	sync.Mutex
	folder string
	built  map[string]string
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(programs.folder)
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
	if programs.folder == "" {
		var err error
		if programs.folder, err = os.MkdirTemp("", "process-test-"); err != nil {
			t.Fatal(err)
		}
		programs.built = map[string]string{}
	}
	path := filepath.Join(programs.folder, filepath.Base(pkg))
	if err := program.Build(programs.folder, []string{filepath.Join("plugins/process", pkg)}); err != nil {
		t.Fatal(err)
	}
	programs.built[pkg] = path
	return path
}

func start(t testing.TB, pkg string, o process.Options) *process.Plugin {
	t.Helper()
	return startAt(t, build(t, pkg), o)
}

func startAt(t testing.TB, path string, o process.Options) *process.Plugin {
	t.Helper()
	p, err := process.Start(process.Program{Path: path}, o)
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
func (w way) misbehaving(t testing.TB, on, do string, o process.Options) (cc.Controller, error) {
	t.Helper()
	a := w.start(t, o).Algorithm()
	params, err := hosting.Parse(a.Describe(), map[string]string{"on": on, "do": do})
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
	both(t, func(t *testing.T, w way) {
		p := w.start(t, process.Options{})
		d := p.Algorithm().Describe()
		if d.Name != "misbehaving" || d.Version != "1.2.3" || d.Source != "tests" || d.Recovery != 7*unit.Microsecond ||
			d.Uncontrolled || len(d.Params) != 3 ||
			d.Params[0].Kind != cc.KindChoice || !slices.Contains(d.Params[1].Choices, "hang") || d.Params[2].Min != "1Kbps" ||
			!slices.Equal(d.Values, []cc.Value{{Name: "events", Doc: "so far"},
				{Name: "last_at", Unit: "us", Doc: "none before one"}}) {
			t.Errorf("description %+v", d)
		}
		c := must(t)(p.Algorithm().New(hosting.Params{}))
		if want := (cc.Signals{
			ECT:         true,
			CNP:         true,
			CNPInterval: 50 * unit.Microsecond,
			ECNEcho:     true,
			Group:       true,
		}); c.Signals() != want {
			t.Errorf("signals %+v, want %+v", c.Signals(), want)
		}
		if s := fmt.Sprint(c); !strings.HasPrefix(s, "algorithm misbehaving (plugin /") ||
			!strings.HasSuffix(s, "/"+w.program+")") {
			t.Errorf("the controller is called %q", s)
		}
	})
}

// The error of the author's New comes back as it is.
func TestRefusedParametersComeBack(t *testing.T) {
	tier.Everyday(t)
	both(t, func(t *testing.T, w way) {
		_, err := w.misbehaving(t, "new", "blame", process.Options{})
		var wrong *cc.ParamError
		if !errors.As(err, &wrong) || wrong.Param != "least" || wrong.Problem != "is above the line rate" {
			t.Errorf("got %v", err)
		}
		if _, err := w.misbehaving(t, "new", "refuse", process.Options{}); err == nil || err.Error() != "not today" {
			t.Errorf("refuse: %v", err)
		}
		// An algorithm that asks for a sender side only, and one that has none.
		c := must(t)(w.misbehaving(t, "receiver", "nil", process.Options{}))
		if c.NewReceiver(cctest.Facts()) != nil || c.NewSender(cctest.Facts()) == nil {
			t.Error("a nil receiver came back as one, or a sender as nil")
		}
		if must(t)(w.misbehaving(t, "sender", "nil", process.Options{})).NewSender(cctest.Facts()) != nil {
			t.Error("a nil sender came back as one")
		}
	})
}

// The process draws the numbers that the flow's stream holds, from where it
// stands.
func TestChanceCrosses(t *testing.T) {
	tier.Everyday(t)
	both(t, func(t *testing.T, w way) {
		c := must(t)(w.misbehaving(t, "nothing", "exit", process.Options{}))
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
	})
}

// Groups are posted, more of them than the ring holds, and the data sees the
// last; feedback goes there and back.
func TestReceiver(t *testing.T) {
	both(t, func(t *testing.T, w way) {
		c := must(t)(w.misbehaving(t, "nothing", "exit", process.Options{}))
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
	})
}

// A batch gives the same as the same steps one by one, chained decisions and fired wake-ups included, even if it is
// larger than the ring.
func TestBatchEqualsOneByOne(t *testing.T) {
	tier.Everyday(t)
	for _, name := range []string{"dcqcn", "pc4", "fixed"} {
		t.Run(name, func(t *testing.T) {
			plug := must(t)(start(t, "../../plugins/shipped/cc-"+name, process.Options{}).Algorithm().New(hosting.Params{}))
			const flows, rounds = 5, 300
			var alone, together [flows]cc.Sender
			var standing [flows]cc.Decision
			for i := range flows {
				alone[i], together[i] = plug.NewSender(cctest.Facts()), plug.NewSender(cctest.Facts())
				standing[i].Rate = 100 * unit.Gbps
			}
			luck := chance.New(1, name)
			var want []cc.Decision
			var steps []hosting.Step
			first := standing
			for round := range rounds {
				i := int(luck.Below(flows))
				e := cc.Event{
					Kind:     cc.EventKind(luck.Below(7)),
					Now:      unit.Time(round+1) * unit.Time(50*unit.Microsecond),
					Sent:     unit.Bytes(round) * unit.MB,
					RTT:      10 * unit.Microsecond,
					BaseRate: unit.BitRate(luck.Below(100)) * unit.Gbps,
					Echo:     int64(round) * 50_000,
				}
				if round < flows {
					i, e.Kind = round, cc.EventStart
				}
				d := &standing[i]
				fired := int64(d.WakeAt)
				if e.Kind == cc.EventSent {
					fired = int64(d.WakeBytes)
				}
				hosting.Clear(d, e.Kind, fired)
				alone[i].Handle(&e, d)
				want = append(want, *d)
				d.Rate = min(d.Rate, 100*unit.Gbps)
				steps = append(steps, hosting.Step{Sender: together[i], Event: e, Fired: fired, Decision: first[i]})
			}
			steps[0].Sender.(hosting.Batched).Batcher().HandleAll(steps)
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
		})
	}
}

// What the NIC does to a decision between two events is done between two
// steps: the rate is bounded, the wake-up that fired is cleared.
func TestStepsGoOnFromOneAnother(t *testing.T) {
	both(t, func(t *testing.T, w way) {
		s := must(t)(w.misbehaving(t, "echo", "exit", process.Options{})).NewSender(cctest.Facts())
		steps := []hosting.Step{
			{Event: cc.Event{Kind: cc.EventAck}, Decision: cc.Decision{Rate: 5, WakeAt: 7}},
			{Event: cc.Event{Kind: cc.EventAck}},
			{Event: cc.Event{Kind: cc.EventTimer}, Fired: 100},
			{Event: cc.Event{Kind: cc.EventTimer}, Fired: 99},
		}
		for i := range steps {
			steps[i].Sender = s
		}
		s.(hosting.Batched).Batcher().HandleAll(steps)
		line := 100 * unit.Gbps
		for i, want := range []cc.Decision{{Window: 5, Gap: 7}, {Window: unit.Bytes(line), Gap: 100},
			{Window: unit.Bytes(line)}, {Window: unit.Bytes(line), Gap: 100}} {
			want.Rate, want.WakeAt = 2*line, 100
			if steps[i].Decision != want {
				t.Errorf("step %d: %+v, want %+v", i, steps[i].Decision, want)
			}
		}
	})
}

// Scripts of flows' lives give the same transcripts from a process.
func TestScriptsReplay(t *testing.T) {
	for _, name := range []string{"dcqcn", "pc4", "fixed"} {
		t.Run(name, func(t *testing.T) {
			plug := start(t, "../../plugins/shipped/cc-"+name, process.Options{})
			cctest.Golden(t, plug.Algorithm(), "../"+name+"/testdata/*.txt", false)
		})
	}
}

// Callers from several goroutines get the same as each by itself.
func TestCallersTakeTurns(t *testing.T) {
	play := func(c cc.Controller) (d cc.Decision) {
		s := c.NewSender(cctest.Facts())
		d.Rate = 100 * unit.Gbps
		for i := range 300 {
			s.Handle(&cc.Event{Kind: cc.EventCNP, Now: unit.Time(i+1) * unit.Time(unit.Microsecond)}, &d)
		}
		return d
	}
	want := play(must(t)(dcqcn.Algorithm{}.New(hosting.Params{})))
	plug := must(t)(start(t, "../../plugins/shipped/cc-dcqcn", process.Options{}).Algorithm().New(hosting.Params{}))
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

func TestStartedByHandItExplainsItself(t *testing.T) {
	cmd := exec.Command(build(t, "../../plugins/shipped/cc-pc4"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(stderr.String(),
		"cc-pc4 is a plugin for rocelab") || !strings.Contains(stderr.String(), "--plugin-dir") {
		t.Errorf("%v: %s", err, &stderr)
	}
}

// What a plugin prints, wherever to, is in its log, which only its owner can
// read.
func TestLog(t *testing.T) {
	both(t, func(t *testing.T, w way) {
		name := filepath.Join(t.TempDir(), "log")
		p, err := process.Start(process.Program{Path: w.path(t)}, process.Options{Log: name, Env: w.env(t)})
		if err != nil {
			t.Fatal(err)
		}
		params, _ := hosting.Parse(p.Algorithm().Describe(), map[string]string{"on": "cnp", "do": "print"})
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
	})
}

func TestCloseLeavesNothing(t *testing.T) {
	both(t, func(t *testing.T, w way) {
		path, env := w.path(t), w.env(t)
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
			p, err := process.Start(process.Program{Path: path}, process.Options{Env: env})
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
		limit := time.Now().Add(10 * time.Second)
		for ; runtime.NumGoroutine() > running || files() > before; time.Sleep(time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("%d goroutines, %d before; %d files open, %d before", runtime.NumGoroutine(), running, files(), before)
			}
		}
		if err := p.Close(); err != nil {
			t.Errorf("closed twice: %v", err)
		}
		if _, err := p.Algorithm().New(hosting.Params{}); err == nil || !strings.Contains(err.Error(), "was closed") {
			t.Errorf("a closed plugin says %v", err)
		}
		if children, _ := exec.Command("pgrep", "-P", fmt.Sprint(os.Getpid()), "-l").Output(); len(children) > 0 {
			t.Errorf("processes were left: %s", children)
		}
	})
}
