package veth

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If ROCELAB_RUN names a folder of other things, such as /etc, none of them is removed or called a testbed.
func TestWhatIsNoTestbedStays(t *testing.T) {
	saved(t, "one")
	foreign := map[string]string{
		"alternatives/awk":       "x",
		"containers/policy.json": "x",
		"apt/sources.list.d/":    "",
		"opt/":                   "",
		"fstab":                  "x",
		"half/containers/one":    "x",
		"half/readme":            "x",
	}
	for name, text := range foreign {
		path := filepath.Join(Root(), name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if text != "" {
			err = errors.Join(err, os.WriteFile(path, []byte(text), 0o644))
		} else {
			err = errors.Join(err, os.MkdirAll(path, 0o755))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range foreign {
		path := filepath.Join(Root(), name)
		testbed, _, _ := strings.Cut(name, "/")
		var is *foreignError
		if err := Destroy(t.Context(), testbed); !errors.As(err, &is) {
			t.Errorf("%s: %v", testbed, err)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(filepath.Join(Root(), testbed)); err == nil && info.IsDir() {
			if _, err := Load(testbed); !errors.As(err, &is) {
				t.Errorf("%s: %v", testbed, err)
			}
		}
	}
	if err := Destroy(t.Context(), "one"); err != nil {
		t.Error(err)
	}
}

// What a Deploy or a Destroy that was killed leaves is a testbed's.
func TestRemainsOfATestbedAreNotForeign(t *testing.T) {
	for _, name := range []string{"", "containers", "containers.gone", "testbed.json.part", "run.json", "page", "lock"} {
		dir := filepath.Join(t.TempDir(), "one")
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkForeign(dir, info); err != nil {
			t.Error(err)
		}
	}
}
