package model

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/capture"
	"github.com/rocelab/rocelab/emulator/plan"
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
func CapturePort(p *plan.Plan, name string) (capture.Port, error) {
	node, number, given := strings.Cut(name, ":")
	port := 0
	if given {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			return capture.Port{}, fmt.Errorf("capture %q: %q is no port number: write a node and a port such as leaf1:3", name, number)
		}
		port = n
	}
	for i := range p.Switches {
		if s := &p.Switches[i]; s.Name == node {
			if port >= len(s.Links) {
				return capture.Port{}, fmt.Errorf("capture %q: switch %s has ports 0 to %d", name, node, len(s.Links)-1)
			}
			if !given {
				return capture.Port{}, fmt.Errorf("capture %q: which port of switch %s? Write %s:0 to %s:%d", name, node, node, node, len(s.Links)-1)
			}
			return capturePort(p, plan.NodeID(i), port, s.Links[port]), nil
		}
	}
	for i := range p.NICs {
		if n := &p.NICs[i]; n.Name == node {
			if port != 0 {
				return capture.Port{}, fmt.Errorf("capture %q: NIC %s has port 0 only", name, node)
			}
			return capturePort(p, p.NICNode(i), 0, n.Link), nil
		}
	}
	for i := range p.WANs {
		if w := &p.WANs[i]; w.Name == node {
			if !given || port > 1 {
				return capture.Port{}, fmt.Errorf("capture %q: long-haul path %s has ports 0 and 1: write %s:0 or %s:1", name, node, node, node)
			}
			return capturePort(p, p.WANNode(i), port, w.Links[port]), nil
		}
	}
	return capture.Port{}, fmt.Errorf("capture %q: there is no node %q: switches are %s, NICs %s", name, node,
		span(p.Switches, func(s *plan.Switch) string { return s.Name }), span(p.NICs, func(n *plan.NIC) string { return n.Name }))
}

// span names the first and the last of a list.
func span[T any](list []T, name func(*T) string) string {
	switch len(list) {
	case 0:
		return "none"
	case 1:
		return name(&list[0])
	}
	return name(&list[0]) + " to " + name(&list[len(list)-1])
}

func capturePort(p *plan.Plan, node plan.NodeID, port, link int) capture.Port {
	atB := p.Links[link].B == plan.End{Node: node, Port: port}
	a := p.Attachment(link, atB)
	return capture.Port{Node: int(node), Port: port, Name: fmt.Sprintf("%s:%d", p.NodeName(node), port),
		Out: a.Link, In: a.Link ^ 1, Attachment: a}
}
