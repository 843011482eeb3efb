// Package misses is what the tests of run run: it passes, misses a criterion and skips a test.
package misses

import (
	"testing"

	"github.com/rocelab/rocelab/specs/missed"
)

func TestMisses(t *testing.T) {
	t.Log("a line that only a verbose run shows")
	missed.Report("a bound of 3: 4", "the test asks for it")
}

func TestSkips(t *testing.T) {
	t.Log("another line")
	t.Skip("no tool for it")
}
