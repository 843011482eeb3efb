package picture

import "testing"

// Tier: -short, as all of this file.
func TestPanels(t *testing.T) {
	line := func(hue int, style LineStyle, values ...float64) PanelLine {
		return PanelLine{Depths{Key{"line", hue}, 2, 500, values}, style}
	}
	panels := Panels{
		Title: "Rates",
		Above: "Gb/s",
		Note:  "Solid is the slowest.",
		Panels: []Panel{
			{"pc4", []PanelLine{line(0, Grey, 3, 4, 5), line(0, Solid, 1, 2, -1, 3), line(0, Bound, 6, 6, 99)}},
			{evil, []PanelLine{line(1, Thin, 1), line(1, Dashed, 2, 2), line(1, Dotted, 3, 1)}},
		},
		Keys: []Key{{"pc4", 0}, {evil, 1}},
		Most: 8,
	}
	golden(t, "panels", panels.Draw())
	proper(t, Panels{Title: "none", Panels: []Panel{{}}}.Draw())
}

func TestStacks(t *testing.T) {
	part := func(name string, us float64) Part { return Part{Name: name, US: us, Text: plain(us) + " us"} }
	stacks := Stacks{Title: "Time by cause", Groups: []StackGroup{
		{"Slowest flow", []Stack{
			{"pc4 h0-h1", "12 ms", []Part{part("alone", 4000), part("shared", 8000), part("queued", 0)}},
			{evil, "9 ms", []Part{part("held back", 9000)}},
		}},
		{"Fastest flow", []Stack{{"pc4 h1-h2", "4 ms", []Part{part("alone", 4000)}}}},
	}}
	golden(t, "stacks", stacks.Draw())
	proper(t, Stacks{Title: "none"}.Draw())
}
