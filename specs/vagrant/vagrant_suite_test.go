package vagrant

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestVagrant(t *testing.T) { lab.Suite(t, "Vagrant") }
