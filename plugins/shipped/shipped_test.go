package shipped

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func TestFind(t *testing.T) {
	var names []string
	for _, a := range All() {
		name := a.Describe().Name
		names = append(names, name)
		if found, ok := Find(name); !ok || found.Describe().Name != name {
			t.Errorf("Find(%q) = %v, %v", name, found, ok)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(All()) {
		t.Errorf("names are not sorted and unique: %v", names)
	}
	if _, ok := Find("cubic"); ok {
		t.Error("found an algorithm that is not shipped")
	}
}

// Every algorithm can be made with nothing given, and every parameter is
// documented, has a value of its own kind as default and keeps its bounds.
func TestDescriptions(t *testing.T) {
	for _, a := range All() {
		d := a.Describe()
		p, err := hosting.Parse(d, nil)
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		if _, err := a.New(p); err != nil {
			t.Errorf("%s with defaults: %v", d.Name, err)
		}
		if d.Version == "" || d.Summary == "" || d.Source == "" {
			t.Errorf("%s: incomplete description", d.Name)
		}
		for _, q := range d.Params {
			if q.Doc == "" || q.Source == "" {
				t.Errorf("%s: parameter %s lacks doc or source", d.Name, q.Name)
			}
			if q.Default == "" && !strings.Contains(strings.ToLower(q.Doc), "default") {
				t.Errorf("%s: parameter %s has neither a default nor a word on it", d.Name, q.Name)
			}
			for _, c := range q.Choices {
				if !strings.Contains(q.Doc, c) && c != "nvidia" && c != "paper" {
					t.Errorf("%s: parameter %s does not say what %s means", d.Name, q.Name, c)
				}
			}
		}
	}
}

// setting has the inputs of the fuzz target for an algorithm: the parameters given and the least rate that it may
// decide on.
type setting struct {
	algorithm string
	given     map[string]string
	floor     unit.BitRate
}

// settings are every shipped algorithm at its defaults, and others with which some have more to show.
var settings = slices.Concat(chosen, defaults(chosen))

// defaults returns the settings of the shipped algorithms that chosen leaves out.
func defaults(chosen []setting) (list []setting) {
	for _, a := range All() {
		name := a.Describe().Name
		if !slices.ContainsFunc(chosen, func(s setting) bool { return s.algorithm == name && s.given == nil }) {
			list = append(list, setting{algorithm: name, floor: 1})
		}
	}
	return list
}

// An algorithm is played with although no list of tests names it.
func TestEveryAlgorithmIsPlayedWith(t *testing.T) {
	if got := len(defaults(nil)); got != len(All()) {
		t.Errorf("%d of %d algorithms have a setting of their own", got, len(All()))
	}
	for _, a := range All() {
		name := a.Describe().Name
		if !slices.ContainsFunc(settings, func(s setting) bool { return s.algorithm == name && s.given == nil }) {
			t.Errorf("%s is not played with at its defaults", name)
		}
	}
}

var chosen = []setting{
	{"dcqcn", nil, unit.Mbps},
	{"dcqcn", map[string]string{"set": "paper"}, unit.Mbps},
	{"dcqcn", map[string]string{"clamp_tgt_rate": "true", "rpg_min_rate": "1Gbps", "rpg_min_dec_fac": "0", "rpg_gd": "5"},
		unit.Gbps},
	{"dcqcn", map[string]string{"recovery": "rtt", "recovery_jitter": "1", "cnp_jitter": "50us"}, unit.Mbps},
	{"dcqcn", map[string]string{"set": "paper", "recovery": "rtt", "rtt_step": "factor", "rtt_in_cnp": "true",
		"alpha": "fraction"}, unit.Mbps},
	{"dcqcn", map[string]string{"recovery": "rir", "alpha": "fraction", "cnp_jitter": "10us"}, unit.Mbps},
	{"none", nil, 100 * unit.Gbps},
	{"dctcp", nil, 100 * unit.Mbps},
	{"dctcp", map[string]string{"window": "none", "min_rate": "1bps", "g": "1"}, 1},
	{"dctcp", map[string]string{"form": "window"}, 100 * unit.Gbps},
	{"hpcc", nil, 100*unit.Mbps - 1},
	{"hpcc", map[string]string{"form": "rate", "multi_rate": "true", "max_stage": "0", "min_rate": "1Gbps"}, unit.Gbps},
	{"pc4", nil, unit.Mbps},
	{"pc4", map[string]string{"zero_reading": "literal", "pace": "paper", "feedback": "any", "cwnd_rtt": "measured",
		"cwnd_update": "always", "min_rate": "1bps"}, 1},
	{"pc4", map[string]string{"base_rate": "false", "beta": "0", "zero_reading": "literal", "cwnd_update": "indent"},
		unit.Mbps},
	{"pc4", map[string]string{"set": "earlier", "first_rtt": "12pkt"}, unit.Mbps},
	{"pc4", map[string]string{"set": "return-to-base", "zero_reading": "literal", "pull": "1", "sub_gain": "1",
		"tq_path": "0.5", "tq_noise": "100", "min_cwnd": "0.000001", "min_rate": "1bps"}, 1},
	{"fixed", map[string]string{"rate": "7Gbps", "window": "3KB"}, 7 * unit.Gbps},
	{"pidnn", nil, unit.Gbps},
	{"pidnn", map[string]string{"rttch": "on", "window": "on", "learn": "true", "e_norm": "off"}, unit.Gbps},
	{"pidnn", map[string]string{"predictor": "off", "rttch": "literal", "rttch_num": "0", "kp": "100", "kd": "-100",
		"delta_min": "-0.999", "delta_max": "100", "min_rate": "1bps"}, 1},
	{"swift", nil, 100 * unit.Gbps},
	{"swift", map[string]string{"path_scaling": "base_rtt", "endpoint_target": "1ns", "ai": "100", "beta": "10",
		"max_mdf": "1", "min_cwnd": "0.000001"}, 100 * unit.Gbps},
	{"timely", nil, 10 * unit.Mbps},
	{"timely", map[string]string{"set": "paper", "hai_stage": "increases", "window": "fixed", "beta": "10",
		"min_rate": "1bps"}, 1},
	{"timely", map[string]string{"variant": "patched", "update": "completion", "segment": "16KB", "window": "rate",
		"min_rate": "1Gbps"}, unit.Gbps},
}

// transcriptOf plays random events to a sender, calls each decision and returns the
// transcript.
func transcriptOf(t *testing.T, which int, seed uint64, events int) []byte {
	t.Helper()
	set := settings[which%len(settings)]
	a, _ := Find(set.algorithm)
	p, err := hosting.Parse(a.Describe(), set.given)
	if err != nil {
		t.Fatal(err)
	}
	controller, err := a.New(p)
	if err != nil {
		t.Fatal(err)
	}
	f := cctest.Facts()
	s := controller.NewSender(f)
	c := chance.New(seed, "life")
	d := cc.Decision{Rate: f.LineRate}
	e := cc.Event{Kind: cc.EventStart}
	var out bytes.Buffer
	for range events {
		s.Handle(&e, &d)
		if d.Rate < set.floor || set.algorithm != "fixed" && d.Rate > f.LineRate || d.Window < 0 || d.Gap < 0 ||
			d.WakeAt < 0 || d.WakeBytes < 0 {
			t.Fatalf("%s %v: %+v after %+v", set.algorithm, set.given, d, e)
		}
		fmt.Fprintln(&out, e.Now, e.Kind, d)
		kind := cc.EventKind(1 + c.Below(6))
		step := unit.Duration(c.Below(1 << c.Below(34)))
		e.Kind, e.Now = kind, e.Now.Add(step)
		if d.WakeAt != 0 && d.WakeAt <= e.Now {
			e.Kind, e.Now, d.WakeAt = cc.EventTimer, max(d.WakeAt, e.Now-unit.Time(step)), 0
		}
		e.Sent += unit.Bytes(c.Below(1 << c.Below(24)))
		e.Clock = e.Now.Nanoseconds() + c.Between(-2000, 2000)
		e.Echo = e.Clock - c.Between(-100, 20_000)
		e.RTT = unit.Duration(c.Between(-10_000, 1<<c.Between(20, 34)))
		e.CNPRate = 0
		if e.Kind == cc.EventCNP && c.Below(2) == 0 {
			e.CNPRate = min(f.LineRate, unit.Mbps<<c.Below(20))
		}
		e.OneWayDelay = unit.Duration(c.Between(-3000, 1<<c.Between(5, 30))) * unit.Nanosecond
		e.BaseRate = unit.BitRate(c.Between(0, 200_000_000>>c.Between(0, 20))) * unit.Kbps
		if c.Below(8) == 0 { // where the literal reading divides by zero
			e.OneWayDelay = -f.Baseline
		}
	}
	return out.Bytes()
}

func FuzzDecisions(f *testing.F) {
	for i := range settings {
		f.Add(uint64(i), i)
	}
	f.Fuzz(func(t *testing.T, seed uint64, which int) {
		transcriptOf(t, max(which, 0), seed, 300)
	})
}

func TestRepeats(t *testing.T) {
	for i := range settings {
		if !bytes.Equal(transcriptOf(t, i, 42, 3000), transcriptOf(t, i, 42, 3000)) {
			t.Errorf("%v: two lives of one seed differ", settings[i])
		}
	}
}
