package vagrant

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/program"
)

func TestVagrant(t *testing.T) {
	program.DependOnTree(t)
	lab.Suite(t, "Vagrant")
}
