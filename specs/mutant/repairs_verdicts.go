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
}
