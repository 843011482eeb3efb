package mutant

// repairsOfPrograms are about how programs of algorithms are started, held and ended.
var repairsOfPrograms = []Repair{
	{
		Name: "What a plugin has started outlives it.",
		Edits: []Source{{
			File: "plugins/process/keeper/keep.go",
			Old:  "heard := k.say(report{Status: &status}, -1) k.clear()",
			New:  "heard := k.say(report{Status: &status}, -1)",
		}, {
			File: "plugins/process/keeper/guard.go",
			Old:  "k.clear() return nil",
			New:  "return nil",
		}, {
			File: "plugins/process/keeper/kept.go",
			Old:  "range []*syscall.SysProcAttr{held, {}} {",
			New:  "range []*syscall.SysProcAttr{{}} {",
		}},
		Package: "plugins/process/keeper",
		Run:     "TestEnds",
	},
	{
		Name: "A plugin that does not shake hands leaves what it has started, where there are no PID namespaces.",
		Edits: []Source{{
			File: "plugins/process/keeper/keep.go",
			Old:  "if k.alone && o.Guard == 0 {",
			New:  "if false {",
		}},
		Package: "plugins/process/keeper",
		Run:     "TestKeeperIsKilled",
	},
	{
		Name: "A plugin outlives a host that is killed.",
		Edits: []Source{{
			File: "plugins/process/keeper/keep.go",
			Old:  "go k.watch()",
			New:  "",
		}},
		Package: "plugins/process/keeper",
		Run:     "TestNothingOutlivesTheHost/.*/namespace/kill$",
	},
	{
		Name: "A host that is killed beside a stopped keeper leaves its plugin.",
		Edits: []Source{{
			File: "plugins/process/keeper/kept.go",
			Old:  "attr.Pdeathsig = unix.SIGCONT",
			New:  "attr.Pdeathsig = 0",
		}},
		Package: "plugins/process/keeper",
		Run:     "TestNothingOutlivesTheHost/.*/namespace/kill_with_a_stopped_keeper",
	},
	{
		Name: "The folder of a plugin that starts stays when its host is killed.",
		Edits: []Source{{
			File: "plugins/process/keeper/keep.go",
			Old:  "defer os.RemoveAll(k.folder)",
			New:  "",
		}},
		Package: "plugins/process/keeper",
		Run:     "TestNothingOutlivesTheHost/.*/.*/kill$",
	},
	{
		Name: "What is asked in a container keeps the rights of root.",
		Edits: []Source{{
			File: "testbed/nodes/probe/inside.go",
			Old:  "User: &process.User{UID: user, GID: user, Alone: true},",
			New:  "",
		}},
		Package: "testbed/nodes/probe",
		Run:     "TestWhatAProgramSees",
	},
	{
		Name: "A run on veth starts plugins on the host.",
		Edits: []Source{{
			File: "cmd/rocelab/plugin_start.go",
			Old:  "if s.inContainers && os.Geteuid() == 0 {",
			New:  "if false {",
		}},
		Package: "cmd/rocelab",
		Run:     "TestPluginsAreAskedInContainers",
	},
	{
		Name: "In memory root runs plugins as root although sudo says who calls.",
		Edits: []Source{{
			File: "cmd/rocelab/plugin_start.go",
			Old:  "options.User = &process.User{UID: caller.UID, GID: caller.GID, Groups: caller.Groups}",
			New:  "",
		}},
		Package: "cmd/rocelab",
		Run:     "TestPluginsRunAsTheCallerOfSudo",
	},
}
