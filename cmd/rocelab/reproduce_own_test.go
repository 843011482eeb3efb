//go:build !mem

package main

import (
	"os"
	"strings"
	"testing"
)

// ownRow is the row of a user's that the page on reproduction shows.
func ownRow(t *testing.T) string {
	t.Helper()
	for _, text := range pages(t, "docs/reproduction.md") {
		for _, b := range fencedBlocks(text) {
			if b.is == "file" && b.of == "kmin.yaml" {
				return b.text
			}
		}
	}
	t.Fatal("the page shows no kmin.yaml")
	return ""
}

// A user's own row is carried out from its file: met is 0, a criterion that does not hold 1, and with a reason 0 again;
// its runs are made once. A wrong file is refused before anything runs. Tier: -short, a tenth of a second. Red: if Own
// reads criteria without their expressions.
func TestReproduceOwn(t *testing.T) {
	row := ownRow(t)
	s := newShell(t)
	changed := func(old, with string) {
		t.Helper()
		if !strings.Contains(row, old) {
			t.Fatalf("the page's row has no %q", old)
		}
		s.write("mine.yaml", strings.Replace(row, old, with, 1))
	}
	refused := func(old, with, says string) {
		t.Helper()
		changed(old, with)
		s.run(2, "reproduce", "mine.yaml", "--progress", "none")
		s.says(s.stderr, says)
		if _, err := os.Stat("reproduction"); err == nil {
			t.Errorf("%s: something ran", with)
		}
	}
	refused(`metric("utilisation")`, `metric("utilization")`,
		`there is no metric "utilization" (did you mean utilisation?)`)
	refused(`"depth_max_bytes"`, `"depth_bytes"`, `series_queues.csv has no column "depth_bytes"`)
	refused("algorithm: dcqcn", "algorithm: dcqn", `mine.yaml:8:14: `)
	refused("kmin: [50, 200]", "kmin: [50, 300]",
		`there is no run of column "", variant "", keys ["switch.ecn.kmin=300KB"]`)
	refused(`near(median("mean queue, Kmin 200 KB")`, `near(median("mean queue, Kmin 20 KB")`,
		`there is no figure "mean queue, Kmin 20 KB"`)
	refused("seeds: [1, 2, 3]", "seeds: [1, -1]", `seed "-1" is not a whole number`)

	changed("", "")
	s.run(0, "reproduce", "mine.yaml", "--progress", "none")
	s.says(s.stdout, "met         P rising")
	s.says(s.stderr, "1 row, 2 runs to make")
	changed("> 1.5 * median", "> 150 * median")
	s.run(1, "reproduce", "mine.yaml", "--progress", "none")
	s.says(s.stdout, "MISSED      P rising")
	s.says(s.stderr, "1 row, 0 runs to make")
	changed("> 1.5 * median(\"mean queue, Kmin 50 KB\")", "> 150 * median(\"mean queue, Kmin 50 KB\")\n"+
		"    miss: {why: the port is the bottleneck, control: rocelab run mine.yaml}")
	s.run(0, "reproduce", "mine.yaml", "--record", "kept", "--page", "page.html", "--progress", "none")
	s.says(s.stdout, "why: the port is the bottleneck")
	for _, file := range []string{"kept/reproduction.json", "kept/REPRODUCTION.md", "page.html"} {
		t.Run(file, func(t *testing.T) {
			if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "mean queue, Kmin 50 KB") {
				t.Errorf("%s: %v", file, err)
			}
		})
	}

	s.run(2, "reproduce", "mine.yaml", "A10")
	s.says(s.stderr, "either IDs of rows or files of rows, not both")
	s.run(2, "reproduce", "nothere.yaml")
	s.says(s.stderr, "nothere.yaml: ")
	s.run(2, "reproduce", "mine.yaml", "--mutants")
	s.says(s.stderr, "leave --registry, --paper, --all, --night and --mutants out")
	s.write("other.yaml", row)
	s.run(2, "reproduce", "mine.yaml", "other.yaml")
	s.says(s.stderr, "other.yaml:1:1: row K1 is in mine.yaml, too")
}

// demo runs the scenario that the README begins with. Tier: -short. Red: with another size in demo.yaml.
func TestDemoIsTheFirstScenario(t *testing.T) {
	text, err := os.ReadFile("../../" + firstScenario)
	if err != nil || string(text) != string(demoScenario) {
		t.Errorf("demo.yaml is not %s: %v", firstScenario, err)
	}
}
