package twodc

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestTwoDC(t *testing.T) { lab.Suite(t, "Two data centres") }
