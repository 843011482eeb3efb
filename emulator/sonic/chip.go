package sonic

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// chipsOf are the chips of boxes, by what their hwsku begins with. Sources: the files of these boxes in
// sonic-buildimage, below device, and the requests that brought them.
var chipsOf = []struct{ begin, chip string }{
	{"ACS-MSN3700", "spectrum2"},
	{"ACS-MSN3420", "spectrum2"},
	{"Mellanox-SN3800", "spectrum2"},
	{"ACS-MSN4700", "spectrum3"},
	{"Mellanox-SN4700", "spectrum3"},
	{"Mellanox-SN4600", "spectrum3"},
	{"ACS-SN5600", "spectrum4"},
	{"Mellanox-SN5600", "spectrum4"},
	{"ACS-SN6600", "spectrum6"},
	{"Mellanox-SN6600", "spectrum6"},
	{"ACS-SN6810", "spectrum6"},
	{"Mellanox-SN6810", "spectrum6"},
	{"Arista-7060X6", "tomahawk5"},
	{"NH-4010", "tomahawk5"},
	{"NH-4210", "tomahawk6"},
}

// refuses ends the warning about a file that yields an invalid scenario.
const refuses = ", and rocelab validate refuses the scenario"

// findChip finds the chip of the switch: that which was asked for, or that of its hwsku; nil if neither is known.
func (d *device) findChip(asked string) *profile.Chip {
	sku := d.root.child("DEVICE_METADATA").child("localhost").child("hwsku")
	if asked != "" {
		return profile.ChipNamed(asked)
	}
	if sku == nil {
		return nil
	}
	for _, of := range chipsOf {
		if strings.HasPrefix(sku.Text, of.begin) {
			return profile.ChipNamed(of.chip)
		}
	}
	return nil
}

// fitChip takes the chip's figures as the switch's defaults, and warns if the memory that the file gives out is more
// than the chip's: the pool of the lossless groups, its shared headroom, and what each group is guaranteed. size is
// the same with a headroom for each group, as rocelab has it.
func (d *device) fitChip(s *settings, chip *profile.Chip, size unit.Bytes) {
	if chip == nil {
		return
	}
	sku := d.root.child("DEVICE_METADATA").child("localhost").child("hwsku")
	memory := fmt.Sprintf("%v of memory of %s (%s)", chip.Buffer.Value, chip.Title, chip.Buffer.Evidence)
	need, sum := d.guarantees(s)
	switch {
	case need > chip.Buffer.Value:
		warning := fmt.Sprintf("%s takes %v, more than the %s: %s; a switch may refuse the profiles of its lossless groups, "+
			"or leave them out in silence", s.pool, need, memory, sum)
		if size > chip.Buffer.Value {
			warning += refuses
		}
		d.warnings = append(d.warnings, warning)
	case size > chip.Buffer.Value:
		d.warnings = append(d.warnings, fmt.Sprintf("with a headroom for each class of each port, as rocelab has it in "+
			"place of a shared one, %s takes %v, more than the %s: the scenario names no profile", s.pool, size, memory))
		return
	}
	s.chip = chip.Name
	sku.approximated("profile "+chip.Name, "the chip's figures are defaults, each with its source in docs/silicon.md")
}

// guarantees adds up what a file gives out of the memory, in bytes and in words.
func (d *device) guarantees(s *settings) (need unit.Bytes, sum string) {
	groups, headroom := unit.Bytes(s.classes()*len(d.ports)), unit.Bytes(0)
	reserve := groups * s.reserve
	if s.apart == 0 {
		for _, p := range d.ports {
			headroom += unit.Bytes(s.classes()) * p.ownHeadroom()
		}
	}
	need = s.shared + s.apart + reserve + headroom
	for _, part := range []struct {
		what string
		size unit.Bytes
	}{{"pool", s.shared}, {"xoff", s.apart}, {"reserves", reserve}, {"headrooms", headroom}} {
		switch {
		case part.size == 0:
		case sum == "":
			sum = fmt.Sprintf("%s %v", part.what, part.size)
		default:
			sum += fmt.Sprintf(" + %s %v", part.what, part.size)
		}
	}
	return need, sum
}

// ownHeadroom returns the headroom of each lossless class of the port after XOFF.
func (p *port) ownHeadroom() unit.Bytes {
	if p.set > 0 {
		return p.set
	}
	return p.headroom
}
