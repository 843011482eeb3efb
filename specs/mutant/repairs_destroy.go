package mutant

// repairsOfDestroy are those of how testbeds are taken away, and of what ends with rocelab.
var repairsOfDestroy = []Repair{
	{
		Name: "destroy kills a foreign process in a container's cgroup",
		Edits: []Source{{File: "testbed/nodes/container/remove.go",
			Old: "if err != nil || space == c.self {", New: "if err != nil || space == \"\" {"}},
		Package: "testbed/nodes/veth", Run: "TestForeignProcessInACgroupIsNamed",
	},
	{
		Name: "destroy waits for a foreign process in a cgroup without a bound",
		Edits: []Source{{File: "testbed/nodes/container/cgroup.go",
			Old: "ctx, cancel := context.WithTimeout(ctx, Patience)", New: "ctx, cancel := context.WithCancel(ctx)"}},
		Package: "testbed/nodes/veth",
		Run:     "TestForeignProcessInACgroupIsNamed",
		Env:     []string{"ROCELAB_SLOW=1"},
	},
	{
		Name: "destroy misses a daemon that is not in its cgroup",
		Edits: []Source{{File: "testbed/nodes/container/remove.go",
			Old: "	if c.mine[network] {\n		return ours\n	}\n", New: ""}},
		Package: "testbed/nodes/veth", Run: "TestDamagedTestbedsAreDestroyed",
	},
	{
		Name: "destroy removes what is mounted in a testbed's folder",
		Edits: []Source{{File: "testbed/nodes/veth/destroy.go",
			Old: "if m := &mounts[i]; m.Below(dir) {", New: "if m := &mounts[i]; m.Below(dir) && m.Kind == \"nsfs\" {"}},
		Package: "testbed/nodes/veth", Run: "TestDamagedTestbedsAreDestroyed",
	},
	{
		Name: "the end of a run goes by what its folder says",
		Edits: []Source{{File: "testbed/nodes/veth/destroy.go",
			Old: "			err = errors.Join(err, c.Remove(ctx))\n", New: ""}},
		Package: "testbed/nodes/veth", Run: "TestOwnTestbedNeedsNothingOfItsFolder",
	},
	{
		Name: "a state record is waited for and read without a limit",
		Edits: []Source{{File: "testbed/nodes/veth/record.go",
			Old: "if !info.Mode().IsRegular() || info.Size() > recordLimit {", New: "if info.Size() < 0 {"}, {
			File: "testbed/nodes/veth/record.go", Old: "unix.O_NOFOLLOW|unix.O_NONBLOCK", New: "unix.O_NOFOLLOW"}},
		Package: "testbed/nodes/veth", Run: "TestRecordsOfOddKinds",
	},
	{
		Name: "a folder of testbeds that others can change is trusted",
		Edits: []Source{{File: "testbed/nodes/veth/root.go",
			Old: "	if info.IsDir() && info.Mode()&writers != 0 {", New: "	if false {"}},
		Package: "testbed/nodes/veth", Run: "TestUntrustedFoldersAreRefused",
	},
	{
		Name: "a folder of testbeds of another user is trusted",
		Edits: []Source{{File: "testbed/nodes/veth/root.go",
			Old: "if owner == 0 || ", New: "if owner != 7 || "}},
		Package: "testbed/nodes/veth", Run: "TestUntrustedFoldersAreRefused",
	},
	{
		Name: "a link that ROCELAB_RUN names is removed after the last testbed",
		Edits: []Source{{File: "testbed/nodes/veth/destroy.go",
			Old: "	err := unix.Rmdir(Root())\n", New: "	err := os.Remove(Root())\n"}, {
			File: "testbed/nodes/veth/destroy.go",
			Old:  "err == nil && !info.IsDir() {\n		return nil", New: "err == nil && info == nil {\n		return nil"}},
		Package: "testbed/nodes/veth", Run: "TestLinkToTheFolderOfTestbedsStays",
	},
	{
		Name: "destroy removes folders that no testbed made",
		Edits: []Source{{File: "testbed/nodes/veth/destroy.go",
			Old: "	if err := checkForeign(dir, info); err != nil && !errors.Is(err, fs.ErrNotExist) {\n" +
				"		return true, err\n	}\n", New: ""}},
		Package: "testbed/nodes/veth", Run: "TestWhatIsNoTestbedStays",
	},
	{
		Name: "a testbed's name may lead out of the folder of testbeds",
		Edits: []Source{{File: "cmd/rocelab/veth_runner.go",
			Old: ", errors.As(err, &misnamed),", New: ", misnamed != nil,"}},
		Package: "cmd/rocelab", Run: "TestMisnamedTestbedsAreWrongUsage",
	},
	{
		Name: "daemons outlive a run that is killed before it connects to them",
		Edits: []Source{{File: "testbed/nodes/daemon/main.go",
			Old: "		go endWith(host.life)\n", New: ""}},
		Package: "testbed/nodes/daemon", Run: "TestDaemonsEndWithTheirPipe",
	},
	{
		Name: "a run's daemons are given no pipe to learn of its end",
		Edits: []Source{{File: "testbed/nodes/veth/deploy.go",
			Old: "		args = append(args, \"--once\", \"--alive\")\n", New: "		args = append(args, \"--once\")\n"}},
		Package: "specs/faults",
		Run:     "TestFaults",
		Focus:   "by SIGKILL of a testbed that is coming up",
	},
	{
		Name: "a panic of rocelab leaves its testbed, and looks like wrong usage",
		Edits: []Source{{File: "cmd/rocelab/fault.go",
			Old: "		abandon(exit.CodeFault)\n", New: "		os.Exit(exit.CodeUsage)\n"}},
		Package: "specs/faults",
		Run:     "TestFaults",
		Focus:   "fault of rocelab itself",
		Env:     []string{"ROCELAB_SLOW=1"},
	},
	{
		Name: "a panic in a goroutine of a run cleans nothing up",
		Edits: []Source{{File: "testbed/nodes/veth/run.go",
			Old: "			defer crash.Guard()()\n", New: ""}, {
			File: "testbed/nodes/veth/run.go", Old: "	\"github.com/rocelab/rocelab/internal/crash\"\n", New: ""}},
		Package: "specs/faults",
		Run:     "TestFaults",
		Focus:   "in another goroutine of a run",
		Env:     []string{"ROCELAB_SLOW=1"},
	},
	{
		Name: "SIGQUIT looks like wrong usage, and leaves the testbed",
		Edits: []Source{{File: "cmd/rocelab/main.go",
			Old: "	dumpOnQuit()\n", New: ""}},
		Package: "specs/faults",
		Run:     "TestFaults",
		Focus:   "SIGQUIT",
	},
}
