package veth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/container"
	"github.com/rocelab/rocelab/testbed/control"
	"github.com/rocelab/rocelab/testbed/daemon"
	"github.com/rocelab/rocelab/testbed/lockstep"
	"github.com/rocelab/rocelab/testbed/model"
)

// Barrier measures what a window costs by itself: it brings up nodes containers
// with a daemon in each and no links, has active of them wake for one empty
// timer in every window, and returns the wall time of a window.
func Barrier(ctx context.Context, name string, nodes, active, windows int) (perWindow time.Duration, err error) {
	s := &State{Name: name, Created: time.Now().UTC(), Ephemeral: true, Scenario: "barrier", Daemons: PerNode}
	for i := range nodes {
		s.addContainer(fmt.Sprintf("t%d", i), "server", 1)
	}
	t := &Testbed{State: s, progress: func(string, int, int) {}}
	if t.programs, err = FindPrograms(); err != nil {
		return 0, err
	}
	if err := t.claim(); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, t.Destroy(context.WithoutCancel(ctx))) }()
	if err := t.raise(ctx, container.Builtin); err != nil {
		return 0, err
	}
	return t.barrier(active, windows)
}

func (t *Testbed) barrier(active, windows int) (time.Duration, error) {
	const window = unit.Microsecond
	setup := lockstep.Setup{
		Run: 1, Participants: len(t.Containers), Lookahead: window, Lookers: make([]bool, len(t.Containers)),
		Schedule: engine.Schedule{Until: unit.Time(windows) * unit.Time(window)},
	}
	f, err := os.OpenFile(t.path(pageFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	page, err := lockstep.Create(f, setup)
	if err != nil {
		return 0, err
	}
	defer page.Close()
	for i := range t.Containers {
		every := unit.Duration(0)
		if i < active {
			every = window
		}
		order, err := json.Marshal(daemon.Order{Protocol: daemon.Protocol, Setup: setup, Index: i,
			Nodes: []model.Blueprint{{ID: plan.NodeID(i), Name: t.Containers[i].Name, Ticker: &model.Ticker{Every: every}}}})
		if err != nil {
			return 0, err
		}
		c, err := control.Dial(t.Containers[i].Sockets[0])
		if err != nil {
			return 0, err
		}
		t.conns = append(t.conns, c)
		if err := c.Send(order, f); err != nil {
			return 0, err
		}
	}
	for i, c := range t.conns {
		a := receive(i, c)
		if a.err == nil && a.result.Err != "" {
			a.err = errors.New(a.result.Err)
		}
		if a.err != nil {
			return 0, fmt.Errorf("daemon %d: %w", i, a.err)
		}
	}
	return page.Wall() / time.Duration(windows), nil
}
