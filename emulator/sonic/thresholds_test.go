package sonic

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Thresholds come out as the two profiles that hold them.
func TestProfiles(t *testing.T) {
	of := Thresholds{
		Kmin:         1 << 20,
		Kmax:         2 << 20,
		Pmax:         0.05,
		Alpha:        0.125,
		Reserve:      1248,
		Headroom:     165568,
		ResumeOffset: 2288,
		Rate:         100 * unit.Gbps,
		Length:       300 * unit.Metre,
	}
	config, lines := of.Profiles()
	want := Config{
		"WRED_PROFILE": {"AZURE_LOSSLESS": {
			"ecn":                     "ecn_all",
			"wred_green_enable":       "true",
			"green_min_threshold":     "1048576",
			"green_max_threshold":     "2097152",
			"green_drop_probability":  "5",
			"wred_yellow_enable":      "true",
			"yellow_min_threshold":    "1048576",
			"yellow_max_threshold":    "2097152",
			"yellow_drop_probability": "5",
			"wred_red_enable":         "true",
			"red_min_threshold":       "1048576",
			"red_max_threshold":       "2097152",
			"red_drop_probability":    "5",
		}},
		"BUFFER_PROFILE": {"pg_lossless_100000_300m_profile": {
			"pool":       "ingress_lossless_pool",
			"size":       "1248",
			"xoff":       "165568",
			"xon_offset": "2288",
			"dynamic_th": "-3",
		}},
	}
	if !reflect.DeepEqual(config, want) || len(lines) > 0 {
		t.Errorf("%s\n%v", config.JSON(), lines)
	}
	again := Config{}
	if err := json.Unmarshal(config.JSON(), &again); err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("%v, %v", again, err)
	}
}

// What SONiC cannot have as it is, is rounded, and said with both numbers.
func TestProfilesRound(t *testing.T) {
	for _, c := range []struct {
		pmax, alpha             float64
		percent, power          string
		saidPercent, saidPowers string
	}{
		{0.015, 0.1, "2", "-3", "1.5 % to 2 %", "alpha 0.1 to alpha 0.125"},
		{0.001, 8, "1", "3", "0.1 % to 1 %", ""},
		{1, 5000, "100", "10", "", "alpha 5000 to alpha 1024"},
		{0, 1, "0", "0", "", ""},
	} {
		t.Run(c.percent, func(t *testing.T) {
			of := Thresholds{
				Kmin:  1000,
				Kmax:  2000,
				Pmax:  c.pmax,
				Alpha: c.alpha,
				Rate:  unit.Gbps,
			}
			config, lines := of.Profiles()
			said := map[string]string{}
			for _, l := range lines {
				said[l.Path] = l.Was + " to " + l.Is
			}
			const name = "pg_lossless_1000_0m_profile"
			if p := config["WRED_PROFILE"][wredName]["green_drop_probability"]; p != c.percent ||
				said["/WRED_PROFILE/AZURE_LOSSLESS/green_drop_probability"] != c.saidPercent {
				t.Errorf("Pmax %v: %s, %v", c.pmax, p, said)
			}
			if p := config["BUFFER_PROFILE"][name]["dynamic_th"]; p != c.power ||
				said["/BUFFER_PROFILE/"+name+"/dynamic_th"] != c.saidPowers {
				t.Errorf("alpha %v: %s, %v", c.alpha, p, said)
			}
		})
	}
}

func TestPointer(t *testing.T) {
	if p := pointer("QUEUE", "Eth1/1~|3-4", "scheduler"); p != "/QUEUE/Eth1~11~0|3-4/scheduler" {
		t.Error(p)
	}
}
