package thesis

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestThesis(t *testing.T) { lab.Suite(t, "Thesis") }
