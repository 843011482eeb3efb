package result

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
)

// posing adds up the foreign frames that pose as a flow's own, flow by flow, over all edges. cnps counts
// all CNPs that went on at edges, of every flow and of none.
func (o *Outcome) posing() (flows []record.Posing, cnps uint64) {
	flows = make([]record.Posing, len(o.Flows))
	for i := range o.Devices {
		foreign := o.Devices[i].Foreign
		if foreign == nil {
			continue
		}
		cnps += foreign.Kinds[record.ForeignCNP] - refusedCNPs(&o.Devices[i])
		for _, p := range foreign.Posing {
			flow := &flows[p.Flow]
			flow.Data += p.Data
			flow.ACKs += p.ACKs
			flow.CNPs += p.CNPs
		}
	}
	return flows, cnps
}

// refusedCNPs are the CNPs that an edge's ACL ended.
func refusedCNPs(device *Device) (n uint64) {
	for i := range device.Ports {
		n += device.Ports[i].Drops[fabric.DropACL]
	}
	return n
}

// foreignNotes names, for each edge at which CNPs came in, how many, and which flows obeyed them.
func (o *Outcome) foreignNotes() (fs []Finding) {
	for _, i := range o.Plan.Edges() {
		foreign := o.Devices[i].Foreign
		if foreign == nil || foreign.Kinds[record.ForeignCNP] == 0 {
			continue
		}
		fs = append(fs, Finding{Pass, Conservation, o.foreignNote(i, foreign)})
	}
	return fs
}

// maxPosing bounds how many flows a note names.
const maxPosing = 3

// foreignNote describes the effect of the CNPs that came in at an edge.
func (o *Outcome) foreignNote(device int, foreign *record.Foreign) string {
	all := foreign.Kinds[record.ForeignCNP]
	text := fmt.Sprintf("%s came in at edge %s", countOf(all, "foreign CNP", "foreign CNPs"), o.Plan.Devices[device].Name)
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
			"receiver sent %d", p.CNPs, o.Plan.Flows[p.Flow].Name, countOf(flow.Sender.CNPs, "CNP", "CNPs"),
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
