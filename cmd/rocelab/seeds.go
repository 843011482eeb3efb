package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// seedFlags choose the seeds of runs.
type seedFlags struct {
	seed, seeds string
}

// add adds --seed and --seeds; usual is the default of --seeds, what says more
// about what the seeds are for.
func (f *seedFlags) add(c *cobra.Command, usual, what string) {
	c.Flags().StringVar(&f.seed, "seed", "", "run with this seed only")
	c.Flags().StringVar(&f.seeds, "seeds", usual, what+seedsHelp)
}

// seedsHelp says what --seeds takes.
const seedsHelp = `: 5 is five seeds, 1 to 5 (--seed 5 is that one); also 1..5, 1-5, or 1,2,7`

// list returns the seeds in their order, nil where none are asked for; given
// reports whether a flag was given.
func (f *seedFlags) list(given func(flag string) bool) ([]uint64, error) {
	switch {
	case !given("seed"):
		return parseSeeds(f.seeds)
	case given("seeds"):
		return nil, errors.New("--seed and --seeds exclude each other")
	}
	seed, err := strconv.ParseUint(f.seed, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("--seed %q: allowed is a number from 0; several are --seeds", f.seed)
	}
	return []uint64{seed}, nil
}

// maxSeeds bounds seeds, so that a slip of the finger is an error.
const maxSeeds = 1000

// noSeeds is the error of a text that is no seeds.
func noSeeds(text string) error {
	return fmt.Errorf("--seeds %q: allowed are a number of seeds, such as 5, and seeds, such as 1..5, 1-5 or 1,2,7; "+
		"at most %d", text, maxSeeds)
}

// parseSeeds reads how many seeds there are, "5", or which: "1..5", "1-5" or
// "1,2,7".
func parseSeeds(text string) (seeds []uint64, err error) {
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
		if err1 != nil || err2 != nil || from > to || to-from >= maxSeeds || len(seeds)+int(to-from) >= maxSeeds {
			return nil, noSeeds(text)
		}
		for n := from; ; n++ {
			if given[n] {
				return nil, fmt.Errorf("--seeds %q: %d is given twice", text, n)
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
