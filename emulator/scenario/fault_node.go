package scenario

import (
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/plan"
)

// hostsNamed returns the hosts that a fault names, by number.
func hostsNamed(b *builder, f *faultDraft) []int {
	if f.host == "" {
		b.requireReported(f.node)
		return nil
	}
	hosts := b.hostsMatching(f.host)
	if len(hosts) == 0 {
		b.add(f.node.Where("host"), "host: %s", b.meansNoHost(f.host))
	}
	return hosts
}

// addToNIC gives a NIC a fault of the draft's kind and times, or refuses to: faults of a kind must not overlap.
func addToNIC(b *builder, f *faultDraft, nic *plan.NIC, planned fault.Planned) {
	addToNode(b, f, nic.Name, &nic.Faults, planned)
}

// addToSwitch gives a switch a fault likewise.
func addToSwitch(b *builder, f *faultDraft, sw *plan.Switch, planned fault.Planned) {
	addToNode(b, f, sw.Name, &sw.Faults, planned)
}

func addToNode(b *builder, f *faultDraft, node string, list *[]fault.Planned, planned fault.Planned) {
	planned.Kind, planned.From, planned.To = f.kind.name, f.from, f.to
	for i := range *list {
		if o := &(*list)[i]; o.Kind == planned.Kind && planned.From < o.To && o.From < planned.To {
			b.add(f.node.Where("from"), "%s has a fault of kind %s from %v to %v already: those of a kind must not overlap",
				node, o.Kind, o.From, o.To)
			return
		}
	}
	*list = append(*list, planned)
}
