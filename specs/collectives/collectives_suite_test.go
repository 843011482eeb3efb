package collectives

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestCollectives(t *testing.T) { lab.Suite(t, "Collectives", "short") }
