package pack

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzRead takes any bytes for a pack. An accepted pack is one that a writer of its files makes, and its files lie
// below the pack.
func FuzzRead(f *testing.F) {
	files := map[string]opener{readmeName: textOf([]byte("read")), "run/a": textOf([]byte("aaaa"))}
	var pack bytes.Buffer
	if _, err := write(context.Background(), &pack, files, &List{}); err != nil {
		f.Fatal(err)
	}
	f.Add(pack.Bytes())
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, text []byte) {
		// As it is, and with a right comment, so that the rest is tried, too.
		body := text[:max(0, len(text)-commentLength-2)]
		sum := sha256.Sum256(body)
		for _, text := range [][]byte{text, append(slices.Clone(body), comment(sum[:])...)} {
			total := 0
			create := func(name string) (io.WriteCloser, error) {
				if !filepath.IsLocal(name) {
					t.Errorf("%q", name)
				}
				return &limited{t, &total}, nil
			}
			_, _, err := read(context.Background(), bytes.NewReader(text), int64(len(text)), create)
			if err == nil && !bytes.HasPrefix(text, []byte("PK\x03\x04")) {
				t.Error("it is read")
			}
		}
	})
}

// FuzzForged takes any name, text and list as parts of a pack whose sums are right.
func FuzzForged(f *testing.F) {
	const list = `{"format": 1, "inputs": [{"sha256": "00"}], "programs": [{"file": "programs/a"}], "files": []}`
	f.Add("run/a", []byte("aaaa"), uint32(0), uint32(0), list)
	f.Add("../a", []byte{}, uint32(1), uint32(1), "{}")
	f.Fuzz(func(t *testing.T, name string, text []byte, size, packed uint32, list string) {
		if len(name) > 1<<16-1 {
			return // a zip has no longer ones
		}
		pack := forged(t, &List{}, file{name: readmeName}, file{name, string(text), func(e *zip.FileHeader) {
			e.UncompressedSize64 += uint64(size)
			e.CompressedSize64 += uint64(packed)
		}}, file{name: listName, text: list})
		files, read, _, err := readAll(pack)
		if err != nil {
			return
		}
		if !filepath.IsLocal(name) || files[name].String() != string(text) || len(read.Files) != 2 {
			t.Errorf("%q is read as %q", name, files)
		}
	})
}

// limited takes no more than a pack may have.
type limited struct {
	t     *testing.T
	total *int
}

func (l *limited) Write(b []byte) (int, error) {
	if *l.total += len(b); *l.total > mostBytes {
		l.t.Error("it has more than it may")
	}
	return len(b), nil
}

func (l *limited) Close() error { return nil }
