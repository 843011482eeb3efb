package view

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rocelab/rocelab/emulator/result"
)

// A list reads folders with the reader of run folders: bounds, formats and damage are the same as everywhere. Red if
// it has structs and bounds of its own.
func TestAListReadsAsEverybodyDoes(t *testing.T) {
	sound := `{"format": 3, "status": "complete", "runs": []}`
	for _, c := range []struct{ manifest, host, says string }{
		{sound, `{"format": 3, "runs": []}`, ""},
		{sound, `{"format": 2, "runs": []}`, "host.json is of format 2"},
		{sound, "{\n\"format\": 3, \"runs\": [}", "host.json:2:23 is damaged: invalid character"},
		{`{"format": 3, "status": "complete", "runs": 3}`, sound, "manifest.json:1:45 is damaged: runs is of type number"},
		{sound, strings.Repeat(" ", result.MaxJSON+1), "host.json has more than 67108864 bytes"},
	} {
		t.Run(fmt.Sprintf("says=%q", c.says), func(t *testing.T) {
			files := fstest.MapFS{"manifest.json": {Data: []byte(c.manifest)}, "host.json": {Data: []byte(c.host)}}
			if _, err := readRun("a", files); (err == nil) != (c.says == "") || err != nil &&
				!strings.HasPrefix(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

// The name of a scenario is read as YAML is. Red if it is looked for at the begin of lines.
func TestTheNameOfAnUnfinishedRun(t *testing.T) {
	for text, want := range map[string]string{
		"name: 'incast'  # sixteen\ntopology: {kind: star}\n": "incast",
		"{\"name\": \"incast\", \"topology\": {}}":            "incast",
		"traffic: |\n  x\n\n\"name\": incast\n":               "incast",
		"- a\n":                                               "",
		"name: [a]\n":                                         "",
		"name: \"<script>\"\n":                                "",
		"name: \"":                                            "",
		strings.Repeat("#", 1<<17):                            "",
	} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			if got := scenarioOf(fstest.MapFS{"scenario.yaml": {Data: []byte(text)}}); got != want {
				t.Errorf("%.40q: %q, want %q", text, got, want)
			}
		})
	}
}
