package mutant

// rowsApart are the faults of the rows in specs/papers/apart. Their criteria are missed by PC4 as it ships, and met in
// other columns, where these faults are seen.
var rowsApart = []Row{
	{
		Row:       "P1",
		Criterion: "long flow",
		Fault:     pullsNowhere,
		Edits:     noPull,
	},
	{
		Row:       "P2",
		Criterion: "Jain",
		Fault:     pullsNowhere,
		Edits:     noPull,
	},
	{
		Row:       "P3",
		Criterion: "beside DCQCN",
		Fault:     ownFlowsLate,
		Set:       startedLate,
	},
	{
		Row:       "P3",
		Criterion: "beside Swift",
		Fault:     ownFlowsLate,
		Set:       startedLate,
	},
	{
		Row:       "P4",
		Criterion: "port",
		Fault:     "the receiver's link is down for a third of the run",
		Set:       map[string]string{"faults": "[{link: h16-s0, down: 1ms, up: 2ms}]"},
	},
	{
		Row:       "P4",
		Criterion: "shares",
		Fault:     "a sender's link is down until shortly before the end",
		Set:       map[string]string{"faults": "[{link: h0-s0, down: 1ms, up: 2700us}]"},
	},
	{
		Row:       "P5",
		Criterion: "none with 8 ms",
		Fault:     "the timer's floor is 4 ms, whatever is set",
		Set:       map[string]string{"variants.timer-8ms.nic.rto.floor": "4ms"},
	},
	{
		Row:       "P5",
		Criterion: "timer",
		Fault:     "the timer's floor is 8 ms in both variants",
		Set:       map[string]string{"variants.default.nic.rto.floor": "8ms"},
		Mends:     true,
	},
	{
		Row:       "P6",
		Criterion: "Jain",
		Fault:     "clocks agree to 10 us",
		Set:       map[string]string{"nic.clock.offset": "10us"},
	},
	{
		Row:       "P7",
		Criterion: "mixes",
		Fault:     "keep-share keeps nothing",
		Edits: []Source{{File: "plugins/pc4/settings.go", Old: "set.keep, set.hold = 0.35,",
			New: "set.keep, set.hold = 0,"}},
	},
	{
		Row:       "P7",
		Criterion: "lengths",
		Fault:     "keep-share draws no rate back",
		Edits: []Source{{File: "plugins/pc4/settings.go", Old: "set.pull, set.above, set.band = 0.05,",
			New: "set.pull, set.above, set.band = 0,"}},
	},
}

const (
	pullsNowhere = "return-to-base draws no rate back"
	ownFlowsLate = "flows begin shortly before the run ends"
)

var (
	noPull = []Source{{File: "plugins/pc4/settings.go", Old: "set.pull, set.pullBelow, set.above = 0.05, 0.05, 0.1",
		New: "set.pull, set.pullBelow, set.above = 0, 0, 1"}}
	startedLate = map[string]string{"traffic.own.start": "5900us"}
)
