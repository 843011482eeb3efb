package scenario

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var dciKeys = &object[profile.DCI]{
	what: "dci",
	doc: "DCI ports: ports that lead over a long-haul path to another switch. Each has its own packet memory. " +
		"Without PFC across the fibre that memory holds the frames that leave or enter by the port, every class " +
		"is lossy there, and frames are dropped if it is full (dci_buffer).",
	fields: []field[profile.DCI]{
		thresholdField("buffer", "0B", "0B", "1000GB",
			"Packet memory of each DCI port, in addition to the switch's shared buffer. 0B computes it: 2.5 x RTT "+
				"x rate, or, if that is more, what PFC across the fibre needs plus 0.25 x RTT x rate and four "+
				"frames for the lossy classes; RTT is the sum of both directions of the path at their longest.",
			func(d *profile.DCI) *unit.Bytes { return &d.Buffer },
			func(r *reader, _ *profile.DCI) *threshold { return &r.relative.dciBuffer }),
		objectField("ecn",
			"ECN marking at the egress queues of DCI ports, for the classes that are marked at all.", dciECNKeys,
			func(d *profile.DCI) *profile.DCIECN { return &d.ECN }),
		objectField("pfc",
			"PFC across the fibre. Frames from the fibre are held in the port's memory, under fixed thresholds; "+
				"frames to the fibre are held in the shared buffer, whose pauses reach the leaves.",
			dciPFCKeys, func(d *profile.DCI) *profile.DCIPFC { return &d.PFC }),
	},
}

var dciECNKeys = &object[profile.DCIECN]{
	what: "dci.ecn",
	doc: "Marking: probability 0 up to kmin, rising to pmax at kmax, 1 above. The class's key point selects when " +
		"a frame is marked.",
	fields: []field[profile.DCIECN]{
		switchField("enabled", "true", "Marks at DCI ports.", func(e *profile.DCIECN) *bool { return &e.Enabled }),
		thresholdField("kmin", "0B", "0B", "1000GB",
			"Longest queue without marks; it does not scale with the port's rate. 0B computes 0.75 x RTT x rate.",
			func(e *profile.DCIECN) *unit.Bytes { return &e.Kmin },
			func(r *reader, _ *profile.DCIECN) *threshold { return &r.relative.dciKmin }),
		thresholdField("kmax", "0B", "0B", "1000GB",
			"Queue length above which every frame is marked. 0B computes 1.5 x RTT x rate.",
			func(e *profile.DCIECN) *unit.Bytes { return &e.Kmax },
			func(r *reader, _ *profile.DCIECN) *threshold { return &r.relative.dciKmax }),
		numberField("pmax", "0.2", 0, 1, false, "Marking probability at kmax.",
			func(e *profile.DCIECN) *float64 { return &e.Pmax }),
	},
}

var dciPFCKeys = &object[profile.DCIPFC]{
	what: "dci.pfc",
	doc:  "PFC across the fibre, for the classes of pfc.lossless. Both ends of a path need it.",
	fields: []field[profile.DCIPFC]{
		switchField("enabled", "false", "Sends and honours pauses across the fibre.",
			func(p *profile.DCIPFC) *bool { return &p.Enabled }),
		sizeField("headroom", "0B", "0B", "1000GB",
			"Memory of each lossless class for the frames that still arrive after XOFF. 0B computes it from the "+
				"length.",
			func(p *profile.DCIPFC) *unit.Bytes { return &p.Headroom }),
		sizeField("xon", "0B", "0B", "1000GB",
			"Bytes that a lossless class still holds when its pause ends; XOFF is four of the largest frames above. "+
				"After XON no frame arrives for an RTT, so 0B computes RTT x rate; with less the link runs dry.",
			func(p *profile.DCIPFC) *unit.Bytes { return &p.XON }),
	},
}
