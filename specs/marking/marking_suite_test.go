package marking

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestMarking(t *testing.T) { lab.Suite(t, "Marking") }
