package veth_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// harmed is the name of the testbeds to destroy.
var harmed = fmt.Sprintf("harm%d", os.Getpid())

// deployed is a testbed that is up, of three hosts and a switch, and a file that is
// not its, which nothing may happen to.
func deployed(t *testing.T) (up *veth.Testbed, precious string) {
	t.Helper()
	tier.Root(t, "a testbed")
	tier.Everyday(t)
	// Its own folder of testbeds is made last, and examined first at the end.
	precious = filepath.Join(t.TempDir(), "precious")
	write(t, precious, "do not touch")
	t.Cleanup(func() {
		if b, err := os.ReadFile(precious); err != nil || string(b) != "do not touch" {
			t.Errorf("a foreign file is %q, %v", b, err)
		}
	})
	root, err := os.MkdirTemp("", "rv-") // short: paths of sockets are
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	t.Setenv("ROCELAB_RUN", filepath.Join(root, "run"))
	p := plans(t, "incast.yaml", map[string]string{
		"topology.hosts": "3", "traffic.senders": "2", "traffic.receiver": "h2",
	})[0]
	up, err = veth.Deploy(t.Context(), p, veth.Config{Name: harmed, Runtime: container.Builtin})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // whatever the test did
		if err := up.Destroy(context.Background()); err != nil {
			t.Error(err)
		}
		if left := leftOf(t, up); left != "" {
			t.Error("left behind:", left)
		}
		if _, err := os.Lstat(veth.Root()); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the folder of testbeds is still there:", err)
		}
	})
	return up, precious
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// leftOf lists what there is of a testbed on the host, but for what this process has
// not reaped.
func leftOf(t *testing.T, up *veth.Testbed) string {
	t.Helper()
	var left []string
	for i := range up.Containers {
		pid := up.Containers[i].Pid
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err == nil && !strings.Contains(string(stat), ") Z ") {
			left = append(left, "process "+string(stat))
		}
	}
	mounts, err := container.Mounts()
	if err != nil {
		t.Fatal(err)
	}
	for i := range mounts {
		if mounts[i].Below(veth.Root()) {
			left = append(left, "mount "+mounts[i].Point)
		}
	}
	filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), "rocelab-"+up.Name+".") {
			left = append(left, "cgroup "+path)
		}
		return nil
	})
	if _, err := os.Lstat(up.Dir()); err == nil {
		left = append(left, "folder "+up.Dir())
	}
	return strings.Join(left, "\n")
}

// No damage to what a testbed keeps in its folder makes it indestructible, has
// Destroy wait, or leads it to anything that is not the testbed's.
func TestDamagedTestbedsAreDestroyed(t *testing.T) {
	type damage = func(t *testing.T, up *veth.Testbed, precious string)
	replace := func(file string, with func(path, precious string) error) damage {
		return func(t *testing.T, up *veth.Testbed, precious string) {
			path := filepath.Join(up.Dir(), file)
			unix.Unmount(path, unix.MNT_DETACH)
			if err := errors.Join(os.RemoveAll(path), with(path, precious)); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := func(text string) func(string, string) error {
		return func(path, _ string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	link := func(path, precious string) error { return os.Symlink(filepath.Dir(precious), path) }
	nothing := func(string, string) error { return nil }
	pipe := func(path, _ string) error { return unix.Mkfifo(path, 0o600) }
	folder := func(path, _ string) error { return os.MkdirAll(filepath.Join(path, "in", "it"), 0o700) }
	for _, c := range []struct {
		name   string
		damage damage
	}{
		{"not at all", func(*testing.T, *veth.Testbed, string) {}},
		{"state missing", replace("testbed.json", nothing)},
		{"state empty", replace("testbed.json", text(""))},
		{"state of wrong types", replace("testbed.json", text(`{"name": 7, "containers": {"a": []}}`))},
		{"state that is no text", replace("testbed.json", text("\x00\xff\xfe"))},
		{"state without an end", replace("testbed.json", func(path, _ string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		})},
		{"state that is a pipe", replace("testbed.json", pipe)},
		{"state of another testbed", replace("testbed.json", text(`{"name": "other", "daemons": "server"}`))},
		{"state that leads elsewhere", replace("testbed.json", func(path, precious string) error {
			state := fmt.Appendf(nil, `{"name": %q, "daemons": "server", "containers": [{"name": "../../x", "pid": %d,
				"netns": %q, "log": %[3]q}], "nodes": [{"name": "a", "container": 9}]}`, harmed, os.Getpid(), precious)
			return os.WriteFile(path, state, 0o600)
		})},
		{"containers missing", replace("containers", nothing)},
		{"containers a file", replace("containers", text("x"))},
		{"containers elsewhere", replace("containers", link)},
		{"containers of folders", replace("containers", folder)},
		{"namespaces missing", replace("net/h0", nothing)},
		{"namespaces a folder", replace("net/h1", folder)},
		{"namespaces elsewhere", replace("net/s0", link)},
		{"lock a folder", replace("lock", folder)},
		{"lock a pipe", replace("lock", pipe)},
		{"page a folder", replace("page", folder)},
		{"sockets elsewhere", replace("control", link)},
		{"remains of a Destroy that was killed", func(t *testing.T, up *veth.Testbed, _ string) {
			containers := filepath.Join(up.Dir(), "containers")
			if err := os.Rename(containers, containers+".gone"); err != nil {
				t.Fatal(err)
			}
		}},
		{"a folder mounted in it", func(t *testing.T, up *veth.Testbed, precious string) {
			at := filepath.Join(up.Dir(), "log", "there")
			err := errors.Join(os.Mkdir(at, 0o700), unix.Mount(filepath.Dir(precious), at, "", unix.MS_BIND, ""))
			if err != nil {
				t.Fatal(err)
			}
		}},
		{"its folder mounted on itself", func(t *testing.T, up *veth.Testbed, precious string) {
			if err := unix.Mount(up.Dir(), up.Dir(), "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
				t.Fatal(err)
			}
		}},
		{"processes out of their cgroups", func(t *testing.T, up *veth.Testbed, _ string) {
			for i := range up.Containers {
				leaveCgroups(t, up.Containers[i].Pid)
			}
		}},
		{"a stopped daemon", func(t *testing.T, up *veth.Testbed, _ string) {
			unix.Kill(up.Containers[0].Pid, unix.SIGSTOP)
		}},
		{"a dead daemon", func(t *testing.T, up *veth.Testbed, _ string) {
			unix.Kill(up.Containers[0].Pid, unix.SIGKILL)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			up, precious := deployed(t)
			c.damage(t, up, precious)
			if _, err := veth.List(); err != nil {
				t.Log(err) // it is told, and nothing hangs
			}
			began := time.Now()
			if err := veth.Destroy(t.Context(), harmed); err != nil {
				t.Error(err)
			}
			t.Log(time.Since(began))
			if left := leftOf(t, up); left != "" {
				t.Error("left behind:", left)
			}
			var missing *veth.NotFoundError
			if err := veth.Destroy(t.Context(), harmed); !errors.As(err, &missing) {
				t.Error("once more:", err)
			}
		})
	}
}

// leaveCgroups moves a process out of its cgroups.
func leaveCgroups(t *testing.T, pid int) {
	t.Helper()
	for _, of := range []string{"", "*/"} {
		groups, _ := filepath.Glob("/sys/fs/cgroup/" + of + "cgroup.procs")
		for _, g := range groups {
			write(t, g, fmt.Sprint(pid))
		}
	}
}

// A foreign process in a container's cgroup is named and spared, after a bounded time, and all else is taken away.
func TestForeignProcessInACgroupIsNamed(t *testing.T) {
	up, _ := deployed(t)
	foreign := exec.Command("sleep", "60")
	if err := foreign.Start(); err != nil {
		t.Fatal(err)
	}
	defer foreign.Wait()
	defer foreign.Process.Kill()
	groups, _ := filepath.Glob("/sys/fs/cgroup/pids/rocelab-" + harmed + ".h0")
	if groups == nil {
		t.Skip("this host has its pids cgroups elsewhere")
	}
	write(t, filepath.Join(groups[0], "cgroup.procs"), fmt.Sprint(foreign.Process.Pid))
	ctx := t.Context()
	if !tier.RunsSlow() { // else its own patience ends it
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
	}
	ended := make(chan error, 1)
	go func() { ended <- veth.Destroy(ctx, harmed) }()
	var err error
	select {
	case err = <-ended:
	case <-time.After(time.Minute):
		foreign.Process.Kill()
		t.Fatal("it waits")
	}
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d (\"sleep\")", foreign.Process.Pid)) {
		t.Error("it says", err)
	}
	if err := foreign.Process.Signal(unix.Signal(0)); err != nil {
		t.Error("the process:", err)
	}
	if left := leftOf(t, up); left != "cgroup "+groups[0]+"\nfolder "+up.Dir() {
		t.Error("left behind:", left)
	}
	foreign.Process.Kill()
	foreign.Wait()
	if err := veth.Destroy(t.Context(), harmed); err != nil {
		t.Error(err)
	}
}

// A testbed whose folder is gone is known by the names of its cgroups.
func TestTestbedWithoutAFolderIsDestroyed(t *testing.T) {
	up, _ := deployed(t)
	mounts, err := container.Mounts()
	if err != nil {
		t.Fatal(err)
	}
	for i := range mounts {
		if mounts[i].Below(up.Dir()) {
			unix.Unmount(mounts[i].Point, unix.MNT_DETACH)
		}
	}
	if err := os.RemoveAll(veth.Root()); err != nil {
		t.Fatal(err)
	}
	if err := veth.Destroy(t.Context(), harmed); err != nil {
		t.Error(err)
	}
	if left := leftOf(t, up); left != "" {
		t.Error("left behind:", left)
	}
}

// The process that brought a testbed up takes it away from its own memory.
func TestOwnTestbedNeedsNothingOfItsFolder(t *testing.T) {
	up, _ := deployed(t)
	for i := range up.Containers { // no name and no namespace tells of the processes
		leaveCgroups(t, up.Containers[i].Pid)
		unix.Unmount(up.Containers[i].NetNS, unix.MNT_DETACH)
	}
	if err := os.RemoveAll(up.Dir()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := up.Destroy(ctx); err != nil {
		t.Error(err)
	}
	if left := leftOf(t, up); left != "" {
		t.Error("left behind:", left)
	}
}

// What a Deploy under way makes after its folder was emptied is taken away, too.
func TestDestroyWhileFilesAreMade(t *testing.T) {
	tier.Root(t, "cgroups")
	t.Setenv("ROCELAB_RUN", t.TempDir())
	for range 20 {
		dir := filepath.Join(veth.Root(), harmed)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		made := make(chan struct{})
		go func() {
			for range 3000 {
				os.WriteFile(filepath.Join(dir, "lock"), nil, 0o600) // refused when the folder is gone
			}
			close(made)
		}()
		if err := veth.Destroy(t.Context(), harmed); err != nil {
			t.Error(err)
		}
		<-made
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the folder is left:", err)
		}
	}
}

// Of several Destroys at a time of a folder without containers, each one finds it, or finds it gone.
func TestDestroysOfOneFolder(t *testing.T) {
	tier.Root(t, "cgroups")
	t.Setenv("ROCELAB_RUN", t.TempDir())
	for range 60 {
		if err := os.MkdirAll(filepath.Join(veth.Root(), harmed), 0o700); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		const destroys = 6
		for range destroys {
			go func() { ended <- veth.Destroy(t.Context(), harmed) }()
		}
		for range destroys {
			var missing *veth.NotFoundError
			if err := <-ended; err != nil && !errors.As(err, &missing) {
				t.Error(err)
			}
		}
	}
}

// Destroys do not get into each other's way, nor into that of a Deploy under way,
// and at the end nothing is left.
func TestDestroyAtAnyMoment(t *testing.T) {
	tier.Everyday(t)
	up, _ := deployed(t)
	if err := up.Destroy(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := plans(t, "incast.yaml", map[string]string{
		"topology.hosts": "3", "traffic.senders": "2", "traffic.receiver": "h2",
	})[0]
	done := 0
	for round := range 12 {
		deployed := make(chan error)
		go func() {
			_, err := veth.Deploy(t.Context(), p, veth.Config{Name: harmed, Runtime: container.Builtin})
			deployed <- err
		}()
		time.Sleep(time.Duration(round) * 10 * time.Millisecond)
		ended := make(chan error)
		for range 3 {
			go func() { ended <- veth.Destroy(t.Context(), harmed) }()
		}
		for range 3 {
			var missing *veth.NotFoundError
			if err := <-ended; err == nil {
				done++
			} else if !errors.As(err, &missing) {
				t.Error(err)
			}
		}
		<-deployed // up, or refused
		var missing *veth.NotFoundError
		if err := veth.Destroy(t.Context(), harmed); err != nil && !errors.As(err, &missing) {
			t.Error(err)
		}
		if left := leftOf(t, up); left != "" {
			t.Fatal("left behind:", left)
		}
	}
	if done == 0 {
		t.Error("no testbed was destroyed while it came up")
	}
}
