package clocks

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestClocks(t *testing.T) { lab.Suite(t, "Clocks") }
