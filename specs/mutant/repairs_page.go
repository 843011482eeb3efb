package mutant

// repairsOfPage are those of the shared page, of what daemons are asked and answer, and
// of live captures.
var repairsOfPage = []Repair{
	{
		Name: "the shared page has no blocks until it is written, so that a full host ends a run by a signal",
		Edits: []Source{{
			File: "plugins/process/sealed/memory.go",
			Old:  "err := unix.Fallocate(fd, 0, 0, size)",
			New:  "err := unix.Ftruncate(fd, size)",
		}},
		Package: "plugins/process/sealed",
		Run:     "TestMemory",
	},
	{
		Name: "whoever is handed the shared page can cut it short",
		Edits: []Source{{
			File: "plugins/process/sealed/memory.go",
			Old:  "const Seals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL",
			New:  "const Seals = unix.F_SEAL_SEAL",
		}},
		Package: "testbed/nodes/lockstep",
		Run:     "TestPageIsThereAndStays",
	},
	{
		Name: "a page that can be cut short is mapped",
		Edits: []Source{{
			File: "testbed/nodes/lockstep/page.go",
			Old:  "case !sealed.Sealed(f):",
			New:  "case false && !sealed.Sealed(f):",
		}},
		Package: "testbed/nodes/lockstep",
		Run:     "TestPageOfAnotherRunIsRefused",
	},
	{
		Name: "nonsense in the shared page is believed",
		Edits: []Source{{
			File: "testbed/nodes/lockstep/view.go",
			Old:  "if start < 0 || start > limit || end < 0 || end > limit {",
			New:  "if limit < 0 {",
		}},
		Package: "testbed/nodes/lockstep",
		Run:     "TestNonsenseInThePageIsSeen",
	},
	{
		Name: "a result of a daemon is believed whatever it is about",
		Edits: []Source{{
			File: "testbed/nodes/daemon/check.go",
			Old:  "if err := r.Reports[i].Check(p, &o.Nodes[i], o.Setup.Schedule.Limit); err != nil {",
			New:  "if err := error(nil); i < 0 {",
		}},
		Package: "testbed/nodes/daemon",
		Run:     "TestForgedResultsAreRefused",
	},
	{
		Name: "a time before the run, in a result of a daemon, ends the command by a panic",
		Edits: []Source{{
			File: "testbed/model/check.go",
			Old:  "if v.Int() < 0 {",
			New:  "if v.Int() == 77 {",
		}},
		Package: "testbed/nodes/daemon",
		Run:     "TestNoFieldOfAResultHarms",
	},
	{
		Name: "an order whose models cannot be made ends the daemon",
		Edits: []Source{{
			File: "testbed/nodes/daemon/serve.go",
			Old:  "if problem := recover(); problem != nil {",
			New:  "if problem := error(nil); problem != nil {",
		}},
		Package: "testbed/nodes/daemon",
		Run:     "TestOrderThatCannotBeBuiltIsAnswered",
	},
	{
		Name: "a silent connection blocks a daemon",
		Edits: []Source{{
			File: "testbed/nodes/daemon/server.go",
			Old:  "go func() { err := s.host.serve(c, s) c.Close() ended <- err }()",
			New:  "err := s.host.serve(c, s); c.Close(); go func() { ended <- err }()",
		}},
		Package: "testbed/nodes/daemon",
		Run:     "TestSilentConnectionsBlockNobody",
	},
	{
		Name: "a live capture of a run that was killed counts frames that are not in its file",
		Edits: []Source{{
			File: "testbed/nodes/capture/recording.go",
			Old:  "r.summary.Frames = r.recorder.Written()",
			New:  "r.summary.Frames = r.seen",
		}},
		Package: "testbed/nodes/capture",
		Run:     "TestInterruptionAndAbortLeaveAWholeFile",
	},
	{
		Name: "a run that stands still waits for nobody",
		Edits: []Source{{
			File: "testbed/nodes/veth/watchdog.go",
			Old:  "if len(list) == 0 {",
			New:  "if len(list) < 0 {",
		}},
		Package: "testbed/nodes/veth",
		Run:     "TestStandstillNamesWhoHasNotAnswered",
	},
	{
		Name: "a full folder of state is said without what helps, and leaves half a file",
		Edits: []Source{{
			File: "testbed/nodes/veth/state.go",
			Old:  "if err != nil { os.Remove(part) } return err",
			New:  "return err",
		}},
		Package: "testbed/nodes/veth",
		Run:     "TestFullStateFolderIsSaid",
	},
}
