//go:build linux && !mem

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/testbed/nodes/enter"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// testbedNames lists the testbeds of this host, damaged ones too.
func testbedNames() (names []string, err error) {
	if err := veth.CheckRoot(); err != nil {
		return nil, asOwner(host(err))
	}
	entries, err := os.ReadDir(veth.Root())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.IsDir() && veth.CheckName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	return names, asOwner(err)
}

// asOwner adds the remedy to an error for want of rights.
func asOwner(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return host(fmt.Errorf("%w (only the owner can use a testbed: run it as root, sudo rocelab ...)", err))
	}
	return err
}

// onlyTestbed is the default for the name of a testbed: the only one, or the only one that was deployed, beside those
// that runs made for themselves.
func onlyTestbed(name string) (string, error) {
	if name != "" {
		return name, nil
	}
	names, err := testbedNames()
	switch {
	case err != nil:
		return "", err
	case len(names) == 0:
		return "", usage(errors.New("there is no testbed: `rocelab deploy SCENARIO` creates one"))
	case len(names) == 1:
		return names[0], nil
	}
	deployed := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		s, err := veth.Load(name)
		return err == nil && s.Ephemeral
	})
	if len(deployed) != 1 {
		return "", usage(fmt.Errorf("several testbeds exist, %s: name one with --testbed", strings.Join(names, ", ")))
	}
	return deployed[0], nil
}

// loadTestbed returns the testbed of a name, or the only one.
func loadTestbed(name string) (*veth.State, error) {
	name, err := onlyTestbed(name)
	if err != nil {
		return nil, err
	}
	s, err := veth.Load(name)
	if err != nil {
		return nil, testbedError(asOwner(err))
	}
	return s, nil
}

// testbedFlag adds --testbed.
func testbedFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "testbed", "", "the testbed (default the only one, or the only deployed one)")
	c.RegisterFlagCompletionFunc("testbed", completeTestbeds)
}

// completeTestbeds completes names of testbeds.
func completeTestbeds(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	names, err := testbedNames()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(args, name) }),
		cobra.ShellCompDirectiveNoFileComp
}

// nodeOf returns where to enter a node, or a server by its name.
func nodeOf(testbed *veth.State, name string) (enter.Node, error) {
	if h, ok := testbed.HostNamed(name); ok { // its edge has the same name, and nothing to see
		return enter.Node{Name: h.Name, NetNS: h.NetNS}, nil
	}
	if n, ok := testbed.Node(name); ok {
		return containerOf(testbed, n.Container), nil
	}
	for i := range testbed.Containers {
		if testbed.Containers[i].Name == name {
			return containerOf(testbed, i), nil
		}
	}
	return enter.Node{}, usage(
		fmt.Errorf("testbed %s has no node %q: %s", testbed.Name, name, hintNode(testbed, name)))
}

func containerOf(testbed *veth.State, i int) enter.Node {
	c := &testbed.Containers[i]
	return enter.Node{Name: c.Name, NetNS: c.NetNS, Pid: c.Pid}
}

// nodeNames lists the switches, the NICs, and the servers that are called
// otherwise.
func nodeNames(testbed *veth.State) (names []string) {
	for i := range testbed.Nodes {
		names = append(names, testbed.Nodes[i].Name)
	}
	for i := range testbed.Containers {
		if c := &testbed.Containers[i]; !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// hintNode names the node of a testbed that may have been meant, or all of them.
func hintNode(testbed *veth.State, name string) string {
	names := nodeNames(testbed)
	return spelling.Hint(name, names, "it has "+abridged(names))
}

// abridged joins names, a few of many.
func abridged(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s ... %s (%d in all)", strings.Join(names[:most-1], ", "), names[len(names)-1], len(names))
}
