package scenario

import (
	"strconv"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/internal/traffic"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// arrivalFields are the keys of traffic that comes again and again: flows that
// arrive at random, and incasts that repeat.
var arrivalFields = []field[trafficDraft]{
	numberField("load", "", 0, 1, true,
		"Payload as a share of the line rate of the hosts' links: for poisson the load that each host sends, for "+
			"incast the load that all events bring to all hosts that can take part, which gives the rate of events.",
		func(d *trafficDraft) *float64 { return &d.load }).ofKinds("poisson", "incast"),
	{
		key:      "distribution",
		kinds:    []string{"poisson"},
		required: true,
		doc: "Sizes of the flows: a published distribution, or points [size, cumulative percent] such as " +
			"[[1KB, 50], [1MB, 100]], linear in between.",
		schema: func(s *outline) schema {
			pair := schema{"type": "array", "minItems": 2, "maxItems": 2,
				"items": []any{sizes.schema(s), schema{"type": "number", "minimum": 0, "maximum": 100}}}
			return byType("array",
				schema{"minItems": 1, "maxItems": maxPoints, "items": pair},
				schema{"enum": distributionNames()})
		},
		read: func(r *reader, n *node, d *trafficDraft) { d.Sizes = readDistribution(r, n) },
	},
	instantField("until", "", "1ns", "1000s", "Time until which flows arrive, or events happen. Default run.until.",
		func(d *trafficDraft) *unit.Time { return &d.Until }).ofKinds("poisson", "incast"),
	integerField("draw", "", 1, 16000,
		"Number of senders of each event, drawn among the senders by the seed, again for each event; the receiver "+
			"is drawn, too, unless it is given.",
		func(d *trafficDraft) *int { return &d.SendersPerEvent }).ofKinds("incast"),
	integerField("events", "", 1, 1000000,
		"Number of incasts. Default 1, or with period or load as many as happen before until.",
		func(d *trafficDraft) *int { return &d.Events }).ofKinds("incast"),
	durationField("period", "", "1ns", "1000s", "Time from one event to the next.",
		func(d *trafficDraft) *unit.Duration { return &d.Period }).ofKinds("incast"),
}

// maxPoints bounds a distribution that is written out.
const maxPoints = 1000

func distributionNames() []string {
	var names []string
	for _, d := range traffic.Distributions {
		names = append(names, d.Name)
	}
	return names
}

// readDistribution reads a name or a list of points; nil if it is neither.
func readDistribution(r *reader, n *node) traffic.Distribution {
	switch {
	case n.Kind == document.Scalar:
		for _, d := range traffic.Distributions {
			if d.Name == n.Text {
				return d.Points
			}
		}
		r.add(n.At, "%s", unknown("distribution", n.Text, distributionNames()))
		return nil
	case n.Kind != document.Sequence || len(n.Items) == 0 || len(n.Items) > maxPoints:
		r.add(n.At, "distribution must be a name, or a list of 1 to %d points such as [[1KB, 50], [1MB, 100]]",
			maxPoints)
		return nil
	}
	var points traffic.Distribution
	for _, item := range n.Items {
		p, ok := readPoint(r, item)
		if !ok {
			return nil
		}
		points = append(points, p)
	}
	if i, err := points.Check(); err != nil {
		r.add(n.Items[i].At, "distribution: %s", err)
		return nil
	}
	return points
}

// maxDrawn is the largest size of a flow, as of a flow of fixed size.
var maxDrawn = sizes.parseBound("distribution", "100000GB")

func readPoint(r *reader, n *node) (point traffic.Point, ok bool) {
	if n.Kind != document.Sequence || len(n.Items) != 2 {
		r.add(n.At, "a point of a distribution is a size and a cumulative percent, such as [1MB, 97.5]")
		return point, false
	}
	if point.Size, ok = sizes.value(r, n.Items[0], "size of a point", 1, maxDrawn); !ok {
		return point, false
	}
	if point.Size > maxDrawn {
		r.add(n.Items[0].At, "size of a point is %s: allowed is up to %v", n.Items[0].Text, maxDrawn)
		return point, false
	}
	text, ok := r.scalar(n.Items[1], "percent of a point", "a number")
	if !ok {
		return point, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || n.Items[1].Quoted {
		r.add(n.Items[1].At, "percent of a point: %q is not a number: allowed is 0 to 100", shorten(text))
		return point, false
	}
	point.Percent = v
	return point, true
}

// lastInstant bounds when an event happens.
const lastInstant = 1000 * unit.Second

// checkArrivals refuses keys that say too much or too little of when the
// entry's flows come.
func checkArrivals(r *reader, n *node, draft *trafficDraft) {
	has := func(key string) bool { return n.Child(key) != nil }
	if draft.Until != 0 && draft.Until <= draft.Start {
		r.add(n.Where("until"), "until is %v, start %v: allowed is an until after the start", draft.Until, draft.Start)
	}
	switch {
	case draft.Kind == traffic.Poisson && !has("load"):
		r.add(n.At, "traffic entry lacks load: the load of each host as a share of its line rate")
	case draft.Kind != traffic.Incast:
	case has("load") && (has("events") || has("period")):
		r.add(n.Where("load"),
			"load with events or period: the rate of events follows from the load; leave the others out")
	case has("load") && !has("size"):
		r.add(n.Where("load"), "load needs a size: the rate of events follows from both")
	case has("events") && !has("period") && draft.Events > 1:
		r.add(n.Where("events"), "events is %d without a period: write the time from one event to the next", draft.Events)
	case has("period") && has("events") && has("until"):
		r.add(n.Where("until"), "until, events and period are given together: leave out events or until")
	case has("until") && !has("period") && !has("load"):
		r.add(n.Where("until"), "until without period or load: write one of them, so that the incast repeats")
	case draft.Events > 1 && int64(draft.Period) > int64(lastInstant)/int64(draft.Events):
		r.add(n.Where("events"), "%d events with a period of %v last too long: allowed are %v in all",
			draft.Events, draft.Period, lastInstant)
	}
}
