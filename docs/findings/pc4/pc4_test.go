package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files of the held-out cases and of the cases that a commit draws equal the generated ones.
func TestFilesAreWhatIsWritten(t *testing.T) {
	for _, file := range []string{"held-out.yaml", "drawn.yaml"} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, which, _ := strings.Cut(string(text), " cases ")
			which, _, _ = strings.Cut(which, ":")
			var out bytes.Buffer
			if err := command(&out, []string{"cases", which}); err != nil || out.String() != string(text) {
				t.Errorf("%s is not what is written (%v): go run ./docs/findings/pc4 cases %s > docs/findings/pc4/%s", file, err,
					which, file)
			}
		})
	}
}

// What PC4 was not made for is drawn by the hash that the file names. Tier: -short. Red: with any draw changed.
func TestApartIsWhatIsWritten(t *testing.T) {
	const file = "../../../experiments/apart/scenarios/p7.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, hash, _ := strings.Cut(string(text), " apart ")
	hash, _, _ = strings.Cut(hash, ":")
	var out bytes.Buffer
	if err := command(&out, []string{"apart", hash}); err != nil || out.String() != string(text) {
		t.Errorf("%s is not what is written (%v): go run ./docs/findings/pc4 apart %s", file, err, hash)
	}
}

// The picture equals the drawing of the scores, and is XML without references to elsewhere.
func TestFrontIsWhatIsDrawn(t *testing.T) {
	file, err := os.ReadFile("front.svg")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := command(&out, []string{"front", "sets.csv"}); err != nil || out.String() != string(file) {
		t.Errorf("front.svg is not what is drawn (%v): go run ./docs/findings/pc4 front docs/findings/pc4/sets.csv "+
			"> docs/findings/pc4/front.svg", err)
	}
	if strings.Contains(strings.TrimPrefix(out.String(), `<svg xmlns="http://www.w3.org/2000/svg"`), "http") {
		t.Error("front.svg asks for something from elsewhere")
	}
	for elements := xml.NewDecoder(&out); ; {
		if _, err := elements.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// A commit draws ten cases, the same each time; another draws others.
func TestCasesOfACommit(t *testing.T) {
	one, again, other := strings.Join(drawn("a1"), ""), strings.Join(drawn("a1"), ""), strings.Join(drawn("a2"), "")
	if one != again || one == other {
		t.Error("cases must hang on the commit and nothing else")
	}
	for _, kind := range []string{"even", "join", "paths", "many"} {
		t.Run(kind, func(t *testing.T) {
			if n := strings.Count(one, "-"+kind+"\n"); n < 2 {
				t.Errorf("%d cases of %s, want two or more:\n%s", n, kind, one)
			}
		})
	}
	if n := strings.Count(one, "- name: drawn-"); n != 10 {
		t.Errorf("%d cases, want 10", n)
	}
}

// The times of packets and paths, computed: 1098 B at 100 Gb/s are 87.84 ns, and rocelab validate prints 4.193 us for
// the base RTT over one switch, 4.771 us at 25 Gb/s.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"packet", usual.packet(), 0.08784},
		{"base RTT", usual.rtt(), 4.193},
		{"base RTT at 25 Gb/s", fabric{25, 1, 1000}.rtt(), 4.771},
		{"1 MB and a byte on the wire", usual.wire(1e6 + 1), (1e6 + 1 + 1001*98) * 8 / 1e5},
	} {
		t.Run(c.what, func(t *testing.T) {
			if math.Abs(c.got-c.want) > 5e-4 {
				t.Errorf("%s: %g us, want %g", c.what, c.got, c.want)
			}
		})
	}
}

func TestShortfall(t *testing.T) {
	metrics := map[string]string{"jain": "0.9", "rtt": "5", "drops": "2", "fct": ""}
	for _, c := range []struct {
		checks string
		want   float64
	}{
		{"", 0},
		{"jain >= 0.9", 0},
		{"jain >= 1", 0.1},
		{"rtt <= 4", 0.25},
		{"rtt <= 6", 0},
		{"rtt <= 4;jain >= 1", 0.25}, // the worst
		{"rtt <= 1", 1},              // at most 1
		{"drops == 2", 0},
		{"drops == 0", 1},
		{"fct <= 1", 1},
		{"none <= 1", 1},
		{"jain", 1},
	} {
		t.Run(fmt.Sprintf("checks=%q", c.checks), func(t *testing.T) {
			var checks []string
			if c.checks != "" {
				checks = strings.Split(c.checks, ";")
			}
			if got := shortfall(checks, metrics); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%q is missed by %g, want %g", c.checks, got, c.want)
			}
		})
	}
}

// A table of fewer keys belongs to the sets of the first that have its values; the best come first, and a case is met
// if all of its seeds are.
func TestScores(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	scenario := write("s.yaml", "variants:\n  - {name: f11-1, expect: {checks: [jain >= 0.5]}}\n"+
		"  - {name: plain}\n  - {name: n1-8, expect: {checks: [slowdown_mean >= 4]}}\n")
	first := write("1.csv", "run,p.beta,p.hai,variant,seed,verdict,jain,slowdown_mean\n"+
		"0,1,7,f11-1,1,pass,0.25,\n1,1,7,f11-1,2,pass,0.75,\n2,1,7,plain,1,pass,1,\n"+
		"3,2,7,f11-1,1,pass,0.5,\n4,2,8,f11-1,1,pass,1,\n")
	second := write("2.csv", "run,p.beta,variant,seed,verdict,jain,slowdown_mean\n"+
		"0,1,n1-8,1,pass,,8\n1,2,n1-8,1,pass,,4\n")
	var out bytes.Buffer
	if err := command(&out, []string{"score", "tried", scenario, first, scenario, second}); err != nil {
		t.Fatal(err)
	}
	want := "search,set,met,of,shortfall_percent,missed_percent,rtt_16_us,clocks_slowdown,utilisation_5000,jain_paths\n" +
		"tried,\"beta=2,hai=7\",2,2,0.000,,,0.5000,,0.5000\n" +
		"tried,\"beta=2,hai=8\",2,2,0.000,,,0.5000,,1.0000\n" +
		"tried,\"beta=1,hai=7\",1,2,16.667,f11-1 50,,1.0000,,0.5000\n"
	if out.String() != want {
		t.Errorf("scores are\n%s, want\n%s", &out, want)
	}
	third := write("3.csv", "run,p.beta,variant,seed,verdict,jain\n0,3,n1-8,1,pass,1\n")
	if err := command(&out, []string{"score", "tried", scenario, first, scenario, third}); err == nil ||
		!strings.Contains(err.Error(), "no set of "+first+" is beta=3") {
		t.Errorf("a row of no set: %v", err)
	}
}

func TestFront(t *testing.T) {
	p := panel{x: axis{more: false}, y: axis{more: true}}
	var labels []string
	for _, q := range p.front([]point{{3, 9, "c"}, {1, 5, "a"}, {2, 5, "beaten"}, {2, 7, "b"}, {4, 8, "beaten"}}) {
		labels = append(labels, q.label)
	}
	if got := strings.Join(labels, ""); got != "abc" {
		t.Errorf("the front is %q, want a, b and c", got)
	}
}

// Spearman's rank correlation, worked out: a rising curve is 1 however it bends, equal values share their place.
func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{1, 10, 11, 1000}, 1},
		{[]float64{1, 2, 3, 4}, []float64{9, 8, 2, 1}, -1},
		{[]float64{1, 2, 3}, []float64{5, 5, 5}, 0},
		{[]float64{1, 2, 3, 4}, []float64{2, 1, 4, 3}, 0.6},
		{[]float64{1, 1, 2}, []float64{1, 2, 2}, 0.5},
	} {
		t.Run(fmt.Sprintf("want=%v", c.want), func(t *testing.T) {
			if got := spearman(c.a, c.b); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%v with %v: %g, want %g", c.a, c.b, got, c.want)
			}
		})
	}
}

func TestDecidesAndBest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sets.csv")
	text := "search,set,met,of,shortfall_percent,missed_percent,rtt_16_us,clocks_slowdown,utilisation_5000,jain_paths\n"
	for _, line := range []string{"1000000ps,beta=3\",1,2,5,a 5,5,1,.9,1", "2000000ps,beta=2\",1,2,6,a 6,6,1,.8,1",
		"3000000ps,beta=1\",1,2,7,a 7,7,1,.9,1"} {
		text += "drawn,\"tq0=" + line + "\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"decides": "| drawn, 3 sets | rtt_16_us | clocks_slowdown | utilisation_5000 | jain_paths | shortfall |\n" +
			"|---|---|---|---|---|---|\n| tq0 | +1.00 | +0.00 | +0.00 | +0.00 | +1.00 |\n" +
			"| beta | -1.00 | +0.00 | +0.00 | +0.00 | -1.00 |\n\n",
		"best": "| search | set | met | mean shortfall, % | missed, by % |\n|---|---|---|---|---|\n" +
			"| drawn | tq0=1000000ps, beta=3 | 1 of 2 | 5 | a 5 |\n| drawn | tq0=2000000ps, beta=2 | 1 of 2 | 6 | a 6 |\n" +
			"| drawn | tq0=3000000ps, beta=1 | 1 of 2 | 7 | a 7 |\n",
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := command(&out, []string{name, path}); err != nil || out.String() != want {
				t.Errorf("%s (%v) is\n%s, want\n%s", name, err, &out, want)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"score", "a", "b"}, {"cases"}, {"front"}, {"draw", "a"}} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			if err := command(io.Discard, args); !errors.Is(err, errUsage) {
				t.Errorf("%q: %v", args, err)
			}
		})
	}
}
