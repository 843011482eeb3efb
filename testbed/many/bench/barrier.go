//go:build linux && !mem

package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// barrier measures what a window costs by itself: it brings up tickers in containers
// of their own, with a daemon in each and a chain of links without traffic, has active
// of them wake once in every window, and returns the wall time of a window.
func barrier(ctx context.Context, name string, nodes, active, windows int) (perWindow time.Duration, err error) {
	p := tickers(nodes, active, windows)
	t, err := veth.Deploy(ctx, p, veth.Config{
		Name:      name,
		Scenario:  p.Name,
		Runtime:   container.Builtin,
		Daemons:   veth.PerNode,
		Ephemeral: true,
	})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, t.Destroy(context.WithoutCancel(ctx))) }()
	out, err := t.Run(ctx, p, veth.Options{})
	if err != nil {
		return 0, err
	}
	if out.Interrupted {
		return 0, context.Canceled
	}
	if out.Windows != uint64(windows) {
		return 0, fmt.Errorf("%d windows were run instead of %d", out.Windows, windows)
	}
	return out.Wall / time.Duration(windows), nil
}

// tickers is a chain of tickers; only the first ones, active in number, have timers.
func tickers(nodes, active, windows int) *plan.Plan {
	p := &plan.Plan{Name: "barrier", Seed: 1, MTU: 1000, Limit: unit.Time(unit.Never)}
	channel := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	for i := range nodes {
		p.Devices = append(p.Devices, plan.Device{Kind: tickerKind, Name: fmt.Sprintf("t%d", i)})
	}
	for i := range nodes - 1 {
		near, far := &p.Devices[i], &p.Devices[i+1]
		p.Links = append(p.Links, plan.Link{
			A:        plan.End{Node: p.DeviceNode(i), Port: len(near.Links)},
			B:        plan.End{Node: p.DeviceNode(i + 1), Port: len(far.Links)},
			Forward:  channel,
			Backward: channel,
		})
		near.Links, far.Links = append(near.Links, i), append(far.Links, i)
	}
	window := p.Lookahead()
	for i := range p.Devices {
		every := unit.Duration(0)
		if i < active {
			every = window
		}
		p.Devices[i].Config = every
	}
	p.Until = unit.Time(windows) * unit.Time(window)
	return p
}
