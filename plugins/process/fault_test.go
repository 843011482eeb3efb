//go:build linux && !mem

package process_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/specs/tier"
)

// However it fails, the process is gone and the error names the question at which it failed.
func TestFaults(t *testing.T) {
	tier.Everyday(t)
	both(t, func(t *testing.T, w way) {
		for _, c := range []struct {
			on, do string
			want   []string
		}{
			{"cnp", "exit", []string{"exited with code 3", "the CNP event of flow sending at 12.3us", "I am off"}},
			{"cnp", "panic", []string{w.panicked, "the CNP event of flow sending at 12.3us", "out of cheese"}},
			{"cnp", "hang", []string{"no answer to the CNP event of flow sending at 12.3us within 1s"}},
			{"data", "panic", []string{w.panicked, "a data packet of flow receiving at 45us", "out of cheese"}},
			{"data", "hang", []string{"no answer to a data packet of flow receiving at 45us within 1s"}},
			{"sender", "panic", []string{"the set-up of the sender of flow 42", "out of cheese"}},
			{"receiver", "exit", []string{"exited with code 3 at the set-up of the receiver of flow 42"}},
		} {
			t.Run(c.on+"-"+c.do, func(t *testing.T) {
				t.Parallel() // some wait for a time limit
				plug := must(t)(w.misbehaving(t, c.on, c.do, process.Options{Deadline: time.Second}))
				f := cctest.Facts()
				f.Flow = 42
				s, r := plug.NewSender(f), plug.NewReceiver(f)
				s.(hosting.Failing).NameFlow("sending")
				r.(hosting.Failing).NameFlow("receiving")
				d, fb := cc.Decision{Rate: 1}, cc.Feedback{}
				s.Handle(&cc.Event{Kind: cc.EventCNP, Now: unit.Time(12300 * unit.Nanosecond)}, &d)
				r.Data(&cc.Arrival{Now: unit.Time(45 * unit.Microsecond)}, &fb)
				if fb.BaseRate != -1 {
					t.Errorf("feedback %+v of a broken plugin, want base rate -1", fb)
				}
				s.Handle(&cc.Event{}, &d)
				r.Group(cc.Group{})
				if d.Rate != 0 {
					t.Errorf("decision %+v of a broken plugin, want rate 0", d)
				}
				err := s.(hosting.Failing).Err()
				if err == nil || r.(hosting.Failing).Err() != err {
					t.Fatalf("sender says %v, receiver %v", err, r.(hosting.Failing).Err())
				}
				for _, part := range append(c.want, "algorithm misbehaving (plugin /", w.program+", pid ") {
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
	})
}

func exists(pid int) bool { return unix.Kill(pid, 0) == nil }

func TestKilledPluginIsNoticed(t *testing.T) {
	both(t, func(t *testing.T, w way) {
		p := w.start(t, process.Options{})
		params, _ := hosting.Parse(p.Algorithm().Describe(), map[string]string{"on": "nothing", "do": "exit"})
		s := must(t)(p.Algorithm().New(params)).NewSender(cctest.Facts())
		d := cc.Decision{}
		s.Handle(&cc.Event{}, &d)
		if err := unix.Kill(p.Pid(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		s.Handle(&cc.Event{Kind: cc.EventNak}, &d)
		if err := s.(hosting.Failing).Err(); d.Rate != 0 || err == nil || !strings.Contains(err.Error(),
			"was ended by signal: killed at the NAK event") {
			t.Errorf("%+v, %v", d, err)
		}
	})
}

func TestFailuresOfConfiguration(t *testing.T) {
	tier.Everyday(t)
	both(t, func(t *testing.T, w way) {
		for do, want := range map[string]string{"panic": "out of cheese",
			"exit": "exited with code 3 at its configuration: I am off", "hang": "no answer to its configuration within 1s",
			"nil": "failed at its configuration: New returned neither a controller nor an error"} {
			if w.name == "stream" && do == "nil" {
				continue // Python has no such mistake
			}
			var broken *process.Error
			if _, err := w.misbehaving(t, "new", do, process.Options{Deadline: time.Second}); !errors.As(err, &broken) ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", do, err, want)
			}
		}
	})
}

// The answers of a batch before the crash count, and the culprit is named.
func TestCrashWithinABatch(t *testing.T) {
	both(t, func(t *testing.T, w way) {
		plug := must(t)(w.misbehaving(t, "third", "panic", process.Options{}))
		steps := make([]hosting.Step, 5)
		for i := range steps {
			f := cctest.Facts()
			f.Flow = uint32(10 + i)
			steps[i] = hosting.Step{Sender: plug.NewSender(f), Event: cc.Event{Kind: cc.EventAck, Now: unit.Time(i)},
				Decision: cc.Decision{Rate: unit.Gbps}}
		}
		steps[0].Sender.(hosting.Batched).Batcher().HandleAll(steps)
		for i := range steps {
			if answered := steps[i].Decision.Rate != 0; answered != (i < 2) {
				t.Errorf("step %d: %+v", i, steps[i].Decision)
			}
		}
		if err := steps[0].Sender.(hosting.Failing).Err(); err == nil || !strings.Contains(err.Error(),
			"the ACK event of flow 12 at 2ps") {
			t.Error(err)
		}
	})
}

func TestProgramsThatAreNoPlugins(t *testing.T) {
	tier.Everyday(t)
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ path, want string }{
		{build(t, "./testdata/future"), "speaks protocol version 7, this rocelab speaks 3: rebuild the plugin"},
		{build(t, "./testdata/stranger"), "was built with other events and decisions (layout 0000000000000001, here "},
		{write("chatty", "#!/bin/sh\necho hello\n", 0o755), `is not a plugin: it wrote "hello" to stdout`},
		{write("mute", "#!/bin/sh\necho 'no such lamp' >&2; exit 1\n", 0o755),
			"is not a plugin: it ended without a handshake: no such lamp"},
		{write("idle", "#!/bin/sh\nsleep 1000\n", 0o755), "no handshake within 1s"},
		{write("text", "just words\n", 0o755), "is not an executable program: the system knows no way to run it"},
		{write("plain", "#!/bin/sh\n", 0o644), "is not an executable program: its file has no permission"},
		{write("homeless", "#!/no/such/shell\n", 0o755), "cannot be run: the program that its first line names is missing"},
		{folder, "is a folder: give the path of the program in it"},
		{filepath.Join(folder, "missing"), "is missing: there is no such file"},
	} {
		t.Run(fmt.Sprintf("%.50q", c.path), func(t *testing.T) {
			o := process.Options{}
			if filepath.Base(c.path) == "idle" {
				o.StartLimit = time.Second
			}
			_, err := process.Probe(process.Program{Path: c.path}, o)
			var broken *process.Error
			if !errors.As(err, &broken) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, want %q", filepath.Base(c.path), err, c.want)
			}
		})
	}
	if left, _ := exec.Command("pgrep", "-f", folder).Output(); len(left) > 0 {
		t.Errorf("processes were left: %s", left)
	}
}

// hang has a program hang in the CNP event, and returns the error and the log.
func hang(t *testing.T, path string, o process.Options) (failed, log string) {
	t.Helper()
	o.Log, o.Deadline = filepath.Join(t.TempDir(), "log"), time.Second
	a := startAt(t, path, o).Algorithm()
	params, err := hosting.Parse(a.Describe(), map[string]string{"on": "cnp", "do": "hang"})
	if err != nil {
		t.Fatal(err)
	}
	s := must(t)(a.New(params)).NewSender(cctest.Facts())
	s.Handle(&cc.Event{Kind: cc.EventCNP}, &cc.Decision{})
	text, err := os.ReadFile(o.Log)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(fmt.Sprint(s.(hosting.Failing).Err()), o.Log, "LOG"), string(text)
}

// The log of a program that hangs shows the place: it has the stack of the goroutine that runs.
func TestHangIsLocated(t *testing.T) {
	tier.Everyday(t)
	both(t, func(t *testing.T, w way) {
		if failed, log := hang(t, w.path(t), process.Options{Env: w.env(t)}); !strings.Contains(log, w.stacks) ||
			!strings.HasSuffix(failed, "within 1s; its stacks are in LOG") {
			t.Errorf("%s; the log holds %q", failed, log)
		}
	})
}

// An author's own GOTRACEBACK is followed: then it is Go's runtime that writes, with the registers.
func TestAuthorsTraceback(t *testing.T) {
	for value, want := range map[string]bool{"all": true, "": false} {
		t.Run(value, func(t *testing.T) {
			t.Parallel() // it waits for a time limit
			o := process.Options{Env: append(os.Environ(), "GOTRACEBACK="+value)}
			if failed, log := hang(t, ways[0].path(t), o); strings.Contains(log, "\nPC=0x") != want ||
				!strings.HasPrefix(log, "SIGQUIT: quit\n") || !strings.HasSuffix(failed, "; its stacks are in LOG") {
				t.Errorf("%s; the log begins with %.99q", failed, log)
			}
		})
	}
}

// Of a program that wrote nothing when it was asked to, no stacks are promised. Tier: everyday.
func TestNoStacksArePromised(t *testing.T) {
	tier.Everyday(t)
	o := process.Options{Through: []string{"/bin/sh", "-c", `exec "$0" 2>/dev/null`}}
	if failed, log := hang(t, ways[0].path(t), o); !strings.HasSuffix(failed, "within 1s") || log != "" {
		t.Errorf("%s; the log holds %q", failed, log)
	}
}

// A plugin dies with its host, even when the host is killed and the plugin
// hangs.
func TestPluginDiesWithItsHost(t *testing.T) {
	both(t, func(t *testing.T, w way) {
		if os.Getenv("PROCESS_TEST_HOST") != "" {
			beHost(t, w)
		}
		w.env(t) // skips without Python
		host := exec.Command(os.Args[0], "-test.run=^TestPluginDiesWithItsHost$/^"+w.name+"$")
		host.Env = append(os.Environ(), "PROCESS_TEST_HOST="+w.path(t))
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
	})
}

// beHost starts a plugin, reports its pid and waits for an answer that will not come.
func beHost(t *testing.T, w way) {
	p, err := process.Start(process.Program{Path: os.Getenv("PROCESS_TEST_HOST")},
		process.Options{Deadline: time.Hour, Env: w.env(t)})
	if err != nil {
		t.Fatal(err)
	}
	params, _ := hosting.Parse(p.Algorithm().Describe(), map[string]string{"on": "cnp", "do": "hang"})
	c := must(t)(p.Algorithm().New(params))
	s := c.NewSender(cctest.Facts())
	fmt.Printf("pid %d\n", p.Pid())
	s.Handle(&cc.Event{Kind: cc.EventCNP}, &cc.Decision{})
}
