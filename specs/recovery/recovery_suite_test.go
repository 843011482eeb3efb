package recovery

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestRecovery(t *testing.T) { lab.Suite(t, "Recovery") }
