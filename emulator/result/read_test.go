package result

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// edit replaces a text in a file of a folder.
func edit(t *testing.T, dir, name, old, replaced string) {
	t.Helper()
	name = filepath.Join(dir, name)
	text, err := os.ReadFile(name)
	if err == nil && !strings.Contains(string(text), old) {
		t.Fatalf("no %q in %s", old, name)
	}
	if err == nil {
		err = os.WriteFile(name, []byte(strings.Replace(string(text), old, replaced, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A folder is held to its digests: of every file of the run, of the manifest, and of the
// files of the host. host.json itself has none.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, old, replaced, want string }{
		{"", "", "", ""},
		{"a/flows.csv", "0", "1", "a/flows.csv was changed: its SHA-256 is "},
		{"columns.md", "is", "was", "columns.md was changed"},
		{"plugins/cc.log", "o", "0", "plugins/cc.log was changed"},
		{ReportName, "page", "pages", "report.html was changed"},
		{manifestName, `"seed": 1`, `"seed": 2`, "manifest.json was changed"},
		{manifestName, `"format": 3`, `"format": 2`, "manifest.json is of format 2, and this rocelab reads format 3: run"},
		{manifestName, `"format": 3,`, "", "manifest.json is of format 0, "},
		{manifestName, `{`, ``, "manifest.json:2:11 is damaged: "},
		{hostName, `"format": 3`, `"format": 4`, "host.json is of format 4, "},
		{hostName, `"cpus": `, `"cpus": 1`, ""},
	} {
		t.Run(fmt.Sprintf("name=%s,old=%s", c.name, c.old), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			folder, err := Create(dir)
			if err != nil {
				t.Fatal(err)
			}
			o := star()
			m, s := NewManifest("x", "", 1), Summarise(o)
			m.Add("a", o, s, Judge(o, s), nil)
			_, err = folder.WritePrinted("cc.log", []byte("oops"))
			page := func(w io.Writer) error { _, err := io.WriteString(w, "the page"); return err }
			err = errors.Join(err, folder.Write(ReportName, page))
			if err := errors.Join(err, folder.WriteRun("a", o, s, Judge(o, s)), folder.Close(m)); err != nil {
				t.Fatal(err)
			}
			if c.name != "" {
				edit(t, dir, c.name, c.old, c.replaced)
			}
			err = Check(os.DirFS(dir))
			if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s, %q to %q: %v, want %q", c.name, c.old, c.replaced, err, c.want)
			}
		})
	}
}

// All missing files are named.
func TestCheckOfWhatIsMissing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	writeFolder(t, dir, star())
	for _, name := range []string{"a/ports.csv", "scenario.yaml"} {
		t.Run(name, func(t *testing.T) {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				t.Fatal(err)
			}
			if err := Check(os.DirFS(dir)); !errors.Is(err, os.ErrNotExist) ||
				!strings.Contains(err.Error(), name+" is missing") {
				t.Errorf("without %s: %v", name, err)
			}
		})
	}
	if err := Check(os.DirFS(dir)); !strings.Contains(err.Error(), "a/ports.csv") {
		t.Errorf("of two only the second is named: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, hostName)); err != nil {
		t.Fatal(err)
	}
	if err := Check(os.DirFS(dir)); err == nil || !strings.HasPrefix(err.Error(), "host.json is missing: it was removed") {
		t.Errorf("without host.json: %v", err)
	}
	if _, err := ReadManifest(os.DirFS(t.TempDir())); !errors.Is(err, ErrNoManifest) {
		t.Errorf("of a folder that is none: %v", err)
	}
}

// A folder is read as it was written.
func TestFoldersAreRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	written := writeFolder(t, dir, star())
	m, err := ReadManifest(os.DirFS(dir))
	if err != nil || !slices.Equal(m.Files, written.Files) || m.Runs[0].Trace != written.Runs[0].Trace {
		t.Errorf("%v, %+v", err, m)
	}
	host, err := ReadHost(os.DirFS(dir))
	if err != nil || host.Manifest != written.Host.Manifest || len(host.Runs) != 1 || host.Runs[0].Folder != "a" {
		t.Errorf("%v, %+v", err, host)
	}
}

// A file that is not a manifest is reported in words.
func TestWhatIsNoManifest(t *testing.T) {
	for text, want := range map[string]string{
		"":               "manifest.json:1:1 is damaged: unexpected end of JSON input",
		"[]":             "manifest.json:1:1 is damaged: all of it is of type array",
		`{"format":"x"}`: "manifest.json:1:13 is damaged: format is of type string",
		fmt.Sprintf(`{"format":%d,"runs":[{"seed":-1}]}`, Format): "manifest.json:1:30 is damaged: runs.seed is of type " +
			"number -1",
	} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			_, err := ReadManifest(fstest.MapFS{manifestName: {Data: []byte(text)}})
			if err == nil || err.Error() != want {
				t.Errorf("%q: %v, want %q", text, err, want)
			}
		})
	}
}

// Pipes and files of JSON beyond the bound are not read, by any caller. Red if a manifest is read without a bound, or a
// file of any kind is hashed.
func TestBoundsOfManifests(t *testing.T) {
	for _, name := range []string{manifestName, hostName} {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				file fstest.MapFile
				says string
			}{
				{fstest.MapFile{Data: make([]byte, MaxJSON+1)}, name + " has more than 67108864 bytes"},
				{fstest.MapFile{Mode: fs.ModeNamedPipe}, name + " is a folder, a pipe or a device"},
			} {
				folder := fstest.MapFS{name: &c.file}
				_, err := ReadManifest(folder)
				if name == hostName {
					_, err = ReadHost(folder)
				}
				if err == nil || !strings.HasPrefix(err.Error(), c.says) {
					t.Errorf("%v, want %q", err, c.says)
				}
			}
		})
	}
	pipe := fstest.MapFS{"a/flows.csv": {Mode: fs.ModeNamedPipe}}
	if err := checkFile(pipe, FileSum{"a/flows.csv", ""}); err == nil || !strings.Contains(err.Error(), "a pipe") {
		t.Error(err)
	}
}
