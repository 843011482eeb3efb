package collective

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Config is a collective and its repetitions.
type Config struct {
	Name      string
	Operation Operation
	Method    Method
	// Ranks are the NICs, in the order of the ranks. Range: 2 and more, each
	// once.
	Ranks []int
	// Size is the size of the operation, as plan.Collective counts it.
	Size unit.Bytes
	// Chunks is the number of pieces in which the data pass a tree or a chain, one after the other. Range: 1 and up; 1
	// for the other methods.
	Chunks int
	// Groups is the number of equal groups of consecutive ranks into which the hierarchical method divides them, with
	// at least two ranks each. Range: 2 and up; 0 for the other methods.
	Groups int
	// CrossDSCP is the code point of the messages between groups, negative for
	// that of all its messages. Range: up to 63, and below 0 for the methods without groups.
	CrossDSCP int
	// Iterations is the number of repetitions. Range: 1 and up.
	Iterations int
	// Start is the beginning of the first iteration, with its computation.
	Start unit.Time
	// Compute is, by rank, how long each iteration computes before the
	// operation. Range: 0 and up.
	Compute []unit.Duration
}

// Problem is a fault of a Config. Key is the word of the scenario that it concerns.
type Problem struct{ Key, Text string }

func (p *Problem) Error() string { return p.Key + ": " + p.Text }

// maxMessage is the largest WRITE message (IBA volume 1, 9.7.7).
const maxMessage = 2 << 30

// Check returns the first fault of c, nil for none.
func (c *Config) Check() *Problem {
	n := len(c.Ranks)
	op, method := Operations[c.Operation], Methods[c.Method]
	if n < 2 {
		return &Problem{"hosts", fmt.Sprintf("%s over %d rank: allowed are two ranks and more", op, n)}
	}
	if allowed := methodsOf[c.Operation]; !slices.Contains(allowed, c.Method) {
		var names []string
		for _, m := range allowed {
			names = append(names, Methods[m])
		}
		return &Problem{"method",
			fmt.Sprintf("%s has no method %s: allowed are %s", op, method, strings.Join(names, ", "))}
	}
	if c.Chunks > 1 && !c.chunked() {
		return &Problem{"chunks",
			fmt.Sprintf("%s by %s is not cut into chunks: allowed are tree, and ring for a broadcast",
				op, method)}
	}
	if c.Method == HalvingDoubling && n&(n-1) != 0 {
		return &Problem{"hosts", fmt.Sprintf("halving-doubling over %d ranks: allowed is a power of two of them", n)}
	}
	if c.Groups != 0 && c.Method != Hierarchical {
		return &Problem{"groups", fmt.Sprintf("%s by %s has no groups: allowed is hierarchical", op, method)}
	}
	if c.CrossDSCP >= 0 && c.Method != Hierarchical {
		return &Problem{"cross_dscp",
			fmt.Sprintf("%s by %s has no messages between groups: allowed is hierarchical", op, method)}
	}
	if c.Method == Hierarchical && (c.Groups < 2 || n%c.Groups != 0 || n/c.Groups < 2) {
		return &Problem{"groups",
			fmt.Sprintf("%d ranks do not divide into %d equal groups of two and more: allowed are %s",
				n, c.Groups, groupings(n))}
	}
	parts, what := c.parts()
	if c.Size%unit.Bytes(parts) != 0 || c.Size == 0 {
		whole := max(c.Size/unit.Bytes(parts), 1) * unit.Bytes(parts)
		return &Problem{"size",
			fmt.Sprintf(
				"%d B do not divide into %d equal parts, one for each %s: allowed are multiples of %d, such as %d",
				c.Size, parts, what, parts, whole)}
	}
	if largest := c.largest(); largest > maxMessage {
		return &Problem{"size",
			fmt.Sprintf("%v makes messages of %v: allowed are messages of up to 2 GiB", c.Size, largest)}
	}
	return nil
}

// chunked reports whether Chunks means something.
func (c *Config) chunked() bool {
	return c.Method == Tree || c.Operation == Broadcast
}

// groupings lists the numbers of groups that n ranks divide into.
func groupings(n int) string {
	var fit []string
	for g := 2; g <= n/2; g++ {
		if n%g == 0 {
			fit = append(fit, strconv.Itoa(g))
		}
	}
	if fit == nil {
		return "none for so many ranks: take other hosts, or another method"
	}
	return strings.Join(fit, ", ")
}

// parts returns the number by which the size must be divisible, and the name of such a part.
func (c *Config) parts() (int, string) {
	switch {
	case c.chunked():
		return c.Chunks, "chunk"
	case c.Method == ParameterServer || c.Operation == Permute:
		return 1, "message"
	case c.Method == Hierarchical:
		return len(c.Ranks) / c.Groups, "rank of a group"
	}
	return len(c.Ranks), "rank"
}

// largest is the size of the largest message.
func (c *Config) largest() unit.Bytes {
	if c.Method == HalvingDoubling {
		return c.Size / 2
	}
	parts, _ := c.parts()
	return c.Size / unit.Bytes(parts)
}

// Count returns how many flows c has, and how many messages they carry, without
// making them.
func (c *Config) Count() (flows, messages int64) {
	n, k := int64(len(c.Ranks)), int64(c.Chunks)
	steps := int64(1) // of each flow in an iteration
	switch c.Method {
	case Ring:
		switch c.Operation {
		case AllReduce:
			flows, steps = n, 2*(n-1)
		case Broadcast:
			flows, steps = n-1, k
		default:
			flows, steps = n, n-1
		}
	case HalvingDoubling:
		flows = n * int64(bits.Len64(uint64(n))-1)
		if c.Operation == AllReduce {
			steps = 2
		}
	case Tree:
		flows, steps = n-1, k
		if c.Operation == AllReduce {
			flows = 2 * (n - 1)
		}
	case ParameterServer:
		flows = 2 * (n - 1)
	case Direct, Pairwise:
		flows = n * (n - 1)
		if c.Operation == Permute {
			flows = n
		}
	case Hierarchical: // the flows of the rings and those between them differ in steps
		groups := int64(c.Groups)
		return n * groups, n * (2*(n/groups-1) + groups - 1) * int64(c.Iterations)
	}
	return flows, flows * steps * int64(c.Iterations)
}
