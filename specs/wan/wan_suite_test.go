package wan

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestWAN(t *testing.T) { lab.Suite(t, "Long haul", "short") }
