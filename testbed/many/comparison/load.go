package comparison

import (
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Load returns the number of processors busy over the last minute, rounded; 0 if the host does not report it.
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
