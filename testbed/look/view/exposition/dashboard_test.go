package exposition_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/view/exposition"
)

var metricName = regexp.MustCompile(`([a-z_]+)\{`)

// Each name in an expression of the dashboard is exposed, and places of panels do not overlap.
func TestDashboardNamesWhatIsThere(t *testing.T) {
	var board struct {
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(exposition.Dashboard, &board); err != nil {
		t.Fatal(err)
	}
	exposed := map[string]bool{}
	for _, family := range exposition.Families() {
		exposed[family.Name] = true
	}
	named, taken := 0, map[[2]int]string{}
	for _, panel := range board.Panels {
		at := panel.GridPos
		for x := at.X; x < at.X+at.W; x++ {
			for y := at.Y; y < at.Y+at.H; y++ {
				if other, is := taken[[2]int{x, y}]; is || x >= 24 {
					t.Errorf("%s is over %s at %d, %d", panel.Title, other, x, y)
				}
				taken[[2]int{x, y}] = panel.Title
			}
		}
		for _, target := range panel.Targets {
			for _, name := range metricName.FindAllStringSubmatch(target.Expr, -1) {
				named++
				if !exposed[name[1]] {
					t.Errorf("%s: no metric %s", panel.Title, name[1])
				}
			}
		}
	}
	if named < 30 {
		t.Errorf("only %d names were found", named)
	}
}
