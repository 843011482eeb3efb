package mutant

// repairsOfMemory are about what a NIC holds of flows that are not under way.
var repairsOfMemory = []Repair{
	{
		Name: "A sending end keeps all it has when its flow has ended.",
		Edits: []Source{{
			File: "nicd/resting.go",
			Old:  "end.send, end.resting = nil, ended",
			New:  "_, _ = end, ended",
		}},
		Package: "nicd",
		Run:     "TestEndedFlowsHoldLittle",
	},
	{
		Name: "A receiving end keeps all it has when its flow has ended.",
		Edits: []Source{{
			File: "nicd/restingreceiver.go",
			Old:  "end.recv, end.resting = nil, ended",
			New:  "_, _ = end, ended",
		}},
		Package: "nicd",
		Run:     "TestEndedFlowsHoldLittle",
	},
	{
		Name: "A flow has all that it needs under way before it begins.",
		Edits: []Source{{
			File: "nicd/sender.go",
			Old:  "if config.Messages != nil || n.restless {",
			New:  "if true {",
		}},
		Package: "nicd",
		Run:     "TestEndedFlowsHoldLittle",
	},
	{
		Name: "An end that is made again has forgotten when it last sent a CNP.",
		Edits: []Source{{
			File: "nicd/restingreceiver.go",
			Old:  "flow.notifier.next = e.nextCNP",
			New:  "",
		}},
		Package: "nicd",
		Run:     "TestLateFrames",
	},
	{
		Name: "ACKs that come once a flow has ended do not count.",
		Edits: []Source{{
			File: "nicd/resting.go",
			Old:  "e.record.Acks++",
			New:  "",
		}},
		Package: "nicd",
		Run:     "TestLateFrames",
	},
}
