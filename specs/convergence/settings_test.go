package convergence

// The algorithm as the specs run it, lines of a scenario: the defaults, and an option of
// which the paper says nothing.
const (
	pc4         = "algorithm: pc4"
	senderKnows = "algorithm: {name: pc4, params: {n_source: controller+sender, first_rtt: base}}"
)
