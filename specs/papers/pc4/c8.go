package pc4

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed c8.yaml
var c8Scenario []byte

var c8 = &reproduce.Row{
	ID:     "C8",
	Title:  "What PC4 asks of a switch, and puts on the wire",
	Source: "Sections I and II",
	Paper:  Paper,
	Doubts: []string{"D11"},
	Reading: "The switch has neither PFC nor ECN, and a buffer of 32 MB with the default share for a port. 16 " +
		"flows of 5 MB, and 1000 of 200 KB from 50 NICs. Frames are counted at the ports to hosts.",
	Scenario: c8Scenario,
	Columns:  Columns,
	Seeds:    seeds,
	Red:      "the row judges the losses",
	Quick:    reproduce.Form{Seeds: seeds[:1], About: "one seed"},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		add := func(column, in, variant, suffix string) {
			for _, form := range []struct{ hosts, name string }{{"17", "16 flows"}, {"51", "1000 flows"}} {
				runs := r.Of(in, variant, "topology.hosts="+form.hosts)
				name := form.name + suffix
				list = append(list,
					runs.Metric(column, "lost, "+name, "frames", "drops"),
					runs.Metric(column, "unfinished, "+name, "flows", "incomplete"),
					runs.Figure(column, "marks and pauses, "+name, "", func(run *reproduce.Run) float64 {
						return run.Metric("marks") + run.Metric("pauses")
					}),
					runs.Figure(column, "frames beside data and ACKs, "+name, "", framesBeside),
					runs.Figure(column, "wire bytes a packet, "+name, "B", wireBytesAPacket))
			}
		}
		for _, column := range r.Columns() {
			add(column, column, "pc4", "")
			add(column, column, "1pkt", ", 1pkt")
		}
		add("dcqcn", "evidence", "dcqcn", "")
		return list
	},
}

// framesBeside counts the frames that hosts sent which are neither data nor answers to it.
func framesBeside(run *reproduce.Run) (count float64) {
	for line := range run.Lines("ports.csv") {
		if line.Text("node") == "s0" {
			count += line.Number("rx_frames") + line.Number("rx_pfc_frames")
		}
	}
	for line := range run.Lines("flows.csv") {
		count -= line.Number("sent_packets") + line.Number("acks_sent") + line.Number("naks_sent")
	}
	return count
}

// wireBytesAPacket is what a data packet takes on the wire.
func wireBytesAPacket(run *reproduce.Run) float64 {
	bytes, packets := 0.0, 0.0
	for line := range run.Lines("flows.csv") {
		bytes += line.Number("sent_wire_bytes")
		packets += line.Number("sent_packets")
	}
	return bytes / packets
}
