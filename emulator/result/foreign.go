package result

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// EdgeFigures count the frames of others that came in and left at edges.
type EdgeFigures struct{ ForeignIn, ForeignOut uint64 }

var edgeMetrics = []Metric{
	counter("foreign_in", "Frames of others that came in at edges.", None,
		func(s *Summary) uint64 { return s.ForeignIn }),
	counter("foreign_out", "Frames that left at edges.", None, func(s *Summary) uint64 { return s.ForeignOut }),
}

func edgeFigures(outcome *Outcome) (f EdgeFigures) {
	for _, i := range outcome.Plan.Edges() {
		for j := range outcome.Devices[i].Ports {
			port := &outcome.Devices[i].Ports[j]
			f.ForeignIn += port.SourcedFrames
			f.ForeignOut += port.SunkFrames
		}
		if foreign := outcome.Devices[i].Foreign; foreign != nil {
			f.ForeignIn -= foreign.MadeCNPs
		}
	}
	return f
}

// posingIn adds up the foreign frames that pose as a flow's own, flow by flow, over all edges. cnps counts
// all CNPs that went on at edges, of every flow and of none.
func posingIn(o *Outcome) (flows []record.Posing, cnps uint64) {
	flows = make([]record.Posing, len(o.Flows))
	for i := range o.Devices {
		foreign := o.Devices[i].Foreign
		if foreign == nil {
			continue
		}
		cnps += foreign.Kinds[record.ForeignCNP] - foreign.OwnCNPs - refusedCNPs(&o.Devices[i])
		for _, p := range foreign.Posing {
			flow := &flows[p.Flow]
			flow.Data += p.Data
			flow.ACKs += p.ACKs
			flow.CNPs += p.CNPs
		}
	}
	return flows, cnps
}

// refusedCNPs are the CNPs of others that an edge's ACL ended.
func refusedCNPs(device *Device) (n uint64) {
	for i := range device.Ports {
		n += device.Ports[i].Drops[fabric.DropACL]
	}
	return n - device.Foreign.OwnRefused
}

// foreignNotes names, for each edge at which CNPs came in, their number, and the flows that obeyed them.
func foreignNotes(o *Outcome) (fs []Finding) {
	for _, i := range o.Plan.Edges() {
		foreign := o.Devices[i].Foreign
		if foreign == nil || foreign.Kinds[record.ForeignCNP] == foreign.OwnCNPs {
			continue
		}
		fs = append(fs, Finding{Pass, Conservation, foreignNote(o, i, foreign)})
	}
	return fs
}

// maxPosing bounds how many flows a note names.
const maxPosing = 3

// foreignNote describes the effect of the CNPs that came in at an edge.
func foreignNote(o *Outcome, device int, foreign *record.Foreign) string {
	all := foreign.Kinds[record.ForeignCNP] - foreign.OwnCNPs
	text := fmt.Sprintf("%s came in at edge %s", unit.Count(all, "foreign CNP"), o.Plan.Devices[device].Name)
	refused := refusedCNPs(&o.Devices[device])
	if refused == all {
		return text + ", which dropped all of them (cnp: drop)"
	}
	posing, flows := uint64(0), 0
	var named []string
	for _, p := range foreign.Posing {
		if p.CNPs == 0 {
			continue
		}
		posing += p.CNPs
		if flows++; flows > maxPosing {
			continue
		}
		flow := &o.Flows[p.Flow]
		named = append(named, fmt.Sprintf("%d with the address of the receiver of %s, whose sender took %s while the "+
			"receiver sent %d", p.CNPs, o.Plan.Flows[p.Flow].Name, unit.Count(flow.Sender.CNPs, "CNP"),
			flow.Receiver.CNPs))
	}
	if posing == 0 {
		return text + "; none has the address of a flow's receiver, so no sender takes one"
	}
	if flows > maxPosing {
		named = append(named, fmt.Sprintf("others for %d more flows", flows-maxPosing))
	}
	return fmt.Sprintf("%s: %s; a sender cannot tell them from its receiver's, and obeys them", text,
		strings.Join(named, ", "))
}
