package picture

import (
	"fmt"
	"strings"
	"testing"
)

// Tier: -short, as all of this file.
func TestHeat(t *testing.T) {
	values := func(of func(int) float64) (list []float64) {
		for i := range 60 {
			list = append(list, of(i))
		}
		return list
	}
	golden(t, "heat", Heat{Key: Key{"pc4", 0}, Width: 50, Bins: 60, Layers: []Layer{
		{"utilisation", 1, "100 %", []HeatRow{
			{"s0", "16", "h16", "100 %", values(func(i int) float64 { return 1 - float64(i)/59 })},
			{"h0", "0", "s0", "50 %", values(func(i int) float64 { return float64(i%2) / 2 })},
			{evil, "3", "a node with a very long name", "0 %", values(func(int) float64 { return 0 })},
		}},
		{"pauses", 50, "50 us", []HeatRow{{"h0", "0", "s0", "0.01 us", values(func(i int) float64 {
			if i == 30 {
				return 0.01
			}
			return 0
		})}}},
	}}.Draw())
	golden(t, "heat-empty", Heat{Key: Key{"pc4", 0}, Layers: []Layer{{Name: "utilisation"}}}.Draw())
	proper(t, Heat{Key: Key{"one", 9}, Width: 1e9, Bins: 1, Layers: []Layer{{"queue", 0, "0 B", []HeatRow{
		{"s", "0", "h", "0 B", []float64{5}}}}}}.Draw())
}

// A value that is not 0 is visible, a value beyond the full one is darkest.
func TestHeatLevels(t *testing.T) {
	for _, c := range []struct {
		value, full float64
		want        int
	}{{0, 1, 0}, {1e-9, 1, 1}, {0.125, 1, 1}, {0.126, 1, 2}, {1, 1, 8}, {7, 1, 8}, {1, 0, 0}, {-1, 1, 0}} {
		t.Run(fmt.Sprintf("value=%v,full=%v", c.value, c.full), func(t *testing.T) {
			if got := level(c.value, c.full); got != c.want {
				t.Errorf("%g of %g: %d, want %d", c.value, c.full, got, c.want)
			}
		})
	}
}

// Bins side by side with one shade are one rectangle: a calm port costs little.
func TestHeatIsSmall(t *testing.T) {
	row := HeatRow{"s0", "1", "h1", "1", make([]float64, 120)}
	for i := range row.Values {
		row.Values[i] = 1
	}
	p := Heat{Key: Key{"a", 0}, Width: 1, Bins: 120, Layers: []Layer{{"utilisation", 1, "1", []HeatRow{row}}}}.Draw()
	if n := strings.Count(p.Element(), fmt.Sprintf(`class="cells heat-%d" d=`, heatLevels)); n != 1 {
		t.Errorf("%d paths", n)
	}
	path := cells(frame{left: 0, right: 120}, row, 1, heatLevels, 0, 1).String()
	if path != "M0 7.5H120" {
		t.Errorf("%q: all cells are one", path)
	}
	row.Values[3] = 0
	if path := cells(frame{left: 0, right: 120}, row, 1, heatLevels, 0, 1).String(); path != "M0 7.5H3M4 7.5H120" {
		t.Errorf("%q", path)
	}
}
