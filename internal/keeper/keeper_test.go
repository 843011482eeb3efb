//go:build linux && !mem

package keeper_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/keeper"
	"github.com/rocelab/rocelab/specs/tier"
)

// brood is a program that starts processes that are hard to get rid of: a process in a session of its own whose parent
// is gone, one that ignores signals, one that starts others as fast as it can. All carry a word in their command line.
// It ends when a file is there.
const brood = `
word=$1 over=$2
sh -c "setsid sh -c 'exec sleep 1000' $word </dev/null >/dev/null 2>&1 &" $word
sh -c "trap '' TERM INT HUP QUIT; while :; do sleep 1; done" $word >/dev/null 2>&1 &
sh -c "while :; do (setsid sleep 1 &); sleep 0.02; done" $word >/dev/null 2>&1 &
sh -c "kill -STOP \$\$; exit" $word &
echo ready
while [ ! -e $over ]; do sleep 0.02; done
exit 7
`

// grown are the four of a brood, by what their command lines begin with, or the state that
// they are in (proc(5)).
func grown(word string) error {
	all := strings.Join(carrying(word), "\n")
	for _, part := range []string{" sleep 1000", " sh -c trap ", " sh -c while ", " T sh -c kill "} {
		if !strings.Contains(all, part) {
			return fmt.Errorf("none of the brood is %q:\n%s", part, all)
		}
	}
	return nil
}

// awaitBrood returns once a brood is complete.
func awaitBrood(t *testing.T, word string) {
	t.Helper()
	eventually(t, func() error { return grown(word) })
}

// patience is a test's time limit for steps that other work on the machine may delay.
const patience = time.Minute

// eventually waits until check returns nil.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	var err error
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	t.Fatal(err)
}

// TestMain lets a test be the host that is killed. If SIGINT is ignored, as under nohup or in a command that a script
// has begun with &, it is enabled again, here and so in all hosts.
func TestMain(m *testing.M) {
	if signal.Ignored(os.Interrupt) {
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		go func() {
			<-interrupted
			os.Exit(130)
		}()
	}
	if os.Getenv("KEEPER_TEST_HYDRA") != "" {
		beHydra()
	}
	if word := os.Getenv("KEEPER_TEST_WORD"); word != "" {
		be(word)
	}
	os.Exit(m.Run())
}

// be holds a brood until this process is killed, or ends in the requested way once it is told to.
func be(word string) {
	k, cmd, err := hold(word, os.Getenv("KEEPER_TEST_OVER"), os.Getenv("KEEPER_TEST_WAY") == "subreaper")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held", cmd.Process.Pid, k.Pid())
	io.Copy(io.Discard, os.Stdin)
	switch os.Getenv("KEEPER_TEST_END") {
	case "panic":
		panic("the host")
	case "exit":
		os.Exit(3)
	}
	select {}
}

// hold starts a brood, and returns once it grows.
func hold(word, over string, subreaper bool) (*keeper.Kept, *exec.Cmd, error) {
	k, err := keeper.New(keeper.Order{
		Path:   "/bin/sh",
		Args:   []string{"-c", brood, word, word, over},
		Env:    os.Environ(),
		Folder: "KEEPER_FOLDER",
	})
	if err != nil {
		return nil, nil, err
	}
	commands := k.Commands()
	if subreaper {
		commands = commands[1:]
	}
	for _, cmd := range commands {
		out, _ := cmd.StdoutPipe()
		if err = cmd.Start(); err != nil {
			continue
		}
		if err = k.Started(patience); err == nil {
			_, err = fmt.Fscanln(out, new(string))
		}
		return k, cmd, err
	}
	return nil, nil, err
}

// carrying are the processes that carry the word, in their command line or in their
// environment: PID, state and command line of each.
func carrying(word string) (list []string) {
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range processes {
		command, _ := os.ReadFile(p + "/cmdline")
		environment, _ := os.ReadFile(p + "/environ")
		stat, _ := os.ReadFile(p + "/stat")
		_, state, _ := strings.Cut(string(stat), ") ")
		if strings.Contains(string(command)+string(environment), word) && !strings.HasPrefix(state, "Z") {
			line := strings.ReplaceAll(string(command), "\x00", " ")
			list = append(list, fmt.Sprintf("%s %.1s %s", filepath.Base(p), state, line))
		}
	}
	return list
}

// newWord returns a word for a brood, and ends what carries it when the test is over: a
// brood that a keeper has not held would keep the machine busy for ever.
func newWord(t *testing.T) string {
	word := fmt.Sprintf("brood-%d-%d", os.Getpid(), time.Now().UnixNano())
	t.Cleanup(func() {
		for range 100 {
			left := carrying(word)
			for _, process := range left {
				var pid int
				if fmt.Sscan(process, &pid); pid > 1 && pid != os.Getpid() {
					unix.Kill(pid, unix.SIGKILL)
				}
			}
			if len(left) == 0 {
				return
			}
		}
	})
	return word
}

func eventuallyNone(t *testing.T, what string, list func() []string) {
	t.Helper()
	eventually(t, func() error {
		if left := list(); len(left) > 0 {
			return fmt.Errorf("%s: %q", what, left)
		}
		return nil
	})
}

// However a host ends, nothing that its program has started is left, nor its folder; as root and as a user, in a PID
// namespace and without one.
func TestNothingOutlivesTheHost(t *testing.T) {
	tier.Everyday(t)
	for _, user := range []string{"root", "nobody"} {
		for _, way := range []string{"namespace", "subreaper"} {
			for _, end := range []string{"kill", "kill with a stopped keeper", "interrupt", "panic", "exit"} {
				t.Run(user+"/"+way+"/"+end, func(t *testing.T) {
					t.Parallel()
					if user == "root" && os.Geteuid() != 0 {
						t.Skip("needs root")
					}
					endHost(t, user, way, end)
				})
			}
		}
	}
}

func endHost(t *testing.T, user, way, end string) {
	word := newWord(t)
	temporary, err := os.MkdirTemp("", "keeper-test-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temporary)
	os.Chmod(temporary, 0o777)
	host := exec.Command("/proc/self/exe")
	host.Env = append(os.Environ(), "KEEPER_TEST_WORD="+word, "KEEPER_TEST_WAY="+way, "KEEPER_TEST_END="+end,
		"KEEPER_TEST_OVER="+temporary+"/over", "TMPDIR="+temporary)
	runtime.LockOSThread() // the host ends with it, should this process be killed
	defer runtime.UnlockOSThread()
	host.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	if user == "nobody" && os.Geteuid() == 0 {
		host.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	out, _ := host.StdoutPipe()
	in, _ := host.StdinPipe()
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	defer host.Process.Kill()
	var kept, pid int
	if _, err := fmt.Fscanf(out, "held %d %d\n", &kept, &pid); err != nil {
		t.Fatal(err)
	}
	if folders, _ := os.ReadDir(temporary); len(folders) != 1 {
		t.Errorf("%d folders", len(folders))
	}
	awaitBrood(t, word)
	if alive := unix.Kill(pid, 0); pid == 0 || alive != nil {
		t.Errorf("the program is called %d: %v", pid, alive)
	}
	switch end {
	case "kill with a stopped keeper":
		unix.Kill(kept, unix.SIGSTOP)
		fallthrough
	case "kill":
		host.Process.Kill()
	case "interrupt":
		unix.Kill(-host.Process.Pid, unix.SIGINT) // as a terminal does
	default:
		in.Close()
	}
	host.Wait()
	eventuallyNone(t, "processes are left", func() []string { return carrying(word) })
	eventuallyNone(t, "folders are left", func() (names []string) {
		entries, _ := os.ReadDir(temporary)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	})
}

// A host that continues ends a program with all that it has started, or learns how it ended by itself.
func TestEnds(t *testing.T) {
	tier.Everyday(t)
	for _, subreaper := range []bool{false, true} {
		for _, itself := range []bool{false, true} {
			t.Run(fmt.Sprint(subreaper, itself), func(t *testing.T) {
				word := newWord(t)
				over := filepath.Join(t.TempDir(), "over")
				t.Setenv("KEEPER_TEST_MARK", word)
				k, cmd, err := hold(word, over, subreaper)
				if err != nil {
					t.Fatal(err)
				}
				defer k.Close()
				awaitBrood(t, word)
				want := syscall.WaitStatus(7 << 8)
				if itself {
					os.WriteFile(over, nil, 0o600)
				} else {
					k.Kill(patience)
					want = syscall.WaitStatus(unix.SIGKILL)
				}
				if status := k.Status(patience); status == nil || *status != want {
					t.Errorf("%v, want %v", status, want)
				}
				cmd.Wait()
				if left := carrying(word); len(left) > 0 {
					t.Errorf("left: %q", left)
				}
			})
		}
	}
}

// A host that kills the keeper itself, as a library may, leaves nothing either, in a PID
// namespace and without one, nor where the program has stopped its parent before.
func TestKeeperIsKilled(t *testing.T) {
	tier.Everyday(t)
	for _, c := range []struct{ subreaper, stopped bool }{{false, false}, {true, false}, {true, true}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			word := newWord(t)
			t.Setenv("TMPDIR", t.TempDir())
			t.Setenv("KEEPER_TEST_MARK", word)
			k, cmd, err := hold(word, filepath.Join(t.TempDir(), "over"), c.subreaper)
			if err != nil {
				t.Fatal(err)
			}
			defer k.Close()
			awaitBrood(t, word)
			if c.stopped {
				unix.Kill(parent(t, k.Pid()), unix.SIGSTOP)
			}
			if folders, _ := filepath.Glob(filepath.Join(os.TempDir(), "rocelab-plugin-*")); len(folders) != 1 {
				t.Errorf("folders: %q", folders)
			}
			cmd.Process.Kill()
			cmd.Wait()
			k.Kill(patience)
			k.Close()
			if folders, _ := filepath.Glob(filepath.Join(os.TempDir(), "rocelab-plugin-*")); folders != nil {
				t.Errorf("left: %q", folders)
			}
			if left := carrying(word); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// Processes of a user of the program's own are all killed, though they have children
// faster than they can be killed one by one.
func TestHydraEnds(t *testing.T) {
	tier.Everyday(t)
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	word := fmt.Sprintf("hydra-%d-%d", os.Getpid(), time.Now().UnixNano())
	const user = 1_987_654_321
	k, err := keeper.New(keeper.Order{
		Path: "/proc/self/exe",
		Env:  append(os.Environ(), "KEEPER_TEST_HYDRA="+word),
		User: &keeper.User{UID: user, GID: user, Alone: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	cmd := k.Commands()[1] // without a PID namespace
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := k.Started(patience); err != nil {
		t.Fatal(err)
	}
	fmt.Fscanln(out, new(string))
	k.Kill(patience)
	cmd.Wait()
	if left := carrying(word); len(left) > 0 {
		t.Errorf("%d are left", len(left))
	}
}

// beHydra has as many processes as it may, each of which has further ones as soon as there is room.
func beHydra() {
	const most = 64
	unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: most, Max: most})
	end := seconds() + 10
	if pid, _, _ := syscall.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0); pid == 0 {
		for seconds() < end {
			syscall.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0)
		}
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	time.Sleep(200 * time.Millisecond)
	fmt.Println("ready")
	time.Sleep(10 * time.Second)
	os.Exit(0)
}

// seconds is the time without a call of Go's runtime, which a forked process has not.
func seconds() int64 {
	var now unix.Timespec
	syscall.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_REALTIME, uintptr(unsafe.Pointer(&now)), 0)
	return now.Sec
}

// parent is a process's.
func parent(t *testing.T, pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndex(string(text), ") "):]))
	number, err := strconv.Atoi(fields[2])
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// A program that cannot be executed is an error with the system's reason.
func TestCannotBeExecuted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{"/no/such/file": unix.ENOENT, plain: unix.EACCES} {
		t.Run(path, func(t *testing.T) {
			k, err := keeper.New(keeper.Order{Path: path, Env: os.Environ(), Folder: "KEEPER_FOLDER"})
			if err != nil {
				t.Fatal(err)
			}
			for _, cmd := range k.Commands() {
				if cmd.Start() == nil {
					err = k.Started(patience)
					cmd.Wait()
					break
				}
			}
			k.Close()
			var step *keeper.Error
			if !errors.As(err, &step) || step.Step != keeper.Execute || !errors.Is(err, want) {
				t.Errorf("%s: %v", path, err)
			}
			if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
				t.Errorf("%s: %v", path, left)
			}
		})
	}
}

// The program gains no rights, reads nothing of the host's, and has its files.
func TestWhatTheProgramHas(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	k, err := keeper.New(keeper.Order{
		Path: "/bin/sh",
		Args: []string{"-c", `grep NoNewPrivs /proc/self/status; wc -c; ls -l /proc/$$/fd | wc -l; ls -ld $KEEPER_FOLDER; ` +
			`echo x >&3; cat /proc/self/stat`, "sh"},
		Env:    os.Environ(),
		Files:  []*os.File{file},
		Folder: "KEEPER_FOLDER",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	var text strings.Builder
	for _, cmd := range k.Commands() {
		cmd.Stdout, cmd.Stderr = &text, &text
		if err = cmd.Start(); err == nil {
			err = errors.Join(k.Started(patience), cmd.Wait())
			break
		}
	}
	for _, want := range []string{"NoNewPrivs:\t1\n0\n", "drwx------"} {
		if err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%v, lacks %q: %s", err, want, text.String())
		}
	}
	fields := strings.Fields(text.String()[strings.LastIndex(text.String(), ") "):])
	if session, _ := strconv.Atoi(fields[4]); session == os.Getpid() {
		t.Error("it is in the session of this process")
	}
	if content, _ := os.ReadFile(file.Name()); string(content) != "x\n" {
		t.Errorf("%q", content)
	}
}
