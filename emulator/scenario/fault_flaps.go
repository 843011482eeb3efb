package scenario

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// flapsEffect takes the link down and up again and again.
var flapsEffect = linkEffect{
	key: "flaps",
	keys: []field[faultDraft]{
		objectField("flaps", "Outages at regular intervals.", flapsKeys,
			func(f *faultDraft) *flapsDraft { return effectOf[flapsDraft](f) }),
	},
	fresh: func() any { return new(flapsDraft) },
	apply: func(b *builder, link int, f *faultDraft) {
		addOutages(b, link, f, effectOf[flapsDraft](f).outages()...)
	},
	haul: func(b *builder, path *plan.WAN, f *faultDraft) {
		addFlaps(b, path, f, effectOf[flapsDraft](f).outages()...)
	},
}

// flapsDraft is a train of outages: times spans of down, with up between them.
type flapsDraft struct {
	from     unit.Time
	times    int
	down, up unit.Duration
}

// flapsEnd bounds times, and the end of a train.
const flapsEnd = "1000s"

var flapsKeys = &object[flapsDraft]{
	what: "flaps",
	doc:  "Outages of a link, all equally long and at equal distances.",
	fields: []field[flapsDraft]{
		instantField("from", "", "0s", flapsEnd, "Time at which the link goes down for the first time.",
			func(d *flapsDraft) *unit.Time { return &d.from }).needed(),
		integerField("times", "", 1, 1000, "Number of outages.",
			func(d *flapsDraft) *int { return &d.times }).needed(),
		durationField("down", "", "1ps", flapsEnd, "Duration of each outage.",
			func(d *flapsDraft) *unit.Duration { return &d.down }).needed(),
		durationField("up", "", "1ps", flapsEnd, "Time that the link is up between two outages.",
			func(d *flapsDraft) *unit.Duration { return &d.up }).needed(),
	},
	check: func(r *reader, n *node, d *flapsDraft) {
		most := durations.parseBound("flaps", flapsEnd)
		if left := most - unit.Duration(d.from); d.times > 0 && d.down+d.up > left/unit.Duration(d.times) {
			r.add(n.At, "%d flaps of %v from %v on, %v apart, last beyond %s: allowed is an end before", d.times, d.down,
				d.from, d.up, flapsEnd)
			d.times = 0
		}
	},
}

// outages returns the train, one outage after the other; none of a train that was refused.
func (d *flapsDraft) outages() (list []fabric.Outage) {
	if d.down == 0 || d.up == 0 {
		return nil
	}
	for i := range d.times {
		down := d.from.Add(unit.Duration(i) * (d.down + d.up))
		list = append(list, fabric.Outage{From: down, To: down.Add(d.down)})
	}
	return list
}
