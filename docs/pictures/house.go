package main

// house is the rooms of the source and the arrows of their imports.
func house() *drawing {
	d := &drawing{
		width:  880,
		height: 410,
		title:  "The rooms of the house",
		words: "cmd and specs import testbed; testbed imports the models switchd, wan and nicd, and plugins; the models " +
			"import emulator; nicd imports the contract plugins/cc as well. Algorithms import the contract alone, and the " +
			"contract imports units of emulator.",
	}
	cmd := place{x: 24, y: 24, w: 300, h: 62}
	specs := place{x: 344, y: 24, w: 300, h: 62}
	testbed := place{x: 24, y: 122, w: 620, h: 62}
	switchd := place{x: 24, y: 220, w: 193, h: 62}
	wan := place{x: 237, y: 220, w: 193, h: 62}
	nicd := place{x: 450, y: 220, w: 194, h: 62}
	emulator := place{x: 24, y: 318, w: 620, h: 62}
	plugins := place{x: 684, y: 84, w: 178, h: 216}
	algorithms := place{x: 698, y: 122, w: 150, h: 62}
	contract := place{x: 698, y: 220, w: 150, h: 62}

	d.box(grey, cmd, "cmd", "programs: flags, texts, exit codes")
	d.box(grey, specs, "specs", "acceptance specs, scenarios")
	d.box(orange, testbed, "testbed", "carries out an experiment: in one process, on containers")
	d.box(green, switchd, "switchd", "the switch")
	d.box(green, wan, "wan", "the long-haul path")
	d.box(green, nicd, "nicd", "the NIC")
	d.box(blue, emulator, "emulator", "what an experiment is: units, frames, windows, scenario, results")
	d.frame(grey, plugins)
	d.heading(plugins.x+plugins.w/2, 108, "middle", "plugins")
	d.box(purple, algorithms, "algorithms", "yours beside them")
	d.box(purple, contract, "cc", "the contract")

	down := func(from place, y float64) {
		d.arrow(grey, bottom(from), point{x: from.x + from.w/2, y: y})
	}
	down(cmd, testbed.y)
	down(specs, testbed.y)
	for _, model := range []place{switchd, wan, nicd} {
		d.arrow(grey, point{x: model.x + model.w/2, y: testbed.y + testbed.h}, top(model))
		down(model, emulator.y)
	}
	d.arrow(grey, right(testbed), point{plugins.x, middle(testbed)})
	d.arrow(grey, right(nicd), left(contract))
	down(algorithms, contract.y)
	d.arrow(grey, bottom(contract), point{x: contract.x + contract.w/2, y: middle(emulator)}, right(emulator))
	d.note(emulator.x+emulator.w+34, middle(emulator)+24, "start", "an arrow: may import")
	return d
}
