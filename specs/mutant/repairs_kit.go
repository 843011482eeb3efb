package mutant

// hostile is the folder of the plugins that misbehave, of whose table each test here is
// a row.
const hostile = "specs/hostile"

// allRows has the rows run that are for the slow tier alone.
var allRows = []string{"ROCELAB_SLOW=1"}

var repairsOfKit = []Repair{
	{
		Name: "the host's bell is an eventfd, which a plugin fills up",
		Edits: []Source{
			{
				File: "plugins/process/link.go",
				Old:  "// question names a message.",
				New:  "var filled int\n\n// question names a message.",
			},
			{
				File: "plugins/process/link.go",
				Old:  "return made, append(inherit, end, end, end), nil",
				New: `filled, _ = unix.Eventfd(0, unix.EFD_CLOEXEC)
	twin, _ := unix.Dup(filled)
	return made, append(inherit, end, os.NewFile(uintptr(twin), "bell"), end), nil`,
			},
			{
				File: "plugins/process/ring.go",
				Old:  `import "time"`,
				New:  "import (\n\t\"time\"\n\t\"unsafe\"\n\n\t\"golang.org/x/sys/unix\"\n)",
			},
			{
				File: "plugins/process/ring.go",
				Old:  "page.Plugin.Ring()",
				New: `page.Plugin.Ring()
	one := uint64(1)
	unix.RawSyscall(unix.SYS_WRITE, uintptr(filled), uintptr(unsafe.Pointer(&one)), 8)`,
			},
		},
		Package: hostile,
		Run:     "TestHostilePlugins/mem/go/begin-bells",
	},
	{
		Name: "a plugin that dies at a configuration is wrong usage",
		Edits: []Source{{
			File: "cmd/rocelab/plugins.go",
			Old:  "fault := f.opened.Fault()",
			New:  "var fault *process.Error",
		}},
		Package: hostile,
		Run:     "TestHostilePlugins/mem/go/again-exit",
	},
	{
		Name: "signals that no NIC can give are wrong usage on mem",
		Edits: []Source{{
			File: "testbed/model/nic.go",
			Old:  "errors.As(err, &nonsense)",
			New:  "errors.As(err, &nonsense) && false",
		}},
		Package: hostile,
		Run:     "TestHostilePlugins/mem/go/asks-negative",
	},
	{
		Name: "signals that no NIC can give are the host's fault on veth",
		Edits: []Source{{
			File: "testbed/nodes/daemon/serve.go",
			Old:  "&Result{Err: fault.Err.Error(), Plugin: true}",
			New:  "&Result{Err: fault.Err.Error()}",
		}},
		Package: hostile,
		Run:     "TestHostilePlugins/veth/go/asks-negative",
	},
	{
		Name: "a description may have any length",
		Edits: []Source{{
			File: "plugins/process/description.go",
			Old:  "largestAnswer = 1 << 20",
			New:  "largestAnswer = 1 << 30",
		}},
		Package: hostile,
		Run:     "TestHostilePlugins/mem/go/description-huge",
		Env:     allRows,
	},
	{
		Name: "an algorithm may be called anything",
		Edits: []Source{{
			File: "plugins/process/description.go",
			Old:  "!algorithmName.MatchString(d.Name)",
			New:  "!algorithmName.MatchString(\"x\")",
		}},
		Package: hostile,
		Run:     "TestHostilePlugins/mem/go/description-escapes",
	},
	{
		Name: "prose of a plugin is obeyed by a terminal",
		Edits: []Source{{
			File: "plugins/process/description.go",
			Old:  "func prose(text string) string { return terminal.Text(text) }",
			New:  "func prose(text string) string { return text }",
		}},
		Package: hostile,
		Run:     "TestProseIsShownNotObeyed",
	},
	{
		Name: "a run that stands still blames the daemon of a plugin that hangs",
		Edits: []Source{{
			File: "testbed/nodes/veth/watchdog.go",
			Old:  "w.most = max(w.most, answered)",
			New:  "",
		}},
		Package: hostile,
		Run:     "TestHostilePlugins/veth/go/begin-hang",
		Env:     allRows,
	},
	{
		Name: "a plugin that hangs in its container has no time to be blamed",
		Edits: []Source{{
			File: "testbed/nodes/veth/watchdog.go",
			Old:  "w.start = max(w.start, cmp.Or(r.options.PluginStart, process.StartLimit)+answered)",
			New:  "w.start = cmp.Or(time.Second, process.StartLimit)",
		}},
		Package: hostile,
		Run:     "TestHostilePlugins/veth/go/sender-hang",
		Env:     allRows,
	},
}
