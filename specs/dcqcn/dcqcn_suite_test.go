package dcqcn

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestDCQCN(t *testing.T) { lab.Suite(t, "DCQCN") }
