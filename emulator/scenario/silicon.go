package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ChipReport is the switches of a plan whose profile is that of one chip.
type ChipReport struct {
	Chip  string `json:"chip"`
	Title string `json:"title"`
	// Switches is their number; Example is one of them.
	Switches int    `json:"switches"`
	Example  string `json:"example"`
	// Figures are the chip's; what the scenario writes beside holds in their place.
	Figures []profile.Figure `json:"figures"`
}

func chipReports(planned *plan.Plan) (list []ChipReport) {
	places := map[string]int{}
	for i := range planned.Switches {
		sw := &planned.Switches[i]
		chip := profile.ChipNamed(sw.Profile.Chip)
		if chip == nil {
			continue
		}
		place, ok := places[chip.Name]
		if !ok {
			place = len(list)
			places[chip.Name] = place
			list = append(list, ChipReport{Chip: chip.Name, Title: chip.Title, Example: sw.Name, Figures: chip.Figures()})
		}
		list[place].Switches++
	}
	return list
}

// warnChips warns of switches that have more or faster ports than their chip, once for
// each chip and kind of excess.
func (r *Report) warnChips(planned *plan.Plan) {
	said := map[string]bool{}
	warn := func(key, format string, args ...any) {
		if !said[key] {
			said[key] = true
			r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
		}
	}
	for i := range planned.Switches {
		sw := &planned.Switches[i]
		chip := profile.ChipNamed(sw.Profile.Chip)
		if chip == nil {
			continue
		}
		node := planned.Node(planned.SwitchNode(i))
		total, fastest := unit.BitRate(0), unit.BitRate(0)
		for port := range sw.Links {
			rate := planned.AttachmentAt(&node, port).Tx.Rate
			total, fastest = total+rate, max(fastest, rate)
		}
		if n := len(sw.Links); n > chip.Ports.Value {
			warn(chip.Name+" ports", "%s has %d ports, and %s has up to %d (%s)",
				sw.Name, n, chip.Title, chip.Ports.Value, chip.Ports.Evidence)
		}
		if fastest > chip.Fastest.Value {
			warn(chip.Name+" fastest", "%s has a port of %v, and the fastest of %s is %v (%s)",
				sw.Name, fastest, chip.Title, chip.Fastest.Value, chip.Fastest.Evidence)
		}
		if total > chip.Capacity.Value {
			warn(chip.Name+" capacity", "the ports of %s make %v, and %s switches %v (%s)",
				sw.Name, total, chip.Title, chip.Capacity.Value, chip.Capacity.Evidence)
		}
	}
}

// checkMemory refuses a switch whose buffer is larger than the memory of its chip: the buffer is the shared part and
// all reserves and headrooms of its ports together.
func (b *builder) checkMemory(settings *profile.Switch, written []*node) {
	chip := profile.ChipNamed(settings.Chip)
	if chip == nil || settings.Buffer <= chip.Buffer.Value {
		return
	}
	for i := len(written) - 1; i >= 0; i-- {
		if written[i].Child("buffer") == nil {
			continue
		}
		b.add(written[i].Where("buffer"), "buffer is %v, and the packet memory of %s is %v (%s: %s): the shared "+
			"buffer with all reserves and headrooms must fit into that, or use a switch without a "+
			"profile", settings.Buffer,
			chip.Title, chip.Buffer.Value, chip.Buffer.Evidence, chip.Buffer.Source)
		return
	}
}
