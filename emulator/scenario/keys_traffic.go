package scenario

import (
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/internal/collective"
	"github.com/rocelab/rocelab/emulator/internal/traffic"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// trafficDraft is an entry of the traffic as written.
type trafficDraft struct {
	traffic.Entry
	node *node
	at   position
	// from and to select hosts: to is the receivers of a flow or an incast.
	from, to *node
	// algorithm is the entry's own, nil for the scenario's.
	algorithm *node
	// load is the share of the line rate of the hosts' links, 0 for none.
	load float64
	// collective is the further part of an entry of that kind beside hosts.
	collective collectiveDraft
	// paths are the numbers of the paths that the flows take in turn; nil for ECMP's choice.
	paths []int
	// balanced is set if the flows' paths are chosen for an equal load of DCI ports.
	balanced bool
	// ends is set if the entry determines the end of its flows.
	ends bool
}

func newTrafficDraft(n *node) trafficDraft {
	d := trafficDraft{at: n.At, node: n}
	d.Flows, d.DSCP, d.Kind = 1, -1, traffic.Flow
	d.collective = newCollectiveDraft()
	return d
}

// plainKinds are the kinds whose flows start and end by the clock, or only by their size.
var plainKinds = traffic.KindNames[:traffic.Poisson]

var trafficKeys = &object[trafficDraft]{
	what:  "traffic entry",
	doc:   "A pattern of flows. It ends by size, by stop or by duration; with none of them at the run's end.",
	kind:  "kind",
	kinds: traffic.KindNames,
	guess: func(n *node) string {
		switch {
		case n.Child("from") != nil:
			return "flow"
		case n.Child("distribution") != nil:
			return "poisson"
		case n.Child("operation") != nil:
			return "collective"
		}
		return ""
	},
	fields: slices.Concat([]field[trafficDraft]{
		nameField("name", "Name, unique in the scenario. Default the kind, with a number from the second on.",
			func(d *trafficDraft) *string { return &d.Name }),
		choiceField("kind", "", traffic.KindNames,
			"The pattern: from each sender to each receiver, n to 1, a random permutation, from every host to "+
				"every other, flows of random size that arrive at random, or an operation whose messages wait for "+
				"each other. May be left out if from, distribution or operation is given.",
			func(d *trafficDraft, i int) { d.Kind = traffic.Kind(i) }),
		hostsField("from", "Senders.", func(d *trafficDraft) **node { return &d.from }).ofKinds("flow").needed(),
		hostsField("to", "Receivers.", func(d *trafficDraft) **node { return &d.to }).ofKinds("flow").needed(),
		hostsField("senders",
			"Senders: a number of hosts, or a list of them. Default all but the receiver; with draw, the hosts to "+
				"draw from.",
			func(d *trafficDraft) **node { return &d.from }).ofKinds("incast"),
		hostsField("receiver",
			"The receiver. Default the last host; with draw, one drawn for each event among the senders.",
			func(d *trafficDraft) **node { return &d.to }).ofKinds("incast"),
		hostsField("hosts", "Hosts that take part: a number, or a list in the order of the ranks. Default all.",
			func(d *trafficDraft) **node {
				return &d.from
			}).ofKinds("permutation", "all-to-all", "poisson", "collective"),
		choiceField("order", "shifted", traffic.OrderNames,
			"Order of a host's destinations: from its successor on, all in the same order, or at random.",
			func(d *trafficDraft, i int) { d.Order = traffic.Order(i) }).ofKinds("all-to-all"),
		integerField("flows", "1", 1, 100000, "Flows of each pair.",
			func(d *trafficDraft) *int { return &d.Flows }).ofKinds(plainKinds...),
		sizeField("size", "", "1B", "100000GB",
			"Payload of each flow; without a size a flow sends until it stops. For a collective, which needs a "+
				"size, the larger of a rank's input and output.",
			func(d *trafficDraft) *unit.Bytes { return &d.Size }).
			ofKinds(append([]string{"collective"}, plainKinds...)...),
		sizeField("message", "", "1B", "2GiB",
			"Largest WRITE message. Default one message for the flow, cut every 2 GiB, or 1 MB for a flow "+
				"without a size.",
			func(d *trafficDraft) *unit.Bytes { return &d.Message }).ofKinds(append([]string{"poisson"}, plainKinds...)...),
		instantField("start", "0s", "0s", "1000s",
			"Time at which the first flow starts; for poisson, the time from which flows arrive.",
			func(d *trafficDraft) *unit.Time { return &d.Start }),
		durationField("spacing", "0s", "0s", "1000s",
			"Time from one flow's start to the next; in an all-to-all from a host's destination to its next.",
			func(d *trafficDraft) *unit.Duration { return &d.Spacing }).ofKinds("flow", "incast", "all-to-all"),
		durationField("jitter", "0s", "0s", "1000s",
			"Bound of each flow's random offset from its start. Flows that start together have one below a "+
				"frame time in any case.",
			func(d *trafficDraft) *unit.Duration { return &d.Jitter }).ofKinds(plainKinds...),
		instantField("stop", "", "1ns", "1000s", "Time at which flows without a size stop. Default the end of the "+
			"run.",
			func(d *trafficDraft) *unit.Time { return &d.Stop }).ofKinds(plainKinds...),
		durationField("duration", "", "1ns", "1000s", "Time that each flow without a size sends.",
			func(d *trafficDraft) *unit.Duration { return &d.Duration }).ofKinds(plainKinds...),
		algorithmField("algorithm", "Congestion control of these flows. Default the scenario's algorithm.",
			func(d *trafficDraft) **node { return &d.algorithm }),
		choiceField("mode", "", traffic.Modes,
			"Collective operation, as the controller knows it. Default all-to-all for that kind, that of a "+
				"collective if it is among these, else other.",
			func(d *trafficDraft, i int) { d.Mode = traffic.Modes[i] }),
		integerField("dscp", "", 0, 63, "Code point of the data. Default the NIC's.",
			func(d *trafficDraft) *int { return &d.DSCP }),
		pathField.ofKinds(plainKinds...),
		choiceField("paths", "ecmp", []string{"ecmp", "balanced"},
			"As ECMP selects them, or with UDP source ports chosen, flow by flow, so that every DCI port gets an "+
				"equal load of all balanced entries together. Refused if there is no such choice, or if flows "+
				"cross no long-haul path between switches.",
			func(d *trafficDraft, i int) { d.balanced = i == 1 }),
		integerField("group_flows", "", 1, 1000000,
			"Number of flows that the controller announces for these. Default the flows active at the receiver; "+
				"for a collective the flows of a step.",
			func(d *trafficDraft) *int { return &d.GroupN }),
		choiceField("operation", "", collective.Operations,
			"Collective operation of the ranks, such as all-reduce. One rank is one host.",
			func(d *trafficDraft, i int) {
				d.collective.Operation = collective.Operation(i)
			}).ofKinds("collective").needed(),
		choiceField("method", "", collective.Methods,
			"Algorithm of the operation. Default ring; tree for a broadcast, direct for all-to-all and permute.",
			func(d *trafficDraft, i int) {
				d.collective.Method, d.collective.chosen = collective.Method(i), true
			}).ofKinds("collective"),
		integerField("stride", "1", 1, 100000,
			"Placement: with k, the ranks take every k-th of the hosts, then those after each, and so on.",
			func(d *trafficDraft) *int { return &d.collective.stride }).ofKinds("collective"),
		integerField("chunks", "1", 1, 100000, "Number of pieces that the data are cut into in a tree or a chain.",
			func(d *trafficDraft) *int { return &d.collective.Chunks }).ofKinds("collective"),
		integerField("groups", "", 2, 100000,
			"Equal groups of consecutive ranks of the hierarchical method, such as two for the clusters of a "+
				"two-dc, of two ranks and more. Default 2.",
			func(d *trafficDraft) *int { return &d.collective.Groups }).ofKinds("collective"),
		integerField("cross_dscp", "", 0, profile.MaxDSCP,
			"Code point of the messages between the groups of the hierarchical method, so that they take a class of "+
				"their own. Default that of all its messages.",
			func(d *trafficDraft) *int { return &d.collective.CrossDSCP }).ofKinds("collective"),
		integerField("iterations", "1", 1, 100000, "Number of repetitions of computation and operation.",
			func(d *trafficDraft) *int { return &d.collective.Iterations }).ofKinds("collective"),
		durationField("compute", "0s", "0s", "1000s",
			"Time that each rank computes before the operation, in each iteration.",
			func(d *trafficDraft) *unit.Duration { return &d.collective.compute }).ofKinds("collective"),
		stragglersField.ofKinds("collective"),
	}, arrivalFields),
	check: checkTraffic,
}

func checkTraffic(r *reader, n *node, draft *trafficDraft) {
	if n.Child("kind") == nil {
		switch draft.Kind = traffic.Flow; {
		case n.Child("from") != nil:
		case n.Child("distribution") != nil:
			draft.Kind = traffic.Poisson
		case n.Child("operation") != nil:
			draft.Kind = traffic.Collective
		}
	}
	if draft.Kind == traffic.Collective {
		checkCollective(r, n, draft)
	}
	if draft.Mode == "" {
		draft.Mode = "other"
		if draft.Kind == traffic.AllToAll {
			draft.Mode = "all-to-all"
		}
	}
	if draft.balanced && n.Child("path") != nil {
		r.add(n.Where("paths"), "path and paths: balanced are given together: each sets the path of a flow, use "+
			"only one of them")
	}
	var ends []string
	for _, key := range []string{"size", "stop", "duration"} {
		if n.Child(key) != nil {
			ends = append(ends, key)
		}
	}
	draft.ends = len(ends) > 0 || draft.Kind == traffic.Poisson
	if len(ends) > 1 {
		r.add(n.Where(ends[1]), "%s are given together: a flow ends by one of size, stop and duration",
			strings.Join(ends, " and "))
	}
	if draft.Stop != 0 && draft.Stop <= draft.Start {
		r.add(n.Where("stop"), "stop is %v, start %v: allowed is a stop after the start", draft.Stop, draft.Start)
	}
	checkArrivals(r, n, draft)
}

// hostsSchema is a number of hosts, a selector, or a list of selectors.
func hostsSchema(s *outline) schema {
	return s.define("hosts", func() schema {
		return schema{
			"type":      []string{"integer", "string", "array"},
			"minimum":   1,
			"minLength": 1,
			"minItems":  1,
			"items":     schema{"type": "string", "minLength": 1},
		}
	})
}

func hostsField[T any](key, doc string, at func(*T) **node) field[T] {
	return nodeField(key,
		doc+" Written as a number n (the first n hosts), a name, a range as in h0..h7, a pattern as in h1*, all, "+
			"or a list of these.",
		hostsSchema, nil, at)
}

// algorithmDraft is an algorithm as written.
type algorithmDraft struct {
	name   string
	nameAt position
	params []param
}

type param struct {
	name, value string
	at          position
}

func algorithmField[T any](key, doc string, at func(*T) **node) field[T] {
	f := nodeField(key, doc+" A name, or a mapping of name and params.", algorithmSchema, readAlgorithm, at)
	f.whole = func() schema { return schema{"if": schema{"type": "object"}, "then": algorithmKeys.whole()} }
	return f
}

// readAlgorithm reads an algorithm that all variants may replace; problems of the parameters of any other are reported
// once, by a flow that has it.
func readAlgorithm(r *reader, n *node) {
	switch {
	case n.Kind != document.Mapping:
		r.algorithmName(n, "algorithm")
	case r.base:
		algorithmKeys.read(r, n, &algorithmDraft{})
	}
}

// algorithmSchema is an algorithm's name, or a mapping of name and params.
func algorithmSchema(s *outline) schema {
	return byType("object", algorithmKeys.schema(s),
		schema{
			"type":         []string{"string", "number", "boolean"},
			"minLength":    1,
			"errorMessage": "must be an algorithm's name, or its name and params",
		})
}

// algorithmName reads the name of an algorithm, which is not empty.
func (r *reader) algorithmName(n *node, key string) (string, bool) {
	text, ok := r.scalar(n, key, "an algorithm's name")
	if ok && text == "" {
		r.add(n.At, "%s is empty: write the name of an algorithm", key)
		return "", false
	}
	return text, ok
}

var algorithmKeys = &object[algorithmDraft]{
	what: "algorithm",
	doc:  "A congestion-control algorithm and the parameters that differ from its defaults.",
	fields: []field[algorithmDraft]{
		{
			key:      "name",
			required: true,
			doc:      "Name of a shipped algorithm, of a program in a plugin folder, or of an entry of algorithms.",
			schema: func(*outline) schema {
				return schema{"type": []string{"string", "number", "boolean"}, "minLength": 1}
			},
			read: func(r *reader, n *node, a *algorithmDraft) {
				a.name, _ = r.algorithmName(n, "name")
				a.nameAt = n.At
			},
		},
		{key: "params", doc: "Parameters, as `rocelab algorithm show NAME` lists them.",
			schema: func(*outline) schema {
				return schema{"type": "object",
					"additionalProperties": schema{"type": []string{"string", "number", "boolean"}}}
			},
			read: func(r *reader, n *node, draft *algorithmDraft) {
				if n.Kind != document.Mapping {
					r.add(n.At, "params is %s: it must be a mapping of parameters to values", document.KindNames[n.Kind])
					return
				}
				for _, e := range n.Entries {
					if text, ok := r.scalar(e.Value, e.Key, "a value"); ok {
						draft.params = append(draft.params, param{e.Key, text, e.Value.At})
					}
				}
			}},
	},
}
