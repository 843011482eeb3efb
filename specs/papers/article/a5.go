package article

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

//go:embed a5.yaml
var a5Scenario []byte

var a5 = &reproduction.Row{
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
	Quick: reproduction.Form{
		Set:      map[string]string{"run.until": "10ms"},
		Variants: []string{"two", "sixteen", "sixteen-24MB"},
		Seeds:    []uint64{1, 2, 3},
		About:    "10 ms in place of 40, three seeds, without two-paper",
	},
	Measure: measureA5,
	Criteria: []reproduction.Criterion{
		{
			Name:  "utilisation, 2 to 1",
			Text:  "utilisation falls nowhere by more than 2 % as Kmin rises, with two senders",
			Grade: reproduction.Pass,
			Holds: rising("two", 0.02),
			Miss: &reproduction.Miss{
				Why: "with Kmin from 50 to 375 KB two flows swing together, each 170 us: the byte counter (2 MB) " +
					"takes both beyond half of the port, cuts bring them to 3/4 of that, and so again. A cut " +
					"lowers the target only where the timer (300 us) expired since the last one, so the target " +
					"stays at 3/4 of the line. Below and above, the timer did expire, and the target is half of " +
					"the line. With a timer of 100 us, or without the byte counter, the port is busy with these, " +
					"too",
				Command: "rocelab run specs/papers/article/a5.yaml --variant two --set switch.ecn.kmin=50KB " +
					"--set switch.ecn.kmax=150KB --set algorithm.params.rpg_time_reset=100us",
			},
		},
		{
			Name:  "utilisation, 16 to 1",
			Text:  "utilisation falls nowhere by more than 2 % as Kmin rises, with sixteen senders",
			Grade: reproduction.Pass,
			Holds: rising("sixteen", 0.02),
		},
		{
			Name:  "pauses",
			Text:  "pauses become no fewer as Kmin rises, with 32 MB and with 24 MB",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				ok, text := noFewerPauses(f, "sixteen")
				ok24, text24 := noFewerPauses(f, "sixteen-24MB")
				return ok && ok24, text + "; " + text24
			},
		},
		{
			Name:  "optimum, 2 to 1",
			Text:  "at 1.5 BDP utilisation is at least 95 % of the largest, with two senders",
			Grade: reproduction.Pass,
			Holds: atOptimum("two"),
			Miss: &reproduction.Miss{
				Why:     "of the same: at 375 KB two flows are in that cycle",
				Command: "rocelab reproduce A5",
			},
		},
		{
			Name:  "optimum, 16 to 1",
			Text:  "at 1.5 BDP utilisation is at least 95 % of the largest, with sixteen senders",
			Grade: reproduction.Pass,
			Holds: atOptimum("sixteen"),
		},
	},
}

// kminsOfA5 are the values of Kmin in KB, of which optimum are 1.5 BDP.
var kminsOfA5 = []string{"10", "20", "50", "100", "200", "375", "500", "1000"}

const optimum = "375"

func utilisationOf(variant, kmin string) string {
	return "utilisation, " + variant + ", " + kmin + " KB"
}

func pausesOf(variant, kmin string) string { return "pauses, " + variant + ", " + kmin + " KB" }

// framing is what a frame of 1000 B takes on the wire over what a port counts of it, which leaves
// FCS, preamble and gap away.
const framing = 1082.0 / 1058

func measureA5(r *reproduction.Results) (list []reproduction.Figure) {
	for _, variant := range r.Variants() {
		for _, kmin := range kminsOfA5 {
			runs := r.Of("", variant, "switch.ecn.kmin="+kmin+"KB")
			list = append(list,
				runs.Figure("", utilisationOf(variant, kmin), "", func(run *reproduction.Run) float64 {
					sent := run.Series("series_ports.csv", "tx_bytes", "node=s0", "port=16")
					end := float64(len(sent.Values)) * sent.Width
					perMicrosecond := reproduction.Mean(sent.Between(end/2, end)) / sent.Width
					return perMicrosecond * framing * 8 / 400e3
				}),
				runs.Metric("", pausesOf(variant, kmin), "", "pauses"))
		}
	}
	return list
}

// rising holds if utilisation with each Kmin is at least what it is with any smaller one, but
// for a share of it.
func rising(variant string, share float64) func(reproduction.Figures) (bool, string) {
	return func(f reproduction.Figures) (bool, string) {
		holds, most, texts := true, 0.0, []string{}
		for _, kmin := range kminsOfA5 {
			utilisation := f.Median(utilisationOf(variant, kmin))
			holds = holds && utilisation >= (1-share)*most
			most = max(most, utilisation)
			texts = append(texts, fmt.Sprintf("%.3f", utilisation))
		}
		return holds, strings.Join(texts, " ")
	}
}

func noFewerPauses(f reproduction.Figures, variant string) (bool, string) {
	holds, most, texts := true, 0.0, []string{}
	for _, kmin := range kminsOfA5 {
		pauses := f.Median(pausesOf(variant, kmin))
		holds = holds && pauses >= most
		most = max(most, pauses)
		texts = append(texts, fmt.Sprintf("%.0f", pauses))
	}
	return holds, strings.Join(texts, " ")
}

// atOptimum holds if utilisation at 1.5 BDP is 95 % of the largest and more.
func atOptimum(variant string) func(reproduction.Figures) (bool, string) {
	return func(f reproduction.Figures) (bool, string) {
		most := 0.0
		for _, kmin := range kminsOfA5 {
			most = max(most, f.Median(utilisationOf(variant, kmin)))
		}
		share := f.Median(utilisationOf(variant, optimum)) / most
		return share >= 0.95, fmt.Sprintf("%.3f of %.3f", share, most)
	}
}
