package result

import (
	"iter"
	"net/netip"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// actionRow is what a switch did.
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

var proximalSheet = sheet[actionRow]{"proximal.csv", "What switches did for proximal CNP, one row for each thing, " +
	"switch by switch; ignored messages are counted in proximal_counters.csv.", []column[actionRow]{
	textColumn("switch", "Switch.", func(r *actionRow) string { return r.node }),
	timeColumn("at_us", "When.", func(r *actionRow) unit.Time { return r.At }),
	textColumn("action", "congested: a queue here is, and a switch is told, or acts itself; clear: it no longer is; "+
		"react: CNPs for a flow after that; preempt: CNPs that hold a learned flow to its share; share: a switch is told of "+
		"how many flows share a port; learn, "+
		"forget: whether its congestion is foreseen; pause: its class paused; age, evict: it left the table.",
		func(r *actionRow) string { return record.ProximalKindNames[r.Kind] }),
	textColumn("peer", "The other switch: who is told, or where the congestion is; empty for the switch itself.",
		(*actionRow).peer),
	intColumn("port", "Port of the congested queue; of action pause the port that is paused.",
		func(r *actionRow) int { return int(r.Port) }),
	intColumn("class", "Its class.", func(r *actionRow) uint8 { return r.Class }),
	intColumn("depth_bytes", "Its length.", func(r *actionRow) unit.Bytes { return r.Depth }),
	intColumn("flows", "Flows that a message names.", func(r *actionRow) int { return r.Flows }),
	textColumn("from", "Sender of the flow, where it is about one.", func(r *actionRow) string { return r.nic(r.SrcIP) }),
	textColumn("to", "Its receiver.", func(r *actionRow) string { return r.nic(r.DstIP) }),
	intColumn("to_qp", "The receiver's QP.", func(r *actionRow) int { return int(r.DstQP) }),
	intColumn("cnps", "CNPs that the flow gets.", func(r *actionRow) int { return r.CNPs }),
	intColumn("cnp_rate_mbps", "Rate that they carry, 0 where they carry none.",
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
		count("received_"+name, "Messages of type "+name+" that came in for it and were taken.",
			func(r *counterRow) uint64 { return r.Received[t+1] })
	}
	for i, name := range record.ProximalIgnoredNames {
		count("ignored_"+name, ignoredDocs[i], func(r *counterRow) uint64 { return r.Ignored[i] })
	}
	count("cnps", "CNPs that it sent.", func(r *counterRow) uint64 { return r.CNPs })
	count("rated_cnps", "Those that carried a rate.", func(r *counterRow) uint64 { return r.Rated })
	count("preemptive_cnps", "Those that held a learned flow to its share.",
		func(r *counterRow) uint64 { return r.Preemptive })
	count("pauses", "Pauses that it sent in their place.", func(r *counterRow) uint64 { return r.Pauses })
	count("filtered_cnps", "Receivers' CNPs that it held back.", func(r *counterRow) uint64 { return r.Filtered })
	count("learned", "Flows whose congestion it learned to foresee.", func(r *counterRow) uint64 { return r.Learned })
	count("forgotten", "Flows for which that was taken back.", func(r *counterRow) uint64 { return r.Forgotten })
	count("aged", "Flows that were idle too long.", func(r *counterRow) uint64 { return r.Aged })
	count("evicted", "Flows that made room for others.", func(r *counterRow) uint64 { return r.Evicted })
	count("flows_max", "Most flows in its table.", func(r *counterRow) uint64 { return r.Flows })
	count("omitted", "Actions beyond those that proximal.csv lists.", func(r *counterRow) uint64 { return r.Omitted })
	return sheet[counterRow]{"proximal_counters.csv", "One row per switch that has proximal CNP.", columns}
}()

var ignoredDocs = [record.NumProximalIgnored]string{
	record.IgnoredMalformed: "Datagrams to the port of messages that were none.",
	record.IgnoredSpoofed: "Messages from a port that leads to a NIC, or whose source is not the switch that they " +
		"name; flows about which a switch asks for silence that is not the one next to their sender.",
	record.IgnoredReplayed:    "Messages whose number came before.",
	record.IgnoredStale:       "Messages older than their lifetime, or from the future.",
	record.IgnoredUnknownFlow: "Flows in messages that the switch does not know.",
	record.IgnoredUnknownQP:   "Flows in messages, and bursts, whose sender's QP it does not know yet.",
	record.IgnoredHeld:        "Flows in messages for which it reacted to that queue less than a feedback loop ago.",
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
