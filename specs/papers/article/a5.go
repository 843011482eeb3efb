package article

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed a5.yaml
var a5Scenario []byte

var a5 = &reproduce.Row{
	ID:     "A5",
	Title:  "Kmin of 1.5 BDP: throughput below, pauses above",
	Source: "Kmin/Kmax calibration curves",
	Paper:  Paper,
	Doubts: []string{"D5"},
	Reading: "BDP is that of 400 Gb/s and 5 us as the article has it, so that 1.5 BDP are 375 KB. Utilisation is " +
		"of the second half of the run, pauses are of all of it. With 32 MB hardly anything is paused, so that " +
		"16-to-1 is run with 24 MB, too. Variant two-paper is printed beside them.",
	Scenario: a5Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick: reproduce.Form{
		Set:      map[string]string{"run.until": "10ms"},
		Variants: []string{"two", "sixteen", "sixteen-24MB"},
		Seeds:    []uint64{1, 2, 3},
		About:    "10 ms in place of 40, three seeds, without two-paper",
	},
	Measure: measureA5,
}

// kminsOfA5 are the values of Kmin in KB, of which optimum are 1.5 BDP.
var kminsOfA5 = []string{"10", "20", "50", "100", "200", "375", "500", "1000"}

func utilisationOf(variant, kmin string) string {
	return "utilisation, " + variant + ", " + kmin + " KB"
}

func pausesOf(variant, kmin string) string { return "pauses, " + variant + ", " + kmin + " KB" }

// framing is what a frame of 1000 B takes on the wire over what a port counts of it, which leaves
// FCS, preamble and gap away.
const framing = 1082.0 / 1058

func measureA5(r *reproduce.Results) (list []reproduce.Figure) {
	for _, variant := range r.Variants() {
		for _, kmin := range kminsOfA5 {
			runs := r.Of("", variant, "switch.ecn.kmin="+kmin+"KB")
			list = append(list,
				runs.Figure("", utilisationOf(variant, kmin), "", func(run *reproduce.Run) float64 {
					sent := run.Series("series_ports.csv", "tx_bytes", "node=s0", "port=16")
					end := float64(len(sent.Values)) * sent.Width
					perMicrosecond := reproduce.Mean(sent.Between(end/2, end)) / sent.Width
					return perMicrosecond * framing * 8 / 400e3
				}),
				runs.Metric("", pausesOf(variant, kmin), "", "pauses"))
		}
	}
	return list
}
