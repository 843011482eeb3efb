package model

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/switchd"
)

// addRecording sets the recording of every node. It follows the plan's Recording, so that a node records the same on
// every runner.
func (f *Fabric) addRecording(p *plan.Plan) {
	recording := p.Recording()
	if !recording.Grid.On() {
		return
	}
	groups := map[string]int{}
	for i, name := range p.Groups() {
		groups[name] = i
	}
	f.flows.series = make([]int, len(p.Flows))
	for i := range p.Flows {
		if f.flows.series[i] = i; !recording.Flows {
			f.flows.series[i] = groups[p.Flows[i].Group]
		}
	}
	tiers := p.Tiers()
	for i := range f.Nodes {
		switch design := f.Nodes[i].Design.(type) {
		case *Switch:
			design.Recording = switchd.Recording{Grid: recording.Grid, Queues: recording.Queues}
			if !recording.Ports {
				for _, tier := range tiers[p.Node(f.Nodes[i].ID).Index] {
					design.Recording.Tiers = append(design.Recording.Tiers, uint8(tier))
				}
			}
		case *NIC:
			design.Recording = nicd.Recording{
				Grid:     recording.Grid,
				Values:   recording.Values,
				Sends:    recording.Sends,
				Port:     recording.Ports,
				Together: !recording.Flows,
			}
		case *Edge:
			if recording.Ports {
				design.Model.Grid = recording.Grid
			}
		case *WAN:
			if recording.Ports {
				design.Grid = recording.Grid
			}
		}
	}
}
