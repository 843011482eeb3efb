package capture

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestCapture(t *testing.T) { lab.Suite(t, "Capture") }
