package veth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/internal/control"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// prepare makes all that the windows need, and sends the participants their
// orders.
func (r *run) prepare(ctx context.Context) error {
	if err := checkEdges(r.plan, r.options); err != nil {
		return err
	}
	var err error
	if r.setup, err = r.newSetup(); err != nil {
		return err
	}
	if err := r.makeOrders(); err != nil {
		return err
	}
	if err := r.openSockets(ctx); err != nil {
		return err
	}
	if err := r.openDevices(ctx); err != nil {
		return err
	}
	if r.page, err = lockstep.Create(r.setup); err != nil {
		return err
	}
	if err := r.publish(); err != nil {
		return stateError(err)
	}
	if err := r.startCapture(); err != nil {
		return err
	}
	if err := r.sendOrders(); err != nil {
		r.page.Abort()
		r.recording.close()
		return err
	}
	return nil
}

// makeOrders writes the participants' orders.
func (r *run) makeOrders() error {
	blueprints, err := model.Blueprints(r.plan)
	if err != nil {
		return err
	}
	programs := map[string]string{}
	for name := range r.options.Plugins {
		programs[name] = "/plugins/" + pluginName(name)
	}
	for i := range r.participants {
		o := daemon.Order{
			Protocol:    daemon.Protocol,
			Setup:       r.setup,
			Index:       i,
			Algorithms:  blueprints.Algorithms,
			Programs:    programs,
			PluginStart: r.options.PluginStart,
			Limits:      r.limits(),
			Realtime:    r.guard != nil,
		}
		for k, n := range r.participants[i].nodes {
			b := blueprints.Nodes[n]
			o.Nodes = append(o.Nodes, b)
			r.addEdge(&o, k, r.plan.Node(plan.NodeID(n)))
			for number, a := range b.Ports() {
				o.Ports = append(o.Ports, daemon.Port{
					Node:   k,
					Number: number,
					Link:   r.linkName(int(a.Link) / 2),
					Peer:   r.peer(int(a.Link)),
					Geometry: packet.Geometry{
						Frame:   largestFrame(r.MTU),
						Receive: daemon.Slots(&a, r.setup.Lookahead),
						Send:    sendSlots,
					},
				})
			}
		}
		r.orders = append(r.orders, o)
	}
	slices.SortFunc(r.outsides, func(a, b outside) int { return cmp.Compare(a.place, b.place) })
	return nil
}

// limits returns the limits of the run's plugins.
func (r *run) limits() process.Limits {
	l := r.Limits
	l.Log = cmp.Or(r.options.PluginLog, l.Log)
	return l
}

// sendSlots is the size of a send ring: a few chunks that the kernel takes at
// once.
const sendSlots = 256

func (r *run) linkName(i int) string {
	l := &r.plan.Links[i]
	return r.plan.NodeName(l.A.Node) + "-" + r.plan.NodeName(l.B.Node)
}

// peer returns the participant that receives the frames of a direction.
func (r *run) peer(direction int) int {
	l := &r.plan.Links[direction/2]
	to := l.B.Node
	if direction%2 == 1 {
		to = l.A.Node
	}
	return r.Nodes[to].Participant
}

// openSockets opens the sockets of all ports in their namespaces, and reads
// the interfaces' counters.
func (r *run) openSockets(ctx context.Context) error {
	r.sockets, r.before = make([][]*os.File, len(r.participants)), make([][]packet.Counters, len(r.participants))
	if err := doctor.Room(runFootprint(r.plan)); err != nil {
		return err
	}
	for i := range r.orders {
		r.sockets[i] = make([]*os.File, len(r.orders[i].Ports))
		r.before[i] = make([]packet.Counters, len(r.orders[i].Ports))
	}
	return r.eachPort(ctx, func(participant, i int, ifname string) error {
		var err error
		if r.before[participant][i], err = packet.ReadCounters(ifname); err != nil {
			return err
		}
		fd, err := packet.Open(ifname, r.orders[participant].Ports[i].Geometry)
		if err != nil {
			return err
		}
		if err := unix.SetNonblock(fd, false); err != nil { // or the Go runtime would watch it
			return err
		}
		r.sockets[participant][i] = os.NewFile(uintptr(fd), ifname)
		return nil
	})
}

// portsAtOnce is the number of ports opened at a time. The kernel waits for all processors before a packet socket is
// bound, some 20 ms, but it waits for many sockets as long as for one.
const portsAtOnce = 32

// eachPort calls do for every port in its node's namespace, many at once.
func (r *run) eachPort(ctx context.Context, do func(participant, i int, ifname string) error) error {
	type portOf struct{ participant, i int }
	var all []portOf
	for m := range r.orders {
		for i := range r.orders[m].Ports {
			all = append(all, portOf{m, i})
		}
	}
	return each(ctx, len(all), portsAtOnce, func(k int) error {
		s := all[k]
		p := &r.orders[s.participant].Ports[s.i]
		n := &r.Nodes[r.participants[s.participant].nodes[p.Node]]
		namespace := r.Containers[n.Container].NetNS
		err := netns.In(namespace, func() error { return do(s.participant, s.i, n.Interfaces[p.Number]) })
		if err != nil {
			return fmt.Errorf("%s:%d: %w", n.Name, p.Number, err)
		}
		return nil
	}, func(int) {})
}

// compareCounters ends a run if the kernel lost a frame on its links. A frame that was refused and sent again is not a
// loss, though both ends count it; nor is one that came and was unclaimed.
func (r *run) compareCounters(results []*daemon.Result) error {
	refused := make([]uint64, r.setup.Links) // by the direction of the link
	direction := func(participant, i int) int {
		o := &r.orders[participant]
		return int(o.Nodes[o.Ports[i].Node].Ports()[o.Ports[i].Number].Link)
	}
	for participant, one := range results {
		for i := range one.Ports {
			refused[direction(participant, i)] = one.Ports[i].Refused
		}
	}
	return r.eachPort(context.Background(), func(participant, i int, ifname string) error {
		now, err := packet.ReadCounters(ifname)
		if err != nil {
			return err
		}
		sends := direction(participant, i)
		now.TxDropped -= refused[sends]
		now.RxDropped -= refused[sends^1]
		before := r.before[participant][i]
		if changed := now.Claim(before, results[participant].Ports[i].Unclaimed).Since(before); changed != "" {
			return fmt.Errorf("link %s: the kernel lost frames at %s: %s", r.orders[participant].Ports[i].Link, ifname, changed)
		}
		return nil
	})
}

// sendOrders gives the participants their orders.
func (r *run) sendOrders() error {
	if r.conns == nil {
		if err := r.dial(); err != nil {
			return err
		}
	}
	for i, c := range r.conns {
		order, err := json.Marshal(&r.orders[i])
		if err != nil {
			return err
		}
		r.sent = append(r.sent, len(order))
		// A daemon that does not take orders lets the socket's buffer fill up.
		c.SetWriteDeadline(time.Now().Add(r.options.Standstill))
		err = c.Send(order, slices.Concat([]*os.File{r.page.File()}, r.sockets[i], r.outsideFiles(i))...)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return &daemonError{fmt.Sprintf("testbed %s: order not taken within %v by %s", r.Name, r.options.Standstill,
				r.describe(&r.participants[i]))}
		} else if err != nil {
			return errors.Join(r.daemonDied(&r.participants[i]), err)
		}
		control.Close(r.sockets[i]) // the daemon has its own now
		r.sockets[i] = nil
		r.closeDevices(i)
	}
	return nil
}

// dial connects to the participants' daemons.
func (r *run) dial() error {
	r.conns = make([]*control.Conn, len(r.participants))
	for i := range r.participants {
		c, err := control.Dial(r.participants[i].socket)
		if err != nil {
			return r.daemonDied(&r.participants[i])
		}
		if r.guard != nil {
			if err := c.AskSender(); err != nil {
				return r.named(err)
			}
		}
		r.conns[i] = c
	}
	return nil
}

// close gives up what the run held.
func (r *run) close() {
	for _, list := range r.sockets {
		for _, f := range list {
			if f != nil {
				f.Close()
			}
		}
	}
	r.closeDevices(-1)
	if !r.Ephemeral {
		r.hangUp()
	}
	os.Remove(r.path(currentFile))
	if r.page != nil {
		r.page.Close()
	}
}

// hangUp closes the connections: a daemon whose testbed is gone gives up its run.
func (t *Testbed) hangUp() {
	for _, c := range t.conns {
		if c != nil {
			c.Close()
		}
	}
	t.conns = nil
}

const currentFile = "run.json"
