package why

import (
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestWhy(t *testing.T) { lab.Suite(t, "why", "short") }
