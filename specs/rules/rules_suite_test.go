package rules

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestRules(t *testing.T) { lab.Suite(t, "specs/rules", "short") }
