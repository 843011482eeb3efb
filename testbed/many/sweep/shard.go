package sweep

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of Of parts of a plan. Index counts from 0, as schedulers do.
type Shard struct{ Index, Of int }

// Whole is the shard that is all of a plan.
var Whole = Shard{Index: 0, Of: 1}

// ParseShard reads "0/4".
func ParseShard(text string) (Shard, error) {
	index, of, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	switch {
	case !ok || err1 != nil || err2 != nil || i < 0 || n < 1:
		return Shard{}, fmt.Errorf("%q is not a shard: write i/n, such as 0/4", text)
	case i >= n:
		return Shard{}, fmt.Errorf("%s: shards count from 0, so that the last of %d is %d/%d", text, n, n-1, n)
	}
	return Shard{i, n}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// Runs returns the shard's runs: each Of-th, so that long runs, which tend to be beside each
// other in a plan, are spread.
func (s Shard) Runs(p *Plan) (runs []*Run) {
	for i := s.Index; i < len(p.Runs); i += s.Of {
		runs = append(runs, &p.Runs[i])
	}
	return runs
}
