package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxSeeds bounds seeds, so that a slip of the finger is an error.
const MaxSeeds = 1000

// ErrSeeds describes the form of seeds.
var ErrSeeds = fmt.Errorf("allowed are a number of seeds, such as 5, and seeds, such as 1..5, 1-5 or 1,2,7; at most %d",
	MaxSeeds)

// ParseSeeds reads how many seeds there are, "5", or which: "1..5", "1-5" or "1,2,7"; none
// of "". There are at most MaxSeeds.
func ParseSeeds(text string) (seeds []uint64, err error) {
	if text == "" {
		return nil, nil
	}
	parts := strings.Split(text, ",")
	if _, err := strconv.ParseUint(text, 10, 64); err == nil {
		parts[0] = "1-" + text
	}
	given := map[uint64]bool{}
	for _, part := range parts {
		low, high, isRange := strings.Cut(strings.Replace(part, "..", "-", 1), "-")
		if !isRange {
			high = low
		}
		from, err1 := strconv.ParseUint(low, 10, 64)
		to, err2 := strconv.ParseUint(high, 10, 64)
		if err1 != nil || err2 != nil || from > to || to-from >= MaxSeeds || len(seeds)+int(to-from) >= MaxSeeds {
			return nil, ErrSeeds
		}
		for n := from; ; n++ {
			if given[n] {
				return nil, fmt.Errorf("%d is given twice", n)
			}
			given[n] = true
			seeds = append(seeds, n)
			if n == to {
				break
			}
		}
	}
	return seeds, nil
}
