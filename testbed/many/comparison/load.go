package comparison

import (
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Load is how many processors were busy over the last minute, rounded; 0 where
// the host does not say.
func Load() int {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return unit.Whole[int](math.Round(load))
}
