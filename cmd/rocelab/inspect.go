//go:build linux && !mem

package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

func inspectCommand() *cobra.Command {
	var format page.Format
	var testbed string
	c := &cobra.Command{
		Use:   "inspect",
		Args:  usageArgs(cobra.NoArgs),
		Short: "Show the testbeds of this host, or the parts of one",
		Long: `List the testbeds of this host. With --testbed show the nodes of one with their
containers, process IDs and interfaces, the daemon that hosts each node's model, and
the links with both their ends. Interfaces of this host that a killed run left
changed at its edges are named on stderr.`,
		Example: `  rocelab inspect
  rocelab inspect --testbed incast
  rocelab inspect --testbed incast --format json | jq -r '.containers[] | "\(.name) \(.pid)"'`,
		RunE: func(c *cobra.Command, _ []string) error {
			if testbed == "" {
				return listTestbeds(c.OutOrStdout(), c.ErrOrStderr(), format)
			}
			s, err := loadTestbed(testbed)
			if err != nil {
				return err
			}
			return printAs(c.OutOrStdout(), format, viewOf(s), testbedDocument(s))
		},
	}
	c.Flags().StringVar(&testbed, "testbed", "", "show this testbed (default: list all)")
	c.RegisterFlagCompletionFunc("testbed", completeTestbeds)
	formatFlag(c, &format)
	return c
}

// testbedView is a testbed in inspect --format json.
type testbedView struct {
	*veth.State
	// Status is the result of stateOf.
	Status string `json:"status"`
}

func viewOf(testbed *veth.State) testbedView { return testbedView{testbed, stateOf(testbed)} }

// stateOf describes the state of a testbed in one word.
func stateOf(testbed *veth.State) string {
	switch {
	case !testbed.Ready:
		return "incomplete"
	case testbed.Busy():
		return "running"
	}
	for i := range testbed.Containers {
		if !containerOf(testbed, i).Alive() {
			return "broken"
		}
	}
	return "idle"
}

// listTestbeds shows all testbeds; those that cannot be read are reported on stderr.
func listTestbeds(stdout, stderr io.Writer, format page.Format) error {
	list, err := veth.List()
	if list == nil && err != nil {
		return testbedError(asOwner(err))
	}
	if err != nil {
		fmt.Fprintln(stderr, message(err))
	}
	interfaces, err := iface.Changed(veth.Root())
	if err != nil {
		fmt.Fprintln(stderr, message(err))
	}
	for _, one := range interfaces {
		fmt.Fprintln(stderr, "left changed by a run that was killed, `rocelab destroy` restores it: interface "+one)
	}
	if len(list) == 0 && format == page.FormatCSV {
		usual := &veth.State{
			Containers: []veth.ContainerState{{Sockets: []string{""}}},
			Nodes:      []veth.NodeState{{Interfaces: []string{""}}},
			Links:      make([]veth.LinkState, 1),
			Digests:    map[string]string{"the daemons": ""},
		}
		return host(page.WriteHead(stdout, viewOf(usual)))
	}
	views := []testbedView{}
	for _, s := range list {
		views = append(views, viewOf(s))
	}
	return printAs(stdout, format, views, testbedsDocument(list, pageOf(stdout)))
}

func testbedsDocument(list []*veth.State, p page.Page) *page.Document {
	d := &page.Document{Title: "Testbeds", Kind: "inspect"}
	if len(list) == 0 {
		d.Say("There is no testbed; `rocelab deploy SCENARIO` creates one.")
		return d
	}
	whole := page.New("testbed", "state", "scenario", "nodes", "links", "containers", "runtime", "daemons",
		"algorithms", "since")
	narrow := page.New("testbed", "state", "scenario", "nodes", "links", "since") // --testbed shows the rest
	for _, s := range list {
		since := s.Created.Local().Format(time.DateTime)
		whole.Add(s.Name, stateOf(s), s.Scenario, len(s.Nodes), len(s.Links), len(s.Containers), s.Runtime, s.Daemons,
			algorithmsOf(s), since)
		narrow.Add(s.Name, stateOf(s), s.Scenario, len(s.Nodes), len(s.Links), since)
	}
	if p.Fits(whole) {
		d.Add(whole)
	} else {
		d.Add(narrow)
	}
	return d
}

// algorithmsOf returns how a testbed's algorithms run.
func algorithmsOf(testbed *veth.State) string {
	if len(testbed.Plugins) > 0 {
		return "process"
	}
	return "builtin"
}

func testbedDocument(testbed *veth.State) *page.Document {
	d := &page.Document{Title: "Testbed " + testbed.Name, Kind: "inspect"}
	d.Say("testbed %s: %s, of scenario %s, since %s", testbed.Name, stateOf(testbed), testbed.Scenario,
		testbed.Created.Local().Format(time.DateTime))
	d.Say("runtime: %s, daemons: %s, algorithms: %s, MTU: %d, state in %s", testbed.Runtime, testbed.Daemons,
		algorithmsOf(testbed), int64(testbed.MTU), testbed.Dir())
	d.Add(page.Gap{})
	nodes := page.New("node", "kind", "container", "PID", "interfaces", "model runs in")
	for i := range testbed.Nodes {
		n := &testbed.Nodes[i]
		c := &testbed.Containers[n.Container]
		nodes.Add(n.Name, n.Kind, c.Name, pidOf(testbed, n.Container), interfacesOf(n), n.Host)
	}
	for i := range testbed.Containers { // the pool's holds no node
		if c := &testbed.Containers[i]; c.Kind == "pool" {
			nodes.Add("", "", c.Name, pidOf(testbed, i), "", "")
		}
	}
	links := page.New("port", "interface", "port", "interface")
	for _, l := range testbed.Links {
		links.Add(l.A.String(), l.A.Interface, l.B.String(), l.B.Interface)
	}
	d.Add(nodes, links)
	if len(testbed.Hosts) > 0 {
		hosts := page.New("host", "address", "MAC", "MTU")
		for _, h := range testbed.Hosts {
			hosts.Add(h.Name, h.Address, h.MAC, int64(h.MTU))
		}
		d.Add(hosts)
	}
	return d
}

// pidOf is the first process of a container, if it is still there.
func pidOf(testbed *veth.State, container int) string {
	if !containerOf(testbed, container).Alive() {
		return "gone"
	}
	return fmt.Sprint(testbed.Containers[container].Pid)
}

// interfacesOf names a node's interfaces, the first and the last of many.
func interfacesOf(node *veth.NodeState) string {
	if len(node.Interfaces) <= 3 {
		return strings.Join(node.Interfaces, ", ")
	}
	return node.Interfaces[0] + " to " + node.Interfaces[len(node.Interfaces)-1]
}
