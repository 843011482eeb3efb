package hardware_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/experiments"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

// The quick form of every record comes out as it is recorded, and misses a band for a documented reason only.
// Tier: everyday, two seconds of a processor. Red: with buffer: 62MB in scenarios/sonic-s3.yaml.
func TestRecordsAreAsRecorded(t *testing.T) {
	tier.Everyday(t)
	figures, err := reproduce.ReadRecorded(experiments.RecordedHardware)
	if err != nil {
		t.Fatal(err)
	}
	work := &reproduce.Work{Out: t.TempDir(), Jobs: 2, Say: func(text string) { t.Log(text) }}
	for _, row := range published.Hardware().Rows {
		work.List = append(work.List, lab.Site.Plan(row, false, nil))
	}
	var judged []*reproduce.Judged
	err = work.Do(t.Context(), func(one *reproduce.Judged) error {
		if judged = append(judged, one); one.Red() {
			t.Errorf("%s is out of a band without a documented reason, or has no figures: %v", one.Row.ID, one.Err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range figures.Differences(judged) {
		t.Error(line)
	}
	t.Log(reproduce.ScoreOfHardware(published.Hardware().Lines(judged)))
}

// Bands are those under which figures were judged, or the changelog has the reason. Tier: -short. Red: with another
// band of any figure.
func TestBandsStand(t *testing.T) {
	recorded, err := reproduce.ReadRecorded(experiments.RecordedHardware)
	if err != nil {
		t.Fatal(err)
	}
	changelog, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	records := published.Hardware()
	for _, line := range records.Registry.Check(records.Rows, recorded, reproduce.ReadChanges(changelog)) {
		t.Error(line)
	}
	for _, row := range records.Rows {
		for _, full := range []bool{false, true} {
			t.Run(fmt.Sprintf("full=%v", full), func(t *testing.T) {
				if recorded.Of(row.ID, full) == nil {
					t.Errorf("%s is not recorded in both forms", row.ID)
				}
			})
		}
	}
}

const folder = "../../docs/findings"

// HARDWARE.md and its pictures are made of hardware.json; `rocelab reproduce --hardware --record
// experiments/recorded --pages docs/findings` writes them anew.
func TestPageIsOfRecordedFigures(t *testing.T) {
	recorded, err := reproduce.ReadRecorded(experiments.RecordedHardware)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := published.WriteHardware(&page, published.Hardware(), recorded); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"HARDWARE.md": page.String()}
	for name, text := range published.Hardware().Pictures(recorded) {
		want["hardware/"+name] = text
	}
	files, err := filepath.Glob(folder + "/hardware/*.svg")
	if err != nil || len(files) != len(want)-1 {
		t.Errorf("%d pictures are there (%v), drawn are %d", len(files), err, len(want)-1)
	}
	for name, text := range want {
		t.Run(name, func(t *testing.T) {
			if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != text {
				t.Errorf("%s is not of hardware.json and the records as they are (%v): go run ./cmd/rocelab reproduce --hardware "+
					"--record experiments/recorded --pages docs/findings writes it anew", name, err)
			}
		})
	}
}

// The chip sonic-400g has the numbers that R01, R02 and R03 were fitted with. Tier: -short. Red: with another buffer of
// the chip.
func TestProfileHasTheFittedNumbers(t *testing.T) {
	var chip profile.Switch
	profile.ChipNamed("sonic-400g").Give(&chip)
	for _, id := range []string{"R01", "R02", "R03"} {
		t.Run(id, func(t *testing.T) {
			parsed, err := lab.Site.Parse(id, published.Hardware().Of(id).Row.Scenario, nil)
			if err != nil {
				t.Fatal(err)
			}
			plans, err := parsed.Plans()
			if err != nil {
				t.Fatal(err)
			}
			got := &plans[0].Switches[0].Profile
			if got.Buffer != chip.Buffer || got.Alpha != chip.Alpha || got.AlphaRate != chip.AlphaRate ||
				got.Latency != chip.Latency || got.ResumeOffset != chip.ResumeOffset {
				t.Errorf("%s has %v, alpha %g at %v, latency %v, resume offset %v; the chip %v, %g at %v, %v, %v", id, got.Buffer,
					got.Alpha, got.AlphaRate, got.Latency, got.ResumeOffset, chip.Buffer, chip.Alpha, chip.AlphaRate, chip.Latency,
					chip.ResumeOffset)
			}
		})
	}
}
