package judge

// apart is the reason why PIDNN's shares differ.
const apart = "equation 19 moves the rate of every flow by the same factor, up as well as down, " +
	"which keeps shares apart (Chiu and Jain, 1989)"

// Misses are the checks that algorithms which ship with rocelab miss at their
// defaults, with the reason: by algorithm, then by check.
var Misses = map[string]map[string]string{
	"pidnn": {
		"latecomers": apart + ", and the flow that is ahead samples more often",
		"joining":    apart,
	},
}
