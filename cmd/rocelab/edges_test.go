package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/replay"
)

// withEdge is two NICs of ours and a host beside them.
const withEdge = `name: beside
algorithm: fixed
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: a, kind: edge, interface: vethA}
    - {name: h0, kind: host}
    - {name: h1, kind: host}
  links:
    - {endpoints: ["a:0", "s0:0"], rate: 1Gbps}
    - {endpoints: ["h0:0", "s0:1"], rate: 1Gbps, latency: 10us}
    - {endpoints: ["h1:0", "s0:2"], rate: 1Gbps, latency: 10us}
traffic: [{name: f, kind: flow, from: h0, to: h1, size: 20KB}]
run: {until: 2ms}
`

// came is a frame that came in at an edge.
type came struct {
	at    unit.Time
	frame []byte
}

// recordedRun makes the run folder of a run with frames that came in at the edge, as a live run leaves it. limit is the
// maximum size of its journal.
func recordedRun(t *testing.T, dir, trace string, limit unit.Bytes) {
	t.Helper()
	var frames []came
	for i := range 20 {
		frames = append(frames, came{unit.Time(i) * unit.Time(17*unit.Microsecond), bytes.Repeat([]byte{byte(i)}, 200)})
	}
	recordedRunOf(t, withEdge, dir, trace, frames, limit)
}

// recordedRunOf makes that of a scenario with one edge, at which these frames came in.
func recordedRunOf(t *testing.T, text, dir, trace string, frames []came, limit unit.Bytes) {
	t.Helper()
	s, err := scenario.Parse("beside.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := result.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := plans[0]
	sub := result.VariantOf(p)
	handOver := func(name string) (*os.File, error) { return folder.HandOver(sub + "/" + name) }
	recording, err := replay.Record(p, handOver, 10, limit)
	if err != nil || len(recording.Journals) != 1 {
		t.Fatalf("%d journals, %v", len(recording.Journals), err)
	}
	j := &recording.Journals[0]
	w, err := journal.NewWriter(j.File, j.Header, j.Limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		w.Add(f.at, f.at, f.frame)
	}
	if err := w.Close(p.Until); err != nil {
		t.Fatal(err)
	}
	remarks, err := recording.Close()
	if full := limit > 0; err != nil || (len(remarks) == 1) != full {
		t.Fatalf("remarks %q, %v", remarks, err)
	}
	manifest := result.NewManifest(s.Name, s.Digest, model.Version)
	manifest.Runs = []result.RunID{{Variant: sub, Folder: sub, Seed: p.Seed, Trace: trace}}
	manifest.Overrides = map[string]string{"run.until": "2ms"}
	if err := folder.Close(manifest); err != nil {
		t.Fatal(err)
	}
}

// A live run is replayed from its folder: the same trace each time, however it is run, and the report states whether it
// is that of the run.
func TestReplayOfARunFolder(t *testing.T) {
	s := newShell(t)
	s.write("beside.yaml", withEdge)
	recordedRun(t, "first", "0123456789abcdef", 0)
	s.run(1, "run", "beside.yaml", "--edges", "first", "--out", "replay")
	s.says(s.stdout, "not that of the run,")
	sub := "replay/beside"
	trace := readSummary(t, sub+"/summary.json").Trace
	if sheet, err := os.ReadFile(sub + "/edges.csv"); err != nil || !strings.Contains(string(sheet), ",a,20,4000,") {
		t.Errorf("%v: %s", err, sheet)
	}
	recordedRun(t, "second", trace, 0)
	for _, more := range [][]string{nil, {"--codec"}, {"--workers", "3"}} {
		s.run(0, append([]string{"run", "beside.yaml", "--edges", "second", "--no-folder"}, more...)...)
		s.says(s.stdout, "has the trace of the run")
	}
}

// What cannot be replayed is named, and what to do: exit code 2.
func TestWhatCannotBeReplayed(t *testing.T) {
	s := newShell(t)
	s.write("beside.yaml", withEdge)
	recordedRun(t, "good", "0", 0)
	recordedRun(t, "full", "0", 500)
	recordedRun(t, "damaged", "0", 0)
	recordedRun(t, "empty", "0", 0)
	const place = "/beside/edges/a.journal"
	text, err := os.ReadFile("damaged" + place)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 4
	s.write("damaged"+place, string(text))
	if err := os.Remove("empty" + place); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  string
		parts string
	}{
		{"", "a is an edge, where frames come in from outside|--on live|--edges"},
		{"--edges nowhere", "nowhere has no manifest.json"},
		{"--edges good --seed 7", "good has no run of beside with seed 7: it has seed 1, so give --seed 1"},
		{"--edges good --set switch.buffer=2MB", "good/beside/edges/a.journal belongs to another scenario|--set " +
			"run.until=2ms"},
		{"--edges good --algorithm dcqcn", "good has no run of dcqcn: it has beside"},
		{"--edges full", "full/beside/edges/a.journal is not of the whole run|--journal"},
		{"--edges damaged", "journal damaged/beside/edges/a.journal: at offset |checksum"},
		{"--edges empty", "there is no journal empty/beside/edges/a.journal"},
		{"--edges good --on live", "--edges is a replay"},
		{"--journal 1GB", "--journal needs --on live"},
		{"--on live --journal 0B", "allowed is above 0B"},
	} {
		s.run(2, append([]string{"run", "beside.yaml", "--no-folder"}, strings.Fields(c.args)...)...)
		for part := range strings.SplitSeq(c.parts, "|") {
			s.says(s.stderr, part)
		}
	}
	s.run(2, "run", "incast.yaml", "--no-folder", "--edges", "good")
	s.says(s.stderr, "this scenario has no edges")
}
