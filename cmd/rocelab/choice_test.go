package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/tier"
)

// traces returns the traces of the runs of a scenario by their variants.
func (s *shell) traces(args ...string) map[string]string {
	s.t.Helper()
	s.run(0, append([]string{"run", "incast.yaml", "--no-folder", "--format", "json"}, args...)...)
	var r struct {
		Runs []struct{ Variant, Trace string }
	}
	if err := json.Unmarshal([]byte(s.stdout), &r); err != nil {
		s.t.Fatal(err, s.stdout)
	}
	traces := map[string]string{}
	for _, run := range r.Runs {
		traces[run.Variant] = run.Trace
	}
	return traces
}

// An algorithm that is chosen with parameters runs as a scenario with these parameters does, in a variant named after
// the flag's text.
func TestAlgorithmsAreChosenWithParameters(t *testing.T) {
	s := newShell(t)
	got := s.traces("--algorithm", "pc4,dcqcn:set=paper,g=0.01", "--algorithm", "dcqcn")
	want := s.traces("--set", "variants=[{name: x, algorithm: {name: dcqcn, params: {set: paper, g: 0.01}}}]")
	if len(got) != 3 || got["dcqcn-set-paper-g-0.01"] != want["x"] || got["dcqcn"] == want["x"] || got["pc4"] == "" {
		t.Errorf("%v, want %v", got, want)
	}
	s.run(0, "validate", "incast.yaml", "--algorithm", "pc4,dcqcn:set=paper,g=0.01")
	s.says(s.stdout, "\npc4, dcqcn-set-paper-g-0.01\n")
	s.run(0, "run", "incast.yaml", "--no-folder", "--algorithm", "pc4,dcqcn:set=paper", "--variant", "dcqcn-set-paper")
	if strings.Contains(s.stdout, "pc4") {
		t.Error(s.stdout)
	}
	// A scenario's own sets of parameters have names, too.
	s.write("incast.yaml", incast+"algorithms: {careful: {name: dcqcn, params: {rpg_gd: 5}}}\n")
	if got := s.traces("--algorithm", "careful,dcqcn:rpg_gd=5"); got["careful"] != got["dcqcn-rpg_gd-5"] {
		t.Error(got)
	}
}

// A program is chosen by its path in every command, and decides what the
// built-in form does.
func TestProgramsAreChosen(t *testing.T) {
	tier.Everyday(t)
	dir := pluginFolder(t, "cc-dcqcn")
	s := newShell(t)
	if err := os.Rename(filepath.Join(dir, "cc-dcqcn"), "cc-mine"); err != nil {
		t.Fatal(err)
	}
	got, want := s.traces("--algorithm", "./cc-mine:rpg_gd=5,pc4"), s.traces("--algorithm", "dcqcn:rpg_gd=5")
	if trace := got["cc-mine-rpg_gd-5"]; trace == "" || trace != want["dcqcn-rpg_gd-5"] || got["pc4"] == "" {
		t.Errorf("%v, want %v", got, want)
	}
	s.run(0, "run", "incast.yaml", "--algorithm", "./cc-mine:rpg_gd=5", "--out", "p")
	file, err := os.ReadFile("cc-mine")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(file)
	ran := algorithmsIn(t, "p")[0]
	if ran.Name != "dcqcn" || ran.Form != result.FormProcess || ran.Program.SHA256 != hex.EncodeToString(sum[:]) ||
		len(ran.Program.Build.ID) < 40 || valueText(ran.Params["rpg_gd"]) != "5" ||
		valueText(ran.Params["rpg_time_reset"]) != "300us" {
		t.Errorf("%+v", ran)
	}
	s.run(0, "validate", "incast.yaml", "--algorithm", "./cc-mine")
	s.says(s.stdout, "\ncc-mine\n")
	s.run(0, "algorithm", "show", "./cc-mine")
	here, _ := filepath.Abs("cc-mine")
	s.says(s.stdout, "dcqcn 1.2.0, "+here+"\n")
	s.run(2, "run", "incast.yaml", "--no-folder", "--algorithm", "dcqcn,./cc-mine")
	s.says(s.stderr, "dcqcn and ./cc-mine are both algorithm dcqcn: in a run each name may occur once; rocelab "+
		"compare takes both")
	s.run(0, "run", "incast.yaml", "--variant", "dcqcn", "--event-log", "0", "--out", "x")
	s.run(1, "algorithm", "replay", "x", "--algorithm", "./cc-mine:rpg_gd=5")
	s.says(s.stdout, "DIFFERENT: ")
}

func TestChoicesThatAreNone(t *testing.T) {
	s := newShell(t)
	s.write("bad.yaml", "topologie: {kind: star}\n")
	for _, c := range []struct{ args, words string }{
		{"run incast.yaml --algorithm pc4,cubic", `rocelab: there is no algorithm "cubic": there are dcqcn, `},
		{"validate incast.yaml --algorithm pc4,cubic", `rocelab: there is no algorithm "cubic": there are dcqcn, `},
		{"run bad.yaml --algorithm cubic", "bad.yaml:1:1: "},
		{"run incast.yaml --algorithm pc4,pc4", "--algorithm: algorithm pc4 is given twice"},
		{"run incast.yaml --algorithm dcqcn:speed=1",
			"rocelab: algorithm dcqcn:speed=1: parameter speed: dcqcn has no such parameter"},
		{"run incast.yaml --algorithm dcqcn:sett=1", "; did you mean set?"},
		{"run incast.yaml --algorithm dcqcn:", "--algorithm: algorithm \"dcqcn:\": no parameters after the colon"},
		{"test --algorithm pc4,dcqcn", "--algorithm pc4,dcqcn: one is allowed, and there are 2"},
		{"algorithm check pc4 --algorithm dcqcn", "name the algorithm once"},
		{"algorithm replay incast.yaml --algorithm pc4,dcqcn", "--algorithm pc4,dcqcn: one is allowed, and there " +
			"are 2"},
		{"algorithm replay incast.yaml --algorithm pc4:beta=1 --set beta=2", "--set beta is given twice"},
		{"algorithm show dcqcn:set=paper", "algorithm dcqcn:set=paper: write only its name, dcqcn"},
	} {
		s.run(2, strings.Fields(c.args)...)
		s.says(s.stderr, c.words)
	}
	s.run(2, "run", "incast.yaml", "--algorithm", "./nowhere")
	s.says(s.stderr, "rocelab: --algorithm ./nowhere: there is no such file")
	s.write("plain", "no program\n")
	s.run(5, "run", "incast.yaml", "--algorithm", "./plain")
	s.says(s.stderr, "plain: is not an executable program")
}
