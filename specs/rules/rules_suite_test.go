package rules

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestRules(t *testing.T) { lab.Suite(t, "specs/rules", "short") }
