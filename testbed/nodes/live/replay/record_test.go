package replay

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A journal that a replay would refuse is remarked upon at the end of the run that wrote it, be it one bit
// that is wrong.
func TestWhatCannotBeReplayedIsARemark(t *testing.T) {
	header := journal.Header{Edge: "a", Dilation: 1, Digest: "d", Seed: 1}
	for name, c := range map[string]struct {
		says   string
		header journal.Header
		limit  int64
		spoil  func(text []byte) []byte
	}{
		"sound":   {"", header, 0, nil},
		"a bit":   {"the checksum differs", header, 0, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }},
		"its end": {"cut", header, 0, func(text []byte) []byte { return text[:len(text)-1] }},
		"nothing": {"it does not begin with", header, 0, func([]byte) []byte { return nil }},
		"another": {"belongs to another run", journal.Header{Edge: "a", Dilation: 1, Digest: "e"}, 0, nil},
		"full":    {"is full at", header, 1000, nil},
	} {
		file, err := os.Create(filepath.Join(t.TempDir(), "a.journal"))
		if err != nil {
			t.Fatal(err)
		}
		w, err := journal.NewWriter(file, c.header, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			w.Add(unit.Time(i), unit.Time(i), bytes.Repeat([]byte{byte(i)}, 200))
		}
		if err := w.Close(30); err != nil {
			t.Fatal(err)
		}
		if c.spoil != nil {
			text, err := os.ReadFile(file.Name())
			if err == nil {
				err = os.WriteFile(file.Name(), c.spoil(text), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		r := Recording{Journals: []Journal{{File: file, Header: header, Limit: c.limit}}}
		remarks, err := r.Close()
		text := strings.Join(remarks, "\n")
		if err != nil || (text == "") != (c.says == "") || !strings.Contains(text, c.says) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
