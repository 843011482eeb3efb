package profile

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Evidence is the quality of the public source of a figure.
type Evidence string

// The classes, the best first.
const (
	// Vendor: the maker itself has published it, in a data sheet, an announcement or its own configuration files.
	Vendor Evidence = "vendor"
	// Quoted: a third party quotes the maker, or a maker of switches with that chip.
	Quoted Evidence = "quoted"
	// Fitted: not public. With this value runs match a measurement at a real switch, which the source names.
	Fitted Evidence = "fitted"
	// Estimated: not public. The value is rocelab's, and the source gives its basis.
	Estimated Evidence = "estimated"
)

// Sourced is a figure and where it is from.
type Sourced[T any] struct {
	Value    T
	Evidence Evidence
	Source   string
}

// Chip is a switch chip according to public sources. Its figures are defaults of a switch's profile; a scenario's own
// values win.
type Chip struct {
	// Name is the word of scenarios, Title the maker's name for it.
	Name, Title string
	// Buffer is the packet memory, Capacity the rate of all ports together in one
	// direction, Fastest that of one port, and Ports how many there may be at a lower rate.
	Buffer Sourced[unit.Bytes]
	// Cell is the unit of allocation of the buffer, on which computed headroom depends; 0 if no source is known.
	Cell     Sourced[unit.Bytes]
	Capacity Sourced[unit.BitRate]
	Fastest  Sourced[unit.BitRate]
	Ports    Sourced[int]
	// Latency is from a frame's last bit to its eligibility at the egress.
	Latency Sourced[unit.Duration]
	// Alpha is the dynamic threshold's share, at ports of every rate.
	Alpha Sourced[float64]
	// Resume is the distance below the threshold at which XON follows. Without evidence it is rocelab's default.
	Resume Sourced[unit.Bytes]
	// Marking is the default of class 3.
	Marking Sourced[WRED]
}

// Figure is a figure of a chip in words.
type Figure struct {
	Key      string   `json:"key"`
	Value    string   `json:"value"`
	Evidence Evidence `json:"evidence"`
	Source   string   `json:"source"`
}

// ChipNamed returns the chip of a name, nil if there is none.
func ChipNamed(name string) *Chip {
	if i := slices.IndexFunc(chips, func(c Chip) bool { return c.Name == name }); i >= 0 {
		return &chips[i]
	}
	return nil
}

// ChipNames are the words of scenarios.
func ChipNames() (names []string) {
	for i := range chips {
		names = append(names, chips[i].Name)
	}
	return names
}

// Give sets the defaults of a switch's profile to the chip's.
func (c *Chip) Give(s *Switch) {
	s.Chip = c.Name
	s.Buffer, s.Latency = c.Buffer.Value, c.Latency.Value
	s.Alpha, s.AlphaRate = c.Alpha.Value, 0
	if c.Cell.Value > 0 {
		s.Cell = c.Cell.Value
	}
	if c.Resume.Evidence != "" {
		s.ResumeOffset = c.Resume.Value
	}
	s.ECN[3] = c.Marking.Value
}

// Figures are the chip's, in the order of Chip.
func (c *Chip) Figures() []Figure {
	m := c.Marking.Value
	marking := fmt.Sprintf("%v to %v, pmax %g", m.Kmin, m.Kmax, m.Pmax)
	if m.ScaleRate > 0 {
		marking += fmt.Sprintf(", at %v", m.ScaleRate)
	}
	list := []Figure{{"buffer", c.Buffer.Value.String(), c.Buffer.Evidence, c.Buffer.Source}}
	if c.Cell.Value > 0 {
		list = append(list, Figure{"cell", c.Cell.Value.String(), c.Cell.Evidence, c.Cell.Source})
	}
	list = append(list, []Figure{
		{"capacity", c.Capacity.Value.String(), c.Capacity.Evidence, c.Capacity.Source},
		{"fastest port", c.Fastest.Value.String(), c.Fastest.Evidence, c.Fastest.Source},
		{"ports", fmt.Sprint(c.Ports.Value), c.Ports.Evidence, c.Ports.Source},
		{"latency", c.Latency.Value.String(), c.Latency.Evidence, c.Latency.Source},
		{"alpha", fmt.Sprint(c.Alpha.Value), c.Alpha.Evidence, c.Alpha.Source},
		{"ecn", marking, c.Marking.Evidence, c.Marking.Source},
	}...)
	if c.Resume.Evidence != "" {
		list = append(list, Figure{"resume offset", c.Resume.Value.String(), c.Resume.Evidence, c.Resume.Source})
	}
	return list
}
