package stack_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/live/stack"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// pair makes two hosts whose devices lie in one namespace. Tier: everyday, root.
func pair(t *testing.T) [2]*stack.Host {
	tier.Root(t, "a host with its own stack")
	folder := t.TempDir()
	middle := filepath.Join(folder, "middle")
	if err := netns.NewNamespace(middle); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { netns.RemoveNamespace(middle) })
	var hosts [2]*stack.Host
	var all []stack.Neighbour
	for i := range hosts {
		last := byte(i + 1)
		all = append(all, stack.Neighbour{IP: net.IPv4(10, 0, 0, last), MAC: net.HardwareAddr{2, 0, 0, 0, 0, last}})
	}
	for i := range hosts {
		hosts[i] = &stack.Host{
			Name:         fmt.Sprint("host", i),
			Namespace:    filepath.Join(folder, fmt.Sprint("host", i)),
			Device:       netns.End{Namespace: middle, Interface: fmt.Sprint("out", i)},
			MTU:          1500,
			IP:           all[i].IP,
			PrefixLength: 8,
			MAC:          all[i].MAC,
			Neighbours:   all,
		}
		t.Cleanup(func() { netns.RemoveNamespace(hosts[i].Namespace) })
		if err := hosts[i].Make(); err != nil {
			t.Fatal(err)
		}
	}
	return hosts
}

// output runs a line to its end.
func output(t *testing.T, h *stack.Host, line string) (string, stack.Ended) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := h.Start(line, f)
	if err != nil {
		t.Fatal(err)
	}
	defer c.End()
	select {
	case <-c.Done():
	case <-time.After(20 * time.Second):
		t.Fatalf("%q does not end", line)
	}
	ended, ok := c.Result()
	if !ok {
		t.Fatalf("%q: it is not known how it ended", line)
	}
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(b)), ended
}

func TestHostHasItsAddressAndItsNeighbours(t *testing.T) {
	hosts := pair(t)
	said, ended := output(t, hosts[0], "uname -n; ip -br address show eth0; ip neighbour")
	if err := ended.Err(); err != nil {
		t.Fatal(err, said)
	}
	for _, want := range []string{"host0\n", "UP             10.0.0.1/8",
		"10.0.0.2 dev eth0 lladdr 02:00:00:00:00:02 PERMANENT"} {
		if !strings.Contains(said, want) {
			t.Errorf("it says\n%s\nand not %q", said, want)
		}
	}
	if strings.Contains(said, "10.0.0.1 dev") {
		t.Errorf("it is its own neighbour:\n%s", said)
	}
}

func TestHowCommandsEnd(t *testing.T) {
	host := pair(t)[0]
	for line, want := range map[string]string{
		"exit 3":          "exit status 3",
		"no-such-command": stack.ErrMissing.Error(),
		"kill -TERM $$":   "ended by terminated",
		"true":            "",
		"/etc/passwd":     "the shell may not run it (exit status 126)",
	} {
		_, ended := output(t, host, line)
		got := ""
		if err := ended.Err(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
		if errors.Is(ended.Err(), stack.ErrMissing) != (line == "no-such-command") {
			t.Errorf("%q: missing or not: %v", line, ended.Err())
		}
	}
}

// What a command leaves in the background ends with it, or when it is ended.
func TestNothingOutlivesItsCommand(t *testing.T) {
	host := pair(t)[0]
	mark := filepath.Join(t.TempDir(), "alive")
	loop := fmt.Sprintf("(while :; do echo . >>%s; sleep 0.02; done) & ", mark)
	grown := func() bool {
		before, _ := os.ReadFile(mark)
		time.Sleep(200 * time.Millisecond)
		after, _ := os.ReadFile(mark)
		return len(after) > len(before)
	}
	output(t, host, loop+"sleep 0.2")
	if grown() {
		t.Error("a process goes on after the command has ended")
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := host.Start(loop+"wait", f)
	if err != nil {
		t.Fatal(err)
	}
	if !grown() {
		t.Error("the loop does not run")
	}
	c.End()
	if grown() {
		t.Error("a process goes on after the command was ended")
	}
}
