package convergence

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestConvergence(t *testing.T) { lab.Suite(t, "Convergence") }
