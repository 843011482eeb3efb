package conformance

// Misses are the checks that algorithms which ship with rocelab miss at their
// defaults, with the reason: by algorithm, then by check.
var Misses = map[string]map[string]string{
	"pidnn": {
		"fairness": "equation 19 moves the rate of every flow by the same factor, up as well as down, which keeps shares apart" +
			" (Chiu and Jain, 1989), and the flow that is ahead samples more often",
	},
}
