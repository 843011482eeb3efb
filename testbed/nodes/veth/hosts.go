package veth

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/stack"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// HostState is a host with its own stack: the edge of the same name is its link to the
// fabric.
type HostState struct {
	Name string `json:"name"`
	// NetNS is the path of its network namespace; that of the edge's container holds
	// the device, hostDevice.
	NetNS string `json:"netns"`
	// Address and MAC are the addresses of its interface, stack.Interface.
	Address string     `json:"address"`
	MAC     string     `json:"mac"`
	MTU     unit.Bytes `json:"mtu_bytes"`
}

// hostDevice is the name of a host's device in the container of its edge.
const hostDevice = "out"

// prefixLength is the prefix length of the fabric's addresses; FirstIP is the first of them.
const prefixLength = 8

// addHosts notes the hosts with their own stack.
func (s *State) addHosts(p *plan.Plan) {
	for _, i := range p.Edges() {
		e := p.EdgeAt(i)
		if !e.Host {
			continue
		}
		s.Hosts = append(s.Hosts, HostState{
			Name:    p.Devices[i].Name,
			NetNS:   s.hostNamespace(p.Devices[i].Name),
			Address: addressOf(e.IP).String(),
			MAC:     net.HardwareAddr(e.MAC[:]).String(),
			MTU:     e.MTU,
		})
	}
}

// hostNamespace is where a host's namespace is kept; no container has such a name.
func (s *State) hostNamespace(name string) string { return s.path("net", name+"@host") }

func addressOf(ip uint32) net.IP { return binary.BigEndian.AppendUint32(nil, ip) }

// restoreHosts checks the hosts of a state that was read, and fills in what follows from
// their names.
func (s *State) restoreHosts() error {
	for i := range s.Hosts {
		h := &s.Hosts[i]
		if _, ok := s.Node(h.Name); !ok || net.ParseIP(h.Address) == nil {
			return fmt.Errorf("host %q with address %q", h.Name, h.Address)
		}
		if _, err := net.ParseMAC(h.MAC); err != nil {
			return fmt.Errorf("host %q: %w", h.Name, err)
		}
		h.NetNS = s.hostNamespace(h.Name)
	}
	return nil
}

// HostNamed returns the host with its own stack of that name.
func (s *State) HostNamed(name string) (HostState, bool) {
	i := slices.IndexFunc(s.Hosts, func(h HostState) bool { return h.Name == name })
	if i < 0 {
		return HostState{}, false
	}
	return s.Hosts[i], true
}

// sameHosts reports whether two testbeds have the same hosts.
func (s *State) sameHosts(other *State) bool { return slices.Equal(s.Hosts, other.Hosts) }

// neighbours are the stations whose addresses are known before a run.
func neighbours(p *plan.Plan) (list []stack.Neighbour) {
	for i := range p.NICs {
		mac := wire.NodeMAC(uint32(p.NICNode(i)), 0)
		list = append(list, stack.Neighbour{IP: addressOf(p.NICs[i].IP), MAC: mac[:]})
	}
	for _, i := range p.Edges() {
		if e := p.EdgeAt(i); e.Host {
			list = append(list, stack.Neighbour{IP: addressOf(e.IP), MAC: e.MAC[:]})
		}
	}
	return list
}

// makeHosts makes the hosts; the namespaces of containers are there.
func (t *Testbed) makeHosts(ctx context.Context) error {
	for i := range t.Hosts {
		if err := ctx.Err(); err != nil {
			return err
		}
		h := t.host(&t.Hosts[i])
		if err := h.Make(); err != nil {
			return err
		}
		t.progress("hosts", i+1, len(t.Hosts))
	}
	return nil
}

// host returns the host of a HostState.
func (t *Testbed) host(s *HostState) *stack.Host {
	edge, _ := t.Node(s.Name)
	mac, _ := net.ParseMAC(s.MAC)
	return &stack.Host{
		Name:         s.Name,
		Namespace:    s.NetNS,
		Device:       netns.End{Namespace: t.Containers[edge.Container].NetNS, Interface: hostDevice},
		MTU:          int(s.MTU),
		IP:           net.ParseIP(s.Address),
		PrefixLength: prefixLength,
		MAC:          mac,
		Neighbours:   t.neighbours,
	}
}

// device returns the device of an edge: its network namespace, "" for this process's, and its name there.
func (s *State) device(name string, e *plan.Edge) (namespace, ifname string) {
	if !e.Host {
		return e.Namespace, e.Interface
	}
	n, _ := s.Node(name)
	return s.Containers[n.Container].NetNS, hostDevice
}

// commands are the commands that the hosts run while the windows of a run go on.
type commands struct {
	run     *run
	running []*stack.Command
	begun   bool
}

// CommandError is a command of a host that cannot be run.
type CommandError struct{ text string }

func (e *CommandError) Error() string { return e.text }

// start starts the commands once, when the first window has begun: before it their frames
// would wait.
func (c *commands) start() error {
	if c.begun || c.run.page.Window() == 0 {
		return nil
	}
	c.begun = true
	for _, i := range c.run.plan.Edges() {
		e := c.run.plan.EdgeAt(i)
		if !e.Host || e.Exec == "" {
			continue
		}
		h, ok := c.run.HostNamed(c.run.plan.Devices[i].Name)
		if !ok {
			continue
		}
		if err := c.startOn(&h, e.Exec); err != nil {
			return err
		}
	}
	return nil
}

func (c *commands) startOn(h *HostState, line string) error {
	output, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if c.run.options.HostOutput != nil {
		output, err = c.run.options.HostOutput(h.Name)
	}
	if err != nil {
		return fmt.Errorf("output of host %s: %w", h.Name, err)
	}
	defer output.Close()
	command, err := c.run.host(h).Start(line, output)
	if err != nil {
		return err
	}
	c.running = append(c.running, command)
	return nil
}

// check returns an error when a command turns out to be none.
func (c *commands) check() error {
	for _, command := range c.running {
		ended, ok := command.Result()
		if ok && errors.Is(ended.Err(), stack.ErrMissing) {
			return &CommandError{fmt.Sprintf("host %s: exec: %q: %v", command.Host, command.Line, stack.ErrMissing)}
		}
	}
	return nil
}

// end ends the commands that still run, and returns how the others ended.
func (c *commands) end() (list []result.HostCommand) {
	for _, command := range c.running {
		one := result.HostCommand{Host: command.Host, Line: command.Line}
		if ended, ok := command.Result(); ok {
			one.Ended, one.After, one.Err = true, ended.After.Round(time.Millisecond), ended.Err()
		}
		command.End()
		list = append(list, one)
	}
	c.running = nil
	return list
}
