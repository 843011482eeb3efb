package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// marked is an incast in which one mark differs between a Pmax of 0.2 and one of 0.2005.
const marked = `name: marked
topology: {kind: star, hosts: 17, rate: 100Gbps, latency: 1us}
algorithm: dcqcn
traffic: [{name: in, kind: incast, senders: 16, size: 300KB}]
switch: {ecn: {kmin: 5KB, kmax: 1MB, pmax: 0.2}}
`

// Equal runs are reported as equal; with another Pmax the first mark that differs is named, with its surroundings, in
// every format.
func TestDiff(t *testing.T) {
	s := newShell(t)
	s.write("marked.yaml", marked)
	s.run(0, "run", "marked.yaml", "--out", "a", "--workers", "1")
	s.run(0, "run", "marked.yaml", "--out", "same", "--codec")
	s.run(0, "diff", "a", "same")
	s.says(s.stdout, "A a and B same: the same: 1 run with the same trace and metrics\n")
	s.run(0, "run", "marked.yaml", "--out", "b", "--set", "switch.ecn.pmax=0.2005")
	s.run(1, "diff", "a", "b/marked")
	s.says(s.stdout, "A a and B b/marked: not the same\n")
	s.says(s.stdout, "│ switch.ecn.pmax │ 0.2 │ 0.2005 │")
	s.says(s.stdout, "\nthe first frame that differs: at 569.131887us, s0:16\n  ECN: ECT(0) in A, CE in B\n  A B 568.")
	s.says(s.stdout, "\n> A   569.131887us  10.0.0.")
	s.says(s.stdout, "\n>   B 569.131887us  10.0.0.")
	for _, sides := range []string{"\n  A B 5", "\n  A   5", "\n    B 5"} {
		t.Run(fmt.Sprintf("%q", sides), func(t *testing.T) {
			if n := strings.Count(s.stdout, sides); n != 5 {
				t.Errorf("%d frames beside %q, want 5:\n%s", n, sides, s.stdout)
			}
		})
	}
	s.run(1, "diff", "a", "b", "--no-search", "--format", "markdown")
	s.says(s.stdout, "| switch.ecn.pmax | 0.2 | 0.2005 |")
	s.run(1, "diff", "b", "a", "--format", "json")
	var document struct {
		Variants []struct {
			Runs []struct {
				First struct {
					At   int64 `json:"at_ps"`
					Node string
					A, B struct {
						At   int64 `json:"at_ps"`
						Text string
					}
				} `json:"first_frame"`
			}
		}
	}
	if err := json.Unmarshal([]byte(s.stdout), &document); err != nil {
		t.Fatal(err)
	}
	first := document.Variants[0].Runs[0].First
	if first.At != 569131887 || first.Node != "s0" || !strings.Contains(first.A.Text, "ECN CE") ||
		!strings.Contains(first.B.Text, "ECN ECT(0)") {
		t.Errorf("%+v", first)
	}
}

// Runs that differ at once are reported as such, without a search; runs without a partner are named; of two algorithms
// the first frame is found.
func TestDiffOfOtherInputs(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	s.run(0, "run", "x.yaml", "--out", "a")
	s.run(0, "run", "x.yaml", "--out", "seed", "--seed", "4", "--variant", "a")
	s.run(1, "diff", "a/a", "seed")
	s.says(s.stdout, "A has seed 3 and B seed 4, so they differ from the first frames on: nothing is searched\n")
	s.says(s.stdout, "B against A: seed 4, and was 3\n")
	s.run(1, "diff", "a", "seed")
	s.says(s.stdout, "a/b has no partner on the other side")
	s.run(0, "run", "x.yaml", "--out", "traffic", "--set", "traffic.size=2KB", "--variant", "a")
	s.run(1, "diff", "a/a", "traffic")
	s.says(s.stdout, "the two have different traffic, so they differ from the first frames on: nothing is searched\n")
	s.run(0, strings.Fields("run x.yaml --out fabric --set topology.hosts=5 --set traffic.senders=3 --variant a")...)
	s.run(1, "diff", "a/a", "fabric")
	s.says(s.stdout, "the two have different fabrics")
	s.run(1, "diff", "a/a", "a/b")
	s.says(s.stdout, "B against A: dcqcn ran, and did not\n")
	s.says(s.stdout, "the first frame that differs: at ")
	s.run(0, "run", "x.yaml", "--out", "many", "--seeds", "2", "--variant", "a")
	s.run(0, "diff", "many/a", "many")
	s.says(s.stdout, "the same: 2 runs with the same trace and metrics\n")
}

// What cannot be compared is refused in words.
func TestDiffRefuses(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	s.run(0, "run", "x.yaml", "--out", "a")
	for _, c := range []struct{ what, says string }{
		{"none", "there is no run folder none"},
		{"a/c", "a has no run c: it has a, b"},
		{".", "has no manifest.json: it is not a run folder"},
	} {
		s.run(2, "diff", "a", c.what)
		s.says(s.stderr, c.says)
	}
	if err := os.Mkdir("killed.part", 0o700); err != nil {
		t.Fatal(err)
	}
	s.run(2, "diff", "a", "killed")
	s.says(s.stderr, "killed is not complete yet: its run is in progress, or was killed; its files so far are in "+
		"killed.part")
	s.run(2, "diff", "a")
	s.says(s.stderr, "diff needs A B")
	s.write("a/a/flows.csv", "flow\n")
	s.run(2, "diff", "a", "a")
	s.says(s.stderr, "a: a/flows.csv was changed")
}

// A folder whose hashes are not those of its scenario is named, with the first instant; one without hashes at instants
// is compared as far as possible; an interrupted run is named.
func TestDiffOfFoldersThatCannotBeMadeAgain(t *testing.T) {
	s := newShell(t)
	s.write("marked.yaml", marked)
	s.run(0, "run", "marked.yaml", "--out", "a")
	s.run(0, "run", "marked.yaml", "--out", "b")
	forge(t, "b", `"trace": "`, `"trace": "0`) // of the run
	trace, err := os.ReadFile("b/marked/trace.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(trace), "\n")
	for i := 100; i < len(lines)-1; i++ { // as if something had been another from 200 us on
		lines[i] = lines[i][:len(lines[i])-4] + "0000"
	}
	forgeFile(t, "b", "marked/trace.csv", strings.Join(lines, "\n"))
	s.run(1, "diff", "a", "b")
	s.says(s.stdout, "marked: the same up to 198us, and not at 200us; at the end 18 nodes differ: s0, h0, ")
	s.says(s.stdout, "b/marked: made again here it has another trace than was recorded, at 200us for the first time")
	s.says(s.stdout, "so the first frame cannot be found by making the runs again")

	forge(t, "b", `"name": "marked/trace.csv"`, `"name": "marked/older.csv"`)
	if err := os.Rename("b/marked/trace.csv", "b/marked/older.csv"); err != nil {
		t.Fatal(err)
	}
	s.run(1, "diff", "a", "b")
	s.says(s.stdout, "marked: another trace, and from when on is not known: "+filepath.Join("b", "marked")+
		" has no trace.csv")
}

// forgeFile gives a file of a run folder another text, and makes the manifest vouch for it.
func forgeFile(t *testing.T, folder, name, text string) {
	t.Helper()
	before, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	was, is := sha256.Sum256(before), sha256.Sum256([]byte(text))
	forge(t, folder, hex.EncodeToString(was[:]), hex.EncodeToString(is[:]))
}

// What --with calls makes one run again and answers questions about it; a program that made neither side is refused.
func TestDiffHalf(t *testing.T) {
	s := newShell(t)
	s.write("marked.yaml", marked)
	s.run(0, "run", "marked.yaml", "--out", "a", "--no-record", "--workers", "1")
	s.write("questions", `{"want":"next"}
{"want":"tell","node":"s0"}
{"want":"tell","node":"none"}
{"want":"before","node":"s0","port":16}
{"want":"other","node":"s0"}
{"want":"end"}
`)
	questions, err := os.Open("questions")
	if err != nil {
		t.Fatal(err)
	}
	defer questions.Close()
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	os.Stdin = questions
	s.run(0, strings.Fields("diff-half a --from 569000000 --to 570000000 --width 200000")...)
	answers := strings.Split(strings.TrimSpace(s.stdout), "\n")
	for i, says := range []string{`"models":`, `{"to":569200000,"sums":{`,
		`"frames":[{"at_ps":569045327,"node":"s0","port":16`, `there is no node \"none\"`, `{}`,
		`there is no source for \"other\"`, `"instants":[{"`} {
		t.Run(says, func(t *testing.T) {
			if i >= len(answers) || !strings.Contains(answers[i], says) {
				t.Fatalf("answer %d has no %s:\n%s", i, says, s.stdout)
			}
		})
	}
	for _, c := range []struct{ line, says string }{
		{"diff-half none --to 1 --width 1", "there is no run folder none"},
		{"diff-half a --to 1", "allowed are a beginning from 0 on"},
		{"diff a a --with marked.yaml", "--with marked.yaml: it is not a rocelab"},
	} {
		s.run(2, strings.Fields(c.line)...)
		s.says(s.stderr, c.says)
	}
}
