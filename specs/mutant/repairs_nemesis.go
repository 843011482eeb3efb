package mutant

// repairsOfNemesis are held by faults injected at random: the nemesis finds each
// weakness within the first 500 cases of seed 1. Those with the kind of fault concerned
// are carried out, until one goes wrong.
var repairsOfNemesis = []Repair{
	{
		Name: "destroy needs a sound record",
		Edits: []Source{
			{
				File: "testbed/nodes/veth/destroy.go",
				Old:  "	lock, err := alone(ctx, dir)",
				New:  "	if _, err := Load(name); err != nil {\n		return true, err\n	}\n	lock, err := alone(ctx, dir)",
			},
		},
		Package: nemesis,
		Run:     randomFaults,
		Env:     []string{"ROCELAB_NEMESIS=--kind record --bound 30s " + within500},
	},
	{
		Name: "destroy waits for a foreign process in a cgroup for ever",
		Edits: []Source{
			{
				File: "testbed/nodes/container/remove.go",
				Old:  "Patience = 5 * time.Second",
				New:  "Patience = 1000 * time.Hour",
			},
		},
		Package: nemesis,
		Run:     randomFaults,
		Env:     []string{"ROCELAB_NEMESIS=--kind foreign_process --bound 15s " + within500},
	},
	{
		Name: "the set-up of a container is waited for without a bound",
		Edits: []Source{
			{
				File: "testbed/nodes/container/builtin.go",
				Old:  "var startLimit = 20 * time.Second",
				New:  "var startLimit = 1000 * time.Hour",
			},
		},
		Package: nemesis,
		Run:     randomFaults,
		Env:     []string{"ROCELAB_NEMESIS=--kind stage_STOP --bound 30s " + within500},
	},
	{
		Name: "the shared page of a run can be cut short under rocelab",
		Edits: []Source{
			{
				File: "plugins/process/sealed/memory.go",
				Old:  "const Seals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL",
				New:  "const Seals = unix.F_SEAL_SEAL",
			},
		},
		Package: nemesis,
		Run:     randomFaults,
		Env:     []string{"ROCELAB_NEMESIS=--kind page_is_cut " + within500},
	},
	{
		Name: "what holds a plugin does not see that its host was killed",
		Edits: []Source{
			{
				File: "plugins/process/keeper/keep.go",
				Old:  "	go k.watch()",
				New:  "",
			},
		},
		Package: nemesis,
		Run:     randomFaults,
		Env:     []string{"ROCELAB_NEMESIS=--kind CLI:_KILL " + within500},
	},
}

const (
	nemesis      = "specs/faults/nemesis"
	randomFaults = "^TestRandomFaults$"
	within500    = "--seed 1 --count 500 --shrink=false --first"
)
