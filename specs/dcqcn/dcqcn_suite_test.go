package dcqcn

import (
	"testing"

	"github.com/rocelab/rocelab/specs/lab"
)

func TestDCQCN(t *testing.T) { lab.Suite(t, "DCQCN") }
