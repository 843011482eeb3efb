//go:build linux && !mem

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// inspect names the changes that a killed run made to an interface; destroy undoes them and prints so. Tier: everyday,
// root.
func TestDestroyPutsInterfacesBack(t *testing.T) {
	tier.Root(t, "a network namespace")
	s := newShell(t)
	dir := t.TempDir()
	space, root := filepath.Join(dir, "net"), filepath.Join(dir, "run")
	if err := netns.NewNamespace(space); err != nil {
		t.Fatal(err)
	}
	defer netns.RemoveNamespace(space)
	// The namespace is as rocelab makes it: IPv6 is off, as in an interface that was taken.
	const setting = "/proc/sys/net/ipv6/conf/edge0/disable_ipv6"
	var index int
	var mac string
	if err := netns.In(space, func() error {
		l := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: "edge0"}, PeerName: "host0"}
		if err := netlink.LinkAdd(l); err != nil {
			return err
		}
		made, err := netlink.LinkByName("edge0")
		if err == nil {
			index, mac = made.Attrs().Index, made.Attrs().HardwareAddr.String()
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(space)
	if err != nil {
		t.Fatal(err)
	}
	inode := info.Sys().(*syscall.Stat_t).Ino
	record, err := json.Marshal(map[string]any{
		"interface": "edge0",
		"namespace": space,
		"inode":     inode,
		"index":     index,
		"mac":       mac,
		"settings":  map[string]any{"ipv6": true},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("ROCELAB_RUN", root)
	folder := filepath.Join(root, ".interfaces")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(folder, "damaged.json"), "{")
	s.write(filepath.Join(folder, fmt.Sprintf("%d-%d.json", inode, index)), string(record))
	left := "left changed by a run that was killed, `rocelab destroy` restores it: interface edge0 in " + space +
		": IPv6 was on\n"
	damaged := "the record of an interface's state before a run is damaged: " + filepath.Join(folder, "damaged.json")
	for range 2 { // it changes nothing
		s.run(0, "inspect")
		s.says(s.stderr, left)
		s.says(s.stderr, damaged)
	}
	s.run(4, "destroy")
	s.says(s.stderr, damaged)
	if want := "there is no testbed\ninterface edge0 in " + space + " is as it was before its run\n"; s.stdout != want {
		t.Errorf("got %q, want %q", s.stdout, want)
	}
	if err := netns.In(space, func() error {
		b, err := os.ReadFile(setting)
		if now := strings.TrimSpace(string(b)); now != "0" {
			t.Errorf("disable_ipv6 is %s", now)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(folder, "damaged.json")); err != nil {
		t.Fatal(err)
	}
	s.run(0, "inspect")
	if s.stderr != "" {
		t.Errorf("inspect still tells %q", s.stderr)
	}
	s.run(0, "destroy")
	if s.stdout != "there is no testbed\n" || exists(root) {
		t.Errorf("%q, or %s is left behind", s.stdout, root)
	}
}
