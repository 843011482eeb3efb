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
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface"
	look "github.com/rocelab/rocelab/testbed/nodes/live/outside"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// outside is an edge of the run with what its daemon is given for it.
type outside struct {
	place       int // in the plan's Devices
	participant int
	// socket is the device's socket, held only by the daemon once that has its order; likewise drops, the file with the
	// device's drops; journal is nil if nothing is kept.
	socket, drops, journal *os.File
	// hold is an interface of another owner, which is given back after the run; nil for one that the testbed made.
	hold *iface.Hold
	// carrier is that of the device.
	carrier *iface.Carrier
}

// CheckEdges returns the objections to a live run of a plan with dilation K at the interfaces of its edges, before
// anything is made. Whether another run has one of them is known only when it is taken.
func CheckEdges(p *plan.Plan, k int64) error {
	if err := checkEdges(p, Options{Dilation: k}); err != nil {
		return err
	}
	var errs []error
	for _, i := range p.Edges() {
		if e := p.EdgeAt(i); !e.Host {
			if err := iface.Check(wanted(p, i)); err != nil {
				errs = append(errs, fmt.Errorf("edge %s: %w", p.Devices[i].Name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// checkEdges refuses edges on a testbed without a clock, unless they are silent.
func checkEdges(p *plan.Plan, o Options) error {
	if places := p.Edges(); len(places) > 0 && o.Dilation == 0 && !o.Silent {
		return &FitError{fmt.Sprintf("%s is an edge, where frames come in from outside: run it with --on live, or a record "+
			"of such a run with --on mem --edges", p.Devices[places[0]].Name)}
	}
	for _, i := range p.Edges() {
		l := &p.Links[p.Devices[i].Links[0]]
		latency, k := min(l.Forward.Latency, l.Backward.Latency), o.Dilation
		least := unit.Duration(2*look.Tick.Nanoseconds()) * unit.Nanosecond
		if k > 0 && int64(latency) < int64(least)/k {
			return &FitError{fmt.Sprintf("edge %s: its link's latency of %v must cover two looks at its interface, %v on the "+
				"wall: at K = %d allowed are %v and above; or write --dilate %d", p.Devices[i].Name, latency, least, k,
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
		var err error
		r.restored, err = iface.PutBack(Root())
		r.left = iface.Left(err)
	}
	at := make([]int, len(r.orders)) // how many edges of an order were seen
	for i := range r.outsides {
		if err := ctx.Err(); err != nil {
			return err
		}
		o := &r.outsides[i]
		spec := &r.orders[o.participant].Edges[at[o.participant]]
		at[o.participant]++
		err := r.takeDevice(o)
		if err == nil { // a device of the testbed's own may be as a run that was killed left it
			namespace, ifname := r.device(r.plan.Devices[o.place].Name, r.plan.EdgeAt(o.place))
			o.carrier, err = iface.OpenCarrier(namespace, ifname, o.hold == nil)
		}
		if err != nil {
			return fmt.Errorf("edge %s: %w", r.plan.Devices[o.place].Name, err)
		}
		err = r.inDevice(o, func(ifname string) (err error) {
			fd, err := device.Open(ifname, spec.Geometry)
			if err != nil {
				return err
			}
			if err := unix.SetNonblock(fd, false); err != nil { // or the Go runtime would watch it
				unix.Close(fd)
				return err
			}
			o.socket = os.NewFile(uintptr(fd), ifname)
			if o.drops, err = packet.OpenDrops(); err != nil {
				return err
			}
			// Until the socket was there the kernel dropped arriving frames for want of a listener.
			spec.Dropped, err = packet.ReadDrops(o.drops, ifname)
			return err
		})
		if err != nil {
			return fmt.Errorf("edge %s: %w", r.plan.Devices[o.place].Name, err)
		}
	}
	return nil
}

// takeDevice takes the interface of an edge if it belongs to another owner.
func (r *run) takeDevice(o *outside) (err error) {
	e := r.plan.EdgeAt(o.place)
	if e.Host {
		return nil
	}
	o.hold, err = iface.Take(Root(), wanted(r.plan, o.place))
	return err
}

// wanted is the interface of an edge, as the edge needs it.
func wanted(p *plan.Plan, device int) iface.Want {
	e, outages := p.EdgeAt(device), outagesAt(p, device)
	return iface.Want{
		Interface: e.Interface,
		Namespace: e.Namespace,
		MTU:       int(e.MTU),
		Force:     e.Force,
		Carrier:   outages.Len() > 0,
	}
}

// giveBack gives back the interfaces that were taken, and their carriers.
func (r *run) giveBack() (err error) {
	for i := range r.outsides {
		o := &r.outsides[i]
		if o.carrier != nil {
			err = errors.Join(err, o.carrier.Close())
			o.carrier = nil
		}
		if o.hold != nil {
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
	return netns.In(namespace, func() error { return do(ifname) })
}

// outsideFiles are the files of a participant's edges, as they come with its order.
func (r *run) outsideFiles(participant int) (files []*os.File) {
	for i := range r.outsides {
		if o := &r.outsides[i]; o.participant == participant {
			files = append(files, o.socket, o.drops)
			if o.journal != nil {
				files = append(files, o.journal)
			}
		}
	}
	return files
}

// closeDevices gives up the device files of a participant's edges, or with -1 of all edges.
func (r *run) closeDevices(participant int) {
	for i := range r.outsides {
		o := &r.outsides[i]
		if participant >= 0 && o.participant != participant {
			continue
		}
		for _, f := range []**os.File{&o.socket, &o.drops} {
			if *f != nil {
				(*f).Close()
				*f = nil
			}
		}
	}
}

// absence reports that the interface of an edge was not up.
func absence(c *daemon.EdgeCount) string {
	took := result.WallTime(c.Absent.Nanoseconds())
	switch {
	case c.Gone:
		return "was removed or moved away; it was not up for " + took
	case c.Absences == 1:
		return "was not up for " + took
	}
	return fmt.Sprintf("was not up %d times, for %s in all", c.Absences, took)
}

// seenOutside fills in the counts at the edges.
func (r *run) seenOutside(out *result.Outcome, results []*daemon.Result) {
	for _, name := range r.restored {
		out.Remarks = append(out.Remarks, fmt.Sprintf("interface %s was as a run that was killed had left it; it was put "+
			"back before this one", name))
	}
	at := make([]int, len(r.orders))
	for i := range r.outsides {
		o := &r.outsides[i]
		c := &results[o.participant].Edges[at[o.participant]]
		at[o.participant]++
		seen := &out.Time.Edges[i]
		name, ifname := seen.Name, seen.Interface
		*seen = c.Timing
		seen.Name, seen.Interface = name, ifname
		out.Time.ClockSteps = max(out.Time.ClockSteps, c.ClockSteps)
		if o.hold != nil {
			for _, forced := range o.hold.Forced {
				out.Remarks = append(out.Remarks, fmt.Sprintf("edge %s: %s was taken by force: %s", name, ifname, forced))
			}
		}
		did := o.carrier.Counters()
		seen.Lost[result.Dropped] -= min(seen.Lost[result.Dropped], did.Void)
		if planned := setAsPlanned(did); planned != "" {
			out.Remarks = append(out.Remarks, fmt.Sprintf("edge %s: %s %s", name, ifname, planned))
		} else if c.Absences > 0 {
			out.Remarks = append(out.Remarks, fmt.Sprintf("edge %s: %s %s", name, ifname, absence(c)))
		}
		if c.JournalError != "" {
			out.Remarks = append(out.Remarks, fmt.Sprintf("edge %s: its journal is not whole, so that this run cannot be "+
				"replayed: %s", name, c.JournalError))
		}
	}
}
