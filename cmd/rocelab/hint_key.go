package main

import (
	"errors"
	"fmt"
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
			if meant := scenario.KeyThatEnds(path); unsure && meant != "" {
				problem.Message = wrong + ": did you mean " + meant + "?"
			}
		}
	}
	return err
}
