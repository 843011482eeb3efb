package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// The bill names uPlot with its version, hash and licence, and the one program that holds it; its licence goes with the
// programs. The version and the hash are the ones in its own test in testbed/look/report/asset.
func TestUPlotIsInTheBill(t *testing.T) {
	bin := t.TempDir()
	script, err := os.ReadFile(filepath.Join("..", uPlotFolder, "uPlot.iife.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	var programs []program
	for name, text := range map[string]string{"with": "ELF" + string(script) + "end", "without": "ELF"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, program{name: name, info: &debug.BuildInfo{GoVersion: "go1.26.8"}})
	}
	s := &source{dir: ".."}
	p, err := s.uPlot(bin, programs)
	if err != nil {
		t.Fatal(err)
	}
	const hash = "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f"
	if p.version != "1.6.32" || p.sha256 != hash || !slices.Equal(p.licences, []string{"MIT"}) ||
		!slices.Equal(p.holders, []string{"with"}) {
		t.Errorf("%+v", p)
	}
	r := &release{source: s, programs: programs, parts: []part{p}}
	if text := string(r.thirdPartyText()); !strings.Contains(text, "uplot 1.6.32\nMIT\n") ||
		!strings.Contains(text, "Leon Sorokin") {
		t.Errorf("the licences lack uPlot's: %s", text)
	}
	path := filepath.Join(t.TempDir(), "bill.json")
	if err := r.writeBill(nil, path); err != nil {
		t.Fatal(err)
	}
	var bill struct {
		Components []struct {
			Purl, Version string
			Hashes        []struct{ Content string }
		}
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	const url = "pkg:npm/uplot@1.6.32"
	last := bill.Components[len(bill.Components)-1]
	if last.Purl != url || len(last.Hashes) != 1 || last.Hashes[0].Content != hash {
		t.Errorf("%+v", last)
	}
	for _, d := range bill.Dependencies {
		if slices.Contains(d.DependsOn, url) != (d.Ref == "program:with") {
			t.Errorf("%s depends on %v", d.Ref, d.DependsOn)
		}
	}
	programs[0].name, programs[1].name = "without", "without"
	if _, err := s.uPlot(bin, programs); err == nil || !strings.Contains(err.Error(), "no program holds") {
		t.Errorf("no program has it, and the error is %v", err)
	}
}
