package profile

// Bounds of settings, each stated here alone: the reader of scenarios and the
// models that check their profiles take them from here.
const (
	// MaxAlpha bounds Switch.Alpha, whose range is above 0 to this.
	MaxAlpha = 64
	// MaxWeight bounds Switch.Weight, whose range is 1 to this.
	MaxWeight = 1000
	// MaxDSCP is the largest code point: DSCPs have 6 bits.
	MaxDSCP = 63
	// MaxCNPsAtOnce bounds Proximal.CNPs and Proximal.MaxCNPs, whose range is 1
	// to this.
	MaxCNPsAtOnce = 128
	// MaxFlowTable bounds ProximalLearning.Capacity, whose range is 1 to this.
	MaxFlowTable = 1 << 20
)
