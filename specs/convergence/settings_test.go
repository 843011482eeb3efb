package convergence

// The algorithms as the specs run them, lines of a scenario: the defaults, and
// options of which the paper says nothing.
const (
	pc4           = "algorithm: pc4"
	onePacket     = "algorithm: {name: pc4, params: {first_rtt: 1pkt}}"
	senderKnows   = "algorithm: {name: pc4, params: {n_source: controller+sender, first_rtt: base}}"
	receiverKnows = "algorithm: {name: pc4, params: {n_source: receiver}}"
	baseRateAlone = "algorithm: {name: pc4, params: {adjust: false}}"
	delayAlone    = "algorithm: {name: pc4, params: {base_rate: false}}"
	dcqcn         = "algorithm: dcqcn"
	dcqcnPaper    = "algorithm: {name: dcqcn, params: {set: paper}}"
)
