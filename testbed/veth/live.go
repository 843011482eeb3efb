package veth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/lockstep"
)

// Live is a run under way, seen by one that takes no part in it.
type Live struct {
	Page *lockstep.Page
	Run  uint32
	// Ports are the ports of all nodes, in the order of nodes and ports.
	Ports []LivePort
}

// LivePort is where a port's frames pass.
type LivePort struct {
	Node, Port       int
	Name             string // "leaf1:3"
	NetNS, Interface string
	Attachment       fabric.Attachment
}

// liveState is what the run leaves in its testbed's folder for others.
type liveState struct {
	Setup lockstep.Setup
	Ports []LivePort
}

// ErrIdle says that a testbed has no run under way.
var ErrIdle = errors.New("no run is under way")

func (r *run) live() liveState {
	s := liveState{Setup: r.setup}
	for n := range r.Nodes {
		node := &r.Nodes[n]
		order := &r.orders[node.Participant]
		for i := range order.Ports {
			p := &order.Ports[i]
			if r.participants[node.Participant].nodes[p.Node] != n {
				continue
			}
			s.Ports = append(s.Ports, LivePort{
				Node:       n,
				Port:       p.Number,
				Name:       fmt.Sprintf("%s:%d", node.Name, p.Number),
				NetNS:      r.Containers[node.Container].NetNS,
				Interface:  node.Interfaces[p.Number],
				Attachment: order.Nodes[p.Node].Ports()[p.Number],
			})
		}
	}
	return s
}

// publish lets others watch the run.
func (r *run) publish() error {
	b, err := json.Marshal(r.live())
	if err != nil {
		return err
	}
	part := r.path(liveFile + ".part")
	if err := os.WriteFile(part, b, 0o600); err != nil {
		return err
	}
	return os.Rename(part, r.path(liveFile))
}

// Attach returns the run under way on a testbed; ErrIdle if there is none.
func Attach(name string) (*Live, error) {
	s, err := Load(name)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(s.path(liveFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrIdle
	} else if err != nil {
		return nil, err
	}
	var l liveState
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, err
	}
	f, err := os.Open(s.path(pageFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrIdle
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	page, err := lockstep.View(f, l.Setup)
	if err != nil {
		return nil, err
	}
	return &Live{page, l.Setup.Run, l.Ports}, nil
}

// Now is an instant before which nothing more can happen.
func (l *Live) Now() unit.Time { return l.Page.Now() }

// Close ends watching.
func (l *Live) Close() error { return l.Page.Close() }
