package mutant

// repairsOfVerdicts are those of what a run concludes from itself. Their tests run the command line on the scenarios of
// specs/verdicts.
var repairsOfVerdicts = []Repair{
	{
		Name:    "Flows until stopped are sent into a dark path, and the run passes",
		Package: "specs/verdicts",
		Run:     "TestEveryFindingTurnsARunRed",
		Edits: []Source{{
			File: "emulator/result/ranflow.go",
			Old:  "return r.planned.Size == 0 && r.planned.Start < r.runEnd",
			New:  "return false",
		}},
	},
	{
		Name:    "A run whose limit comes with flows incomplete passes",
		Package: "specs/verdicts",
		Run:     "TestEveryFindingTurnsARunRed",
		Edits: []Source{{
			File: "emulator/result/completion.go",
			Old:  "		if expected {\n",
			New:  "		if !expected {\n",
		}},
	},
	{
		Name:    "No deadlock is found",
		Package: "specs/verdicts",
		Run:     "TestEveryMetricTurnsARunRed|TestEveryFindingTurnsARunRed",
		Edits: []Source{{
			File: "testbed/model/deadlock.go",
			Old:  "	if waiting < 2 {\n",
			New:  "	if waiting >= 0 {\n",
		}},
	},
	{
		Name:    "A queue that waits for the buffer of another switch is taken for a storm",
		Package: "emulator/scenario",
		Run:     "TestWatchdogDetection",
		Edits: []Source{{
			File: "emulator/scenario/watchdog.go",
			Old:  "s.Profile.PFC.Enabled && least > longest",
			New:  "s.Profile.PFC.Enabled && longest == 0",
		}},
	},
	{
		Name:    "The recovery from an outage counts from the last packet before it",
		Package: "emulator/result",
		Run:     "TestOutageSheet",
		Edits: []Source{{
			File: "emulator/result/outage.go",
			Old:  "still.until().Sub(max(outage.From, start))",
			New:  "still.until().Sub(max(still.From, start))",
		}},
	},
	{
		Name:    "What the void took counts as flushed",
		Package: "emulator/result",
		Run:     "TestOutageSheet",
		Edits: []Source{{
			File: "emulator/result/outage.go",
			Old:  "sum.Void.Add(lost.Void)",
			New:  "sum.Flushed.Add(lost.Void)",
		}},
	},
	{
		Name:    "A port counts what it flushes as lost on the link",
		Package: "specs/verdicts",
		Run:     "TestEveryMetricTurnsARunRed",
		Edits: []Source{{
			File: "emulator/link/fault.go",
			Old:  "f.lossesOf(len(f.past)).Flushed.Count(frame)",
			New:  "f.lossesOf(len(f.past)).Void.Count(frame)",
		}},
	},
	{
		Name:    "A gray failure strikes flows whatever their hash",
		Package: "emulator/link",
		Run:     "TestGrayLoss",
		Edits: []Source{{
			File: "emulator/fabric/gray.go",
			Old:  "slices.Contains(g.Buckets, wire.FlowHash(frame, GraySeed)%g.Of)",
			New:  "len(g.Buckets) > 0",
		}},
	},
	{
		Name:    "A link is slow for the rest of a frame that is under way",
		Package: "emulator/link",
		Run:     "TestTimeWhileTheLinkIsSlow",
		Edits: []Source{{
			File: "emulator/link/serializer.go",
			Old:  "return s.divide(s.RateAt(start), length, frame)",
			New:  "return s.divide(s.RateAt(start.Add(s.Time(length, frame))), length, frame)",
		}},
	},
	{
		Name:    "What was dropped without a route is of the first outage",
		Package: "emulator/result",
		Run:     "TestNoRouteIsOfTheLatestOutage",
		Edits: []Source{{
			File: "emulator/result/outage.go",
			Old:  "outage.From <= at && at < max(outage.To, outage.Returned)",
			New:  "n == 0",
		}},
	},
	{
		Name:    "The wait before the ways were whole is the NAK timer's",
		Package: "emulator/result",
		Run:     "TestRecoveryParts",
		Edits: []Source{{
			File: "emulator/result/recovery.go",
			Old:  "Sub(max(at, still.NAKBefore))",
			New:  "Sub(still.NAKBefore)",
		}},
	},
	{
		Name:    "A NAK that acknowledges what came before it ends the time without progress",
		Package: "specs/verdicts",
		Run:     "TestRecoveryHasItsParts",
		Edits: []Source{{
			File: "nicd/acknowledge.go",
			Old:  "if !nak { // which",
			New:  "if true { // which",
		}},
	},
	{
		Name:    "Repair without a route stays repair",
		Package: "nicd",
		Run:     "TestSpentWithoutRoute",
		Edits: []Source{{
			File: "nicd/clocks.go",
			Old:  "c.spent[record.NoRoute] += without",
			New:  "c.spent[record.Repairing] += without",
		}},
	},
	{
		Name:    "An expectation of recovered bounds the median",
		Package: "specs/verdicts",
		Run:     "TestRecoveredIsExpected",
		Edits: []Source{{
			File: "emulator/plan/plan.go",
			Old:  `"outage_recovery_max_us"`,
			New:  `"outage_settled_us"`,
		}},
	},
}
