package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The wheel has the modules, and a record with the hash of each file.
func TestWheel(t *testing.T) {
	s := &source{dir: "..", date: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)}
	folder := t.TempDir()
	name, err := s.writeWheel("0.0.0-20261122140942-de0e01cfba33", folder)
	if want := "rocelab_runs-0.0.0.dev20261122140942+de0e01cfba33-py3-none-any.whl"; err != nil || name != want {
		t.Fatalf("%s, %v; want %s", name, err, want)
	}
	z, err := zip.OpenReader(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(data)
	}
	record := files["rocelab_runs-0.0.0.dev20261122140942+de0e01cfba33.dist-info/RECORD"]
	for name, text := range files {
		sum := sha256.Sum256([]byte(text))
		line := fmt.Sprintf("%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(text))
		if !strings.HasSuffix(name, "/RECORD") && !strings.Contains(record, line) {
			t.Errorf("RECORD has no line %s:\n%s", line, record)
		}
	}
	for _, name := range []string{"rocelab_runs/__init__.py", "rocelab_runs/plot.py"} {
		if files[name] == "" {
			t.Errorf("%s is not in it", name)
		}
	}
}

// Versions are Python's, and sort as Go's do.
func TestPythonVersion(t *testing.T) {
	for version, want := range map[string]string{
		"0.1.0":                               "0.1.0",
		"0.0.0-20261122140942-de0e01cfba33":   "0.0.0.dev20261122140942+de0e01cfba33",
		"0.2.1-0.20261122140942-de0e01cfba33": "0.2.1.dev20261122140942+de0e01cfba33",
	} {
		if got := pythonVersion(version); got != want {
			t.Errorf("%s is %s, want %s", version, got, want)
		}
	}
}
