package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// clocks divide the time of a flow among the states of its sender, to the picosecond: their counts always add up to the
// time since begin.
//
// Call begin when the flow is due and end when it ends. Between, call settle before any change that affects the state,
// then set wait; and sent for each packet that starts. While a packet of the flow is on the wire since is its end, in
// the future: the state after it is the one set last by then.
type clocks struct {
	spent record.Spent // up to since
	// since is unit.Never before the begin and after the end.
	since unit.Time
	// wait is the state from since on, last that of the packet which ended or ends at since.
	wait, last record.SendState
	// bin is the end of the meter's open bin, which is closed before time at or after it is counted. It is unit.Never
	// without a meter, before the begin and after the end.
	bin   unit.Time
	meter *record.SendMeter // nil where nothing is recorded
	// broken are the spans during which the flow's way leads nowhere.
	broken link.Outages
}

// newClocks returns the clocks of a flow whose way leads nowhere at times, if any. The meter may be nil.
func newClocks(meter *record.SendMeter, broken []fabric.Outage) clocks {
	return clocks{since: unit.Never, bin: unit.Never, meter: meter, broken: link.NewOutages(broken)}
}

// begin starts the clocks.
func (c *clocks) begin(now unit.Time) {
	c.since, c.wait = now, record.NothingToSend
	if c.meter != nil {
		c.turn(now)
	}
}

// turn opens the bin of now. All time that has a series was written before.
func (c *clocks) turn(now unit.Time) {
	c.meter.Turn(now)
	c.bin = c.meter.End
}

// settle counts the time up to now. Before due the pacer holds the packet back.
func (c *clocks) settle(now, due unit.Time) {
	if now >= c.bin {
		c.closeBins(now, due)
	}
	c.pass(now, due)
}

// closeBins closes the bins that are over now, each with the time up to its end.
func (c *clocks) closeBins(now, due unit.Time) {
	for now >= c.bin {
		end := c.bin
		c.pass(end, due)
		after := unit.Duration(0) // of the packet on the wire
		if c.last == record.Sending {
			after = c.since.Sub(end)
		}
		if c.bin = c.meter.Close(&c.spent, after); c.since == end && due <= end && !inSeries[c.wait] {
			c.pass(now, due) // however many bins that is
			c.turn(now)
		}
	}
}

// inSeries are the states that a bin has times of.
var inSeries = [record.SendStates]bool{
	record.Sending:      true,
	record.PortBusy:     true,
	record.Paced:        true,
	record.WindowClosed: true,
}

// pass is settle of an instant that is not after the open bin.
func (c *clocks) pass(now, due unit.Time) {
	if now <= c.since {
		return
	}
	from := c.since
	c.since = now
	if due > from {
		c.count(record.Paced, from, min(due, now))
		if due >= now {
			return
		}
		from = due
	}
	c.count(c.wait, from, now)
}

func (c *clocks) count(state record.SendState, from, to unit.Time) {
	if state == record.Repairing && c.broken.Len() > 0 {
		without := c.without(from, to)
		c.spent[record.NoRoute] += without
		c.spent[state] -= without
	}
	c.spent[state] += to.Sub(from)
}

// without returns the time between two instants during which the way leads nowhere, and forgets spans that are over at
// the first: calls come in the order of from.
func (c *clocks) without(from, to unit.Time) (sum unit.Duration) {
	if !c.broken.Meets(from, to) {
		return 0
	}
	for rest := c.broken; ; rest.RemoveFirst() {
		next, ok := rest.Next()
		if !ok || next.From >= to {
			return sum
		}
		sum += min(next.To, to).Sub(max(next.From, from))
	}
}

// sent counts a packet that takes the given time on the wire, up to an instant, with all before it settled. One that
// is on the wire while the way leads nowhere is sent into the void.
func (c *clocks) sent(serial unit.Duration, until unit.Time, resent bool) {
	if start := until.Add(-serial); start >= c.bin { // the last packet ended now, which settled nothing
		c.closeBins(start, 0)
	}
	c.since, c.last = until, record.Sending
	if resent {
		c.last = record.Repairing
	}
	if c.broken.Meets(until.Add(-serial), until) {
		c.last = record.NoRoute
	}
	c.spent[c.last] += serial
}

// at returns what the clocks show at an instant, no earlier than the start of the last packet.
func (c *clocks) at(now, due unit.Time) record.Spent {
	copied := *c
	copied.bin = unit.Never
	if copied.since == unit.Never {
		return copied.spent
	}
	if now < copied.since {
		copied.spent[copied.last] -= copied.since.Sub(now)
	}
	copied.settle(now, due)
	return copied.spent
}

// end stops the clocks. It is separate from its caller, which has every ACK.
//
//go:noinline
func (c *clocks) end(now, due unit.Time) {
	if c.since == unit.Never {
		return
	}
	c.settle(now, due)
	c.write(due)
	c.spent = c.at(now, due)
	c.since, c.bin = unit.Never, unit.Never
}

// write brings the meter, if there is one, to since, which may be the end of a packet that is on the wire.
func (c *clocks) write(due unit.Time) {
	if c.meter != nil {
		c.closeBins(c.since-1, due)
		c.meter.Add(&c.spent, 0)
	}
}

// sends returns the series of the states up to an instant no earlier than the last settle, nil if nothing is recorded.
func (c *clocks) sends(until, due unit.Time) *record.SendSeries {
	if c.meter == nil || c.since == unit.Never {
		return c.meter.Until(until)
	}
	c.settle(until, due)
	c.write(due)
	series := c.meter.Until(until)
	c.bin = c.meter.End
	return series
}

// due returns the time until which the pacer holds the next packet back, for any state of the clocks; 0 if nothing
// could leave anyway, or the flow sends again, which is repair all the time.
func (q *sender) due() unit.Time { return q.dueIn(q.state) }

func (q *sender) dueIn(state sendState) unit.Time {
	if state == idle || q.clocks.wait == record.Repairing {
		return 0
	}
	return q.pacer.next
}

// settle counts the flow's time up to now.
func (q *sender) settle(now unit.Time) {
	if now > q.clocks.since {
		q.clocks.settle(now, q.due())
	}
}

// stands reports whether PFC holds a class.
func (p *port) stands() bool { return p.pauses.Held() != 0 }

// account puts the clocks into the state that the flow is in now, at its NIC's port; before is where it waited up to
// now.
func (q *sender) account(port *port, now unit.Time, before sendState) {
	if wait := q.waitAt(port); wait != q.clocks.wait {
		q.clocks.settle(now, q.dueIn(before))
		q.clocks.wait = wait
	}
}

// waitAt returns the state that keeps the flow from sending once its packet is due.
func (q *sender) waitAt(port *port) record.SendState {
	r := &q.reliability
	held := q.state == queued && port.pauses.Held()>>q.class&1 != 0
	switch {
	case !q.running:
		return record.NothingToSend
	case held && q.sendable():
		return record.Paused
	case r.resending():
		return record.Repairing
	case r.next.packet >= r.limit:
		return record.InFlight
	case r.next.packet >= r.open && !q.identity.carrier.held():
		return record.NothingToSend
	case !q.sendable():
		return record.WindowClosed
	}
	return record.PortBusy
}

// accountQueued does so for all flows that wait for the port: their classes were paused or released.
func (p *port) accountQueued(now unit.Time) {
	for flow := p.ready.head; flow != nil; flow = flow.next {
		flow.account(p, now, flow.state)
	}
	for class := range p.held {
		for flow := p.held[class].head; flow != nil; flow = flow.next {
			flow.account(p, now, flow.state)
		}
	}
}
