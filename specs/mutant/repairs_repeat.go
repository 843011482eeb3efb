package mutant

// repairsOfRepeat are faults of selective repeat that are easy to make, and that other NICs have: each keeps flows
// complete, and sends too much, too late, or reports what is not so.
var repairsOfRepeat = []Repair{
	{
		Name: "the end of a flow has no probe",
		Edits: []Source{{File: "nicd/scoreboard.go",
			Old: "\tif !s.used {", New: "\tif s.account.ackEvery < 0 {"}},
		Package: "nicd",
		Run:     "TestLostAgain",
	},
	{
		Name: "what comes late counts as the packet that was sent again",
		Edits: []Source{{File: "nicd/scoreboard.go",
			Old: "genuine := !again || now.Sub(start) >= s.least", New: "genuine := true"}},
		Package: "nicd",
		Run:     "TestLateNotLost",
	},
	{
		Name: "a packet that was sent twice gives a sample of the round trip",
		Edits: []Source{{File: "nicd/scoreboard.go",
			Old: "if s.highest < s.before || s.cameAgain {", New: "if s.highest < s.before {"}},
		Package: "nicd",
		Run:     "TestRepairAgainstModel",
	},
	{
		Name: "what a receiver reports beyond a gap counts as in flight",
		Edits: []Source{{File: "nicd/reliability.go",
			Old: "return r.next.from - r.acked - r.away", New: "return r.next.from - r.acked"}},
		Package: "nicd",
		Run:     "TestSelectiveRepeat",
	},
}
