package convergence

// The algorithm as the specs run it, lines of a scenario: the defaults, and an option that the paper does not mention.
const (
	pc4         = "algorithm: pc4"
	senderKnows = "algorithm: {name: pc4, params: {n_source: controller+sender, first_rtt: base}}"
)
