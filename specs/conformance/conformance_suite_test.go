package conformance

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestConformance(t *testing.T) { lab.Suite(t, "Conformance") }
