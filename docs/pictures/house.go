package main

// house is the rooms of the source and the arrows of their imports.
func house() *drawing {
	d := &drawing{
		width:  880,
		height: 586,
		title:  "The rooms of the house",
		words: "cmd, specs and packaging import testbed. Its floors import the floors below: many, look, nodes, " +
			"and mem and model. The models switchd, wan, nicd and edge are imported by testbed and import " +
			"emulator; nicd imports the contract plugins/cc as well. Algorithms import only the contract, and " +
			"units, chance and the layout of telemetry, which everything imports, lie in it.",
	}
	cmd := place{x: 24, y: 24, w: 193, h: 56}
	specs := place{x: 237, y: 24, w: 193, h: 56}
	packaging := place{x: 450, y: 24, w: 194, h: 56}
	testbed := place{x: 24, y: 112, w: 620, h: 252}
	many := place{x: 40, y: 142, w: 588, h: 48}
	look := place{x: 40, y: 196, w: 588, h: 48}
	nodes := place{x: 40, y: 250, w: 588, h: 48}
	base := place{x: 40, y: 304, w: 588, h: 48}
	switchd := place{x: 24, y: 400, w: 140, h: 56}
	wan := place{x: 184, y: 400, w: 140, h: 56}
	edge := place{x: 344, y: 400, w: 140, h: 56}
	nicd := place{x: 504, y: 400, w: 140, h: 56}
	emulator := place{x: 24, y: 494, w: 620, h: 56}
	plugins := place{x: 684, y: 112, w: 178, h: 352}
	hosts := place{x: 698, y: 142, w: 150, h: 56}
	algorithms := place{x: 698, y: 250, w: 150, h: 56}
	contract := place{x: 698, y: 400, w: 150, h: 56}

	d.box(grey, cmd, "cmd", "flags, texts, exit codes")
	d.box(grey, specs, "specs", "acceptance, scenarios")
	d.box(grey, packaging, "packaging", "deb, rpm, image, release")
	d.frame(orange, testbed)
	d.heading(testbed.x+testbed.w/2, 133, "middle", "testbed")
	d.box(orange, many, "many", "many runs: campaign, experiment, sweep, tune, reproduce, judge")
	d.box(orange, look, "look", "for people: report, view, compare, diff, page, pack")
	d.box(orange, nodes, "nodes", "containers and interfaces: veth, daemon, lockstep, packet, live")
	d.box(orange, base, "mem, model", "in one process; a plan's nodes as models")
	d.box(green, switchd, "switchd", "the switch")
	d.box(green, wan, "wan", "the long-haul path")
	d.box(green, edge, "edge", "the way outside")
	d.box(green, nicd, "nicd", "the NIC")
	d.box(blue, emulator, "emulator", "parts of an experiment: units, frames, windows, scenario, results")
	d.frame(grey, plugins)
	d.heading(plugins.x+plugins.w/2, 133, "middle", "plugins")
	d.box(purple, hosts, "process", "programs, started")
	d.box(purple, algorithms, "algorithms", "yours beside them")
	d.box(purple, contract, "cc", "contract, units")

	down := func(from place, y float64) {
		d.arrow(grey, bottom(from), point{x: from.x + from.w/2, y: y})
	}
	for _, top := range []place{cmd, specs, packaging} {
		down(top, testbed.y)
	}
	for _, model := range []place{switchd, wan, edge, nicd} {
		d.arrow(grey, point{x: model.x + model.w/2, y: testbed.y + testbed.h}, top(model))
		down(model, emulator.y)
	}
	d.arrow(grey, right(testbed), point{plugins.x, middle(testbed)})
	d.arrow(grey, right(nicd), left(contract))
	down(algorithms, contract.y)
	d.arrow(grey, right(emulator), point{x: contract.x + contract.w/2, y: middle(emulator)}, bottom(contract))
	d.note(emulator.x+emulator.w+34, middle(emulator)+30, "start", "an arrow: may import")
	return d
}
