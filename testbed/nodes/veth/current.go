package veth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
)

// Current is the run in progress on a testbed, as seen from outside it.
type Current struct {
	Page *lockstep.Page
	Run  uint32
	// Ports are the ports of all nodes, in the order of nodes and ports.
	Ports []CurrentPort

	testbed *State
	runner  int // the process that carries it out
}

// CurrentPort is where a port's frames pass.
type CurrentPort struct {
	Node, Port       int
	Name             string // "leaf1:3"
	NetNS, Interface string
	Attachment       fabric.Attachment
}

// currentState is the data that the run leaves in its testbed's folder for others.
type currentState struct {
	Setup lockstep.Setup
	// Page is the descriptor of the shared page in the process that carries out the run.
	Page  int
	Ports []CurrentPort
}

// ErrIdle means that a testbed has no run in progress.
var ErrIdle = errors.New("no run is in progress")

func (r *run) current() currentState {
	s := currentState{Setup: r.setup, Page: int(r.page.File().Fd())}
	for n := range r.Nodes {
		node := &r.Nodes[n]
		order := &r.orders[node.Participant]
		for i := range order.Ports {
			p := &order.Ports[i]
			if r.participants[node.Participant].nodes[p.Node] != n {
				continue
			}
			s.Ports = append(s.Ports, CurrentPort{
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
	b, err := json.Marshal(r.current())
	if err != nil {
		return err
	}
	return r.write(currentFile, b)
}

// Attach returns the run under way on a testbed; ErrIdle if there is none.
func Attach(name string) (*Current, error) {
	s, err := Load(name)
	if err != nil {
		return nil, err
	}
	runner := s.runner()
	// A run that has just begun writes into its lock who it is.
	const tries, pause = 50, 10 * time.Millisecond
	for i := 0; i < tries && runner == unknownRunner; i++ {
		time.Sleep(pause)
		runner = s.runner()
	}
	if runner == unknownRunner {
		return nil, fmt.Errorf("testbed %s: a run is in progress whose process is not visible from here: it is in "+
			"another PID namespace, such as a container", name)
	}
	b, err := os.ReadFile(s.path(currentFile))
	if runner == 0 || errors.Is(err, fs.ErrNotExist) {
		return nil, ErrIdle
	} else if err != nil {
		return nil, err
	}
	var l currentState
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, fmt.Errorf("testbed %s: the record of its run is damaged (%v): "+
			"%s", name, err, s.path(currentFile))
	}
	f, err := openPage(runner, &l)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	page, err := lockstep.View(f, l.Setup)
	if err != nil {
		return nil, fmt.Errorf("testbed %s: %w", name, err)
	}
	return &Current{
		Page:    page,
		Run:     l.Setup.Run,
		Ports:   l.Ports,
		testbed: s,
		runner:  runner,
	}, nil
}

// openPage opens the page of a run for reading only. It is memory without a name in any folder, and is reached through
// the process that holds the testbed's lock: see State.runner.
func openPage(runner int, l *currentState) (*os.File, error) {
	path := fmt.Sprintf("/proc/%d/fd/%d", runner, l.Page)
	target, err := os.Readlink(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && target != "/memfd:"+lockstep.Name(l.Setup.Run)+" (deleted)" {
		return nil, ErrIdle // it ended, or another run begins
	} else if err != nil {
		return nil, fmt.Errorf("shared page of the run of process %d: %w", runner, err)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrIdle
	}
	return f, err
}

// Gone reports whether the process that carries out the run has ended. A run that is not
// over then will not be.
func (c *Current) Gone() bool { return c.testbed.runner() != c.runner }

// Now returns an instant before which no further event can happen.
func (c *Current) Now() unit.Time { return c.Page.Now() }

// Close ends watching.
func (c *Current) Close() error { return c.Page.Close() }
