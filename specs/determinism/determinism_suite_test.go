package determinism

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestDeterminism(t *testing.T) { lab.Suite(t, "Determinism") }
