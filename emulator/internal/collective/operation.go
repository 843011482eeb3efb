package collective

// Operation is the operation of a collective.
type Operation uint8

// The operations.
const (
	// AllReduce leaves the sum of all ranks' S bytes with every rank.
	AllReduce Operation = iota
	// AllGather leaves the S/n bytes of each rank with every rank.
	AllGather
	// ReduceScatter leaves each rank S/n bytes of the sum of all ranks' S.
	ReduceScatter
	// AllToAll sends a part of S/n of each rank's S to every rank.
	AllToAll
	// Broadcast leaves rank 0's S bytes with every rank.
	Broadcast
	// Permute sends S bytes from each rank to its successor.
	Permute
)

// Operations are the words of scenarios, in the order of the constants.
var Operations = []string{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "permute"}

// Method is the way in which an operation is carried out.
type Method uint8

// The methods.
const (
	Ring Method = iota
	HalvingDoubling
	Tree
	ParameterServer
	Direct
	Pairwise
	Hierarchical
)

// Methods are the words of scenarios, in the order of the constants.
var Methods = []string{"ring", "halving-doubling", "tree", "parameter-server", "direct", "pairwise", "hierarchical"}

// methodsOf are the methods that an operation has, its default first.
var methodsOf = [...][]Method{
	AllReduce:     {Ring, HalvingDoubling, Tree, ParameterServer, Hierarchical},
	AllGather:     {Ring, HalvingDoubling},
	ReduceScatter: {Ring, HalvingDoubling},
	AllToAll:      {Direct, Pairwise},
	Broadcast:     {Tree, Ring},
	Permute:       {Direct},
}

// DefaultMethod returns the method of an operation for which none is set.
func (o Operation) DefaultMethod() Method { return methodsOf[o][0] }

// Mode returns a controller's name of the operation: one of the modes of plan.Flow.
func (o Operation) Mode() string {
	switch o {
	case AllReduce, AllGather, AllToAll:
		return Operations[o]
	}
	return "other"
}

// busFactor returns the factor by which the algorithm bandwidth S / time is multiplied so that the result can be
// compared with the line rate, for any n. Source: NVIDIA nccl-tests, doc/PERFORMANCE.md.
func (o Operation) busFactor(n int) float64 {
	switch o {
	case AllReduce:
		return 2 * float64(n-1) / float64(n)
	case AllGather, ReduceScatter, AllToAll:
		return float64(n-1) / float64(n)
	}
	return 1
}
