package scenario

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/tier"
)

// overridesTried are laid over every shipped scenario; what a scenario refuses
// is left away for it.
var overridesTried = []map[string]string{
	nil,
	{"seed": "7"},
	{"switch.ecn.kmin": "90KB", "switch.ecn.kmax": "300KB"},
	{"switch": "{buffer: 24MB}", "nic.rto.floor": "30ms", "nic.rto.initial": "30ms", "mtu": "2048B"},
	{"algorithm": "dcqcn"},
	{"algorithm": "{name: timely, params: {beta: 0.7}}", "run.until": "3ms"},
	{"algorithm.name": "pc4"},
	{"traffic.size": "3MB"},
	{"traffic.0.size": "2MB", "traffic.0.name": "first", "traffic.start": "5us"},
	{"traffic.0.algorithm": "dcqcn"},
	{"traffic.incast": "{name: incast, kind: incast, size: 1MB, algorithm: {name: dcqcn, params: {g: 0.01}}}"},
	{"expect.checks": `["drops == 0", "jain >= 0.1"]`, "record.interval": "10us"},
	{"expect": "{congestion: any}", "name": `"12"`},
	{"variants.0.algorithm.params.x": "1", "variants.1.switch.ecn.kmin": "80KB", "switch.ecn.kmin": "70KB"},
	{"variants": "[{name: one}, {name: two, algorithm: dcqcn}]", "topology.latency": "2us"},
	// A comment names them, and YAML ends a line at each.
	{"switch.ecn.kmin": "\r0KB", "switch.ecn.kmax": "\r\n300KB\r"},
	{"algorithm.params.x": "on", "faults": "[{host: h0, from: 1ms}]"},
}

// A resolved scenario gives the plans of its source with the overrides: every
// day for each scenario a third of them, in turn.
func TestResolvedGivesTheSamePlans(t *testing.T) {
	tier.Everyday(t)
	accepted := make([]int, len(overridesTried))
	for turn, file := range shippedScenarios(t) {
		for i, overrides := range overridesTried {
			if (turn+i)%3 != 0 && !tier.RunsSlow() {
				continue
			}
			s, err := Load(file, known, WithOverrides(overrides))
			if err != nil {
				continue
			}
			accepted[i]++
			checkResolved(t, s)
		}
	}
	for i, n := range accepted {
		if n == 0 {
			t.Errorf("no scenario accepts %v", overridesTried[i])
		}
	}
}

// checkResolved compares the plans of s with those of its resolved file, as
// a file of another name.
func checkResolved(t *testing.T, s *Scenario) {
	t.Helper()
	again, err := Parse("resolved.yaml", s.Resolved(), known)
	if err != nil {
		t.Errorf("%s with %v: %v in\n%s", s.File, s.opts.overrides, err, s.Resolved())
		return
	}
	want, got := withoutLines(t, s), withoutLines(t, again)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s with %v gives other plans resolved:\n%s", s.File, s.opts.overrides, s.Resolved())
	}
}

// withoutLines are the plans of a scenario without the lines of its file.
func withoutLines(t *testing.T, s *Scenario) []*plan.Plan {
	t.Helper()
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plans {
		for i := range p.Expect.Checks {
			p.Expect.Checks[i].Line = 0
		}
		for i := range p.Links {
			p.Links[i].Line = 0
		}
	}
	return plans
}

// The resolved text is the source with the overrides in their places.
func TestResolvedKeepsTheSource(t *testing.T) {
	src, err := os.ReadFile("testdata/resolved/source.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse("source.yaml", src, known)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(s.Resolved()); got != string(src) {
		t.Errorf("without overrides it is\n%s", got)
	}
	for golden, overrides := range map[string]map[string]string{
		"values":     {"switch.ecn.kmin": "90KB", "traffic.incast.size": "2MB", "seed": "4"},
		"keys":       {"nic.rto.floor": "30ms", "traffic.late.message": "64KB", "topology.latency": "2us"},
		"algorithm":  {"algorithm": "dcqcn"},
		"parameters": {"algorithm.params.x": "1", "variants.quick.algorithm.params.y": "2"},
		"variants":   {"variants": "[{name: one}, {name: two, mtu: 512B}]", "expect.checks": "[drops > 0]"},
	} {
		t.Run(golden, func(t *testing.T) {
			s, err := Parse("source.yaml", src, known, WithOverrides(overrides))
			if err != nil {
				t.Fatal(err)
			}
			checkResolved(t, s)
			name := filepath.Join("testdata/resolved", golden+".yaml")
			if *rewrite {
				if err := os.WriteFile(name, s.Resolved(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(s.Resolved()); got != string(want) {
				t.Errorf("%v resolved is\n%swant:\n%s", overrides, got, want)
			}
		})
	}
}

// Whatever way a source is written in, its resolved file says the same.
func TestResolvedOfAnyWriting(t *testing.T) {
	overrides := map[string]string{
		"seed":            "4",
		"switch.ecn.kmin": "90KB",
		"traffic.size":    "2MB",
		"traffic.start":   "5us",
		"algorithm":       "{name: dcqcn, params: {x: \"on\", y: 'a, b', z: \"1\"}}",
	}
	for what, src := range map[string]string{
		"JSON": `{"topology": {"kind": "star"}, "switch": {"ecn": {"kmin": "50KB"}},` +
			` "traffic": [{"kind": "incast", "size": "1MB", "algorithm": "pc4"}]}`,
		"trailing commas": "topology: {kind: star,}\nswitch: {ecn: {}, }\n" +
			"traffic: [{kind: incast, size: 1MB,},]\nalgorithm: pc4",
		"no line feed at the end": "algorithm: pc4\nswitch: {}\ntopology: {kind: star}\n" +
			"traffic:\n- kind: incast\n  size: 1MB",
		"carriage returns": "topology:\r\n  kind: star\r\ntraffic:\r\n  - kind: incast\r\n    size: 1MB\r\n" +
			"algorithm: pc4\r\n",
		"key of its own": "algorithm:\n  pc4\ntopology:\n  # which?\n  kind:\n    star\ntraffic:\n  -\n    kind: incast\n" +
			"    size: # big\n      1MB\n    # the end\nswitch:\n  ecn:\n    kmax: 400KB\n\n  # more\n  buffer: 16MB\n",
		"quotes": "'algorithm': 'pc4'\n\"topology\": {\"kind\": 'star'}\ntraffic: [{'kind': \"incast\", size: '1MB'}]\n",
		"folded": "algorithm: >-\n  pc4\ntopology: {kind: star}\ntraffic:\n  - kind: incast\n    size: |\n      1MB\n" +
			"    algorithm: >-\n      pc4\n    start: 1us\n",
	} {
		t.Run(what, func(t *testing.T) {
			s, err := Parse("writing.yaml", []byte(src), known, WithOverrides(overrides))
			if err != nil {
				t.Fatal(err)
			}
			checkResolved(t, s)
			if again, err := Parse("writing.yaml", s.Resolved(), known); err != nil || again.Name != "writing" {
				t.Errorf("%v, resolved:\n%s", err, s.Resolved())
			}
		})
	}
}
