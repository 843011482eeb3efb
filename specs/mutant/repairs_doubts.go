package mutant

// repairsOfDoubts are of a last look at all of them.
var repairsOfDoubts = []Repair{
	{
		Name: "A plugin is blamed where the host has no room to start it.",
		Edits: []Source{{
			File: "plugins/process/fault.go",
			Old:  `return fmt.Errorf("start plugin %s: %w", p.program, err)`,
			New:  `return p.newError("could not be started: %v", err)`,
		}},
		Package: "cmd/rocelab",
		Run:     "TestAHostThatCannotStartAPlugin",
	},
	{
		Name: "A plugin on veth that forks faster than it is killed lives on in a deployed testbed.",
		Edits: []Source{{
			File: "plugins/process/keeper/clear.go",
			Old:  "u != nil && u.Alone {",
			New:  "false && u != nil && u.Alone {",
		}},
		Package: "plugins/process/keeper",
		Run:     "TestHydraEnds",
	},
	{
		Name: "What a killed trial of a runtime has left stays.",
		Edits: []Source{{
			File: "testbed/nodes/container/probe_left.go",
			Old:  "return err == nil && pid > 0 && errors.Is(unix.Kill(pid, 0), unix.ESRCH)",
			New:  "return err == nil && pid > 0 && errors.Is(unix.Kill(pid, 0), unix.EINVAL)",
		}},
		Package: "testbed/nodes/container",
		Run:     "TestClearProbes",
	},
	{
		Name: "A scenario is blamed where the host cannot start a plugin.",
		Edits: []Source{{
			File: "cmd/rocelab/plugins.go",
			Old:  "return host(err)",
			New:  "return err",
		}},
		Package: "cmd/rocelab",
		Run:     "TestAHostThatCannotAsk",
	},
}
