package veth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/daemon"
	"github.com/rocelab/rocelab/testbed/device"
	"github.com/rocelab/rocelab/testbed/iface"
	"github.com/rocelab/rocelab/testbed/link"
	look "github.com/rocelab/rocelab/testbed/outside"
	"github.com/rocelab/rocelab/testbed/packet"
)

// outside is an edge of the run with what its daemon is given for it.
type outside struct {
	place       int // in the plan's Devices
	participant int
	// socket is that of the device, the daemon's alone once that has its order; journal is nil where
	// nothing is kept.
	socket, journal *os.File
	// hold is an interface of somebody else's, which is given back after the run; nil for
	// one that the testbed made.
	hold   *iface.Hold
	before packet.Counters
}

// checkEdges refuses edges on a testbed that is held to no clock, unless they are silent.
func (r *run) checkEdges() error {
	if places := r.plan.Edges(); len(places) > 0 && r.options.Dilation == 0 && !r.options.Silent {
		return &FitError{fmt.Sprintf("%s is an edge, where frames come in from outside: run it with --on live, or a record "+
			"of such a run with --on mem --edges", r.plan.Devices[places[0]].Name)}
	}
	for _, i := range r.plan.Edges() {
		l := &r.plan.Links[r.plan.Devices[i].Links[0]]
		latency, k := min(l.Forward.Latency, l.Backward.Latency), r.options.Dilation
		least := unit.Duration(2*look.Tick.Nanoseconds()) * unit.Nanosecond
		if k > 0 && int64(latency) < int64(least)/k {
			return &FitError{fmt.Sprintf("edge %s: its link's latency of %v must cover two looks at its interface, %v on the "+
				"wall: at K = %d allowed are %v and above; or write --dilate %d", r.plan.Devices[i].Name, latency, least, k,
				least/unit.Duration(k), (int64(least)+int64(latency)-1)/int64(latency))}
		}
	}
	return nil
}

// addEdge adds a node, which is the k-th of an order's, to it if it is an edge.
func (r *run) addEdge(o *daemon.Order, k int, n plan.Node) {
	if n.Kind != plan.KindEdge || r.options.Silent {
		return
	}
	e := daemon.Edge{Node: k, Geometry: device.Default(int(r.plan.EdgeAt(n.Index).MTU))}
	place := outside{place: n.Index, participant: o.Index}
	if len(r.options.Journals) > 0 {
		j := &r.options.Journals[slices.Index(r.plan.Edges(), n.Index)]
		e.Journal, e.JournalLimit, place.journal = &j.Header, j.Limit, j.File
	}
	o.Edges = append(o.Edges, e)
	r.outsides = append(r.outsides, place)
}

// openDevices opens the sockets of all edges where their devices are, and their journals.
func (r *run) openDevices(ctx context.Context) error {
	if len(r.outsides) > 0 { // what holders that were killed have left
		if _, err := iface.PutBack(Root()); err != nil {
			return err
		}
	}
	at := make([]int, len(r.orders)) // how many edges of an order were seen
	for i := range r.outsides {
		if err := ctx.Err(); err != nil {
			return err
		}
		o := &r.outsides[i]
		spec := &r.orders[o.participant].Edges[at[o.participant]]
		at[o.participant]++
		if err := r.takeDevice(o); err != nil {
			return fmt.Errorf("edge %s: %w", r.plan.Devices[o.place].Name, err)
		}
		err := r.inDevice(o, func(ifname string) (err error) {
			if o.before, err = packet.ReadCounters(ifname); err != nil {
				return err
			}
			fd, err := device.Open(ifname, spec.Geometry)
			if err != nil {
				return err
			}
			if err := unix.SetNonblock(fd, false); err != nil { // or the Go runtime would watch it
				unix.Close(fd)
				return err
			}
			o.socket = os.NewFile(uintptr(fd), ifname)
			return nil
		})
		if err != nil {
			return fmt.Errorf("edge %s: %w", r.plan.Devices[o.place].Name, err)
		}
	}
	return nil
}

// takeDevice takes the interface of an edge that is somebody else's.
func (r *run) takeDevice(o *outside) (err error) {
	e := r.plan.EdgeAt(o.place)
	if e.Host {
		return nil
	}
	o.hold, err = iface.Take(Root(), iface.Want{
		Interface: e.Interface,
		Namespace: e.Namespace,
		MTU:       int(e.MTU),
		Force:     e.Force,
	})
	return err
}

// giveBack gives back the interfaces that were taken.
func (r *run) giveBack() (err error) {
	for i := range r.outsides {
		if o := &r.outsides[i]; o.hold != nil {
			err = errors.Join(err, o.hold.Release())
			o.hold = nil
		}
	}
	return err
}

// inDevice calls do in the network namespace of an edge's device.
func (r *run) inDevice(o *outside, do func(ifname string) error) error {
	namespace, ifname := r.device(r.plan.Devices[o.place].Name, r.plan.EdgeAt(o.place))
	if namespace == "" {
		return do(ifname)
	}
	return link.In(namespace, func() error { return do(ifname) })
}

// outsideFiles are the files of a participant's edges, as they come with its order.
func (r *run) outsideFiles(participant int) (files []*os.File) {
	for i := range r.outsides {
		if o := &r.outsides[i]; o.participant == participant {
			files = append(files, o.socket)
			if o.journal != nil {
				files = append(files, o.journal)
			}
		}
	}
	return files
}

// closeDevices gives up the sockets of a participant's edges, or with -1 of all.
func (r *run) closeDevices(participant int) {
	for i := range r.outsides {
		if o := &r.outsides[i]; (participant < 0 || o.participant == participant) && o.socket != nil {
			o.socket.Close()
			o.socket = nil
		}
	}
}

// droppedAt counts the frames that the device of an edge dropped since its socket was opened, on
// their way in or out: one without a carrier says so nowhere else. A device that is gone says
// nothing.
func (r *run) droppedAt(o *outside) (dropped uint64) {
	_ = r.inDevice(o, func(ifname string) error {
		now, err := packet.ReadCounters(ifname)
		if err == nil {
			dropped = now.LostSince(o.before)
		}
		return err
	})
	return dropped
}

// seenOutside fills in what was seen at the edges.
func (r *run) seenOutside(out *result.Outcome, results []*daemon.Result) {
	at := make([]int, len(r.orders))
	for i := range r.outsides {
		o := &r.outsides[i]
		c := &results[o.participant].Edges[at[o.participant]]
		at[o.participant]++
		seen := &out.Time.Edges[i]
		name, ifname := seen.Name, seen.Interface
		*seen = c.Timing
		seen.Name, seen.Interface = name, ifname
		if dropped, refused := r.droppedAt(o), seen.Lost[result.NoBuffers]; dropped > refused { // which count twice
			seen.Lost[result.Dropped] += dropped - refused
		}
		out.Time.ClockSteps = max(out.Time.ClockSteps, c.ClockSteps)
		if o.hold != nil {
			for _, forced := range o.hold.Forced {
				out.Remarks = append(out.Remarks, fmt.Sprintf("edge %s: %s was taken by force: %s", name, ifname, forced))
			}
		}
		if c.JournalError != "" {
			out.Remarks = append(out.Remarks, fmt.Sprintf("edge %s: its journal is not whole, so that this run cannot be "+
				"replayed: %s", name, c.JournalError))
		}
	}
}
