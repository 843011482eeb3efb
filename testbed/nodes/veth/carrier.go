package veth

import (
	"fmt"
	"sync"
	"time"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface"
	look "github.com/rocelab/rocelab/testbed/nodes/live/outside"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
)

// carriers are the carriers of the interfaces at a run's edges; each has its own goroutine, which sets and watches it.
type carriers struct {
	// lost has the interfaces that went down by themselves, or could not be set.
	lost chan lostCarrier
	over chan struct{}
	all  sync.WaitGroup
}

// lostCarrier is an interface that went down by itself, or with an error one that could not be set.
type lostCarrier struct {
	result.Unplugged
	err error
}

// beginCarriers begins to set and to watch the carriers.
func beginCarriers(r *run) *carriers {
	c := &carriers{lost: make(chan lostCarrier, len(r.outsides)), over: make(chan struct{})}
	for i := range r.outsides {
		o := &r.outsides[i]
		k := carrier{Carrier: o.carrier, page: r.page, outages: outagesAt(r.plan, o.place)}
		c.all.Go(func() {
			defer crash.Guard()()
			lost, err := k.keep(c.over)
			defer k.Up() // or Close does
			if lost != "" || err != nil {
				e := r.plan.EdgeAt(o.place)
				c.lost <- lostCarrier{result.Unplugged{
					Edge:      r.plan.Devices[o.place].Name,
					Interface: e.Interface,
					What:      lost,
					At:        k.now(),
				}, err}
			}
		})
	}
	return c
}

// end ends what beginCarriers began; the carriers stay open.
func (c *carriers) end() {
	close(c.over)
	c.all.Wait()
}

// outagesAt are the spans during which an edge considers its link down, in order.
func outagesAt(p *plan.Plan, device int) link.Outages {
	l := &p.Links[p.Devices[device].Links[0]]
	b := p.Node(l.B.Node)
	var seen []fabric.Outage
	for _, outage := range l.Outages {
		if outage = l.SeenAt(outage, b.Kind == plan.KindEdge && b.Index == device); !outage.Unheard() {
			seen = append(seen, outage)
		}
	}
	return link.NewOutages(seen)
}

// carrier is that of one edge.
type carrier struct {
	*iface.Carrier
	page    *lockstep.Page
	outages link.Outages
	off     bool
	// passed is a window that began after the next change was due, 0 before there was one, and until when the change
	// waits for one more at most.
	passed uint64
	until  int64
}

// keep sets the carrier, until the run is over or the interface goes down by itself.
func (k *carrier) keep(over <-chan struct{}) (lost string, err error) {
	for lost == "" && err == nil {
		select {
		case <-over:
			return "", nil
		default:
		}
		if wait := min(k.wait(), lookPeriod); wait > 0 {
			lost, err = k.Await(wait)
		} else {
			err = k.change()
		}
	}
	return lost, err
}

// now is the model time on the wall, 0 before the first window.
func (k *carrier) now() unit.Time {
	c, ok := k.page.Clock()
	if !ok {
		return 0
	}
	return max(c.Model(pace.Now()), 0)
}

// sendGrace is the longest delay of taking a carrier away, so that frames due before are sent.
const sendGrace = 2 * time.Millisecond

// wait returns the wall-clock time until the next change. Before a carrier is taken away, the daemons send frames due
// before: they have done so when a window that began after that time is over.
func (k *carrier) wait() time.Duration {
	next, ok := k.outages.Next()
	clock, began := k.page.Clock()
	if !ok || !began {
		return lookPeriod
	}
	at := next.From
	if k.off {
		at = next.To
	}
	now, due := pace.Now(), clock.Wall(at)
	switch {
	case now < due:
		k.passed, k.until = 0, 0
		return time.Duration(min(due-now, int64(lookPeriod)))
	case k.off:
		return 0
	case k.until == 0:
		k.until = now + int64(sendGrace)
	}
	if k.passed == 0 && k.page.Now() >= at {
		k.passed = k.page.Window()
	}
	if now >= k.until || k.passed > 0 && k.page.Window() > k.passed {
		return 0
	}
	return look.Tick
}

// change makes the next change.
func (k *carrier) change() error {
	k.passed, k.until = 0, 0
	if k.off = !k.off; k.off {
		return k.Down()
	}
	k.outages.RemoveFirst()
	return k.Up()
}

// setAsPlanned describes the effects of the scenario's faults on an interface, "" for none.
func setAsPlanned(c iface.CarrierCounters) string {
	if c.Times == 0 {
		return ""
	}
	text := fmt.Sprintf("was set down %s by faults of the scenario", unit.Count(c.Times, "time"))
	if c.Void > 0 {
		text += ", and " + unit.CountOf(c.Void, "frame that came meanwhile is", "frames that came meanwhile are") + " lost"
	}
	return text
}
