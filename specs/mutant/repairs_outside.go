package mutant

// repairsOfOutside are about what comes in at edges from devices that nobody here wrote.
var repairsOfOutside = []Repair{
	{
		Name: "one liar takes the whole table of a bridge",
		Edits: []Source{{File: "switchd/bridge.go",
			Old: "max(minStations, maxStations/max(1, inTree))", New: "maxStations"}},
		Package: "switchd",
		Run:     "TestALiarTakesItsShareOfTheTable",
	},
	{
		Name: "a bridge learns from what it drops",
		Edits: []Source{{File: "switchd/bridge.go",
			Old: "switch to := b.find(frame.Dst, s.now); {",
			New: "b.learn(frame.Src, in.index, s.now)\n\tswitch to := b.find(frame.Dst, s.now); {"}},
		Package: "switchd",
		Run:     "TestWhatIsDroppedTeachesNothing",
	},
	{
		Name: "a station moves as often as somebody says that it does",
		Edits: []Source{{File: "switchd/bridge.go",
			Old: "if known && now < s.may {", New: "if known && now < 0 {"}},
		Package: "switchd",
		Run:     "TestAStationMovesOnceASecond",
	},
	{
		Name: "frames that crossed unfinished count as lost",
		Edits: []Source{{File: "testbed/nodes/live/outside/timing.go",
			Old: "interfaceHad.Truncated + interfaceHad.WrongLength",
			New: "interfaceHad.Truncated + interfaceHad.Malformed + interfaceHad.WrongLength"}},
		Package: "testbed/nodes/live/outside",
		Run:     "TestTimingOfLosses",
	},
	{
		Name: "a wire does not count frames of a wrong length",
		Edits: []Source{{File: "testbed/nodes/live/bump/meter.go",
			Old: "in.RingFull + in.Truncated + in.WrongLength", New: "in.RingFull + in.Truncated"}},
		Package: "testbed/nodes/live/bump",
		Run:     "TestLostOutside",
	},
	{
		Name: "a wire does not notice that frames vanish",
		Edits: []Source{{File: "wan/counters.go",
			Old: "w.rec.RxLostFrames++", New: "_ = w.rec.RxLostFrames"}},
		Package: "testbed/nodes/live/bump",
		Run:     "TestEveryFrameIsAccountedFor",
	},
	{
		Name: "a journal has an entry after its end",
		Edits: []Source{{File: "edge/journal/reader.go",
			Old: "r.seen.Frames > 0 && r.last > says.End", New: "r.last < 0"}},
		Package: "edge/journal",
		Run:     "TestTimesThatCannotBeAreRefused",
	},
}
