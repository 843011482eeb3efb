package pack

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/build"
)

const scenarioText = `name: small
topology: {kind: star, hosts: 3}
algorithm: dcqcn
traffic: [{kind: incast, size: 1MB}]
`

// journals is the system of a host that takes part in runs.
const journals = "journals"

// runsIn makes a run folder, of the manifest that change gives it, with a page and a program's log.
func runsIn(t *testing.T, change func(*result.Manifest)) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "small-1")
	folder, err := result.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := result.NewManifest("small", "digest", 3)
	m.Build = build.Info{ID: "one", Version: "v1", Revision: "abc", Go: "go1"}
	m.Runs = []result.RunID{{
		Variant:    "a",
		Folder:     "a",
		Algorithm:  "dcqcn",
		Seed:       1,
		Trace:      "1111",
		Verdict:    "pass",
		Algorithms: []result.Algorithm{{Name: "dcqcn", Version: "1.2.0", Form: result.FormBuiltIn}},
	}}
	m.Host.Runs = []result.HostRun{{Folder: "a"}}
	if change != nil {
		change(m)
	}
	files := map[string]string{"scenario.yaml": scenarioText, "a/flows.csv": "flow\n1\n", "a/empty.csv": ""}
	if m.Host.OS == journals {
		files["a/edges/e0"] = "frames"
	}
	for name, text := range files {
		if err := folder.Write(name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err = folder.WritePrinted("mine.log", []byte("0xc000\n")); err == nil {
		err = folder.WritePage([]byte("<p>page\n"))
	}
	if err == nil {
		err = folder.Close(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// packed packs a run folder, as change wants it.
func packed(t *testing.T, dir string, change func(*Contents)) ([]byte, *Made) {
	t.Helper()
	c := &Contents{Folder: os.DirFS(dir)}
	if change != nil {
		change(c)
	}
	var err error
	if c.Manifest, err = Check(c.Folder, c.WithHost); err != nil {
		t.Fatal(err)
	}
	var to bytes.Buffer
	made, err := Write(context.Background(), &to, c)
	if err != nil {
		t.Fatal(err)
	}
	return to.Bytes(), made
}

// memory takes the files of a pack.
type memory map[string]*keeping

func (m memory) create(name string) (io.WriteCloser, error) {
	m[name] = &keeping{}
	return m[name], nil
}

// readAll reads a pack into memory.
func readAll(pack []byte) (memory, *List, string, error) {
	files := memory{}
	list, digest, err := read(context.Background(), bytes.NewReader(pack), int64(len(pack)), files.create)
	return files, list, digest, err
}
