package result

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Storm is the check that reports PFC storms of the plan.
const Storm Subject = "storm"

// plannedStorm is a PFC storm of the plan.
type plannedStorm struct {
	nic int
	*profile.Storm
}

// stormsOf returns the storms that began, and the ones that never did.
func stormsOf(o *Outcome) (began []plannedStorm, never []plannedStorm) {
	for i := range o.Plan.NICs {
		list := o.Plan.NICs[i].Profile.Storms
		for k := range list {
			if s := (plannedStorm{i, &list[k]}); s.From < o.End {
				began = append(began, s)
			} else {
				never = append(never, s)
			}
		}
	}
	return began, never
}

// stormNote is a finding that is not a fault of the run.
func stormNote(format string, args ...any) Finding {
	return Finding{Pass, Storm, fmt.Sprintf(format, args...)}
}

// stormFindings describes the storms of the scenario: the ports they held and the actions of the watchdogs. A storm
// that never began makes the run void.
func stormFindings(outcome *Outcome) (storms []Finding) {
	began, never := stormsOf(outcome)
	type nicClass struct {
		nic   int
		class uint8
	}
	spans := map[nicClass]string{}
	for _, s := range began {
		spans[nicClass{s.nic, s.Class}] += fmt.Sprintf(" from %v to %s", s.From, untilText(s.To, outcome.End))
	}
	for _, s := range began {
		k := nicClass{s.nic, s.Class}
		if spans[k] == "" {
			continue // said with the first
		}
		far, name := outcome.port(farEnd(outcome.Plan, s.nic))
		storms = append(storms, stormNote("%s paused class %d%s: it sent %d XOFF, and %s stood for %v",
			outcome.Plan.NICs[s.nic].Name, s.Class, spans[k], outcome.NICs[s.nic].Classes.At(int(s.Class)).SentXOFF, name,
			far.Classes.At(int(s.Class)).Paused))
		delete(spans, k)
	}
	for row := range stormRows(outcome) {
		if stormExplains(outcome, row) {
			storms = append(storms, stormNote("%s", row))
		}
	}
	if !outcome.Interrupted {
		for _, s := range never {
			storms = append(storms, Finding{Void, Storm,
				fmt.Sprintf("the storm of %s never began: it was due at %v, and the run ended at %v",
					outcome.Plan.NICs[s.nic].Name, s.From, outcome.End)})
		}
	}
	return storms
}

// victimFindings names the flows that a storm harmed though they have no part in it.
func victimFindings(outcome *Outcome) (victims []Finding) {
	for _, v := range victimsOf(outcome) {
		f, s := &outcome.Plan.Flows[v.flow], outcome.Flows[v.flow].Sender
		stood := "did not stand still"
		if v.still > 0 {
			stood = fmt.Sprintf("stood still for %v from %v", v.still, v.from)
		}
		victims = append(victims, stormNote("victim: %s, which ends at %s, %s; %s sent again, %s",
			f.Name, outcome.Plan.StationName(f.Dst), stood, unit.Count(s.Resent, "packet"),
			unit.Count(s.Timeouts, "timeout")))
	}
	return victims
}

// untilText prints the end of a span, which the run's may forestall.
func untilText(to, end unit.Time) string {
	if to > end {
		return "the end of the run"
	}
	return to.String()
}

// farEnd returns the other end of a NIC's link.
func farEnd(p *plan.Plan, nic int) plan.End {
	return p.Peer(p.NICs[nic].Link, plan.End{Node: p.NICNode(nic)})
}

// String describes the watchdog's action.
func (r *stormRow) String() string {
	what := "frames passed all the same"
	if r.rules().Watchdog.Drop {
		what = fmt.Sprintf("%s flushed and %d that came after dropped", unit.Count(r.Flushed, "frame"), r.Dropped)
	}
	return fmt.Sprintf("the watchdog of %s, class %d, fired at %v: %s until %s", r.name(), r.BrokenStorm.Class, r.At, what,
		untilText(r.Until, r.runEnd))
}

// stormExplains reports whether a storm of the plan explains a watchdog's trigger: the queue stood, for Detect before,
// in a time of the storm. The queue may be anywhere in the fabric, for pauses spread to all that send towards them.
func stormExplains(o *Outcome, row *stormRow) bool {
	began, _ := stormsOf(o)
	rules := row.rules()
	for _, s := range began {
		if rules.QueueOf[s.Class] == rules.QueueOf[row.BrokenStorm.Class] && s.From < row.At &&
			row.At.Add(-rules.Watchdog.Detect) < s.To {
			return true
		}
	}
	return false
}

// victim is a flow that a storm harmed though it does not end where one was,
// and how long it stood still for it, 0 if it only lost packets.
type victim struct {
	flow  int
	from  unit.Time
	still unit.Duration
}

// victimsOf lists, in the order of the flows, the ones that do not end at a storming NIC and stood still for at least a
// tenth of a storm, and ten base RTTs, from an instant before its end on to one after its beginning; or that had to
// send packets again after a watchdog dropped some, if no link loses any.
func victimsOf(o *Outcome) (list []victim) {
	began, _ := stormsOf(o)
	if len(began) == 0 {
		return nil
	}
	broken := make([]bool, o.Plan.Stations())
	for _, s := range began {
		broken[s.nic] = true
	}
	dropping := watchdogsDropped(o)
	for i := range o.Flows {
		flow := o.flow(i)
		if broken[flow.planned.Dst] {
			continue
		}
		v := victim{flow: i}
		for _, still := range flow.standstills() {
			if still.to.Sub(still.from) > v.still && stormStills(&flow, still, began) {
				v.from, v.still = still.from, still.to.Sub(still.from)
			}
		}
		if v.still > 0 || dropping && flow.Sender.Resent > 0 {
			list = append(list, v)
		}
	}
	return list
}

// stormStills reports whether one of the storms explains that a flow stood still.
func stormStills(flow *ranFlow, still interval, storms []plannedStorm) bool {
	for _, s := range storms {
		lasted := min(s.To, flow.runEnd).Sub(s.From)
		if still.to.Sub(still.from) >= max(lasted/10, 10*flow.BaseRTT) && still.from < s.To && s.From < still.to {
			return true
		}
	}
	return false
}

// watchdogsDropped reports whether frames were lost to watchdogs and none to links.
func watchdogsDropped(o *Outcome) bool {
	for i := range o.Plan.Links {
		if l := &o.Plan.Links[i]; l.Loss > 0 || l.BER > 0 || len(l.Outages) > 0 {
			return false
		}
	}
	for i := range o.Plan.WANs {
		if !o.Plan.WANs[i].Profile.Lossless() {
			return false
		}
	}
	for row := range stormRows(o) {
		if row.Flushed+row.Dropped > 0 {
			return true
		}
	}
	return false
}

// nodeFault is the check that reports the faults of NICs and switches that have no check of their own.
const nodeFault Subject = "fault"

// nodeFaultFindings has a line for each of these faults that began: when, and how many frames met it. One that never
// began makes the run void.
func nodeFaultFindings(o *Outcome) (list []Finding) {
	add := func(node string, planned []fault.Planned, met []fault.Met) {
		for i := range planned {
			if f := &planned[i]; f.From < o.End {
				list = append(list, Finding{Pass, nodeFault, fmt.Sprintf("%s from %v to %s: %s (%d B) %s", f.Text, f.From,
					untilText(f.To, o.End), unit.Count(met[i].Frames, "frame"), met[i].Bytes, f.Effect)})
			} else if !o.Interrupted {
				list = append(list, Finding{Void, nodeFault,
					fmt.Sprintf("the fault %s of %s never began: it was due at %v, and the run ended at %v", f.Kind, node, f.From,
						o.End)})
			}
		}
	}
	for i := range o.NICFaults {
		add(o.Plan.NICs[i].Name, o.Plan.NICs[i].Faults, o.NICFaults[i])
	}
	for i := range o.Switches {
		add(o.Plan.Switches[i].Name, o.Plan.Switches[i].Faults, o.Switches[i].Faults)
	}
	return list
}
