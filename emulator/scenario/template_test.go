package scenario

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const swept = `name: swept
topology: {kind: star, hosts: 5, rate: 100Gbps}
switch: {buffer: 16MB, ecn: {kmin: 100KB, kmax: 400KB}}
algorithm: dcqcn
traffic:
  - {name: a, kind: incast, senders: 4, size: 100KB}
variants:
  - {name: one}
  - {name: two, algorithm: {name: pc4, params: {x: 1}}}
`

func templateOf(t *testing.T, src string, opts ...Option) *Template {
	t.Helper()
	s, err := Parse("s.yaml", []byte(src), nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s.Template()
}

func formOf(t *testing.T, tpl *Template, run Run) string {
	t.Helper()
	form, err := tpl.Form(run)
	if err != nil {
		t.Fatal(err)
	}
	text := string(form.Text)
	for _, a := range form.Algorithms {
		text += fmt.Sprintf(" %s%v", a.Name, a.Params)
	}
	return text
}

// Two ways to write a run have one form, two runs have two.
func TestTemplateForm(t *testing.T) {
	want := formOf(t, templateOf(t, swept), Run{Variant: "one"})
	change := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(swept) }
	for what, src := range map[string]string{
		"a comment":     "# hello\n" + swept,
		"the name":      change("swept", "other"),
		"a unit":        change("100KB", "0.1MB", "100Gbps", "0.1Tbps"),
		"order of keys": change("{kmin: 100KB, kmax: 400KB}", "{kmax: 400KB, kmin: 100000B}"),
		"a block": change("topology: {kind: star, hosts: 5, rate: 100Gbps}",
			"topology:\n  hosts: 5\n  rate: 100G\n  kind: star"),
		"quotes":          change("kind: star", `kind: "star"`),
		"long algorithm":  change("algorithm: dcqcn", "algorithm: {name: dcqcn}"),
		"at the traffic":  change("algorithm: dcqcn\n", "", "senders: 4", "senders: 4, algorithm: dcqcn"),
		"other variants":  change("{name: two, algorithm: {name: pc4, params: {x: 1}}}", "{name: three}"),
		"variant's name":  change("{name: two,", "{name: alone,"),
		"its own section": swept + "sweep: {grid: {switch.ecn.kmin: [1KB, 2KB]}}\n",
	} {
		t.Run(what, func(t *testing.T) {
			if got := formOf(t, templateOf(t, src), Run{Variant: "one"}); got != want {
				t.Errorf("%s changes the form:\n%s\n%s", what, want, got)
			}
		})
	}
	if got := formOf(t, templateOf(t, swept, WithOverrides(map[string]string{"switch.ecn.kmin": "1e5B"})),
		Run{Variant: "one"}); got != want {
		t.Errorf("an override to the same value changes the form:\n%s\n%s", want, got)
	}
	for what, src := range map[string]string{
		"a value":         change("kmin: 100KB", "kmin: 101KB"),
		"a key":           change("buffer: 16MB", "buffer: 16MB, alpha: 2"),
		"the algorithm":   change("algorithm: dcqcn", "algorithm: hpcc"),
		"order of flows":  change("  - {name: a", "  - {name: b, from: h0, to: h1, size: 1KB}\n  - {name: a"),
		"an expectation":  swept + "expect: {congestion: required}\n",
		"the name of one": change("name: a,", "name: b,"),
	} {
		t.Run(what, func(t *testing.T) {
			if got := formOf(t, templateOf(t, src), Run{Variant: "one"}); got == want {
				t.Errorf("%s leaves the form as it is: %s", what, got)
			}
		})
	}
	// Patterns hold in their order.
	both := func(a, b string) string {
		return formOf(t, templateOf(t, swept+"switches: {"+a+", "+b+"}\n"), Run{Variant: "one"})
	}
	if both("s*: {buffer: 9MB}", "s0: {buffer: 8MB}") == both("s0: {buffer: 8MB}", "s*: {buffer: 9MB}") {
		t.Error("patterns in another order have the same form")
	}
}

// Settings hold over variants and overrides, and the source of a run is that run. Tier:
// -short.
func TestTemplateRun(t *testing.T) {
	tpl := templateOf(t, swept, WithOverrides(map[string]string{"switch.ecn.kmin": "90KB", "traffic.a.size": "50KB"}))
	run := Run{Variant: "two", Settings: []Setting{
		{Path: "switch.ecn.kmin", Text: "50KB"},
		{Path: "algorithm.params.x", Text: "3"},
		{Path: "traffic.a.senders", Text: "2"},
		{Path: "seed", Text: "7"},
	}}
	p, err := tpl.Plan(run)
	if err != nil {
		t.Fatal(err)
	}
	if p.Seed != 7 || len(p.Flows) != 2 || p.Flows[0].Algorithm.Params["x"] != "3" || p.Flows[0].Size != 50_000 ||
		p.Switches[0].Profile.ECN[3].Kmin != 50_000 || p.Name != "two" {
		t.Errorf("the plan is another: %+v", p)
	}
	alone, err := Parse("alone.yaml", tpl.Source(run), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, tpl.Source(run))
	}
	plans, err := alone.Plans()
	if err != nil || len(plans) != 1 {
		t.Fatal(err, len(plans))
	}
	if plans[0].Digest() != p.Digest() || plans[0].Seed != 7 {
		t.Errorf("the source is another run:\n%s", tpl.Source(run))
	}
	if plans[0].Name != "swept" {
		t.Errorf("the source is called %q", plans[0].Name)
	}
}

// A problem of a value is reported at its position.
func TestTemplateProblems(t *testing.T) {
	src := swept + `sweep:
  grid:
    switch.ecn.kmni: [1KB]
    switch.ecn.kmax: [1KB, 3us]
`
	s, err := Parse("s.yaml", []byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	sweep, err := s.Sweep()
	if err != nil {
		t.Fatal(err)
	}
	flag, err := NewSetting("--grid traffic.size", "traffic.size", "3")
	if err != nil {
		t.Fatal(err)
	}
	wrong := []Setting{sweep.Grid[0].Values[0], sweep.Grid[1].Values[1], flag}
	_, err = s.Template().Form(Run{Variant: "one", Settings: wrong})
	for _, want := range []string{
		`s.yaml:12:5: unknown key of ecn "kmni": did you mean "kmin"?`,
		`s.yaml:13:28: kmax:`,
		`--grid traffic.size: size:`,
	} {
		t.Run(want, func(t *testing.T) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q is not said:\n%v", want, err)
			}
		})
	}
}

// The section reads as it is written, and its problems are reported.
func TestSweepSection(t *testing.T) {
	read := func(section string) (*Sweep, error) {
		s, err := Parse("s.yaml", []byte(swept+"sweep: "+section+"\n"), nil)
		if err != nil {
			return nil, err
		}
		return s.Sweep()
	}
	text := `{grid: {switch.ecn.kmin: [100KB, 0.2MB], traffic.size: [1MB]}, list: [{mtu: 1000B, seed: 1}], ` +
		`draw: {switch.ecn.pmax: "0.01..0.2:log"}, draws: 3, draw_seed: 9, variants: [two], seeds: [3, 5], record: true}`
	text = strings.Replace(text, ", seed: 1", ", switch.buffer: 8MB", 1)
	sweep, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := sweep.YAML(); got != text {
		t.Errorf("it is written again as\n%s\nand was\n%s", got, text)
	}
	for section, want := range map[string]string{
		"{grid: {seed: [1, 2]}}":                     "sweep.seeds",
		"{grid: {variants.one.mtu: [1000B]}}":        "sweep.variants",
		"{grid: {mtu: 1000B}}":                       "must be a list of values",
		"{grid: {mtu: []}}":                          "must be a list of values",
		"{list: [{mtu: 1KB}, {switch.buffer: 1MB}]}": "other keys than the first",
		"{draw: {mtu: 1KB..2KB}}":                    "draw and draws go together",
		"{draws: 3}":                                 "draw and draws go together",
		"{draws: 3, draw: {mtu: 2KB..1KB}}":          "its low end must be below its high end",
		"{draws: 3, draw: {mtu: 0..1:log}}":          "must be above 0",
		"{draws: 3, draw: {mtu: 1KB..1ms}}":          "is not a range",
		"{grid: {mtu: [1KB]}, list: [{mtu: 2KB}]}":   "mtu is in the sweep twice",
		"{variants: [tow]}":                          `unknown variant "tow": did you mean "two"?`,
		"{seeds: 0}":                                 "allowed are a number of seeds",
		"{gird: {}}":                                 "unknown key of sweep",
	} {
		t.Run(section, func(t *testing.T) {
			if _, err := read(section); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", section, err, want)
			}
		})
	}
	for section, want := range map[string][]uint64{
		"{seeds: 3}": {1, 2, 3}, "{seeds: [3]}": {3}, "{seeds: 4..5}": {4, 5}, "{seeds: [1, 7]}": {1, 7},
	} {
		t.Run(section, func(t *testing.T) {
			if sweep, err := read(section); err != nil || !slices.Equal(sweep.Seeds, want) {
				t.Errorf("%s: %v, %v", section, sweep, err)
			}
		})
	}
}

// A draw does not depend on other draws, is within its range, and has four digits.
func TestDraws(t *testing.T) {
	for text, ends := range map[string]string{
		"1..3": "", "0.01..0.2": "", "100KB..1MB:log": "B", "1us..10us": "ps", "10Gbps..400Gbps": "bps", "1m..2km": "mm",
	} {
		t.Run(text, func(t *testing.T) {
			r, err := NewRange("--draw x", "x", text)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for i := range 200 {
				s := r.At(1, i)
				if again := r.At(1, i); !reflect.DeepEqual(again, s) {
					t.Errorf("%s: draw %d is %s and then %s", text, i, s.Text, again.Text)
				}
				if !strings.HasSuffix(s.Text, ends) {
					t.Errorf("%s: %s has another unit", text, s.Text)
				}
				digits := strings.Trim(strings.Map(func(c rune) rune {
					if c >= '0' && c <= '9' {
						return c
					}
					return -1
				}, s.Text), "0")
				if len(digits) > 4 {
					t.Errorf("%s: %s has more than four digits", text, s.Text)
				}
				seen[s.Text] = true
			}
			if least := map[string]int{"1..3": 3}[text]; len(seen) < max(least, 3) || least > 0 && len(seen) > least {
				t.Errorf("%s: %d values", text, len(seen))
			}
		})
	}
	low := 0
	r, err := NewRange("--draw x", "x", "1KB..1MB:log")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		if s := r.At(1, i); len(s.Text) <= len("31622B") && s.Text < "31623B" || len(s.Text) < len("31622B") {
			low++
		}
	}
	if low < 430 || low > 570 {
		t.Errorf("%d of 1000 draws are in the lower half of the decades", low)
	}
}

// Draws are the same on every processor and in every version: these are kept.
func TestDrawsAreKept(t *testing.T) {
	for text, want := range map[string]string{
		"1KB..1MB:log":   "99450B 6704B 5290B 178900B",
		"0.001..0.5:log": "0.06268 0.005539 0.004476 0.1063",
		"2..900000:log":  "11623 72 46 35129",
		"1us..50us:log":  "13530000ps 2937000ps 2569000ps 18860000ps",
		"0.1..0.9":       "0.6327 0.3204 0.2929 0.7007",
		"1KB..1MB":       "666200B 276200B 241900B 751100B",
	} {
		t.Run(text, func(t *testing.T) {
			r, err := NewRange("--draw x", "x", text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i := range 4 {
				got = append(got, r.At(7, i).Text)
			}
			if got := strings.Join(got, " "); got != want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		})
	}
}

// A power is right to the last digits that floating point has.
func TestPower(t *testing.T) {
	for _, base := range []float64{1.5, 10, 1e3, 1e9} {
		t.Run(fmt.Sprintf("base=%v", base), func(t *testing.T) {
			for share := 0.0; share < 1; share += 1.0 / 128.5 {
				if got, want := power(base, share), math.Pow(base, share); math.Abs(got/want-1) > 1e-14 {
					t.Errorf("%g to the %g is %g, want %g", base, share, got, want)
				}
			}
		})
	}
}
