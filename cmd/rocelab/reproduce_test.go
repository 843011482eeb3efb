//go:build !mem

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

// The list has every row; wrong words are refused with the one that was meant.
func TestReproduceUsage(t *testing.T) {
	s := newShell(t)
	s.run(0, "reproduce")
	for _, row := range published.All() {
		s.says(s.stdout, row.ID)
		s.says(s.stdout, row.Title)
	}
	s.run(0, "reproduce", "--format", "json")
	var list []struct{ ID string }
	if err := json.Unmarshal([]byte(s.stdout), &list); err != nil || len(list) != len(published.All()) {
		t.Errorf("%d rows: %v", len(list), err)
	}
	for _, c := range []struct{ line, says string }{
		{"T22", `there is no row "T22" (did you mean T2?)`},
		{"nonsense", `there is no row "nonsense" (rocelab reproduce lists them)`},
		{"--paper art", `--paper "art": allowed are pc4, article, draft, thesis`},
		{"a10 --quick --full", "--quick and --full exclude each other"},
		{"a10 --mutants --full", "--mutants runs quick forms"},
		{"--night --full", "--night carries out full forms"},
		{"a10 --registry none.yaml", "none.yaml"},
		{"a10 --jobs -1", "--jobs -1: allowed are 0 and above"},
		{"a10 --on live", `--on "live": allowed are mem, veth`},
		{"a10 --on veth --jobs 2", "--on veth makes one run at a time"},
		{"a10 --format xml", "xml"},
		{"a10 --progress often", `--progress "often"`},
	} {
		t.Run(c.says, func(t *testing.T) {
			s.run(2, append([]string{"reproduce"}, strings.Fields(c.line)...)...)
			s.says(s.stderr, c.says)
			if _, err := os.Stat("reproduction"); err == nil {
				t.Errorf("reproduce %s leaves a folder", c.line)
			}
		})
	}
}

// A row is carried out once, recorded, held to the record, and drawn. Tier: everyday.
func TestReproduce(t *testing.T) {
	tier.Everyday(t)
	source, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	s.run(0, "reproduce", "a10", "--record", "kept", "--page", "pages/a10.html")
	s.says(s.stderr, "1 row, 25 runs to make")
	s.says(s.stdout, "A10  The queue in equilibrium follows Kmin")
	s.says(s.stdout, "met         P rising")
	s.says(s.stdout, "rows: 1; claims: 1 met; apart: 0 met\n")
	want := s.stdout
	for _, file := range []string{"kept/reproduction.json", "kept/REPRODUCTION.md", "pages/a10.html"} {
		t.Run(file, func(t *testing.T) {
			if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "mean queue, Kmin 50 KB") {
				t.Errorf("%s: %v", file, err)
			}
		})
	}
	s.run(0, "reproduce", "A10")
	s.says(s.stderr, "1 row, 0 runs to make")
	if s.stdout != want {
		t.Errorf("the second time it says\n%s", s.stdout)
	}
	s.run(4, "reproduce", "A10", "--mutants")
	s.says(s.stderr, "needs Go, and the source of rocelab in or above the working directory")
	out, err := filepath.Abs("reproduction")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(source)
	s.run(0, "reproduce", "A10", "--mutants", "--out", out)
	s.says(s.stdout, "seen: A10: Kmin is fixed at 400 KB: by rising, range")
	s.says(s.stdout, "1 fault: 1 seen, 0 survive")
}

// A registry is held to the records: a criterion that was changed is red until the changelog has the reason, a miss
// without a reason is red, and a fault of the file is refused at its place. Tier: -short. Red:
// without the call of Check.
func TestReproduceCheck(t *testing.T) {
	s := newShell(t)
	s.run(0, "reproduce", "--check")
	s.says(s.stdout, "claims: ")
	s.run(0, "reproduce", "--claims")
	s.says(s.stdout, "F6a rtt")
	s.run(0, "reproduce", "--night", "A10")
	s.says(s.stdout, "nothing is owed")
	s.run(0, "reproduce", "--claims", "--format", "json")
	var list []struct{ ID, Hash string }
	if err := json.Unmarshal([]byte(s.stdout), &list); err != nil {
		t.Fatal(err)
	}
	hash := func(id string) string {
		for _, one := range list {
			if one.ID == id {
				return one.Hash
			}
		}
		t.Fatal("there is no claim " + id)
		return ""
	}
	shipped := string(published.Claims())
	change := func(old, with string) {
		t.Helper()
		if !strings.Contains(shipped, old) {
			t.Fatalf("%q is not in the registry", old)
		}
		if err := os.WriteFile("claims.yaml", []byte(strings.Replace(shipped, old, with, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const bound = `holds: max(medians("mean RTT, n=*")) <= 1.15 * min(medians("mean RTT, n=*"))`
	change(bound, strings.Replace(bound, "1.15", "1.30", 1))
	was := hash("F6a rtt")
	s.run(1, "reproduce", "--check", "--registry", "claims.yaml")
	s.says(s.stderr, "\"F6a rtt\" was judged as `"+was+"` in the full form of F6a and is `")
	s.run(0, "reproduce", "--claims", "--registry", "claims.yaml", "--format", "json")
	if err := json.Unmarshal([]byte(s.stdout), &list); err != nil {
		t.Fatal(err)
	}
	told := "### Criteria changed\n\n- F6a rtt: `" + was + "` -> `" + hash("F6a rtt") + "`: the paper has 1.3\n"
	if err := os.WriteFile("told.md", []byte(told), 0o666); err != nil {
		t.Fatal(err)
	}
	s.run(0, "reproduce", "--check", "--registry", "claims.yaml", "--changelog", "told.md")
	const text = "under PFC alone the victim has at most 0.7 in another class, too: the whole link is paused"
	from := strings.Index(shipped, text)
	from += strings.Index(shipped[from:], "        miss:\n")
	end := from + strings.Index(shipped[from:], "  - id:")
	change(shipped[from:end], "")
	s.run(1, "reproduce", "--check", "--registry", "claims.yaml")
	s.says(s.stderr, `"A8 throttling", whole link: MISSED without a reason`)
	change("quote: Setting the target qtime to 0 effectively eliminated queuing in the system.",
		"quote: Notably, we observed that the actual one-way delay closely matched the target qtime.")
	s.run(2, "reproduce", "--check", "--registry", "claims.yaml")
	s.says(s.stderr, `entry "F8 follows" has this quote, too`)
	change(bound, strings.Replace(bound, "max(", "mox(", 1))
	s.run(2, "reproduce", "--check", "--registry", "claims.yaml")
	s.says(s.stderr, ":16: unknown name mox")
	change(bound, strings.Replace(bound, "mean RTT, n=*", "mean RTTs, n=*", 1))
	s.run(1, "reproduce", "--check", "--registry", "claims.yaml")
	s.says(s.stderr, `:20: there is no figure "mean RTTs, n=*`)
}

// A night names the owed rows before it plans anything, and an interruption before the first run ends it with a plain
// sentence. Tier: -short. Red: without campaign.Heed, when it plans all fabrics first, or without notBegun.
func TestReproduceNightInterrupted(t *testing.T) {
	s := newShell(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.ctx = ctx
	s.run(130, "reproduce", "--night")
	s.says(s.stderr, " owed, the costliest first: ")
	s.says(s.stderr, "rocelab: interrupted before the first run\n")
	if strings.Contains(s.stderr, "context") {
		t.Errorf("it says %s", s.stderr)
	}
}
