package determinism

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestDeterminism(t *testing.T) { lab.Suite(t, "Determinism") }
