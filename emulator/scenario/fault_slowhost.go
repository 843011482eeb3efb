package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// slowHost is a host that takes payload at a lower rate for a time, for instance because its NIC misses its cache of
// address translations at each packet (Guo et al., "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016, section 4.4).
var slowHost = faultKind{
	name:  "slow-host",
	least: "{kind: slow-host, host: h0, from: 1us, rate: 1Gbps}",
	keys: []field[faultDraft]{
		faultyHost(faultyHosts).needed(),
		rateField("rate", "", minRate, maxRate, "Rate of the host that takes the arriving payload, below its link's and "+
			"receive_rate.",
			func(f *faultDraft) *unit.BitRate { return &slowHostOf(f).rate }).needed(),
		fromAt("Time at which the host becomes slow.").needed(),
		toAt("Time at which it has its own rate again. Default never."),
	},
	fresh: func() any { return new(slowHostDraft) },
	check: func(r *reader, n *node, f *faultDraft) {
		if !endsLater(r, n, "from", "to", f.from, f.to) || !f.has("from") || !f.has("rate") {
			f.host = "" // refused
		}
	},
	add: func(b *builder, f *faultDraft) {
		rate := slowHostOf(f).rate
		for _, h := range hostsNamed(b, f) {
			nic := &b.plan.NICs[h]
			most, of := b.plan.Links[nic.Link].Forward.Rate, "its link"
			if own := nic.Profile.Host.Intake.Rate; own > 0 && own < most {
				most, of = own, "its receive_rate"
			}
			if rate >= most {
				b.add(f.node.Where("rate"), "rate of %s is %v, and %s has %v: allowed is less", nic.Name, rate, of, most)
				return
			}
			addToNode(b, f, nic.Name, &nic.Faults, fault.Planned{
				Rate:   rate,
				Text:   fmt.Sprintf("the host of %s took payload at %v", nic.Name, rate),
				Effect: "arrived meanwhile and waited for the host",
			})
		}
	},
}

// slowHostDraft is the own key of a slow host.
type slowHostDraft struct{ rate unit.BitRate }

func slowHostOf(f *faultDraft) *slowHostDraft { return f.own.(*slowHostDraft) }
