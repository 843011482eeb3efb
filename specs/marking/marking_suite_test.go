package marking

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestMarking(t *testing.T) { lab.Suite(t, "Marking") }
