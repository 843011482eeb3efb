package scenario

import (
	"fmt"
	"sort"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// HeadroomClass is the lossless ingress ports that agree in their link and
// profile.
type HeadroomClass struct {
	// Ports is their number; Example is one of them, "s0:3".
	Ports   int    `json:"ports"`
	Example string `json:"example"`
	// Rate and Latency are the link's, across a long-haul path half of the
	// longest way there and back; Classes the number of lossless
	// classes; Headroom and Reserve are for each of them.
	Rate     unit.BitRate  `json:"rate_bps"`
	Latency  unit.Duration `json:"latency_ps"`
	Classes  int           `json:"classes"`
	Headroom unit.Bytes    `json:"headroom_bytes"`
	Reserve  unit.Bytes    `json:"reserve_bytes"`
	// DCI marks ports under PFC across the fibre, whose headroom is in their own memory and which have no reserve.
	DCI bool `json:"dci"`
}

func headroomClasses(planned *plan.Plan) []HeadroomClass {
	places := map[HeadroomClass]int{}
	list := []HeadroomClass{}
	for i := range planned.Switches {
		sw := &planned.Switches[i]
		classes := 0
		for _, on := range sw.Profile.PFC.Lossless {
			if on && sw.Profile.PFC.Enabled {
				classes++
			}
		}
		for port, link := range sw.Links {
			if classes == 0 {
				break
			}
			a := planned.Attachment(link, planned.Links[link].B == plan.End{Node: planned.SwitchNode(i), Port: port})
			class := HeadroomClass{
				Rate:     a.Rx.Rate,
				Latency:  a.Rx.Latency + a.Beyond/2,
				Classes:  classes,
				Reserve:  sw.Profile.Reserve,
				Headroom: sw.Profile.OfPort(port).HeadroomFor(&a, planned.MaxFrame()),
			}
			if a.DCI {
				d := sw.Profile.DCIFor(&a, planned.MaxFrame())
				if d.Classes == 0 {
					continue
				}
				class.DCI, class.Headroom, class.Reserve = true, d.Headroom, 0
			}
			place, ok := places[class]
			if !ok {
				place = len(list)
				places[class] = place
				class.Example = fmt.Sprintf("%s:%d", sw.Name, port)
				list = append(list, class)
			}
			list[place].Ports++
		}
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].Ports > list[b].Ports })
	return list
}
