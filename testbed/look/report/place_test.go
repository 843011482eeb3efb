package report

import (
	"fmt"
	"strings"
	"testing"
)

// If there are too many flows, the ones with a place are in the picture, last, and as many others as there is room for.
func TestFlowsOfPicture(t *testing.T) {
	var flows []string
	for i := range 40 {
		flows = append(flows, fmt.Sprint(i))
	}
	got := flowsOfPicture(flows, map[string]string{"39": "slowest", "3": "fastest", "35": "median"})
	if len(got) != flowsDrawn || strings.Join(got[flowsDrawn-4:], " ") != "29 35 3 39" || strings.Join(got[:4], " ") !=
		"0 1 2 4" {
		t.Errorf("%q", got)
	}
	if got := flowsOfPicture(flows[:3], nil); strings.Join(got, " ") != "0 1 2" {
		t.Errorf("without places: %q", got)
	}
}
