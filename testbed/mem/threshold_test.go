package mem_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// Ports over the fibre mark at thresholds of their own: queues.csv has what a switch marks by, and
// nothing where its ports over the fibre mark no frame. Tier: -short. Red where queues.csv takes
// the thresholds of other ports for those.
func TestThresholdsOfPortsOverTheFibre(t *testing.T) {
	const scenario = `
name: fibre
topology: {kind: two-dc, scale: 1/64, dci_links: 1, dci_rate: 50Gbps, dci_wan: {length: 2km}}
algorithm: dcqcn
switch: {ecn: {kmin: 100KB, kmax: 400KB}, dci: {ecn: {enabled: ON, kmin: 30KB, kmax: 50KB}}}
traffic:
  - {kind: flow, from: a-h0, to: b-h0, size: 300KB}
  - {kind: flow, from: a-h1, to: b-h1, size: 300KB}
  - {kind: flow, from: a-h2, to: b-h2, size: 300KB}
  - {kind: flow, from: a-h3, to: b-h3, size: 300KB}
`
	for on, want := range map[string]string{"true": "30000 50000", "false": " "} {
		t.Run(on, func(t *testing.T) {
			o := done(t, plansOf(t, strings.Replace(scenario, "ON", on, 1)), 1)
			dir := filepath.Join(t.TempDir(), "run")
			folder, err := result.Create(dir)
			if err != nil {
				t.Fatal(err)
			}
			summary := result.Summarise(o)
			if err := folder.WriteRun("", o, summary, result.Judge(o, summary)); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(dir + ".part/queues.csv")
			if err != nil {
				t.Fatal(err)
			}
			rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			column := map[string]int{}
			for i, name := range rows[0] {
				column[name] = i
			}
			fibre, others := 0, 0
			for _, row := range rows[1:] {
				cell := func(name string) string { return row[column[name]] }
				ofSwitch := strings.Contains(cell("node"), "spine") || strings.Contains(cell("node"), "leaf")
				if cell("treatment") == "control" || !ofSwitch {
					continue
				}
				got := cell("kmin_bytes") + " " + cell("kmax_bytes")
				switch {
				case strings.HasPrefix(cell("peer"), "wan"):
					fibre++
					if got != want || (cell("ecn_marked_frames") != "0") != (on == "true") {
						t.Errorf("ECN over the fibre %s: %s:%s marks by %q, want %q, and marked %s frames", on, cell("node"),
							cell("port"), got, want, cell("ecn_marked_frames"))
					}
				case got == want:
					t.Errorf("%s:%s has the thresholds of the fibre", cell("node"), cell("port"))
				default:
					others++
				}
			}
			if fibre == 0 || others == 0 {
				t.Errorf("%d queues over the fibre, %d others", fibre, others)
			}
		})
	}
}
