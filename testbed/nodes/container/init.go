package container

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"

	"github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

const (
	// stageName is argv[0] of the stage; Init recognises it by that.
	stageName = "rocelab-container-init"
	// stageVariable names for the stage the descriptor with its orders.
	stageVariable = "ROCELAB_CONTAINER_STAGE"
	// ready is the stage's answer before it executes the program. The end of file after it confirms the execution; any
	// other text is the reason for a failure.
	ready = "."
)

// initCalled guards against a main that would start containers without Init:
// the stage would run that main again, and that one start containers again.
var initCalled atomic.Bool

// Init must be the first call in the main function of every program that starts
// containers, and in TestMain of every test that does: the built-in runtime
// executes the program once more to set a container up from inside. In that
// stage Init never returns; otherwise it returns at once.
func Init() {
	initCalled.Store(true)
	if os.Getenv(probeVariable) != "" {
		os.Exit(0)
	}
	if len(os.Args) == 0 || os.Args[0] != stageName {
		return
	}
	// Everything the stage gives up, and the namespaces it enters, belong to
	// this thread, and the program inherits them from the thread that executes it.
	runtime.LockOSThread()
	fd, err := strconv.Atoi(os.Getenv(stageVariable))
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s is a stage of rocelab's containers and no program to run by hand\n", stageName)
		os.Exit(2)
	}
	// The descriptors of the program end here. Others may be inherited from earlier parents.
	if err := unix.CloseRange(uint(fd), math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		fmt.Fprintf(os.NewFile(uintptr(fd), "stage"), "keep descriptors from the program: %v", err)
		os.Exit(1)
	}
	socket := os.NewFile(uintptr(fd), "stage")
	if line, err := bufio.NewReader(socket).ReadBytes('\n'); err != nil {
		os.Exit(1) // who started it is gone
	} else {
		fmt.Fprint(socket, becomeProgram(line, socket))
	}
	os.Exit(1)
}

// stageOrder is the part of an OCI description that the stage carries out: a separate small type, since to decode the
// whole of it costs as much as everything else in the stage.
type stageOrder struct {
	Hostname  string
	Args, Env []string
	Cwd       string
	Root      string
	Readonly  bool // the root
	Mounts    []mountSpec
	Network   string // path of the namespace to enter
	Cgroup    bool   // make a cgroup namespace
	Protected []string
	Masked    []string
	// Keep are the capabilities that the program keeps, as bits.
	Keep uint32
}

// mountSpec is specs.Mount without what the stage does not do.
type mountSpec struct {
	Destination, Type, Source string
	Options                   []string
}

// capabilityBits has the capabilities that a container may keep.
var capabilityBits = map[string]uint32{
	"CAP_CHOWN":        1 << unix.CAP_CHOWN,
	"CAP_DAC_OVERRIDE": 1 << unix.CAP_DAC_OVERRIDE,
	"CAP_KILL":         1 << unix.CAP_KILL,
	"CAP_SETGID":       1 << unix.CAP_SETGID,
	"CAP_SETUID":       1 << unix.CAP_SETUID,
}

// stageOrderOf picks the stage's part out of a description.
func stageOrderOf(oci *specs.Spec) stageOrder {
	o := stageOrder{
		Hostname:  oci.Hostname,
		Args:      oci.Process.Args,
		Env:       oci.Process.Env,
		Cwd:       oci.Process.Cwd,
		Root:      oci.Root.Path,
		Readonly:  oci.Root.Readonly,
		Protected: oci.Linux.ReadonlyPaths,
		Masked:    oci.Linux.MaskedPaths,
	}
	for _, name := range oci.Process.Capabilities.Permitted {
		o.Keep |= capabilityBits[name]
	}
	for _, m := range oci.Mounts {
		o.Mounts = append(o.Mounts, mountSpec{m.Destination, m.Type, m.Source, m.Options})
	}
	for _, n := range oci.Linux.Namespaces {
		switch n.Type {
		case specs.NetworkNamespace:
			o.Network = n.Path
		case specs.CgroupNamespace:
			o.Cgroup = true
		}
	}
	return o
}

// becomeProgram sets the container up around this process as ordered, and
// executes the program. It returns only with the step that failed.
func becomeProgram(text []byte, socket *os.File) error {
	var o stageOrder
	if err := json.Unmarshal(text, &o); err != nil {
		return fmt.Errorf("read order: %w", err)
	}
	if err := o.enterNamespaces(); err != nil {
		return err
	}
	if err := o.makeRoot(); err != nil {
		return err
	}
	if err := dropPrivileges(o.Keep); err != nil {
		return err
	}
	if err := filterCalls(); err != nil {
		return err
	}
	if _, err := socket.WriteString(ready); err != nil {
		return err
	}
	return fmt.Errorf("execute %s: %w", o.Args[0], syscall.Exec(o.Args[0], o.Args, o.Env))
}

// enterNamespaces enters the network namespace, makes the one that clone could
// not, and names the container.
func (o *stageOrder) enterNamespaces() error {
	fd, err := unix.Open(o.Network, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open network namespace %s: %w", o.Network, err)
	}
	if err := unix.Setns(fd, unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("enter network namespace %s: %w", o.Network, err)
	}
	if o.Cgroup {
		if err := unix.Unshare(unix.CLONE_NEWCGROUP); err != nil {
			return fmt.Errorf("make cgroup namespace: %w", err)
		}
	}
	if err := unix.Sethostname([]byte(o.Hostname)); err != nil {
		return fmt.Errorf("set hostname %s: %w", o.Hostname, err)
	}
	return nil
}

// dropPrivileges gives up every capability in every set but those to keep, for good:
// without more in the bounding set and with no_new_privs, no program executed from
// here on gains any. The session keyring of the caller is left too.
//
// Source: capabilities(7), "Transformation of capabilities during execve()".
func dropPrivileges(keep uint32) error {
	// Without a name (null) the new keyring is not shared with anyone.
	if _, err := unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0); err != nil && !errors.Is(err, unix.ENOSYS) {
		return fmt.Errorf("make session keyring: %w", err)
	}
	for c := uintptr(0); ; c++ {
		if c < 32 && keep&(1<<c) != 0 {
			continue
		}
		// The kernel may know more of them than this program does.
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); errors.Is(err, unix.EINVAL) {
			break
		} else if err != nil {
			return fmt.Errorf("drop capability %d from the bounding set: %w", c, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("clear ambient capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	kept := [2]unix.CapUserData{{Effective: keep, Permitted: keep}}
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &kept[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}
