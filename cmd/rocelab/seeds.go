package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/scenario"
)

// seedFlags choose the seeds of runs.
type seedFlags struct {
	seed, seeds string
}

// add adds --seed and --seeds; usual is the default of --seeds, what explains what the seeds are for.
func (f *seedFlags) add(c *cobra.Command, usual, what string) {
	c.Flags().StringVar(&f.seed, "seed", "", "run with this seed only")
	c.Flags().StringVar(&f.seeds, "seeds", usual, what+seedsHelp)
}

// seedsHelp explains the values of --seeds.
const seedsHelp = `: 5 means five seeds, 1 to 5 (--seed 5 is only seed 5); also 1..5, 1-5, or 1,2,7`

// list returns the seeds in order, nil if none are requested; given reports whether a flag was given.
func (f *seedFlags) list(given func(flag string) bool) ([]uint64, error) {
	switch {
	case !given("seed"):
		return parseSeeds(f.seeds)
	case given("seeds"):
		return nil, errors.New("--seed and --seeds exclude each other")
	}
	seed, err := strconv.ParseUint(f.seed, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("--seed %q: allowed is a number from 0; for several use --seeds", f.seed)
	}
	return []uint64{seed}, nil
}

// noSeeds is the error of a text that does not give seeds.
func noSeeds(text string, why error) error { return fmt.Errorf("--seeds %q: %w", text, why) }

// parseSeeds reads --seeds.
func parseSeeds(text string) ([]uint64, error) {
	seeds, err := scenario.ParseSeeds(text)
	if err != nil {
		return nil, noSeeds(text, err)
	}
	return seeds, nil
}
