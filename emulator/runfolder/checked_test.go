package runfolder_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rocelab/rocelab/emulator/runfolder"
)

// A listed file is held to its digest as its end is read. Red if a file that was changed is read without an error.
func TestCheckedFiles(t *testing.T) {
	digest := func(text string) string { sum := sha256.Sum256([]byte(text)); return hex.EncodeToString(sum[:]) }
	manifest := fmt.Sprintf(`{"format": 3, "status": "complete", "runs": [], "files": [{"name": "a", "sha256": "%s"}, `+
		`{"name": "b", "sha256": "%[1]s"}, {"name": "c"}, {"name": "d"}]}`, digest("text"))
	host := fmt.Sprintf(`{"format": 3, "manifest_sha256": "%s"}`, digest(manifest))
	files := fstest.MapFS{
		"manifest.json": {Data: []byte(manifest)}, "host.json": {Data: []byte(host)}, "e": {},
		"a": {Data: []byte("text")}, "b": {Data: []byte("texts")}, "c": {Mode: fs.ModeNamedPipe},
	}
	folder, err := runfolder.OpenFS(files)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := folder.Checked()
	if err != nil {
		t.Fatal(err)
	}
	if !checked.Has("a") || checked.Has("e") {
		t.Error("what is listed is not what is there")
	}
	for name, want := range map[string]string{
		"a": "", "b": "b was changed: its SHA-256 is ", "c": "c is a folder, a pipe", "d": "d is missing",
	} {
		t.Run(name, func(t *testing.T) {
			file, err := checked.Open(name)
			if err == nil {
				_, err = io.ReadAll(file)
			}
			if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		})
	}
	files["manifest.json"] = &fstest.MapFile{Data: []byte(manifest + " ")}
	if _, err := folder.Checked(); err == nil || !strings.HasPrefix(err.Error(), "manifest.json was changed") {
		t.Error(err)
	}
}
