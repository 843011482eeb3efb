package result

import (
	"iter"
	"net/netip"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// actionRow is an action of a switch.
type actionRow struct {
	*record.ProximalAction
	plan   *plan.Plan
	node   string
	source int
}

func (r *actionRow) peer() string {
	if r.Peer == r.source {
		return ""
	}
	return r.plan.Switches[r.Peer].Name
}

func (r *actionRow) nic(ip uint32) string {
	if ip == 0 {
		return ""
	}
	if station := ip - plan.FirstIP; station < uint32(r.plan.Stations()) {
		return r.plan.StationName(int(station))
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}).String()
}

var proximalSheet = sheet[actionRow]{"proximal.csv", "Actions of switches for proximal CNP, a row for each, " +
	"switch by switch; ignored messages are counted in proximal_counters.csv.", []column[actionRow]{
	textColumn("switch", "Switch.", func(r *actionRow) string { return r.node }),
	timeColumn("at_us", "When.", func(r *actionRow) unit.Time { return r.At }),
	textColumn("action", "congested: a queue is congested, and another switch is notified, or this one acts "+
		"itself; clear: it no longer is; react: CNPs for a flow after that; preempt: CNPs that keep a learned "+
		"flow at its share; share: a switch is notified of the number of flows that share a port; learn, forget: "+
		"its congestion is foreseen, or no longer; pause: its class is paused; age, evict: it left the table.",
		func(r *actionRow) string { return record.ProximalKindNames[r.Kind] }),
	textColumn("peer", "The other switch: the one that is notified, or the congested one; empty for the switch "+
		"itself.",
		(*actionRow).peer),
	intColumn("port", "Port of the congested queue; for action pause the paused port.",
		func(r *actionRow) int { return int(r.Port) }),
	intColumn("class", "Its class.", func(r *actionRow) uint8 { return r.Class }),
	intColumn("depth_bytes", "Its length.", func(r *actionRow) unit.Bytes { return r.Depth }),
	intColumn("flows", "Flows that a message names.", func(r *actionRow) int { return r.Flows }),
	textColumn("from", "Sender of the flow, if the action is about a "+
		"flow.", func(r *actionRow) string { return r.nic(r.SrcIP) }),
	textColumn("to", "Its receiver.", func(r *actionRow) string { return r.nic(r.DstIP) }),
	intColumn("to_qp", "The receiver's QP.", func(r *actionRow) int { return int(r.DstQP) }),
	intColumn("cnps", "CNPs that the flow gets.", func(r *actionRow) int { return r.CNPs }),
	intColumn("cnp_rate_mbps", "Rate that they carry, 0 for none.",
		func(r *actionRow) unit.BitRate { return r.Rate / unit.Mbps }),
}}

func actionRows(o *Outcome) iter.Seq[*actionRow] {
	return func(yield func(*actionRow) bool) {
		for i := range o.Switches {
			p := o.Switches[i].Proximal
			if p == nil {
				continue
			}
			for j := range p.Actions {
				if !yield(&actionRow{&p.Actions[j], o.Plan, o.Plan.Switches[i].Name, i}) {
					return
				}
			}
		}
	}
}

// counterRow is a switch that has proximal CNP.
type counterRow struct {
	*record.Proximal
	node string
}

var proximalCounterSheet = func() sheet[counterRow] {
	columns := []column[counterRow]{textColumn("switch", "Switch.", func(r *counterRow) string { return r.node })}
	count := func(name, doc string, of func(*counterRow) uint64) {
		columns = append(columns, intColumn(name, doc, of))
	}
	for t, name := range []string{"congestion", "learned", "clear", "release"} {
		count("sent_"+name, "Messages of type "+name+" that it sent.", func(r *counterRow) uint64 { return r.Sent[t+1] })
		count("received_"+name, "Messages of type "+name+" that it received and accepted.",
			func(r *counterRow) uint64 { return r.Received[t+1] })
	}
	for i, name := range record.ProximalIgnoredNames {
		count("ignored_"+name, ignoredDocs[i], func(r *counterRow) uint64 { return r.Ignored[i] })
	}
	count("cnps", "CNPs that it sent.", func(r *counterRow) uint64 { return r.CNPs })
	count("rated_cnps", "CNPs among them that carried a rate.", func(r *counterRow) uint64 { return r.Rated })
	count("preemptive_cnps", "CNPs among them that kept a learned flow at its share.",
		func(r *counterRow) uint64 { return r.Preemptive })
	count("pauses", "Pauses that it sent in their place.", func(r *counterRow) uint64 { return r.Pauses })
	count("filtered_cnps", "Receivers' CNPs that it held back.", func(r *counterRow) uint64 { return r.Filtered })
	count("learned", "Flows whose congestion it learned to foresee.", func(r *counterRow) uint64 { return r.Learned })
	count("forgotten", "Flows whose learned state was revoked.", func(r *counterRow) uint64 { return r.Forgotten })
	count("aged", "Flows that were idle too long.", func(r *counterRow) uint64 { return r.Aged })
	count("evicted", "Flows that made room for others.", func(r *counterRow) uint64 { return r.Evicted })
	count("flows_max", "Most flows in its table.", func(r *counterRow) uint64 { return r.Flows })
	count("omitted", "Actions that did not fit into proximal.csv.", func(r *counterRow) uint64 { return r.Omitted })
	return sheet[counterRow]{"proximal_counters.csv", "One row per switch that has proximal CNP.", columns}
}()

var ignoredDocs = [record.NumProximalIgnored]string{
	record.IgnoredMalformed: "Datagrams to the port of messages that are not valid messages.",
	record.IgnoredSpoofed: "Messages from a port that leads to a NIC, or whose source is not the switch that they " +
		"name; flows whose silence a switch requests without being next to their sender.",
	record.IgnoredReplayed:    "Messages whose number came before.",
	record.IgnoredStale:       "Messages older than their lifetime, or from the future.",
	record.IgnoredUnknownFlow: "Flows in messages that the switch does not know.",
	record.IgnoredUnknownQP:   "Flows in messages, and bursts, whose sender's QP it does not know yet.",
	record.IgnoredHeld: "Flows in messages about a queue, if it had reacted to that queue for the same flow less " +
		"than a feedback loop before.",
}

func counterRows(o *Outcome) iter.Seq[*counterRow] {
	return func(yield func(*counterRow) bool) {
		for i := range o.Switches {
			if p := o.Switches[i].Proximal; p != nil && !yield(&counterRow{p, o.Plan.Switches[i].Name}) {
				return
			}
		}
	}
}
