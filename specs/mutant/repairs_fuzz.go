package mutant

var repairsOfFuzz = []Repair{
	{
		Name: "a link of CNI's record that is null panics",
		Edits: []Source{{
			File: "testbed/nodes/cni/register.go",
			Old:  "if l == nil || len(l.Ends) == 0 || len(l.Ends) > 2 {",
			New:  "if l != nil && len(l.Ends) > 2 {",
		}},
		Package: "testbed/nodes/cni",
		Run:     "FuzzRegister",
	},
	{
		Name: "the interpreter of a program takes as much memory as its file has bytes",
		Edits: []Source{{
			File: "testbed/nodes/container/dependencies.go",
			Old:  "if p.Filesz > maxInterpreter {",
			New:  "if p.Filesz > 1<<62 {",
		}},
		Package: "testbed/nodes/container",
		Run:     "TestInterpreterIsAPath",
	},
}
