package scenario

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var proximalKeys = &object[profile.Proximal]{
	what: "proximal",
	doc: "Proximal CNP (draft-ji-ccwg-distributed-lossless-mechanism-00): a congested switch notifies the switch " +
		"next to the sender, which slows the sender down in its place.",
	fields: []field[profile.Proximal]{
		switchField("enabled", "false", "Watches queues, notifies other switches, and reacts to their notifications.",
			func(p *profile.Proximal) *bool { return &p.Enabled }),
		choiceField("notify", "nearer", profile.ProximalNotifyNames,
			"Flows that other switches are notified of: those with a round trip to the sender at most half as "+
				"long as the flow's loop from its receiver; all; or none, so that a congested switch only reacts "+
				"for its own senders.",
			func(p *profile.Proximal, i int) { p.Notify = profile.ProximalNotify(i) }),
		sizeField("threshold", "0B", "0B", "100GB",
			"Queue length above which a port is congested. 0B computes it: half the kmin of its class there, or "+
				"1.5 x rate x the longest loop to a switch that it notifies, or interval, if that is less.",
			func(p *profile.Proximal) *unit.Bytes { return &p.Threshold }),
		numberField("buffer_share", "0.5", 0, 1, true,
			"Share of the buffer in use above which a port with a queue is congested.",
			func(p *profile.Proximal) *float64 { return &p.BufferShare }),
		durationField("interval", "50us", "1us", "1s",
			"Least time between two messages about one queue to one switch.",
			func(p *profile.Proximal) *unit.Duration { return &p.Interval }),
		choiceField("map", "fair", profile.ProximalMapNames,
			"Rule for the number of CNPs: fair, as many cuts as bring the flow from its sending rate down to its share "+
				"of the port; linear, more the fuller queue or buffer are; fixed, always cnps.",
			func(p *profile.Proximal, i int) { p.Map = profile.ProximalMap(i) }),
		integerField("cnps", "1", 1, profile.MaxCNPsAtOnce, "CNPs of the map fixed.",
			func(p *profile.Proximal) *int { return &p.CNPs }),
		integerField("max_cnps", "64", 1, profile.MaxCNPsAtOnce,
			"Largest number of CNPs for a flow at once; a receiver sends 1.",
			func(p *profile.Proximal) *int { return &p.MaxCNPs }),
		durationField("spacing", "4us", "1ns", "1s",
			"Time between two CNPs for a flow: a NIC cuts at most once in its period. 4us for dcqcn as it is, "+
				"50us for its paper.",
			func(p *profile.Proximal) *unit.Duration { return &p.Spacing }),
		numberField("gain", "0.0048828125", 0, 0.999999, true,
			"Gain of the alpha of the senders' reaction points, which a switch follows: 5/1024 for dcqcn as it "+
				"is, 1/256 for its paper.",
			func(p *profile.Proximal) *float64 { return &p.Gain }),
		durationField("gain_period", "1us", "1ns", "1s",
			"Period after which alpha decays without a CNP: 1us for dcqcn as it is, 55us for its paper.",
			func(p *profile.Proximal) *unit.Duration { return &p.GainPeriod }),
		integerField("dscp", "48", 0, profile.MaxDSCP, "Code point of messages and CNPs.",
			func(p *profile.Proximal) *uint8 { return &p.DSCP }),
		choiceField("qps", "connections", profile.QPSourceNames,
			"Source of the sender's QP in a switch: the set-up of the connection, or the packets that come back "+
				"to the sender, which are missing in the first round trip.",
			func(p *profile.Proximal, i int) { p.QPs = profile.QPSource(i) }),
		switchField("pause", "false",
			"Pauses the class of the flow at its sender by PFC in place of CNPs; all other traffic of the NIC in "+
				"that class stops, too, and cross_dscp gives messages between groups a class of their own.",
			func(p *profile.Proximal) *bool { return &p.Pause }),
		switchField("rate", "false",
			"Sends one CNP that carries a rate, the flow's share of the congested port, in place of several CNPs. NICs "+
				"must know it, as those with dcqcn do; others take it as any CNP. No NIC on the market is known to. It "+
				"is for notify: always, because a rate also undoes cuts by the receivers' CNPs that went too far.",
			func(p *profile.Proximal) *bool { return &p.Rate }),
		switchField("filter", "true",
			"Holds back the receivers' CNPs for a flow while the switch slows it down for a congested point, and for one "+
				"end-to-end loop after that, if the point's own loop is at most half as long.",
			func(p *profile.Proximal) *bool { return &p.Filter }),
		objectField("learning",
			"The flow table, which foresees congestion that comes in every period of a training.", learningKeys,
			func(p *profile.Proximal) *profile.ProximalLearning { return &p.Learning }),
	},
	check: func(r *reader, n *node, settings *profile.Proximal) {
		if settings.Rate && settings.Pause {
			r.add(n.Where("rate"), "rate makes a switch send CNPs, and pause makes it send none: use only one of "+
				"the two")
		}
		if n.Child("cnps") != nil && settings.Map != profile.MapFixed {
			r.add(n.Where("cnps"),
				"cnps is for the map fixed, and the map is %s: write map: fixed, or leave cnps out",
				profile.ProximalMapNames[settings.Map])
		}
		if settings.Map == profile.MapFixed && settings.CNPs > settings.MaxCNPs {
			r.add(n.Where("cnps"), "cnps is %d, above max_cnps of %d: allowed is cnps <= max_cnps",
				settings.CNPs, settings.MaxCNPs)
		}
	},
}

var learningKeys = &object[profile.ProximalLearning]{
	what: "learning",
	doc:  "Detection of periodic congestion of a flow. A burst is the data that a flow sends between two silences.",
	fields: []field[profile.ProximalLearning]{
		switchField("enabled", "true",
			"Holds a flow to its share of the congested port, after two bursts that met congestion with the same number "+
				"of flows, until that number changes; meanwhile the congested switch sends no other messages about it.",
			func(l *profile.ProximalLearning) *bool { return &l.Enabled }),
		durationField("gap", "2.4ms", "1ns", "1000s",
			"Shortest silence between two bursts; a tenth of the period if that is longer.",
			func(l *profile.ProximalLearning) *unit.Duration { return &l.Gap }),
		integerField("capacity", "4096", 1, profile.MaxFlowTable,
			"Number of flows in the table; when it is full, the flow that was idle longest is removed.",
			func(l *profile.ProximalLearning) *int { return &l.Capacity }),
		durationField("age", "5s", "0s", "1000s",
			"Idle time after which a flow is forgotten; three periods if that is longer.",
			func(l *profile.ProximalLearning) *unit.Duration { return &l.Age }),
	},
}
