package model

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/spelling"
)

// CheckCaptures reports a name of a port that the plan does not have, or a
// second name of one port.
func CheckCaptures(p *plan.Plan, names []string) error {
	captured := map[string]bool{}
	for _, name := range names {
		port, err := CapturePort(p, name)
		if err != nil {
			return err
		}
		if captured[port.Name] {
			return fmt.Errorf("capture %q: port %s is captured twice", name, port.Name)
		}
		captured[port.Name] = true
	}
	return nil
}

// CapturePort finds the port called "leaf1:3"; a NIC has port 0 alone and may be
// called by its name.
func CapturePort(p *plan.Plan, name string) (pcapng.Port, error) {
	node, number, given := strings.Cut(name, ":")
	port := 0
	if given {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			return pcapng.Port{}, fmt.Errorf(
				"capture %q: %q is not a port number: write a node and a port such as leaf1:3", name, number)
		}
		port = n
	}
	for n := range p.EachNode {
		if n.Name != node {
			continue
		}
		if problem := portProblem(&n, port, given); problem != "" {
			return pcapng.Port{}, fmt.Errorf("capture %q: %s", name, problem)
		}
		return capturePort(p, &n, port), nil
	}
	var names []string
	for n := range p.EachNode {
		names = append(names, n.Name)
	}
	known := fmt.Sprintf("switches are %s, NICs %s",
		firstToLast(p.Switches, func(s *plan.Switch) string { return s.Name }),
		firstToLast(p.NICs, func(n *plan.NIC) string { return n.Name }))
	if len(p.Edges()) > 0 {
		known += ", edges " + firstToLast(p.Edges(), func(i *int) string { return p.Devices[*i].Name })
	}
	return pcapng.Port{}, fmt.Errorf("capture %q: there is no node %q: %s", name, node, spelling.Hint(node, names, known))
}

// portProblem describes the fault of a port of a node, which may be omitted if the node has only one; "" if there is no
// fault.
func portProblem(n *plan.Node, port int, given bool) string {
	who := string(n.Kind) + " " + n.Name
	if k := kinds[n.Kind]; k != nil {
		who = k.Title + " " + n.Name
	}
	ports := len(n.Links)
	switch {
	case port < ports && (given || ports == 1):
		return ""
	case ports == 1:
		return who + " has port 0 only"
	case ports == 2:
		return fmt.Sprintf("%s has ports 0 and 1: write %s:0 or %s:1", who, n.Name, n.Name)
	case !given:
		return fmt.Sprintf("which port of %s? Write %s:0 to %s:%d", who, n.Name, n.Name, ports-1)
	}
	return fmt.Sprintf("%s has ports 0 to %d", who, ports-1)
}

// firstToLast names the first and the last of a list.
func firstToLast[T any](list []T, name func(*T) string) string {
	switch len(list) {
	case 0:
		return "none"
	case 1:
		return name(&list[0])
	}
	return name(&list[0]) + " to " + name(&list[len(list)-1])
}

func capturePort(p *plan.Plan, n *plan.Node, port int) pcapng.Port {
	a := p.AttachmentAt(n, port)
	return pcapng.Port{
		Node:       int(n.ID),
		Port:       port,
		Name:       fmt.Sprintf("%s:%d", n.Name, port),
		Out:        a.Link,
		In:         a.Link ^ 1,
		Attachment: a,
	}
}
