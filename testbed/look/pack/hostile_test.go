package pack

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// file is a file of a hand-made pack.
type file struct {
	name, text string
	// entry changes its header.
	entry func(*zip.FileHeader)
}

// forged is a pack whose sums are right, of files that need not be.
func forged(t *testing.T, list *List, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	out := &summed{to: &b, sum: sha256.New()}
	w := zip.NewWriter(out)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	deflate, err := flate.NewWriter(nil, flate.BestSpeed)
	must(err)
	add := func(f file) {
		var packed bytes.Buffer
		deflate.Reset(&packed)
		_, err := deflate.Write([]byte(f.text))
		must(errors.Join(err, deflate.Close()))
		head := &zip.FileHeader{
			Name:               f.name,
			Method:             zip.Deflate,
			CRC32:              crc32.ChecksumIEEE([]byte(f.text)),
			CompressedSize64:   uint64(packed.Len()),
			UncompressedSize64: uint64(len(f.text)),
		}
		head.SetMode(0o644)
		if f.entry != nil {
			f.entry(head)
		}
		raw, err := w.CreateRaw(head)
		must(err)
		if !strings.HasSuffix(f.name, "/") { // a folder has no bytes
			_, err = raw.Write(packed.Bytes())
			must(err)
		}
	}
	for _, f := range files {
		add(f)
		sum := sha256.Sum256([]byte(f.text))
		list.Files = append(list.Files, result.FileSum{Name: f.name, SHA256: hex.EncodeToString(sum[:])})
	}
	list.Format = Format
	var text bytes.Buffer
	must(result.WriteJSON(&text, list))
	if len(files) == 0 || files[len(files)-1].name != listName { // or it brings a list of its own
		add(file{name: listName, text: text.String()})
	}
	must(errors.Join(w.Close(), out.finish()))
	return b.Bytes()
}

// What zips are known to hide is refused, with words that say it.
func TestHostilePacks(t *testing.T) {
	readme := file{name: readmeName, text: "read"}
	if _, _, _, err := readAll(forged(t, &List{}, readme, file{name: "run/a", text: "a"})); err != nil {
		t.Fatal(err) // or the rest proves nothing
	}
	for _, name := range []string{"../evil", "run/../../evil", "/etc/passwd", "run//a", "run/", "run/./a", `run\..\evil`,
		"C:/evil", "run/a:b", "run/a\x00b", "run/\x1b[2J", "run/\u202efdp", "run/\xff", "evil", "bin/evil", ".", "",
		"run/" + strings.Repeat("a", 400)} {
		t.Run(fmt.Sprintf("%.50q", name), func(t *testing.T) {
			if _, _, _, err := readAll(forged(t, &List{}, readme, file{name: name, text: "a"})); err == nil ||
				!strings.Contains(err.Error(), "name") {
				t.Errorf("%q: %v", name, err)
			}
		})
	}
	sum := strings.Repeat("0", 64)
	for words, pack := range map[string][]byte{
		"is there twice":   forged(t, &List{}, readme, file{name: "run/a"}, file{name: "run/a"}),
		"out of order":     forged(t, &List{}, readme, file{name: "run/b"}, file{name: "run/a"}),
		"by capitals only": forged(t, &List{}, readme, file{name: "run/A/b"}, file{name: "run/a/a"}),
		"more than 1024 MB": forged(t, &List{}, readme, file{name: "run/a", entry: func(e *zip.FileHeader) {
			e.UncompressedSize64 = mostBytes
		}}),
		"run/a: it was changed": forged(t, &List{}, readme, file{name: "run/a", text: strings.Repeat("0", 1<<20),
			entry: func(e *zip.FileHeader) { e.UncompressedSize64 = 9 }}),
		"run/b: it was changed": forged(t, &List{}, readme, file{name: "run/b", text: "0123456789",
			entry: func(e *zip.FileHeader) { e.CompressedSize64 -= 2 }}),
		"run/c: it was changed": forged(t, &List{}, readme, file{name: "run/c", text: "01",
			entry: func(e *zip.FileHeader) { e.CRC32++ }}),
		"run/d is not a plain file": forged(t, &List{}, readme, file{name: "run/d", text: "/etc/passwd",
			entry: func(e *zip.FileHeader) { e.SetMode(fs.ModeSymlink | 0o777) }}),
		"it is not a pack": forged(t, &List{}, file{name: "run/a"}),
		"inputs/" + sum:    forged(t, &List{Inputs: []input{{SHA256: sum}}}, readme),
		"as a program":     forged(t, &List{Programs: []Program{{File: readmeName}}}, readme),
		"which is not there": forged(t, &List{Programs: []Program{{File: "programs/a/a", SHA256: sum}}}, readme,
			file{name: "programs/a/a"}),
	} {
		t.Run(fmt.Sprintf("%.50q", words), func(t *testing.T) {
			if _, _, _, err := readAll(pack); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: %v", words, err)
			}
		})
	}
	hidden := forged(t, &List{}, readme)
	hidden = hidden[:len(hidden)-commentLength-2]
	for words, change := range map[string]func(end []byte){
		"is not before its end":      func(end []byte) { end[12]-- },
		"not all of it came":         func(end []byte) { end[0]-- },
		"it has more than 20000 fil": func(end []byte) { end[14] = 0xff },
		"it has more than 20000 f":   func(end []byte) { end[11] = 0xff },
	} {
		t.Run(words, func(t *testing.T) {
			changed := slices.Clone(hidden)
			change(changed[len(changed)-endLength:])
			sum := sha256.Sum256(changed)
			if _, _, _, err := readAll(append(changed, comment(sum[:])...)); err == nil || !strings.Contains(err.Error(),
				words) {
				t.Errorf("%s: %v", words, err)
			}
		})
	}
	many := []file{readme}
	for range mostFiles {
		many = append(many, file{name: "run/" + hex.EncodeToString([]byte{byte(len(many) >> 8), byte(len(many))})})
	}
	if _, _, _, err := readAll(forged(t, &List{}, many...)); err == nil ||
		!strings.Contains(err.Error(), "more than 20000") {
		t.Error(err)
	}
}

// The list of a pack is held to its files both ways.
func TestReadList(t *testing.T) {
	files := []result.FileSum{{Name: "a", SHA256: "1"}, {Name: "b", SHA256: "2"}}
	const head = `{"format": 1, "inputs": [], "programs": [], "files": [`
	for text, words := range map[string]string{
		head + `{"name": "a", "sha256": "1"}, {"name": "b", "sha256": "2"}]}`:  "",
		head + `{"name": "a", "sha256": "1"}, {"name": "b", "sha256": "3"}]}`:  "b was changed",
		head + `{"name": "a", "sha256": "1"}]}`:                                "b is not as",
		head + `{"name": "a", "sha256": "1"}, {"name": "c", "sha256": "2"}]}`:  "b is not as",
		head + `{"name": "a", "sha256": "1"}, {"name": "b", "sha256": "2"}]}1`: "damaged",
		`{"format": 2, "other": true}`:                                         "of format 2",
		`{"format": 1, "other": true}`:                                         "other",
		`{"format": "1"}`:                                                      "damaged",
		``:                                                                     "damaged",
	} {
		_, err := readList([]byte(text), files)
		if words == "" && err != nil || words != "" && (err == nil || !strings.Contains(err.Error(), words)) {
			t.Errorf("%s: %v, and not %q", text, err, words)
		}
	}
}
