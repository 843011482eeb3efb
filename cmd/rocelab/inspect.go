//go:build linux && !mem

package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/terminal"
	"github.com/rocelab/rocelab/testbed/experiment"
	"github.com/rocelab/rocelab/testbed/iface"
	"github.com/rocelab/rocelab/testbed/veth"
)

func inspectCommand() *cobra.Command {
	var format experiment.Format
	var testbed string
	c := &cobra.Command{
		Use:   "inspect",
		Short: "Show the testbeds of this host, or what one consists of",
		Long: `List the testbeds of this host. With --testbed show the nodes of one with their
containers, process IDs and interfaces, which daemon hosts each node's model, and
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
			return printAs(c.OutOrStdout(), format, viewOf(s), func(w io.Writer) error { return printTestbed(w, s) })
		},
	}
	c.Flags().StringVar(&testbed, "testbed", "", "show this testbed (default: list all)")
	c.RegisterFlagCompletionFunc("testbed", completeTestbeds)
	formatFlag(c, &format)
	return c
}

// testbedView is what inspect --format json shows of a testbed.
type testbedView struct {
	*veth.State
	// Status is what stateOf says.
	Status string `json:"status"`
}

func viewOf(testbed *veth.State) testbedView { return testbedView{testbed, stateOf(testbed)} }

// stateOf says in a word how a testbed is.
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

// listTestbeds shows all testbeds; those that cannot be read are told of on
// stderr.
func listTestbeds(stdout, stderr io.Writer, format experiment.Format) error {
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
		fmt.Fprintln(stderr, "left changed by a run that was killed, `rocelab destroy` puts it back: interface "+one)
	}
	if len(list) == 0 && format == experiment.FormatCSV {
		usual := &veth.State{
			Containers: []veth.ContainerState{{Sockets: []string{""}}},
			Nodes:      []veth.NodeState{{Interfaces: []string{""}}},
			Links:      make([]veth.LinkState, 1),
			Digests:    map[string]string{"the daemons": ""},
		}
		return host(writeHead(stdout, viewOf(usual)))
	}
	views := []testbedView{}
	for _, s := range list {
		views = append(views, viewOf(s))
	}
	return printAs(stdout, format, views, func(w io.Writer) error { return printTestbeds(w, list) })
}

func printTestbeds(w io.Writer, list []*veth.State) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "There is no testbed; `rocelab deploy SCENARIO` makes one.")
		return host(err)
	}
	whole := newTable("testbed", "state", "scenario", "nodes", "links", "containers", "runtime", "daemons",
		"algorithms", "since")
	narrow := newTable("testbed", "state", "scenario", "nodes", "links", "since") // --testbed shows the rest
	for _, s := range list {
		since := s.Created.Local().Format(time.DateTime)
		whole.AppendRow(table.Row{s.Name, stateOf(s), s.Scenario, len(s.Nodes), len(s.Links), len(s.Containers),
			s.Runtime, s.Daemons, algorithmsOf(s), since})
		narrow.AppendRow(table.Row{s.Name, stateOf(s), s.Scenario, len(s.Nodes), len(s.Links), since})
	}
	text := whole.Render()
	if first, _, _ := strings.Cut(text, "\n"); utf8.RuneCountInString(first) > pageOf(w).Width {
		text = narrow.Render()
	}
	_, err := fmt.Fprintln(w, text)
	return host(err)
}

// algorithmsOf says how a testbed's algorithms run.
func algorithmsOf(testbed *veth.State) string {
	if len(testbed.Plugins) > 0 {
		return "process"
	}
	return "builtin"
}

func printTestbed(w io.Writer, testbed *veth.State) error {
	var out strings.Builder
	fmt.Fprintf(&out, "testbed %s: %s, of scenario %s, since %s\n", terminal.Line(testbed.Name),
		stateOf(testbed), terminal.Line(testbed.Scenario),
		testbed.Created.Local().Format(time.DateTime))
	fmt.Fprintf(&out, "runtime: %s, daemons: %s, algorithms: %s, MTU: %d, state in %s\n\n", testbed.Runtime,
		testbed.Daemons, algorithmsOf(testbed), int64(testbed.MTU), terminal.Line(testbed.Dir()))
	rows := newTable("node", "kind", "container", "PID", "interfaces", "model runs in")
	for i := range testbed.Nodes {
		n := &testbed.Nodes[i]
		c := &testbed.Containers[n.Container]
		rows.AppendRow(table.Row{n.Name, n.Kind, c.Name, pidOf(testbed, n.Container), interfacesOf(n), n.Host})
	}
	for i := range testbed.Containers { // the pool's holds no node
		if c := &testbed.Containers[i]; c.Kind == "pool" {
			rows.AppendRow(table.Row{"", "", c.Name, pidOf(testbed, i), "", ""})
		}
	}
	fmt.Fprintln(&out, rows.Render())
	rows = newTable("port", "interface", "port", "interface")
	for _, l := range testbed.Links {
		rows.AppendRow(table.Row{l.A.String(), l.A.Interface, l.B.String(), l.B.Interface})
	}
	fmt.Fprintln(&out, rows.Render())
	if len(testbed.Hosts) > 0 {
		rows = newTable("host", "address", "MAC", "MTU")
		for _, h := range testbed.Hosts {
			rows.AppendRow(table.Row{h.Name, h.Address, h.MAC, int64(h.MTU)})
		}
		fmt.Fprintln(&out, rows.Render())
	}
	_, err := io.WriteString(w, out.String())
	return host(err)
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
