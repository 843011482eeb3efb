package main

import (
	"fmt"
	"strconv"

	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// dilationValue is a flag's dilation of time.
type dilationValue struct{ to *int64 }

func (v *dilationValue) String() string {
	if v.to == nil {
		return ""
	}
	return strconv.FormatInt(*v.to, 10)
}

func (v *dilationValue) Type() string { return "K" }

func (v *dilationValue) Set(text string) error {
	k, err := strconv.ParseInt(text, 10, 64)
	if err != nil || k < 1 || k > pace.MaxDilation {
		return fmt.Errorf("allowed are whole numbers from 1 to %d", pace.MaxDilation)
	}
	*v.to = k
	return nil
}
