package scenario

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// failoverTimes are the times of a switch.
type failoverTimes struct {
	detect, propagate, restore unit.Duration
}

// failoverDraft is the switches' behaviour towards links that are down, as written.
type failoverDraft struct {
	failoverTimes
	buckets   int
	weighted  bool
	dampening dampening
}

// dampening keeps links that flap out of the routes.
//
// Source: RFC 2439, section 4.4. A link has a penalty that grows by a fixed sum each time that it goes down, and falls
// by half in a half life. Above suppress the link is not used until the penalty is reuse. The penalty has a ceiling
// (section 4.2) from which it takes maxSuppress to fall to reuse; 0 for none.
type dampening struct {
	on                       bool
	penalty, suppress, reuse float64
	halfLife, maxSuppress    unit.Duration
}

func newFailoverDraft() failoverDraft {
	return failoverDraft{
		failoverTimes: failoverTimes{
			detect:    plan.UsualFailover.Detect,
			propagate: plan.UsualFailover.Propagate,
			restore:   plan.UsualFailover.Restore,
		},
		dampening: dampening{
			penalty:  1000,
			suppress: 2000,
			reuse:    750,
			halfLife: 15 * unit.Second,
		},
	}
}

const longestFailover = "1000s"

// timesFields are the keys of the times of a switch: detect, propagate and restore, with their defaults and docs.
func timesFields[T any](at func(*T) *failoverTimes, detect, propagate, restore [2]string) []field[T] {
	return []field[T]{
		durationField("detect", detect[0], "0s", longestFailover, detect[1],
			func(t *T) *unit.Duration { return &at(t).detect }),
		durationField("propagate", propagate[0], "0s", longestFailover, propagate[1],
			func(t *T) *unit.Duration { return &at(t).propagate }),
		durationField("restore", restore[0], "0s", longestFailover, restore[1],
			func(t *T) *unit.Duration { return &at(t).restore }),
	}
}

var failoverKeys = &object[failoverDraft]{
	what: "failover",
	doc: "Reaction of switches to links that are down. Without it routes do not change, and both ends of a link " +
		"know at once.",
	fields: append(timesFields(func(f *failoverDraft) *failoverTimes { return &f.failoverTimes },
		[2]string{"10ms", "Time from the loss of signal until an end takes the link out of its groups and flushes " +
			"waiting frames. Until then the frames that it sends are lost; an outage that is over by then has no " +
			"other effect."},
		[2]string{"10ms", "Time from the loss of a switch's last path to a destination until its neighbours avoid " +
			"the switch; the same at each further hop."},
		[2]string{"1s", "Time that a link is up before its end uses it again."}),
		integerField("buckets", "0", 0, mostBuckets,
			"Size of the table of a group of next hops: if a port is lost, only its own buckets move to other "+
				"ports. 0 for an entry for each remaining port, with all flows spread again. Best a multiple of "+
				"the ports.",
			func(f *failoverDraft) *int { return &f.buckets }),
		switchField("weighted", "false",
			"Weights the ports of a group by rate x the remaining share of the capacity beyond them.",
			func(f *failoverDraft) *bool { return &f.weighted }),
		field[failoverDraft]{
			key: "dampening",
			doc: "Keeps flapping links out of the groups, as RFC 2439 does for routes. Without it every link is " +
				"used again after restore.",
			schema: dampeningKeys.schema,
			read: func(r *reader, n *node, f *failoverDraft) {
				f.dampening.on = true
				dampeningKeys.read(r, n, &f.dampening)
			},
		},
	),
}

// mostBuckets bounds the table of a group: what hardware has at most.
const mostBuckets = 4096

var dampeningKeys = &object[dampening]{
	what: "dampening",
	doc:  "Penalties of links that go down.",
	fields: []field[dampening]{
		numberField("penalty", "1000", 0, 1e6, true, "Penalty that each detected loss adds.",
			func(d *dampening) *float64 { return &d.penalty }),
		numberField("suppress", "2000", 0, 1e6, true, "The link is out above it.",
			func(d *dampening) *float64 { return &d.suppress }),
		numberField("reuse", "750", 0, 1e6, true, "The link is used again when its penalty falls to this. Below "+
			"suppress.",
			func(d *dampening) *float64 { return &d.reuse }),
		durationField("half_life", "15s", "1us", longestFailover, "Time in which a penalty falls by half.",
			func(d *dampening) *unit.Duration { return &d.halfLife }),
		durationField("max_suppress", "", "1us", longestFailover, "Longest time that a link stays out after it last "+
			"went down: the ceiling of its penalty. Unbounded by default.",
			func(d *dampening) *unit.Duration { return &d.maxSuppress }),
	},
	check: func(r *reader, n *node, d *dampening) {
		if d.reuse >= d.suppress {
			r.add(n.Where("reuse"), "reuse is %g, suppress %g: allowed is a reuse below it", d.reuse, d.suppress)
			return
		}
		if least := plan.LeastSuppress(d.suppress, d.reuse, d.halfLife); d.maxSuppress > 0 && d.maxSuppress <= least {
			r.add(n.Where("max_suppress"), "max_suppress is %v, and no penalty would come above suppress: allowed is more than "+
				"%v, half_life x log2(suppress / reuse)", d.maxSuppress, least)
		}
	},
}

// switchFailoverKeys are the times of single switches.
var switchFailoverKeys = &object[failoverTimes]{
	what: "failover of a switch",
	doc:  "Its own times, in place of those of failover.",
	fields: timesFields(func(t *failoverTimes) *failoverTimes { return t },
		[2]string{"", "As in failover, at its ends of links."},
		[2]string{"", "As in failover: time after a neighbour's change until it changes its routes."},
		[2]string{"", "As in failover, at its ends of links."}),
}

// switchFailoverField reads a switch's own times, which no model of a switch knows.
var switchFailoverField = field[profile.Switch]{
	key:    "failover",
	doc:    "Times of this switch, in place of those of failover, which is required.",
	schema: switchFailoverKeys.schema,
	read: func(r *reader, n *node, _ *profile.Switch) {
		switchFailoverKeys.read(r, n, &r.times)
	},
}

// detectField is the time that the ends of a fault's links take to learn of it.
var detectField = durationField("detect", "", "0s", longestFailover,
	"Time until the ends of the link know that it is down, in place of failover's; also without failover, and "+
		"then no route changes. The ports of a switch that reboots know at once. Default that of failover, 0s "+
		"without.",
	func(f *faultDraft) *unit.Duration { return &f.detect })
