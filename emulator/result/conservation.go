package result

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
)

// Violations returns the frames that appeared or vanished in a run, as findings; nil if every frame that came in was
// sent, dropped with a reason, or is in flight.
func (o *Outcome) Violations() []Finding {
	return slices.DeleteFunc(conservation(o), func(f Finding) bool { return f.Status == Pass })
}

// conservation checks that nothing appeared or vanished: on each direction of
// each link, in each switch, in each NIC, and between the two ends of each flow.
func conservation(outcome *Outcome) []Finding {
	fs := checkLinks(outcome)
	fs = append(fs, checkSwitches(outcome)...)
	fs = append(fs, checkLongHauls(outcome)...)
	fs = append(fs, checkDevices(outcome)...)
	fs = append(fs, checkNICs(outcome)...)
	fs = append(fs, checkFlows(outcome)...)
	return append(fs, foreignNotes(outcome)...)
}

func violation(format string, args ...any) Finding {
	return Finding{Red, Conservation, fmt.Sprintf(format, args...)}
}

// checkLinks checks sent = received + lost + in flight, in frames and in bytes, and
// then in pauses and resumes of each class.
func checkLinks(o *Outcome) (fs []Finding) {
	for i := range o.Plan.Links {
		l := &o.Plan.Links[i]
		for d, ends := range [2][2]plan.End{{l.A, l.B}, {l.B, l.A}} {
			tx, from := o.port(ends[0])
			rx, to := o.port(ends[1])
			air := &o.InFlight[2*i+d]
			if tx.TxFrames != rx.RxFrames+rx.RxLostFrames+air.Frames || tx.TxBytes != rx.RxBytes+rx.RxLostBytes+air.Bytes {
				fs = append(fs, violation("link %s to %s: sent %d frames (%d B), but %d (%d B) received, %d (%d B) lost and %d "+
					"(%d B) in flight",
					from, to, tx.TxFrames, tx.TxBytes, rx.RxFrames, rx.RxBytes, rx.RxLostFrames, rx.RxLostBytes,
					air.Frames, air.Bytes))
			}
			fs = append(fs, checkPauses(from+" to "+to, tx, rx, &air.Pauses)...)
		}
	}
	return fs
}

// checkPauses checks sent = received + lost + in flight for what the PFC frames on one
// direction of a link say. A frame is received
// when the far end takes note of it, whether it obeys PFC or not.
func checkPauses(link string, tx, rx *record.Port, air *record.Pauses) (fs []Finding) {
	sent, received, lost := tx.PausesSent(), rx.PausesReceived(), rx.PausesLost.All()
	if received.Plus(lost).Plus(*air) == sent {
		return nil
	}
	for class := range profile.Classes {
		for _, said := range []struct {
			what                      string
			sent, received, lost, air uint64
		}{
			{"XOFF", sent.XOFF[class], received.XOFF[class], lost.XOFF[class], air.XOFF[class]},
			{"XON", sent.XON[class], received.XON[class], lost.XON[class], air.XON[class]},
		} {
			if said.sent != said.received+said.lost+said.air {
				fs = append(fs, violation("link %s, class %d: sent %d %s, but %d received, %d lost and %d in flight",
					link, class, said.sent, said.what, said.received, said.lost, said.air))
			}
		}
	}
	return fs
}

// checkSwitches checks the balance of each switch, without PFC.
func checkSwitches(o *Outcome) (fs []Finding) {
	for i := range o.Switches {
		sw := &o.Switches[i]
		fs = append(fs, checkBalance("switch "+o.Plan.Switches[i].Name, sw.Ports, sw.Resident, false)...)
	}
	return fs
}

// checkDevices checks the balance of each device, PFC included: a device may pass it on.
func checkDevices(o *Outcome) (fs []Finding) {
	for i := range o.Devices {
		device, planned := &o.Devices[i], &o.Plan.Devices[i]
		name := fmt.Sprintf("%s %s", planned.Kind, planned.Name)
		fs = append(fs, checkBalance(name, device.Ports, device.Resident, true)...)
	}
	return fs
}

// checkBalance checks, for the ports of a node, received + made there = sent + dropped + kept + resident, in frames
// and in bytes.
func checkBalance(name string, ports []record.Port, resident Volume, withPFC bool) []Finding {
	var rx, tx, drops Volume
	for i := range ports {
		p := &ports[i]
		rx.Frames += p.RxFrames + p.SourcedFrames - p.SunkFrames
		rx.Bytes += p.RxBytes + p.SourcedBytes - p.SunkBytes
		tx.Frames += p.TxFrames
		tx.Bytes += p.TxBytes
		drops.Frames += dropped(p)
		drops.Bytes += p.DropBytes
		if !withPFC {
			rx.Frames, rx.Bytes = rx.Frames-p.RxPFCFrames, rx.Bytes-p.RxPFCBytes
			tx.Frames, tx.Bytes = tx.Frames-p.TxPFCFrames, tx.Bytes-p.TxPFCBytes
		}
	}
	if rx.Frames == tx.Frames+drops.Frames+resident.Frames && rx.Bytes == tx.Bytes+drops.Bytes+resident.Bytes {
		return nil
	}
	return []Finding{violation("%s: received %d frames (%d B), but %d (%d B) sent, %d (%d B) dropped and %d (%d B) "+
		"resident", name, rx.Frames, rx.Bytes, tx.Frames, tx.Bytes, drops.Frames, drops.Bytes,
		resident.Frames, resident.Bytes)}
}

// dropped returns the number of received frames that a port's node dropped; losses on the link were never received.
func dropped(port *record.Port) (n uint64) {
	for r, k := range port.Drops {
		if !r.IsLinkLoss() {
			n += k
		}
	}
	return n
}

// checkNICs checks, for each NIC and except for PFC, that its flows account for the frames at its port. Received are
// the data packets of the flows that end there (accepted, ahead of a gap, or twice), the ACKs, NAKs and CNPs of the
// flows that begin there, and the frames that no QP would take. Sent are all data packets and no more ACKs, NAKs and
// CNPs than were made, some of which may wait at the end. Frames of connections to real stacks count among the answers.
func checkNICs(o *Outcome) (fs []Finding) {
	type tally struct{ dataOut, dataIn, answersOut, answersIn uint64 }
	tallies := make([]tally, len(o.NICs))
	for i := range o.Flows {
		f, s, r := &o.Plan.Flows[i], o.Flows[i].Sender, o.Flows[i].Receiver
		if f.Carrier != nil {
			continue // its frames are a peer's
		}
		src, dst := &tallies[f.Src], &tallies[f.Dst]
		src.dataOut += s.Packets
		src.answersIn += s.Acks + s.NAKs + s.CNPs
		dst.dataIn += r.Packets + r.OutOfOrder + r.Duplicate
		dst.answersOut += r.ACKs + r.NAKs + r.CNPs
	}
	for _, peer := range o.Peers {
		t := &tallies[peer.NIC]
		t.answersOut += peer.Sent
		t.answersIn += peer.Received
	}
	for i := range o.NICs {
		p, t, name := &o.NICs[i], &tallies[i], o.Plan.NICs[i].Name
		refused := p.Drops[fabric.DropUnknownQP] + p.Drops[fabric.DropWrongPeer] + p.Drops[fabric.DropIntake]
		if rx := p.RxFrames - p.RxPFCFrames; rx != t.dataIn+t.answersIn+refused {
			fs = append(fs, violation("NIC %s: received %d frames, but its flows %d data packets and %d ACKs, NAKs and CNPs, "+
				"and %d were refused",
				name, rx, t.dataIn, t.answersIn, refused))
		}
		if tx := p.TxFrames - p.TxPFCFrames; tx < t.dataOut || tx > t.dataOut+t.answersOut {
			fs = append(fs, violation("NIC %s: sent %d frames, but its flows %d data packets and at most %d ACKs, NAKs and CNPs",
				name, tx, t.dataOut, t.answersOut))
		}
	}
	return fs
}

// checkFlows checks that the two ends of each flow agree: no payload is
// acknowledged that was not delivered, none delivered that was not sent, no
// packet arrives that was not sent or came in at an edge as if it were the flow's,
// and a completed flow is complete.
func checkFlows(o *Outcome) (fs []Finding) {
	got, sent := uint64(0), uint64(0)
	made, filtered := proximalCNPs(o)
	posing, foreignCNPs := posingIn(o)
	for i := range o.Flows {
		flow, sender, receiver := &o.Plan.Flows[i], o.Flows[i].Sender, o.Flows[i].Receiver
		foreign := &posing[i]
		bad := func(format string, args ...any) {
			text := fmt.Sprintf(format, args...)
			if n := foreign.Data + foreign.ACKs; n > 0 {
				text += fmt.Sprintf("; %d data packets, ACKs and NAKs of a host at an edge had the flow's own addresses", n)
			}
			fs = append(fs, violation("flow %s: %s", flow.Name, text))
		}
		arrived := receiver.Packets + receiver.OutOfOrder + receiver.Duplicate
		if sender.Acked > receiver.Bytes {
			bad("%d B acknowledged, but %d B delivered", sender.Acked, receiver.Bytes)
		}
		if flow.Size > 0 && receiver.Bytes > flow.Size {
			bad("%d B delivered of a size of %d B", receiver.Bytes, flow.Size)
		}
		if arrived > sender.Packets+foreign.Data {
			bad("%d packets arrived, but %d were sent", arrived, sender.Packets)
		}
		got, sent = got+sender.CNPs, sent+receiver.CNPs
		if sender.CNPs > receiver.CNPs+foreign.CNPs && made == 0 {
			bad("%d CNPs arrived, but %d were sent", sender.CNPs, receiver.CNPs)
		}
		if sender.Acks > receiver.ACKs+foreign.ACKs {
			bad("%d ACKs arrived, but %d were sent", sender.Acks, receiver.ACKs)
		}
		if sender.NAKs > receiver.NAKs+foreign.ACKs {
			bad("%d NAKs arrived, but %d were sent", sender.NAKs, receiver.NAKs)
		}
		if flow.Size > 0 && flow.Stop == 0 && sender.Completed <= o.End &&
			(sender.Acked != flow.Size || receiver.Bytes != flow.Size) {
			bad("completed with %d B acknowledged and %d B delivered of %d B", sender.Acked, receiver.Bytes, flow.Size)
		}
	}
	if got > sent+made+foreignCNPs-filtered {
		fs = append(fs, violation("%d CNPs arrived, but receivers sent %d, switches %d, and held back %d, and %d went on at "+
			"edges", got, sent, made, filtered, foreignCNPs))
	}
	return fs
}
