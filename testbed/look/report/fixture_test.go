package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/rocelab/rocelab/emulator/result"
)

// fakeRun is a run of a folder that a test makes up: its files by name, summary.json among
// them made of the rest.
type fakeRun struct {
	variant, verdict string
	seed             uint64
	metrics          map[string]float64
	files            map[string]string
	// timing is a live run's timing in host.json.
	timing map[string]any
	// recording describes the series in summary.json; nil for none.
	recording map[string]any
}

// folderOf makes a run folder of runs, with all its digests.
func folderOf(t testing.TB, scenario string, runs ...fakeRun) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	manifest := map[string]any{
		"format": result.Format, "status": "complete", "scenario": scenario, "scenario_sha256": scenario, "models": 1,
		"build": map[string]any{"version": "(devel)"},
	}
	var ids, hosts []any
	for i, r := range runs {
		folder := fmt.Sprintf("run-%d", i)
		verdict := r.verdict
		if verdict == "" {
			verdict = "pass"
		}
		ids = append(ids, map[string]any{"variant": r.variant, "folder": folder, "seed": r.seed, "verdict": verdict})
		withTime := any(verdict)
		if r.timing != nil {
			withTime = r.timing["verdict"]
		}
		hosts = append(hosts, map[string]any{"folder": folder, "verdict": withTime, "timing": r.timing})
		summary, err := json.Marshal(map[string]any{"variant": r.variant, "algorithm": r.variant, "seed": r.seed,
			"verdict": verdict, "metrics": r.metrics, "recording": r.recording})
		if err != nil {
			t.Fatal(err)
		}
		files[folder+"/summary.json"] = &fstest.MapFile{Data: summary}
		for name, text := range r.files {
			files[folder+"/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	manifest["runs"] = ids
	var sums []any
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.Sum256(files[name].Data)
		sums = append(sums, map[string]any{"name": name, "sha256": hex.EncodeToString(sum[:])})
	}
	manifest["files"] = sums
	text, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	files["manifest.json"] = &fstest.MapFile{Data: text}
	sum := sha256.Sum256(text)
	host, err := json.Marshal(map[string]any{"format": result.Format, "manifest_sha256": hex.EncodeToString(sum[:]),
		"runs": hosts})
	if err != nil {
		t.Fatal(err)
	}
	files["host.json"] = &fstest.MapFile{Data: host}
	return files
}

// written is the page of folders.
func written(t testing.TB, folders ...*Folder) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, folders...); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func opened(t testing.TB, name string, files fstest.MapFS) *Folder {
	t.Helper()
	folder, err := Open(name, name, files)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// parsed is a page as a browser reads it.
func parsed(t testing.TB, page string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// each calls visit with every element.
func each(node *html.Node, visit func(*html.Node)) {
	for n := range node.Descendants() {
		if n.Type == html.ElementNode {
			visit(n)
		}
	}
}

func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(node *html.Node) string {
	var text strings.Builder
	for n := range node.Descendants() {
		if n.Type == html.TextNode {
			text.WriteString(n.Data)
		}
	}
	return text.String()
}

// byID returns the element with an id.
func byID(t testing.TB, root *html.Node, id string) *html.Node {
	t.Helper()
	var found *html.Node
	each(root, func(n *html.Node) {
		if attribute(n, "id") == id {
			found = n
		}
	})
	if found == nil {
		t.Fatalf("the page has no element %q", id)
	}
	return found
}

// dataOf returns the data that the script of a page reads.
func dataOf(t testing.TB, root *html.Node) (d data) {
	t.Helper()
	if err := json.Unmarshal([]byte(textOf(byID(t, root, "data"))), &d); err != nil {
		t.Fatal(err)
	}
	return d
}
