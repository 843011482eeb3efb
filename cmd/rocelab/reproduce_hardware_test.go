//go:build !mem

package main

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/experiments"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

// The records of hardware are listed, held to the bands that were frozen, and read from a folder of the user's. Red
// with any other band of R07.
func TestReproduceHardware(t *testing.T) {
	s := newShell(t)
	s.run(0, "reproduce", "--hardware", "--check")
	s.run(0, "reproduce", "--hardware", "--format", "csv")
	for _, record := range published.Hardware().Records {
		if !strings.Contains(s.stdout, record.ID+",") {
			t.Errorf("%s is not listed", record.ID)
		}
	}
	if err := os.MkdirAll("mine/scenarios", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"r07.yaml", "scenarios/clean.yaml"} {
		text, err := fs.ReadFile(experiments.Hardware(), name)
		if err != nil {
			t.Fatal(err)
		}
		s.write("mine/"+name, string(text))
	}
	s.run(0, "reproduce", "--hardware", "--records", "mine", "R07", "--record", "mine", "--progress", "none")
	s.run(0, "reproduce", "--hardware", "--records", "mine", "--check")
	text, err := os.ReadFile("mine/r07.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s.write("mine/r07.yaml", strings.Replace(string(text), "band: 0.5 %", "band: 0.6 %", 1))
	s.run(1, "reproduce", "--hardware", "--records", "mine", "--check")
	s.write("mine/r07.yaml", strings.Replace(string(text), "evidence: L", "evidence: Z", 1))
	s.run(2, "reproduce", "--hardware", "--records", "mine")
	if !strings.Contains(s.stderr, "mine/r07.yaml:") || !strings.Contains(s.stderr, `evidence is "Z"`) {
		t.Errorf("%s", s.stderr)
	}
	for _, wrong := range [][]string{{"R14"}, {"R99"}, {"--fit", "R12"}, {"--paper", "pc4"}} {
		s.run(2, append([]string{"reproduce", "--hardware"}, wrong...)...)
	}
}
