package scenario

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func beginning() *Draft {
	return &Draft{
		Name:       "mine",
		Hosts:      16,
		Rate:       400 * unit.Gbps,
		Topology:   "star",
		Jobs:       []string{"incast"},
		Algorithms: []string{"pc4"},
		Length:     unit.Millisecond,
	}
}

// Every topology with every kind of job, and all of them, is a scenario without a problem. Tier: -short. Red: with
// "spines" as "spine" in draft_text.go.
func TestDraftsAreScenarios(t *testing.T) {
	jobs := [][]string{JobKinds}
	for _, kind := range JobKinds {
		jobs = append(jobs, []string{kind})
	}
	for _, topology := range Topologies {
		t.Run(topology, func(t *testing.T) {
			for _, list := range jobs {
				d := beginning()
				d.Topology, d.Jobs = topology, list
				text, err := d.Text()
				if err != nil {
					t.Fatal(err)
				}
				checked, err := Parse("mine.yaml", text, known)
				if err == nil {
					_, err = checked.Plans()
				}
				if err != nil {
					t.Errorf("%s with %v: %v\n%s", topology, list, err, text)
				}
			}
		})
	}
}

// A single job takes its length at line rate, except for headers and two digits of its size.
func TestDraftsAreSizedByTheirLength(t *testing.T) {
	for kind, want := range map[string]string{"incast": "3.3MB", "all-reduce": "26MB", "all-to-all": "53MB"} {
		t.Run(kind, func(t *testing.T) {
			d := beginning()
			d.Jobs = []string{kind}
			if text, err := d.Text(); err != nil || !strings.Contains(string(text), "size: "+want+" ") {
				t.Errorf("%s: want %s (50 MB are sent in 1 ms): %v\n%s", kind, want, err, text)
			}
		})
	}
}

// Wrong values are named with the allowed ones.
func TestDraftsThatAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Draft){
		"hosts 1: allowed are 2 to 65536":    func(d *Draft) { d.Hosts = 1 },
		"rate 0bps: allowed is above 0":      func(d *Draft) { d.Rate = 0 },
		"length 0s: allowed is above 0":      func(d *Draft) { d.Length = 0 },
		"topology ring: allowed are star":    func(d *Draft) { d.Topology = "ring" },
		"job storage: allowed are incast":    func(d *Draft) { d.Jobs[0] = "storage" },
		"allowed is a product, such as 18":   func(d *Draft) { d.Topology, d.Hosts = "leaf-spine", 17 },
		"has k*k*k/4: allowed are 16, 54":    func(d *Draft) { d.Topology, d.Hosts = "fat-tree", 20 },
		"2 collectives have at least two ho": func(d *Draft) { d.Hosts, d.Jobs = 3, []string{"all-reduce", "all-to-all"} },
	} {
		t.Run(want, func(t *testing.T) {
			d := beginning()
			change(d)
			if text, err := d.Text(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q, got %v\n%s", want, err, text)
			}
		})
	}
}
