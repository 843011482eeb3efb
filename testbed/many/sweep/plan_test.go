package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

const section = `sweep:
  grid: {switch.ecn.kmin: [100KB, 200KB], traffic.size: [1MB, 2MB, 3MB]}
  seeds: 2
`

// A plan has every combination once, the first key slowest, seeds fastest.
func TestPlanOrder(t *testing.T) {
	p := planOf(t, swept+section)
	if len(p.Runs) != 2*3*2*2 {
		t.Fatalf("%d runs", len(p.Runs))
	}
	if !reflect.DeepEqual(p.Keys, []string{"switch.ecn.kmin", "traffic.size"}) {
		t.Errorf("keys %v", p.Keys)
	}
	at := 0
	ids := map[campaign.ID]bool{}
	for _, kmin := range []string{"100KB", "200KB"} {
		t.Run(kmin, func(t *testing.T) {
			for _, size := range []string{"1MB", "2MB", "3MB"} {
				for _, variant := range []string{"one", "two"} {
					for seed := uint64(1); seed <= 2; seed++ {
						r := p.Runs[at]
						want := map[string]string{"switch.ecn.kmin": kmin, "traffic.size": size}
						if r.Index != at || !reflect.DeepEqual(r.Keys, want) || r.Variant != variant || r.Seed != seed {
							t.Errorf("run %d is %+v", at, r)
						}
						ids[r.ID] = true
						at++
					}
				}
			}
		})
	}
	if len(ids) != len(p.Runs) {
		t.Errorf("%d runs have %d names", len(p.Runs), len(ids))
	}
}

// Adding values leaves the names of the runs that were there as they are.
func TestPlanGrows(t *testing.T) {
	more := strings.NewReplacer("200KB]", "200KB, 300KB]", "seeds: 2", "seeds: 3").Replace(section)
	names := map[campaign.ID]bool{}
	for _, r := range planOf(t, swept+more).Runs {
		names[r.ID] = true
	}
	for _, r := range planOf(t, swept+section).Runs {
		if !names[r.ID] {
			t.Errorf("run %d, %s, has another name in the larger plan", r.Index, r.Name())
		}
	}
	draws := func(n int) (ids []campaign.ID) {
		text := fmt.Sprintf("sweep: {draw: {switch.ecn.kmin: 10KB..90KB}, draws: %d, variants: [one]}\n", n)
		for _, r := range planOf(t, swept+text).Runs {
			ids = append(ids, r.ID)
		}
		return ids
	}
	if five, nine := draws(5), draws(9); !reflect.DeepEqual(five, nine[:5]) {
		t.Errorf("more draws are other draws: %v, %v", five, nine)
	}
}

// The name of a run is of all that decides it, and of no more.
func TestID(t *testing.T) {
	first := func(src string, change func(*Maker)) campaign.ID {
		m, s := makerOf(t, src)
		if change != nil {
			change(m)
		}
		p, err := m.Plan(s, 1, false)
		if err != nil {
			t.Fatal(err)
		}
		id, err := m.ID(&p.Runs[0])
		if err != nil || id != p.Runs[0].ID {
			t.Errorf("a run is %s by its plan and %s by itself, %v", p.Runs[0].ID, id, err)
		}
		return id
	}
	want := first(swept+section, nil)
	same := strings.NewReplacer("name: swept", "name: other", "[100KB,", "[0.1MB,", "16MB", "16000KB", "name: one",
		"name: eins")
	if got := first("# more\n"+same.Replace(swept+section), nil); got != want {
		t.Error("a run that is written in another way has another name")
	}
	if got := first(swept+strings.Replace(section, "seeds: 2", "seeds: [2]", 1), nil); got == want {
		t.Error("another seed has the same name")
	}
	if got := first(swept+section, func(m *Maker) { m.Models = 2 }); got == want {
		t.Error("other models give the same name")
	}
	if got := first(swept+section, func(m *Maker) {
		m.Identify = func(a *plan.Algorithm) (Algorithm, error) { return Algorithm{Name: a.Name, Version: "2"}, nil }
	}); got == want {
		t.Error("another version of an algorithm gives the same name")
	}
	if got := first(strings.Replace(swept, "senders: 4", "senders: 3", 1)+section, nil); got == want {
		t.Error("another scenario has the same name")
	}
}

// All faults of values are reported, each with a combination that has it.
func TestPlanInvalid(t *testing.T) {
	m, s := makerOf(t, swept+"sweep: {grid: {switch.ecn.kmin: [1KB, 3us], switch.buffer: [8MB, -1MB]}}\n")
	_, err := m.Plan(s, 1, false)
	var invalid *Invalid
	if !errors.As(err, &invalid) || len(invalid.Problems) != 2 {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{
		"s.yaml:10:39: kmin:",
		"s.yaml:10:66: buffer:",
		"one, switch.buffer=-1MB, switch.ecn.kmin=1KB, and in 3 other",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q is not said: %v", want, err)
			}
		})
	}
}

// A sweep of more runs than anyone means is refused with their number.
func TestTooMany(t *testing.T) {
	values := "[" + strings.Repeat("1KB, ", 99) + "1KB]"
	text := fmt.Sprintf("sweep: {grid: {a: %s, b: %s, c: %s}, seeds: 3}\n", values, values, values)
	m, s := makerOf(t, swept+text)
	_, err := m.Plan(s, 1, false)
	var many *TooMany
	if !errors.As(err, &many) || many.Count != 6e6 || !strings.Contains(err.Error(), "6000000 runs") {
		t.Errorf("%v", err)
	}
}

// A plan is read as it was written, and a damaged one is refused with its line.
func TestReadPlan(t *testing.T) {
	p := planOf(t, swept+section)
	var text bytes.Buffer
	if err := p.Write(&text); err != nil {
		t.Fatal(err)
	}
	got, err := readPlan(text.Bytes())
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Fatalf("%v, %v", got, err)
	}
	lines := strings.SplitAfter(text.String(), "\n")
	for what, c := range map[string]struct{ text, want string }{
		"a cut line":                {text.String()[:text.Len()-3], "line 24"},
		"a missing line":            {strings.Join(append(lines[:3:3], lines[4:]...), ""), "line 4: it has run 4"},
		"no line":                   {"", "no runs"},
		"another key":               {strings.Replace(text.String(), `"seed"`, `"sede"`, 1), "line 1"},
		"a path for an campaign.ID": {strings.Replace(text.String(), string(p.Runs[1].ID), "../../etc", 1), "line 2"},
	} {
		t.Run(what, func(t *testing.T) {
			if _, err := readPlan([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", what, err, c.want)
			}
		})
	}
}

// Shards are all of a plan, each run in one.
func TestShards(t *testing.T) {
	p := planOf(t, swept+section)
	seen := map[int]int{}
	for i := range 5 {
		s, err := ParseShard(fmt.Sprintf("%d/5", i))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range s.Runs(p) {
			seen[r.Index]++
		}
	}
	for i := range p.Runs {
		if seen[i] != 1 {
			t.Errorf("run %d is in %d shards", i, seen[i])
		}
	}
	for text, want := range map[string]string{
		"4/4": "the last of 4 is 3/4", "": "i/n", "1": "i/n", "-1/4": "i/n", "0/0": "i/n", "a/b": "i/n", "1/2/3": "i/n",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if _, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", text, err, want)
			}
		})
	}
	if len(Whole.Runs(p)) != len(p.Runs) {
		t.Error("the whole is less")
	}
}
