package pack

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"testing"
)

// FuzzRead takes any bytes for a pack. What is read is what a writer of its files makes, and lies
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
		total := 0
		_, _, err := read(context.Background(), bytes.NewReader(text), func(name string) (io.WriteCloser, error) {
			if !filepath.IsLocal(name) {
				t.Errorf("%q", name)
			}
			return &limited{t, &total}, nil
		})
		if err == nil && !bytes.HasPrefix(text, []byte("PK\x03\x04")) {
			t.Error("it is read")
		}
	})
}

// limited takes no more than a pack may have.
type limited struct {
	t     *testing.T
	total *int
}

func (l *limited) Write(b []byte) (int, error) {
	if *l.total += len(b); *l.total > MostBytes {
		l.t.Error("it has more than it may")
	}
	return len(b), nil
}

func (l *limited) Close() error { return nil }
