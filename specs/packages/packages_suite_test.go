package packages

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

func TestPackages(t *testing.T) {
	tier.Slow(t)
	program.DependOnTree(t)
	lab.Suite(t, "Packages", "slow")
}
