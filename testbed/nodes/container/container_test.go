package container

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

func TestInside(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "report")
		report, err := os.Create(filepath.Join(t.TempDir(), "report"))
		if err != nil {
			t.Fatal(err)
		}
		defer report.Close()
		text, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer text.Close()
		_, _ = in.WriteString("a descriptor")
		in.Close()
		var stray [2]int // left open for any child, as a careless shell does
		if err := unix.Pipe(stray[:]); err != nil {
			t.Fatal(err)
		}
		defer unix.Close(stray[0])
		defer unix.Close(stray[1])
		plugin := filepath.Join(t.TempDir(), "cc-test")
		if err := os.Link(s.Program, plugin); err != nil {
			copyFile(t, s.Program, plugin)
		}
		s.Files = []*os.File{report, text}
		s.Name, s.Plugins = "named", map[string]string{"cc-called": plugin}
		s.Args = []string{"-node", "leaf1"}
		s.Memory, s.Pids = 256<<20, 100
		c := start(t, r, s)
		if status, err := c.Wait(); err != nil || status != (Status{Code: 7}) {
			t.Fatalf("ended with %v, %v; log: %s", status, err, logOf(t, s))
		}
		var v view
		data, _ := os.ReadFile(report.Name())
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatalf("%v in %q", err, data)
		}
		check := func(what string, got, want any) {
			t.Helper()
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: got %v, want %v", what, got, want)
			}
		}
		check("hostname", v.Hostname, "leaf1")
		check("pid", v.Pid, 1)
		check("session", v.Session, 1)
		check("arguments", v.Args, []string{"/bin/named", "-node", "leaf1"})
		check("environment", v.Env, []string{roleVariable + "=report", "HOME=/"})
		if libraries, err := dependencies(s.Program, s.Program); err != nil {
			t.Error(err)
		} else if len(libraries) == 0 { // with the race detector it has some
			check("entries of /", v.Root, "[bin dev plugins proc tmp]")
		}
		check("/bin", v.Bin, "[named]")
		check("/plugins", v.Plugins, "[cc-called]")
		check("output of the plugin", v.Plugin, "<nil>")
		check("text from descriptor 4", v.Fifth, "a descriptor")
		check("writing to /", v.WriteRoot, "open /x: read-only file system")
		check("writing to /tmp", v.WriteTmp, "<nil>")
		check("opening /dev/null", v.Null, "<nil>")
		const rights = "00000000000000e3" // chown, dac_override, kill, setgid, setuid: it has a plugin
		for set, want := range map[string]string{"CapInh": "0000000000000000", "CapPrm": rights, "CapEff": rights,
			"CapBnd": rights, "CapAmb": "0000000000000000"} {
			check(set, field(v.Status, set), want)
		}
		check("NoNewPrivs", field(v.Status, "NoNewPrivs"), "1")
		check("Seccomp", field(v.Status, "Seccomp"), "2") // filtered
		check("files", v.Files, []string{
			"0 /dev/null", "1 " + s.Log.Name(), "2 " + s.Log.Name(), "3 " + report.Name(), "4 pipe",
		})
		net, _ := os.Readlink(s.NetNS)
		check("network namespace", v.Net, net)
		if strings.Contains(v.Mounts, s.Dir+" ") || strings.Contains(v.Mounts, "/sys/fs/cgroup") {
			t.Errorf("sees mounts of the host:\n%s", v.Mounts)
		}
		for line := range strings.Lines(v.Cgroups) {
			if strings.Contains(line, "memory") || strings.Contains(line, "pids") {
				check("own cgroup", strings.HasSuffix(line, ":/\n"), true)
			}
		}
	})
}

func TestDynamicallyLinked(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "shell")
		s.Program, s.Args = shell, []string{"-c", "echo it runs"}
		oci, err := OCI(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(oci.Mounts) < 5 {
			t.Skip("the shell of this host is linked statically")
		}
		c := start(t, r, s)
		if status, err := c.Wait(); err != nil || status != (Status{}) || logOf(t, s) != "it runs\n" {
			t.Errorf("ended with %v, %v; log: %s", status, err, logOf(t, s))
		}
	})
}

func TestFailures(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("no program"), 0o755); err != nil {
		t.Fatal(err)
	}
	private := filepath.Join(t.TempDir(), "private")
	copyFile(t, os.Args[0], private)
	if err := os.Chmod(private, 0o700); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(t.TempDir(), "foreign")
	copyFile(t, os.Args[0], foreign)
	patch, err := os.OpenFile(foreign, os.O_WRONLY, 0)
	if err == nil {
		_, err = patch.WriteAt([]byte{byte(elf.EM_S390)}, 18) // e_machine, elf(5)
		err = errors.Join(err, patch.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*Spec)
		want   string
	}{
		{"missing program", func(s *Spec) { s.Program = "/nowhere/switchd" },
			"program /nowhere/switchd: no such file or directory"},
		{"missing plugin", func(s *Spec) { s.Plugins = map[string]string{"cc-y": "/nowhere/cc-x"} },
			"plugin /nowhere/cc-x: no such file or directory"},
		{"plugin of its owner alone", func(s *Spec) { s.Plugins = map[string]string{"cc-y": private} },
			"who may not execute the file: chmod o+rx gives that"},
		{"no executable", func(s *Spec) { s.Program = "/etc/passwd" },
			"program /etc/passwd: not an executable file: chmod +x, if it is a program"},
		{"no ELF", func(s *Spec) { s.Program = plain }, "not an ELF executable"},
		{"another machine's", func(s *Spec) { s.Program = foreign }, "built for EM_S390"},
		{"missing namespace", func(s *Spec) { s.NetNS = "/nowhere/net" },
			"network namespace /nowhere/net: no such file or directory"},
		{"wrong namespace", func(s *Spec) { s.NetNS = "/proc/self/ns/uts" },
			"network namespace /proc/self/ns/uts: the file is none"},
		{"relative path", func(s *Spec) { s.Program = "switchd" }, `program "switchd": want an absolute path`},
		{"bad ID", func(s *Spec) { s.ID = "../x" }, `ID "../x"`},
		{"a plugin's name with a folder", func(s *Spec) { s.Plugins = map[string]string{"../x": "/a/cc"} },
			`plugin /a/cc: "../x" is not a file name`},
		{"a program's name with a folder", func(s *Spec) { s.Name = "a/b" }, `"a/b" is not a file name`},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, r Runtime) {
				s := fixture(t, "sleep")
				c.change(&s)
				before := traces(t)
				started, err := r.Start(t.Context(), s)
				if err == nil {
					_ = started.Remove(context.Background())
					t.Fatal("started")
				}
				if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "start container "+s.ID) {
					t.Errorf("error %q does not tell %q", err, c.want)
				}
				sameTraces(t, before)
				if _, err := os.Stat(s.folder()); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("its folder is left: %v", err)
				}
			})
		})
	}
}

// TestTooLittleMemory fails after the first process was made.
func TestTooLittleMemory(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		before := traces(t)
		s := fixture(t, "sleep")
		s.Memory = 64 << 10
		c, err := r.Start(t.Context(), s)
		if err == nil {
			_ = c.Remove(context.Background())
			t.Fatal("started")
		}
		if !strings.Contains(err.Error(), "memory") {
			t.Errorf("error %v", err)
		}
		sameTraces(t, before)
	})
}

// TestFailedRuncLeavesNoOrphans makes runc fail in the middle of its own stages, which leaves one of them to the
// process that adopts orphans: this one.
func TestFailedRuncLeavesNoOrphans(t *testing.T) {
	r := find(t, Runc).(runc)
	before := traces(t)
	s := fixture(t, "sleep")
	s.NetNS = "/proc/self/ns/uts"
	oci, err := OCI(s)
	if err != nil {
		t.Fatal(err)
	}
	at, err := makePlace(s, everyGroup(r.trees, oci.Linux.CgroupsPath))
	if err != nil {
		t.Fatal(err)
	}
	description, err := json.Marshal(oci)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(at.dir, "config.json")
	if err := errors.Join(becomeSubreaper(), os.WriteFile(config, description, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := r.run(t.Context(), at.dir, s); err == nil {
		t.Error("started")
	}
	if err := undo(at, nil); err != nil {
		t.Error(err)
	}
	if now := traces(t); !slices.Equal(before, now) {
		t.Errorf("before %v, now %v", before, now)
	}
}

func TestProgramThatDiesAtOnce(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "die")
		c := start(t, r, s)
		for range 2 {
			if status, err := c.Wait(); err != nil || status.String() != "exit status 0" {
				t.Errorf("ended with %v, %v", status, err)
			}
		}
	})
}

func TestKilledProgram(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		c := start(t, r, fixture(t, "sleep"))
		if err := unix.Kill(c.Pid(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if status, err := c.Wait(); err != nil || status.String() != "signal: killed" {
			t.Errorf("ended with %v, %v", status, err)
		}
	})
}

func TestTakenID(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "sleep")
		first := start(t, r, s)
		_, err := r.Start(t.Context(), s)
		if err == nil || !strings.Contains(err.Error(), "exists") {
			t.Errorf("error %v", err)
		}
		s.Dir = t.TempDir()
		if _, err = r.Start(t.Context(), s); err == nil || !strings.Contains(err.Error(), "its ID is taken") {
			t.Errorf("in another folder: error %v", err)
		}
		if err := unix.Kill(first.Pid(), 0); err != nil {
			t.Errorf("the first one: %v", err)
		}
	})
}

func TestInitIsDemanded(t *testing.T) {
	r := find(t, Builtin)
	initCalled.Store(false)
	defer initCalled.Store(true)
	if _, err := r.Start(t.Context(), fixture(t, "sleep")); err == nil || !strings.Contains(err.Error(),
		"container.Init is not called") {
		t.Errorf("error %v", err)
	}
}

func TestCancelled(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		before := traces(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := fixture(t, "sleep")
		if _, err := r.Start(ctx, s); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		sameTraces(t, before)
	})
}

func TestManyAtOnce(t *testing.T) {
	const many = 40
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "sleep")
		before := traces(t)
		containers := bringUp(t, r, s, many)
		if now := traces(t); len(now) <= len(before) {
			t.Errorf("no trace of %d containers: %v", many, now)
		}
		takeDown(t, s, containers)
		sameTraces(t, before)
		if left, _ := os.ReadDir(s.Dir); len(left) > 0 {
			t.Errorf("folders left: %v", left)
		}
	})
}

func TestRemoveByAnotherProcess(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, r Runtime) {
		before := traces(t)
		s := fixture(t, "sleep")
		c, err := r.Start(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		other := exec.Command(self, s.ID)
		other.Env = append(os.Environ(), roleVariable+"=remove")
		if out, err := other.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		if status, err := c.Wait(); err != nil || status.Signal != unix.SIGKILL {
			t.Errorf("ended with %v, %v", status, err)
		}
		if err := c.Remove(t.Context()); err != nil {
			t.Error(err)
		}
		sameTraces(t, before)
	})
}

func TestStarterIsKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, r Runtime) {
		before := traces(t)
		s := fixture(t, "sleep")
		s.Log = nil // does not travel
		description, err := json.Marshal(struct {
			Runtime string
			Spec
		}{r.Name(), s})
		if err != nil {
			t.Fatal(err)
		}
		// Killed at another point of a start each time.
		for part := range 5 {
			starter := exec.Command(self)
			starter.Env = append(os.Environ(), roleVariable+"=start")
			starter.Stdin = bytes.NewReader(description)
			var out bytes.Buffer
			starter.Stdout = &out
			if err := starter.Start(); err != nil {
				t.Fatal(err)
			}
			third := s.folder() + "2"
			for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
				if _, err := os.Stat(third); err == nil {
					break
				}
			}
			time.Sleep(time.Duration(part) * time.Millisecond)
			_ = starter.Process.Kill()
			_ = starter.Wait()
			if _, err := os.Stat(third); err != nil {
				t.Fatalf("%v; it says %s", err, &out)
			}
			if found, err := RemoveAll(t.Context(), remainsOf(s)); err != nil || !found {
				t.Errorf("found %v, %v", found, err)
			}
			sameTraces(t, before)
			if err := os.RemoveAll(s.Dir); err != nil {
				t.Error(err)
			}
			if err := os.Mkdir(s.Dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestNewerContainerIsSpared(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "sleep")
		older := start(t, r, s)
		if err := older.Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
		newer := start(t, r, s)
		again := older.(*instance)
		if err := errors.Join(older.Remove(t.Context()), again.place.remove(t.Context())); err != nil {
			t.Error(err)
		}
		if err := unix.Kill(newer.Pid(), 0); err != nil {
			t.Errorf("the newer one: %v", err)
		}
		if _, err := os.Stat(s.folder()); err != nil {
			t.Error(err)
		}
	})
}

func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "sleep")
		s.Memory, s.Pids = 128<<20, 50
		c := start(t, r, s)
		got := map[string]bool{}
		for _, path := range c.(*instance).place.cgroups {
			for _, file := range []string{"memory.limit_in_bytes", "memory.max", "pids.max"} {
				if text, err := os.ReadFile(filepath.Join(path, file)); err == nil {
					got[strings.TrimSpace(string(text))] = true
				}
			}
		}
		if !got["134217728"] || !got["50"] {
			t.Errorf("limits are %v, want 134217728 and 50", got)
		}
		self, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", c.Pid()))
		if err != nil || !strings.Contains(string(self), "/rocelab-"+s.ID) {
			t.Errorf("its cgroups are %s, %v", self, err)
		}
	})
}

// TestVersion2 starts a container in the version 2 tree alone, as hosts have it
// that have no other.
func TestVersion2(t *testing.T) {
	find(t, Builtin)
	trees, err := hierarchies()
	if err != nil {
		t.Fatal(err)
	}
	only := slices.DeleteFunc(slices.Clone(trees), func(h cgroup.Hierarchy) bool { return !h.Unified })
	if len(only) == 0 {
		t.Skip("this host has no version 2 cgroups")
	}
	s := fixture(t, "sleep")
	c := start(t, builtin{only}, s)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", c.Pid()))
	if err != nil || !strings.Contains(string(text), "\n0::"+filepath.Join("/", cgroupName(s.ID))+"\n") {
		t.Errorf("its cgroups are %s, %v", text, err)
	}
	if !only[0].Has("memory") {
		s.ID += "2"
		s.Memory = 1 << 30
		if _, err := (builtin{only}).Start(t.Context(), s); err == nil || !strings.Contains(err.Error(),
			"no memory cgroup controller") {
			t.Errorf("error %v", err)
		}
	}
}

func TestFind(t *testing.T) {
	if _, err := Find("docker"); err == nil || !strings.Contains(err.Error(), "use auto, runc or builtin") {
		t.Errorf("error %v", err)
	}
	r := find(t, Auto)
	if _, err := exec.LookPath("runc"); (err == nil) != (r.Name() == Runc) {
		t.Errorf("auto is %s", r.Name())
	}
	for _, name := range []string{Builtin, Runc} {
		if err := Probe(t.Context(), find(t, name)); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkUpAndDown(b *testing.B) {
	for _, name := range []string{Builtin, Runc} {
		for _, many := range []int{40, 384} {
			b.Run(fmt.Sprintf("%s/%d", name, many), func(b *testing.B) {
				r := find(b, name)
				s := fixture(b, "sleep")
				var up, down time.Duration
				for b.Loop() {
					begin := time.Now()
					containers := bringUp(b, r, s, many)
					middle := time.Now()
					takeDown(b, s, containers)
					up, down = up+middle.Sub(begin), down+time.Since(middle)
				}
				per := func(d time.Duration) float64 { return d.Seconds() * 1e3 / float64(many*b.N) }
				b.ReportMetric(per(up), "ms-up/container")
				b.ReportMetric(per(down), "ms-down/container")
			})
		}
	}
}
