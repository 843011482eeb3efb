package cni

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/containernetworking/cni/pkg/types"
	current "github.com/containernetworking/cni/pkg/types/100"
	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// binary is the plugin as a runtime finds it.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "rocelab-link-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "rocelab-link")
	code := 1
	if err := program.Build(dir, []string{"cmd/rocelab-link"}); err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// keys are the keys of a network configuration, beside the common ones.
type keys map[string]any

// runtime calls the plugin as the specification has a runtime do it.
type runtime struct {
	t       *testing.T
	version string
	dir     string // the plugin's data folder
}

// with returns a runtime of that version, whose attachments are taken off after
// the test.
func with(t *testing.T, version string) *runtime {
	t.Helper()
	tier.Root(t, "making links (CAP_SYS_ADMIN, CAP_NET_ADMIN)")
	r := &runtime{t: t, version: version, dir: filepath.Join(t.TempDir(), "data")}
	t.Cleanup(func() {
		r.version = "1.1.0"
		r.must("GC", nil, nil)
		if left, _ := os.ReadDir(r.dir); len(left) > 0 {
			t.Errorf("left in the data folder: %v", left)
		}
	})
	return r
}

// versions runs a test with each version of the specification.
func versions(t *testing.T, test func(*runtime)) {
	for _, v := range []string{"1.0.0", "1.1.0"} {
		t.Run(v, func(t *testing.T) { test(with(t, v)) })
	}
}

// box is a container as far as CNI knows it, with one interface.
type box struct{ id, netns, ifname string }

// box makes a container's namespace, as a runtime does, which goes with the test.
func (r *runtime) box(id string) *box {
	r.t.Helper()
	b := &box{id, filepath.Join(r.t.TempDir(), id), "eth1"}
	if err := netns.NewNamespace(b.netns); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(b.vanish)
	return b
}

// vanish removes the namespace without DEL, as a crash of the runtime does.
func (b *box) vanish() {
	if err := netns.RemoveNamespace(b.netns); err != nil {
		panic(err)
	}
}

func (r *runtime) config(k keys) []byte {
	all := keys{"cniVersion": r.version, "name": "fabric", "type": "rocelab-link", "dataDir": r.dir}
	for key, value := range k {
		all[key] = value
	}
	text, err := json.Marshal(all)
	if err != nil {
		r.t.Fatal(err)
	}
	return text
}

// call runs the plugin and returns what it printed, or its error.
func (r *runtime) call(verb string, b *box, k keys) ([]byte, *types.Error) {
	r.t.Helper()
	return r.raw(verb, b, r.config(k))
}

func (r *runtime) raw(verb string, b *box, stdin []byte) ([]byte, *types.Error) {
	r.t.Helper()
	cmd := exec.Command(binary)
	cmd.Env = []string{"CNI_COMMAND=" + verb, "CNI_PATH=" + filepath.Dir(binary)}
	if b != nil {
		cmd.Env = append(cmd.Env, "CNI_CONTAINERID="+b.id, "CNI_NETNS="+b.netns, "CNI_IFNAME="+b.ifname)
	}
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if stderr.Len() > 0 {
		r.t.Errorf("%s wrote to stderr: %s", verb, &stderr)
	}
	if err == nil {
		return out, nil
	}
	failed := &types.Error{}
	if err := json.Unmarshal(out, failed); err != nil {
		r.t.Fatalf("%s failed without an error of CNI: %v: %s", verb, err, out)
	}
	return nil, failed
}

// must is a call that succeeds.
func (r *runtime) must(verb string, b *box, k keys) []byte {
	r.t.Helper()
	out, err := r.call(verb, b, k)
	if err != nil {
		r.t.Fatalf("%s: code %d: %v", verb, err.Code, err)
	}
	return out
}

// refuses is a call that fails with a code and a text.
func (r *runtime) refuses(verb string, b *box, k keys, code uint, text string) {
	r.t.Helper()
	out, err := r.call(verb, b, k)
	if err == nil {
		r.t.Errorf("%s succeeded: %s", verb, out)
	} else if err.Code != code || !strings.Contains(err.Error(), text) {
		r.t.Errorf("%s: code %d: %v\nwant code %d: %q", verb, err.Code, err, code, text)
	}
}

// add attaches a box and returns the result.
func (r *runtime) add(b *box, k keys) *current.Result {
	r.t.Helper()
	out := r.must("ADD", b, k)
	parsed, err := current.NewResult(out)
	if err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
	result := parsed.(*current.Result)
	if result.CNIVersion != r.version {
		r.t.Errorf("result of version %s, want %s", result.CNIVersion, r.version)
	}
	return result
}

// after is a configuration with what ADD answered, as CHECK and DEL get it.
func after(k keys, result *current.Result) keys {
	all := keys{"prevResult": result}
	for key, value := range k {
		all[key] = value
	}
	return all
}

// state is an interface's operational state, or why there is none.
func (b *box) state() string {
	var state string
	err := netns.In(b.netns, func() error {
		i, err := netlink.LinkByName(b.ifname)
		if err == nil {
			state = i.Attrs().OperState.String()
		}
		return err
	})
	if err != nil {
		return err.Error()
	}
	return state
}

// waiting reports whether the far end of a link waits in the host's namespace.
func (r *runtime) waiting(name string) bool {
	c := &config{DataDir: r.dir}
	c.Name = "fabric"
	_, err := net.InterfaceByName(parkedEnd(c, name).Interface)
	return err == nil
}

func peerOf(b *box) keys {
	return keys{"mtu": 9000, "peer": keys{"netns": b.netns, "ifname": b.ifname}}
}

func meetAt(name string) keys { return keys{"mtu": 9000, "link": name} }

func (b *box) String() string { return fmt.Sprintf("%s of container %s", b.ifname, b.id) }
