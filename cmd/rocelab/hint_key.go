package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/scenario"
)

// Which key a wrong override may have meant.

// asWritten adds the flag to problems with the values of flags, and to an unknown key of --set the whole path of the
// one that was probably meant.
func (f *scenarioFlags) asWritten(err error) error {
	var problems scenario.Errors
	if !errors.As(err, &problems) {
		return err
	}
	for _, problem := range problems {
		switch path, ok := strings.CutPrefix(problem.File, "--set "); {
		case !ok:
		case path == "seed" && f.seed != "":
			problem.File = "--seed"
			if strings.ContainsAny(f.seed, ",.-") {
				problem.Message += fmt.Sprintf(": did you mean --seeds %s?", f.seed)
			}
		case path == "record.interval" && f.interval != "":
			problem.File = "--record-interval"
		case strings.HasPrefix(problem.Message, "unknown key of scenario "):
			wrong, _, unsure := strings.Cut(problem.Message, ": allowed are ")
			if meant := meantPath(path); unsure && meant != "" {
				problem.Message = wrong + ": did you mean " + meant + "?"
			}
		}
	}
	return err
}

// meantPath is the shortest path of a key that ends as the given one does, such
// as switch.ecn.kmin for ecn.kmin, or "".
func meantPath(end string) string {
	tree, err := readSchema()
	if err != nil {
		return ""
	}
	level := []string{""}
	for range 4 { // steps: deeper keys are of rare things
		var below []string
		for _, above := range level {
			for _, offer := range tree.keysBelow(above) {
				path, _, _ := strings.Cut(offer, "\t")
				if strings.HasSuffix("."+strings.TrimRight(path, ".="), "."+end) {
					return strings.TrimRight(path, ".=")
				}
				if strings.HasSuffix(path, ".") && !slices.Contains([]string{"variants.", "switches.", "nics."}, path) {
					below = append(below, path)
				}
			}
		}
		level = below
	}
	return ""
}
