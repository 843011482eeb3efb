package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

// Recorded events replay to the same answers, in this process and in a program
// of its own, whatever the number of workers that recorded them.
func TestEventLogsAreWrittenAndReplayed(t *testing.T) {
	tier.Everyday(t)
	dcqcn := filepath.Join(pluginFolder(t, "cc-dcqcn"), "cc-dcqcn")
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--event-log", "all", "--out", "one", "--workers", "1")
	s.run(0, "run", "incast.yaml", "--event-log", "incast/h0-h4,2", "--out", "two", "--workers", "2", "--variant", "dcqcn")
	one, err1 := os.ReadFile("one/dcqcn/events/incast_h0-h4.sender.jsonl")
	two, err2 := os.ReadFile("two/dcqcn/events/incast_h0-h4.sender.jsonl")
	if err1 != nil || err2 != nil || string(one) != string(two) || !strings.HasPrefix(string(one),
		`{"rocelab_event_log":1,"flow":0,"name":"incast/h0-h4"`) {
		t.Errorf("%v %v\n%s\n%s", err1, err2, one, two)
	}
	if !exists("two/dcqcn/events/incast_h2-h4.sender.jsonl") || exists("two/dcqcn/events/incast_h1-h4.sender.jsonl") {
		t.Error("the logs are not of the flows that were asked for")
	}
	manifest, err := os.ReadFile("two/manifest.json")
	if err != nil || !strings.Contains(string(manifest), "dcqcn/events/incast_h0-h4.sender.jsonl") {
		t.Errorf("the manifest lists no log: %v", err)
	}
	s.run(0, "algorithm", "replay", "one")
	s.says(s.stdout, "EQUAL: all ")
	s.run(0, "algorithm", "replay", "two/dcqcn/events", "--algorithm", dcqcn)
	s.run(1, "algorithm", "replay", "two/dcqcn/events/incast_h0-h4.sender.jsonl", "--set", "rpg_gd=5", "--format", "json")
	var list []replayed
	if err := json.Unmarshal([]byte(s.stdout), &list); err != nil || len(list) != 1 || list[0].Different == 0 ||
		!strings.Contains(list[0].First, "rate_bps is ") {
		t.Errorf("%v %+v", err, list)
	}
}

// An algorithm that fails leaves its logs, to the event that it failed at.
func TestEventLogsOutliveAFault(t *testing.T) {
	tier.Everyday(t)
	folder := t.TempDir()
	if err := programs.Build(folder, []string{"testbed/mem/testdata/crashing"}); err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	s.run(5, "run", "incast.yaml", "--plugin-dir", folder, "--algorithm", "crashing", "--event-log", "all", "--out", "out")
	s.says(s.stderr, "; the event logs are in out\n")
	logs, err := filepath.Glob("out/crashing/events/*.sender.jsonl")
	if err != nil || len(logs) != 4 {
		t.Fatalf("%v %v", logs, err)
	}
	failed := 0
	for _, name := range logs {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(string(text), `"decision":{"rate_bps":0}}`+"\n") {
			failed++
		}
	}
	if failed == 0 {
		t.Error("no log ends with the answer that is none")
	}
}

func TestEventLogsThatCannotBe(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct {
		says string
		args []string
	}{
		{`--event-log "h9": there is no such flow: allowed are all, names from incast/h0-h4 to incast/h3-h4, and ` +
			`numbers from 0 to 3`, []string{"run", "incast.yaml", "--event-log", "h9"}},
		{"--event-log needs --on mem", []string{"run", "incast.yaml", "--event-log", "all", "--on", "veth"}},
		{"--event-log and --no-folder exclude each other", []string{"run", "incast.yaml", "--event-log",
			"all", "--no-folder"}},
		{"incast.yaml: line 1: is not a header of an event log", []string{"algorithm", "replay", "incast.yaml"}},
		{"no such file", []string{"algorithm", "replay", "nowhere.jsonl"}},
		{". has no event logs", []string{"algorithm", "replay", "."}},
		{`--set "x": write name=value`, []string{"algorithm", "replay", "incast.yaml", "--set", "x"}},
		{`"xml" is not a format`, []string{"algorithm", "replay", "incast.yaml", "--format", "xml"}},
		{`there is no command "chek"`, []string{"algorithm", "chek"}},
	} {
		t.Run(c.says, func(t *testing.T) {
			s.run(2, c.args...)
			s.says(s.stderr, c.says)
			if exists("rocelab-runs") {
				t.Fatalf("%v left a run folder", c.args)
			}
		})
	}
}
