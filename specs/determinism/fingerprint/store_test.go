package fingerprint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/model"
)

// written is a store of a text.
func written(t *testing.T, text string) Store {
	t.Helper()
	s := Store{Path: filepath.Join(t.TempDir(), "traces.txt"), Rewrite: "go test -rewrite"}
	if err := os.WriteFile(s.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// Present traces are checked and stored, here ones that change only with a version of the models.
func TestStore(t *testing.T) {
	const old, now = 0, model.Version
	for _, c := range []struct {
		name          string
		version       int
		text          string
		check, refuse string // parts of the errors, "" for none
	}{
		{"the same", now, "aa  x\nbb  y\n", "", ""},
		{"another trace", now, "aa  x\ncc  y\n", "y\n    has bb\n    had cc", "add the rule that changed to its table"},
		{"an older version", old, "aa  x\ncc  y\n", "is of version 0 of the models", ""},
		{"an older version, the same", old, "aa  x\nbb  y\n", "is of version 0 of the models", ""},
		{"one that is new", now, "aa  x\n", "has no traces of\n  y\n", ""},
		{"one that is gone", now, "aa  x\nbb  y\ncc  z\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := written(t, fmt.Sprintf("models %d\n%s", c.version, c.text))
			today := map[string]string{"x": "aa", "y": "bb"}
			if err := s.Check(today); (err == nil) != (c.check == "") || err != nil && !strings.Contains(err.Error(), c.check) {
				t.Errorf("%s: checked: %v, want %q", c.name, err, c.check)
			}
			err := s.Write(today)
			if (err == nil) != (c.refuse == "") || err != nil && !strings.Contains(err.Error(), c.refuse) {
				t.Errorf("%s: written: %v, want %q", c.name, err, c.refuse)
			}
			want := fmt.Sprintf("models %d\naa  x\nbb  y\n", now)
			if err != nil {
				want = fmt.Sprintf("models %d\n%s", c.version, c.text)
			}
			if text, err := os.ReadFile(s.Path); err != nil || string(text) != want {
				t.Errorf("%s: the file has\n%s\nwant\n%s", c.name, text, want)
			}
		})
	}
}

// A file that was changed by hand has other traces than before of the same version, or of a later one.
func TestChangedSince(t *testing.T) {
	s := written(t, "models 3\naa  x\nbb  y\nnn  new\n")
	for earlier, want := range map[string][]string{
		"models 3\naa  x\nbb  y\n":         nil,
		"models 3\naa  x\ncc  y\n":         {"y"},
		"models 3\ndd  x\ncc  y\ngg  gone": {"x", "y"},
		"models 4\naa  x\ncc  y\n":         {"y"},
		"models 2\naa  x\ncc  y\n":         nil,
	} {
		if got, err := s.ChangedSince([]byte(earlier)); err != nil || !slices.Equal(got, want) {
			t.Errorf("since %q: %q, %v, want %q", earlier, got, err, want)
		}
	}
}
