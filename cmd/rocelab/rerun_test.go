package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

const rerunnable = fits + `seed: 3
variants: [{name: a}, {name: b, algorithm: {name: dcqcn, params: {set: paper}}}]
`

// A folder's runs are made again to the byte, with their seeds, flags and variants, whatever the number of workers;
// differences are named.
func TestRerun(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	for _, c := range []struct{ flags, says string }{
		{"", "one: the same: "},
		{"--seeds 2 --set switch.buffer=8MB --no-record", "files of 4 runs, to the byte\n"},
		{"--variant b --seed 9", "files of 1 run, to the byte\n"},
		{"--algorithm hpcc,fixed:rate=1Gbps --set nic.repace=false", "files of 2 runs, to the byte\n"},
	} {
		t.Run(c.says, func(t *testing.T) {
			s.run(0, strings.Fields("run x.yaml --out one "+c.flags)...)
			s.run(0, "rerun", "one", "--workers", "2", "--out", "again")
			s.says(s.stdout, c.says)
			for _, folder := range []string{"one", "again"} {
				if err := os.RemoveAll(folder); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	s.run(0, "run", "x.yaml", "--out", "one", "--variant", "b")
	s.run(0, "rerun", "one", "--format", "json")
	var document struct {
		Same bool
		Runs int
	}
	if err := json.Unmarshal([]byte(s.stdout), &document); err != nil || !document.Same || document.Runs != 1 {
		t.Errorf("%v: %s", err, s.stdout)
	}
	forge(t, "one", `"models": `, `"models": 9`)
	forge(t, "one", `"trace": "`, `"trace": "0`)
	s.run(1, "rerun", "one")
	s.says(s.stdout, "one: not the same\n  b: its trace is ")
	s.says(s.stdout, "differing inputs that decide a run:\n  models: version ")
}

// forge replaces a text of a manifest, and makes host.json vouch for it.
func forge(t *testing.T, folder, old, made string) {
	t.Helper()
	change := func(name, old, made string) []byte {
		text, err := os.ReadFile(folder + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), old, made, 1)
		if changed == string(text) {
			t.Fatalf("%s has no %q", name, old)
		}
		if err := os.WriteFile(folder+"/"+name, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		return []byte(changed)
	}
	before, err := os.ReadFile(folder + "/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	was, is := sha256.Sum256(before), sha256.Sum256(change("manifest.json", old, made))
	change("host.json", hex.EncodeToString(was[:]), hex.EncodeToString(is[:]))
}

// A folder that is none, was changed, or whose algorithm is not there, is refused, and nothing is
// made.
func TestRerunRefuses(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	s.run(0, "run", "x.yaml", "--out", "one", "--variant", "b")
	s.run(2, "rerun", "none")
	s.says(s.stderr, "none has no manifest.json")
	s.run(2, "rerun", "one", "--workers", "-1")
	s.run(2, "rerun")
	s.run(2, "rerun", "one", "--out", "one")
	s.says(s.stderr, "one")
	forge(t, "one", `"name": "dcqcn"`, `"name": "dcqcm"`)
	s.run(5, "rerun", "one", "--out", "again")
	s.says(s.stderr, "one/b: dcqcm ran as version ")
	if _, err := os.Lstat("again"); err == nil {
		t.Error("a folder was made")
	}
	s.run(0, "run", "x.yaml", "--out", "two", "--variant", "b")
	s.write("two/b/flows.csv", "flow\n")
	s.run(2, "rerun", "two")
	s.says(s.stderr, "two: b/flows.csv was changed")
}

// Runs that take long are announced before they begin.
func TestALongRerunIsAnnounced(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	s.run(0, "run", "x.yaml", "--out", "one")
	s.run(0, "rerun", "one")
	if strings.Contains(s.stderr, "to repeat, which take") {
		t.Errorf("of a short one: %s", s.stderr)
	}
	s.write("long.yaml", "name: long\ntopology: {kind: star, hosts: 3}\nalgorithm: fixed\n"+
		"traffic: [{kind: incast, size: 100TB}]\n")
	s.run(0, "validate", "long.yaml")
	text, err := os.ReadFile("long.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s.write("one/scenario.yaml", string(text))
	s.write("one/resolved.yaml", string(text))
	// The digest of scenario.yaml is in the manifest twice.
	for _, name := range []string{"scenario.yaml", "scenario.yaml", "resolved.yaml"} {
		entry := regexp.MustCompile(`"name": "` + name + `",\s+"sha256": "([0-9a-f]+)"`)
		manifest, err := os.ReadFile("one/manifest.json")
		if err != nil {
			t.Fatal(err)
		}
		forge(t, "one", entry.FindStringSubmatch(string(manifest))[1], sumOfText(string(text)))
	}
	forge(t, "one", `"variant": "a"`, `"variant": "long"`)
	forge(t, "one", `"variant": "b"`, `"variant": "long"`)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var stdout bytes.Buffer
	heard := &hearing{word: "to repeat, which take", then: cancel}
	if code := execute(ctx, []string{"rerun", "one"}, &stdout, heard); code != 130 || !heard.did {
		t.Errorf("exit code %d, %s", code, heard.text.String())
	}
}

// hearing calls then when a word was written.
type hearing struct {
	text bytes.Buffer
	word string
	then func()
	did  bool
}

func (h *hearing) Write(text []byte) (int, error) {
	h.text.Write(text)
	if !h.did && strings.Contains(h.text.String(), h.word) {
		h.did = true
		h.then()
	}
	return len(text), nil
}
