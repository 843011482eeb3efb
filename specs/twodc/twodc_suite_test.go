package twodc

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestTwoDC(t *testing.T) { lab.Suite(t, "Two data centres") }
