package scenario

import (
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var switchKeys = &object[profile.Switch]{
	what: "switch",
	doc:  "Settings of a switch.",
	fields: []field[profile.Switch]{
		choiceField("profile", "", profile.ChipNames(),
			"A switch chip, whose figures are the defaults of the other keys; docs/silicon.md lists them. Keys in "+
				"the scenario override it, in any order.",
			func(s *profile.Switch, i int) { s.Chip = profile.ChipNames()[i] }),
		sizeField("buffer", "32MB", "1KB", "100GB", "Shared packet memory.",
			func(s *profile.Switch) *unit.Bytes { return &s.Buffer }),
		alphaField,
		alphaRateField,
		sizeField("reserve", "4KB", "0B", "100GB", "Guaranteed memory of each lossless ingress (port, class).",
			func(s *profile.Switch) *unit.Bytes { return &s.Reserve }),
		headroomField,
		choiceField("headroom_rule", "cells", profile.HeadroomRuleNames,
			"Rule for headroom: as SONiC computes it, with port MTU, interfaces and memory cells, or only from "+
				"frames, the link and peer_response. In either case at least as much as the link needs.",
			func(s *profile.Switch, i int) { s.HeadroomRule = profile.HeadroomRule(i) }),
		sizeField("port_mtu", "9100B", "64B", "1MB", "Largest frame of any class at a port, for the rule cells.",
			func(s *profile.Switch) *unit.Bytes { return &s.PortMTU }),
		sizeField("interface_delay", "819B", "0B", "1GB",
			"Bytes that MAC and PHY of both ends hold, for the rule cells.",
			func(s *profile.Switch) *unit.Bytes { return &s.InterfaceDelay }),
		sizeField("cell", "144B", "1B", "1MB", "Unit of packet memory, for the rule cells.",
			func(s *profile.Switch) *unit.Bytes { return &s.Cell }),
		numberField("small_packets", "0.5", 0, 1, false,
			"Share of packets of 64 B in a lossless class, each in a cell of its own, for the rule cells.",
			func(s *profile.Switch) *float64 { return &s.SmallPackets }),
		sizeField("peer_response", "", "0B", "100GB",
			"Bytes that a peer may still send while it reacts to a pause. Default the limit of IEEE 802.3 at the "+
				"rate of the port, and under the rule frames 3840 B, or the peer's pause_response if that is more.",
			func(s *profile.Switch) *unit.Bytes { return &s.PeerResponse }),
		responseField(func(s *profile.Switch) *unit.Duration { return &s.PauseResponse }),
		sizeField("resume_offset", "3KB", "0B", "100GB",
			"Distance below the threshold, in bytes, that an ingress must reach before XON.",
			func(s *profile.Switch) *unit.Bytes { return &s.ResumeOffset }),
		objectField("pfc", "Priority-based flow control.", pfcKeys,
			func(s *profile.Switch) *profile.PFC { return &s.PFC }),
		ecnField,
		switchField("drop_not_ect", "true",
			"Drops frames of a lossy class that would be marked but are not ECN-capable, as RED does; false lets "+
				"them pass. With edges the default is false, because the hosts' handshakes, pings and ARP are not "+
				"ECN-capable.",
			func(s *profile.Switch) *bool { return &s.DropNotECT }),
		objectField("dci", "Ports that lead over a long-haul path to another switch.", dciKeys,
			func(s *profile.Switch) *profile.DCI { return &s.DCI }),
		objectField("watchdog", "The breaker of PFC storms.", watchdogKeys,
			func(s *profile.Switch) *profile.Watchdog { return &s.Watchdog }),
		objectField("scheduling", "Choice of the queue that a port serves next.", schedulingKeys,
			func(s *profile.Switch) *profile.Switch { return s }),
		objectField("classes", "How frames become classes and classes queues.", classKeys,
			func(s *profile.Switch) *profile.Switch { return s }),
		choiceField("forwarding", "ecmp", profile.ForwardingNames,
			"Choice among several equal next hops: by a hash of the flow, by flowlet, at random for each frame, "+
				"in turn, or by the shortest queue.",
			func(s *profile.Switch, i int) { s.Forwarding = profile.Forwarding(i) }),
		durationField("flowlet_gap", "10us", "0s", "1s",
			"Idle time after which a flow may take another next hop.",
			func(s *profile.Switch) *unit.Duration { return &s.FlowletGap }),
		durationField("latency", "0s", "0s", "1s",
			"Time from a frame's last bit to its eligibility at the egress; real chips take 300ns to 800ns. Base "+
				"RTTs, and all values derived from them, include it.",
			func(s *profile.Switch) *unit.Duration { return &s.Latency }),
		switchField("cut_through", "false",
			"Forwards a frame once its header, as many bytes as the shortest frame has, has arrived and latency "+
				"is over, if the egress is then idle, not paused and not faster than the ingress. Any other frame "+
				"is stored and forwarded.",
			func(s *profile.Switch) *bool { return &s.CutThrough }),
		choiceField("queue_bytes", "frame", []string{"frame", "accounted"},
			"Unit of queues, thresholds and buffers: bytes of frames, or with accounting bare48 bytes on the wire.",
			func(s *profile.Switch, i int) { s.Accounted = i == 1 }),
		switchField("int", "true", "Stamps in-band telemetry into packets whose algorithm requests it.",
			func(s *profile.Switch) *bool { return &s.INT }),
		objectField("proximal", "CNPs from the switch next to the sender.", proximalKeys,
			func(s *profile.Switch) *profile.Proximal { return &s.Proximal }),
		switchFailoverField,
		portsField,
	},
	check: checkSwitch,
}

// checkSwitch checks the combinations of keys.
func checkSwitch(r *reader, n *node, settings *profile.Switch) {
	checkHeadroom(r, n, settings)
	for class := range profile.Classes {
		if settings.PFC.Enabled && settings.PFC.Lossless[class] && settings.Control[class] {
			r.add(n.At,
				"class %d is lossless and a control class: a control class bypasses the buffer and cannot "+
					"pause; change pfc.lossless or classes.control", class)
		}
		for d := range class {
			if settings.QueueOf[d] == settings.QueueOf[class] && settings.Control[d] != settings.Control[class] {
				r.add(n.Where("classes"),
					"classes %d and %d share queue %d: a control class, never paused, needs a queue of its own",
					d, class, settings.QueueOf[class])
			}
		}
	}
}

var pfcKeys = &object[profile.PFC]{
	what: "pfc",
	doc:  "Priority-based flow control (IEEE 802.1Q clause 36).",
	fields: []field[profile.PFC]{
		switchField("enabled", "true", "Sends and honours pauses.", func(p *profile.PFC) *bool { return &p.Enabled }),
		classesField("lossless", "[3]", "Classes that PFC protects.",
			func(p *profile.PFC) *[8]bool { return &p.Lossless }),
		integerField("quanta", "65535", 1, 65535, "Pause time sent, in units of 512 bit times.",
			func(p *profile.PFC) *uint16 { return &p.Quanta }),
		numberField("refresh", "0.5", 0, 0.999, true,
			"Share of the pause time after which a pause that still holds is sent again.",
			func(p *profile.PFC) *float64 { return &p.Refresh }),
	},
}

// ecn is the marking profile of some classes, as written.
type ecn struct {
	profile.WRED
	marking
	classes [8]bool
}

// ecnField reads one marking profile, or a list of them for several classes,
// over what the classes have.
var ecnField = field[profile.Switch]{
	key: "ecn", doc: "ECN marking (WRED) at the egress queues: one profile, or a list of profiles for different " +
		"classes.",
	schema: func(s *outline) schema {
		one := ecnKeys.schema(s)
		return byType("array", schema{"items": one, "minItems": 1}, one)
	},
	read: func(r *reader, n *node, settings *profile.Switch) {
		items := n.Items
		if n.Kind != document.Sequence {
			items = []*node{n}
		} else if len(items) == 0 {
			r.add(n.At, "ecn is empty: write at least one profile")
		}
		for _, item := range items {
			readECN(r, item, settings)
		}
	},
}

func readECN(r *reader, n *node, settings *profile.Switch) {
	classes := [8]bool{3: true}
	if c := n.Child("classes"); c != nil {
		probe := ecn{}
		ecnKeys.field("classes").read(&reader{problems: newProblems()}, c, &probe)
		classes = probe.classes
	}
	for c, in := range classes {
		if !in {
			continue
		}
		e := ecn{WRED: settings.ECN[c], marking: r.relative.ecn[c]}
		e.Enabled = true
		ecnKeys.read(r, n, &e)
		settings.ECN[c], r.relative.ecn[c] = e.WRED, e.marking
	}
	if classes == ([8]bool{}) {
		ecnKeys.read(r, n, &ecn{})
	}
}

var ecnKeys = &object[ecn]{
	what: "ecn",
	doc:  "Marking: probability 0 up to kmin, rising to pmax at kmax, 1 above.",
	fields: []field[ecn]{
		classesField("classes", "[3]", "Classes that this profile is for.",
			func(e *ecn) *[8]bool { return &e.classes }),
		switchField("enabled", "true", "Turns marking on. A class that no profile names is marked only if it is 3.",
			func(e *ecn) *bool { return &e.Enabled }),
		thresholdField("kmin", "400KB", "0B", "100GB",
			"Longest queue without marks: a size at scale_rate, or 1.5bdp for 1.5 x the port's rate x base RTT, "+
				"which scale_rate does not change.",
			func(e *ecn) *unit.Bytes { return &e.Kmin }, func(_ *reader, e *ecn) *threshold { return &e.kmin }),
		thresholdField("kmax", "1600KB", "0B", "100GB",
			"Queue length above which every frame is marked, in the same form as kmin.",
			func(e *ecn) *unit.Bytes { return &e.Kmax }, func(_ *reader, e *ecn) *threshold { return &e.kmax }),
		durationField("rtt", "0s", "0s", "10s",
			"Base RTT of a threshold in bdp. 0s takes the longest one of the run's flows on an empty fabric.",
			func(e *ecn) *unit.Duration { return &e.rtt }),
		numberField("pmax", "0.2", 0, 1, false, "Marking probability at kmax.",
			func(e *ecn) *float64 { return &e.Pmax }),
		rateField("scale_rate", "100Gbps", "0bps", "100Tbps",
			"Port rate that kmin and kmax apply to; they scale with the port's rate. 0bps applies them unchanged "+
				"to every port.",
			func(e *ecn) *unit.BitRate { return &e.ScaleRate }),
		choiceField("point", "dequeue", []string{"dequeue", "enqueue"},
			"When a frame is marked: as it leaves, by the queue behind it, or as it arrives, by the queue before it.",
			func(e *ecn, i int) { e.AtEnqueue = i == 1 }),
		switchField("drop_not_ect", "",
			"Drops frames of these classes that would be marked but are not ECN-capable, with the same "+
				"probability; false lets them pass. By default the switch's drop_not_ect applies, which drops no "+
				"frame in a lossless class.",
			func(e *ecn) *bool {
				e.DropNotECT = new(bool)
				return e.DropNotECT
			}),
	},
	check: func(r *reader, n *node, draft *ecn) {
		if draft.kmin.in || draft.kmax.in {
			return // resolveThresholds compares them
		}
		if !profile.Ordered(draft.Kmin, draft.Kmax) {
			at := n.Where("kmin")
			if n.Child("kmin") == nil {
				at = n.Where("kmax")
			}
			r.add(at, "%v", profile.Misordered(draft.Kmin, draft.Kmax, ""))
		}
	},
}

var watchdogKeys = &object[profile.Watchdog]{
	what: "watchdog",
	doc:  "The PFC watchdog of switch operating systems.",
	fields: []field[profile.Watchdog]{
		switchField("enabled", "true", "Turns the watchdog on.", func(w *profile.Watchdog) *bool { return &w.Enabled }),
		durationField("detect", "200ms", "1us", "100s",
			"Time that a queue must be paused and not empty before the watchdog acts. The default is that of "+
				"shipped switches (SONiC), or 4 x buffer / the rate of the slowest port if that is longer; the "+
				"longest one of all lossless switches of the fabric applies.",
			func(w *profile.Watchdog) *unit.Duration { return &w.Detect }),
		durationField("restore", "200ms", "1ns", "100s",
			"Time without a pause before the queue is normal again.",
			func(w *profile.Watchdog) *unit.Duration { return &w.Restore }),
		choiceField("action", "drop", []string{"drop", "forward"},
			"Action of the watchdog: drop flushes the queue and drops arriving frames, forward ignores the pause.",
			func(w *profile.Watchdog, i int) { w.Drop = i == 0 }),
	},
}

var schedulingKeys = &object[profile.Switch]{
	what: "scheduling",
	doc:  "Strict queues first, the highest number first, then the others by deficit-weighted round robin.",
	fields: []field[profile.Switch]{
		classesField("strict", "[6, 7]", "Queues that are served before all others.",
			func(s *profile.Switch) *[8]bool { return &s.Strict }),
		tableField("weights", "",
			"DWRR weight of queues; each has 1 if not named. A weight of w gives a quantum of w x 1600 B a "+
				"round.", 7, 1, profile.MaxWeight,
			func(s *profile.Switch, k, v int) { s.Weight[k] = v }),
	},
}

var classKeys = &object[profile.Switch]{
	what: "classes",
	doc:  "Mapping of DSCP to class and of class to queue.",
	fields: []field[profile.Switch]{
		tableField("dscp", "", "Class of DSCPs; without it 26 is class 3, 48 is 6, 56 is 7, every other 0.",
			profile.MaxDSCP, 0, 7,
			func(s *profile.Switch, k, v int) { s.ClassOf[k] = uint8(v) }),
		// Which DSCPs it is of is known once all settings of a switch are read: see mapOthers.
		integerField("others", "", 0, 7,
			"Class of all that dscp does not name: every DSCP but 26, 48 and 56, and frames without one. Default 0; in a "+
				"scenario with edges the first class with ECN on, for hosts that are not ours seldom set a DSCP.",
			func(*profile.Switch) *uint8 { return new(uint8) }),
		tableField("queues", "", "Egress queue of classes; without it the same number.", 7, 0, 7,
			func(s *profile.Switch, k, v int) { s.QueueOf[k] = uint8(v) }),
		classesField("control", "[6, 7]", "Classes that bypass buffer accounting and are never paused.",
			func(s *profile.Switch) *[8]bool { return &s.Control }),
	},
}
