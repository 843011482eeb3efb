package mutant

// repairsOfConfine are those of what a plugin may do and take.
var repairsOfConfine = []Repair{
	{
		Name: "a plugin in a container is root, as its daemon is",
		Edits: []Source{{
			File: "testbed/nodes/daemon/serve.go",
			Old:  "options.User = &process.User{UID: id, GID: id, Alone: true}",
			New:  "_ = id",
		}},
		Package: "specs/faults",
		Run:     "TestFaults",
		Focus:   "reaches neither its daemon nor its keeper nor the kernel's odd corners, with builtin",
		Env:     []string{"ROCELAB_SLOW=1"},
	},
	{
		Name:    "whoever is root in a container looks into its daemon",
		Edits:   []Source{{File: "testbed/nodes/daemon/name.go", Old: "hide()", New: ""}},
		Package: "testbed/nodes/daemon",
		Run:     "TestDaemonsHideFromOthers",
	},
	{
		Name: "the built-in runtime filters no system calls",
		Edits: []Source{{
			File: "testbed/nodes/container/init.go",
			Old:  "if err := filterCalls(); err != nil { return err }",
			New:  "",
		}},
		Package: "testbed/nodes/container",
		Run:     "TestInside/builtin",
	},
	{
		Name:    "runc filters no system calls",
		Edits:   []Source{{File: "testbed/nodes/container/oci.go", Old: "Seccomp: seccomp(),", New: ""}},
		Package: "testbed/nodes/container",
		Run:     "TestInside/runc",
	},
	{
		Name: "a plugin opens sockets of any family",
		Edits: []Source{{
			File: "testbed/nodes/container/seccomp.go",
			Old:  "jump(unix.BPF_JEQ, unix.AF_UNIX, 1, 0)",
			New:  "jump(unix.BPF_JEQ, unix.AF_UNIX, 1, 1)",
		}},
		Package: "specs/faults",
		Run:     "TestFaults",
		Focus:   "reaches neither its daemon nor its keeper nor the kernel's odd corners, with builtin",
		Env:     []string{"ROCELAB_SLOW=1"},
	},
	{
		Name: "a plugin in memory takes all memory",
		Edits: []Source{{
			File: "plugins/process/limit.go",
			Old:  "h.gate == nil && os.Geteuid() == 0",
			New:  "false && h.gate == nil",
		}},
		Package: "specs/faults",
		Run:     "TestFaults",
		Focus:   "ends at its limit of memory in memory",
		Env:     []string{"ROCELAB_SLOW=1"},
	},
	{
		Name:    "a plugin in a container makes as many tasks as it likes",
		Edits:   []Source{{File: "plugins/process/keeper/keep.go", Old: "if !k.order.Fenced {", New: "if true {"}},
		Package: "specs/faults",
		Run:     "TestFaults",
		Focus:   "ends at its limit of tasks with built-in",
		Env:     []string{"ROCELAB_SLOW=1"},
	},
	{
		Name: "a plugin fills the disk with its log",
		Edits: []Source{{
			File: "plugins/process/log.go",
			Old:  "> int64(l.most) {",
			New:  "> int64(l.most) && false {",
		}},
		Package: "specs/faults",
		Run:     "TestFaults",
		Focus:   "fills no more of its log than the limit in memory",
		Env:     []string{"ROCELAB_SLOW=1"},
	},
}
