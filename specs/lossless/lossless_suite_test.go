package lossless

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestLossless(t *testing.T) { lab.Suite(t, "Lossless") }
