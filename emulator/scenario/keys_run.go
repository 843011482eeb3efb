package scenario

import (
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// draft is a scenario, or one of its variants, as written.
type draft struct {
	root       *node
	name       string
	seed       uint64
	accounting wire.Accounting
	mtu        unit.Bytes
	fabric     fabricDraft
	algorithm  *node
	algorithms map[string]*node

	switchNode, switches *node
	nicNode, nics        *node

	// edgeList are the edges that are listed beside the topology.
	edgeList []edgeDraft
	// peers are connections to real stacks behind edges.
	peers []peerDraft

	controller plan.Controller
	traffic    []trafficDraft
	faults     []faultDraft
	failover   failoverDraft
	run        runDraft
	record     plan.Record
	expect     expectDraft
	sweep      Sweep
}

type runDraft struct {
	until, limit unit.Time
	endGrid      unit.Duration
}

type expectDraft struct {
	congestion, costly, anyCompletion bool
	recovered                         unit.Duration // 0 for no bound
	checks                            []plan.Check
	at                                []position // of checks
}

func newDraft(root *node) *draft {
	return &draft{
		root:       root,
		seed:       1,
		mtu:        1000,
		fabric:     newFabricDraft(root.Child("topology")),
		algorithms: map[string]*node{},
		controller: plan.Controller{Latency: 10 * unit.Microsecond},
		failover:   newFailoverDraft(),
		run:        runDraft{limit: unit.Time(10 * unit.Second), endGrid: 10 * unit.Microsecond},
		sweep:      newSweep(),
	}
}

var rootKeys = &object[draft]{
	what: "scenario",
	doc:  "An experiment on the congestion control of an AI fabric.",
	fields: []field[draft]{
		nameField("name", "Name of the experiment. Default the file's name.",
			func(d *draft) *string { return &d.name }),
		integerField("seed", "1", 0, 1<<62, "Seed of every stream of chance.",
			func(d *draft) *uint64 { return &d.seed }),
		choiceField("accounting", "full", []string{"full", "bare48"},
			"Size of a frame on the wire: all bytes that occupy a real link, or as in the simulators behind "+
				"several published figures.",
			func(d *draft, i int) { d.accounting = wire.Accounting(i) }),
		sizeField("mtu", "1000B", "64B", "8192B",
			"Payload of a full-size packet. InfiniBand's path MTU ends at 4096B; testers send up to 8192B.",
			func(d *draft) *unit.Bytes { return &d.mtu }),
		objectField("topology", "Switches, hosts and links.", fabricKeys,
			func(d *draft) *fabricDraft { return &d.fabric }).needed(),
		nodeField("switch", "Settings of every switch.", switchKeys.schema, readSwitch,
			func(d *draft) **node { return &d.switchNode }),
		nodeField("switches",
			"Settings of single switches, in place of those of all, by name or by a pattern such as leaf*.",
			patternsSchema(switchKeys.schema),
			readPatterns("switches", readSwitch), func(d *draft) **node { return &d.switches }),
		nodeField("nic", "Settings of every NIC.", nicKeys.schema, readNIC,
			func(d *draft) **node { return &d.nicNode }),
		nodeField("nics",
			"Settings of single NICs, in place of those of all, by the host's name or by a pattern such as h1*.",
			patternsSchema(nicKeys.schema),
			readPatterns("nics", readNIC), func(d *draft) **node { return &d.nics }),
		algorithmField("algorithm", "Congestion control of all traffic that does not name its own.",
			func(d *draft) **node { return &d.algorithm }),
		algorithmsField,
		listField("edges",
			"Hosts of the topology that are not emulated NICs: interfaces of this machine, or hosts with their "+
				"own stack. In an explicit topology this is set at the nodes.",
			edgeKeys, newEdgeDraft, func(d *draft) *[]edgeDraft { return &d.edgeList }),
		listField("peers", "Reliable connections between NICs and real stacks behind edges, such as soft-RoCE.",
			peerKeys, newPeerDraft, func(d *draft) *[]peerDraft { return &d.peers }),
		listField("traffic", "The flows. A scenario with edges may have none.", trafficKeys, newTrafficDraft,
			func(d *draft) *[]trafficDraft { return &d.traffic }).needed().spared(withEdges, edgesSchema),
		objectField("controller",
			"The cluster controller, which announces the number of flows to receivers, and to senders that ask.",
			controllerKeys,
			func(d *draft) *plan.Controller { return &d.controller }),
		listField("faults", "Faults of links and NICs, fixed before the run.", faultKeys, newFaultDraft,
			func(d *draft) *[]faultDraft { return &d.faults }),
		objectField("failover", failoverKeys.doc, failoverKeys,
			func(d *draft) *failoverDraft { return &d.failover }),
		objectField("run", "When the run ends.", runKeys, func(d *draft) *runDraft { return &d.run }),
		objectField("record", "Recordings in addition to counters and totals.", recordKeys,
			func(d *draft) *plan.Record { return &d.record }),
		objectField("expect", "Conditions that the run must "+
			"meet.", expectKeys, func(d *draft) *expectDraft { return &d.expect }),
		objectField("sweep", "The runs of `rocelab sweep`: values of keys, x variants, x seeds.", sweepKeys,
			func(d *draft) *Sweep { return &d.sweep }),
		variantsField,
	},
	check: checkInterval,
}

// variantsField only documents the variants: they are laid over the rest, and
// dropped, before a tree is read.
var variantsField = field[draft]{key: "variants",
	doc: "Overlays, run one after the other and compared side by side. Each has a name, and any other keys of " +
		"the scenario: a mapping changes the keys that it names, over a list it changes every item, and " +
		"algorithm holds for all traffic.",
	read: func(*reader, *node, *draft) {}}

// notInVariants are keys that hold for the whole file.
var notInVariants = map[string]bool{"name": true, "sweep": true, "variants": true}

// The schema of variants is the schema of the scenario itself, which an initialiser
// cannot say.
func init() {
	rootKeys.field("variants").schema = variantsSchema
}

var algorithmsField = field[draft]{key: "algorithms", doc: "Named sets of parameters, to be used like algorithms.",
	schema: func(s *outline) schema {
		return schema{"type": "object", "propertyNames": schema{"pattern": namePattern},
			"additionalProperties": algorithmKeys.schema(s)}
	},
	read: func(r *reader, n *node, run *draft) {
		if n.Kind != document.Mapping {
			r.add(n.At, "algorithms is %s: it must be a mapping of names to algorithms", document.KindNames[n.Kind])
			return
		}
		for _, e := range n.Entries {
			algorithmKeys.read(r, e.Value, &algorithmDraft{})
			run.algorithms[e.Key] = e.Value
		}
	}}

var controllerKeys = &object[plan.Controller]{
	what: "controller",
	doc:  "The cluster controller that PC4 presumes.",
	fields: []field[plan.Controller]{
		durationField("latency", "10us", "1ps", "10s",
			"Time from a flow's last byte at the receiver to the controller's new number there, and from a "+
				"planned change to the new number at senders. At least the run's longest window, which is the "+
				"default if it is longer.",
			func(c *plan.Controller) *unit.Duration { return &c.Latency }),
	},
}

var runKeys = &object[runDraft]{
	what: "run",
	doc:  "The end of the run.",
	fields: []field[runDraft]{
		instantField("until", "", "1ns", "1000s",
			"Ends the run at that instant. Default the first multiple of end_grid after the last flow completed.",
			func(d *runDraft) *unit.Time { return &d.until }),
		instantField("limit", "10s", "1ns", "1000s",
			"Ends, as a failure, a run that never completes. With record.interval the default is a million bins "+
				"of it, if that is less.",
			func(d *runDraft) *unit.Time { return &d.limit }),
		durationField("end_grid", "10us", "1ns", "1s",
			"A run without until ends at a multiple of this time; at least two windows.",
			func(d *runDraft) *unit.Duration { return &d.endGrid }),
	},
}

var recordKeys = &object[plan.Record]{
	what: "record",
	doc:  "Time series.",
	fields: []field[plan.Record]{
		durationField("interval", "0s", "0s", "1000s",
			"Width of a time series' bin, for series of all ports, queues and flows. 0s for series within a budget, of "+
				"256 to 512 bins whose width doubles; otherwise at least 100ns and a millionth of run.until, or of "+
				"run.limit, so that memory holds the bins.",
			func(d *plan.Record) *unit.Duration { return &d.Interval }),
		switchField("off", "false", "Keeps no time series, even if interval is set.",
			func(d *plan.Record) *bool { return &d.Off }),
	},
}

// With an interval every flow and every queue has its series, in memory until the run ends. The
// shortest bin still holds a packet of 1 kB at 100 Gb/s, and no run has more
// than maxBins.
const (
	leastInterval = 100 * unit.Nanosecond
	maxBins       = 1_000_000
)

// checkInterval refuses series that memory would not hold. A run that may go on
// until the default limit gets a limit that it would.
func checkInterval(r *reader, n *node, d *draft) {
	got := d.record.Interval
	if got == 0 {
		return
	}
	at := n.Child("record").Where("interval")
	if got < leastInterval {
		r.add(at, "interval is %v: allowed is %v or more, or 0s for bins whose width doubles", got,
			leastInterval)
		return
	}
	key, end := "run.until", d.run.until
	if end == 0 {
		key, end = "run.limit", d.run.limit
		if run := n.Child("run"); run == nil || run.Child("limit") == nil {
			d.run.limit = min(end, unit.Time(got)*maxBins)
			return
		}
	}
	if share := unit.Duration(end) / maxBins; got < share {
		r.add(at, "interval is %v: allowed is %v or more (a millionth of %s, which is %v), or 0s for bins whose "+
			"width doubles",
			got, share, key, end)
	}
}

var expectKeys = &object[expectDraft]{
	what: "expect",
	doc:  "Expectations; a run that misses one fails.",
	fields: []field[expectDraft]{
		choiceField("congestion", "any", []string{"any", "required", "costly"},
			"Makes a run void: required, if no frame was marked, paused, dropped or queued beyond one BDP; costly, "+
				"also if its iterations reach at least 0.85 of the rate of bound_us, so that congestion cost "+
				"little.",
			func(e *expectDraft, i int) { e.congestion, e.costly = i >= 1, i == 2 }),
		choiceField("completed", "all", []string{"all", "any"},
			"Fails a run if a flow with a size did not complete, unless a check names completed or incomplete; "+
				"flows of an arrival process only if they began early enough to complete at a slowdown of 100. "+
				"Also fails a run if flows without a size are sent into a path that is dark at the end. any does "+
				"neither.",
			func(e *expectDraft, i int) { e.anyCompletion = i == 1 }),
		durationField("recovered", "", "1ns", "1000s",
			"Longest time from the beginning of a link's outage until the flows that it stopped resume. Fails a "+
				"run if one took longer or did not resume, or if no link went down: the check "+
				"outage_recovery_max_us <= that time.",
			func(e *expectDraft) *unit.Duration { return &e.recovered }),
		{key: "checks",
			doc: `Comparisons of the summary's metrics with numbers or other metrics, such as "drops == 0", "jain >= 0.99" ` +
				`or "iteration_mean_us <= 1.02 * bound_us". With two or more jobs each has the metrics of collectives, such as ` +
				`"job1.iteration_mean_us < 40e3"; without the job's name they are averages over the jobs. ` +
				"`rocelab metrics` lists the metrics.",
			schema: func(*outline) schema {
				return schema{"type": "array",
					"items": schema{"type": "string", "pattern": checkPattern.String()}}
			},
			read: readChecks},
	},
	check: func(_ *reader, n *node, e *expectDraft) {
		if at := n.Where("recovered"); e.recovered > 0 {
			e.at = append(e.at, at)
			e.checks = append(e.checks, plan.Check{
				Metric: plan.RecoveryMetric,
				Op:     "<=",
				Value:  e.recovered.Microseconds(),
				Text:   "recovered: " + e.recovered.String(),
				Line:   at.Line,
			})
		}
	},
}
