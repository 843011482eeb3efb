package convergence

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestConvergence(t *testing.T) { lab.Suite(t, "Convergence") }
