package pack

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
)

// The bounds of a pack, for writers and readers.
const (
	// mostBytes is the maximum size of all files together, unpacked, and so of each.
	mostBytes = 1 << 30
	// mostFiles is the maximum number of files.
	mostFiles = 20000
)

// date is that of all files: the first that a zip knows.
var date = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// opener opens a file that is to be packed.
type opener func() (io.ReadCloser, error)

// textOf opens a text.
func textOf(text []byte) opener {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
}

// writer writes a pack.
type writer struct {
	zip   *zip.Writer
	total int64
	files []result.FileSum
	names spellings
}

// write writes files, in the order of their names, and the list of them, and returns the SHA-256
// of the whole.
func write(ctx context.Context, to io.Writer, files map[string]opener, list *List) (digest string, err error) {
	if len(files) >= mostFiles {
		return "", fmt.Errorf("%d files are too many for a pack: allowed are %d", len(files), mostFiles-1)
	}
	deflate, err := flate.NewWriter(nil, flate.BestCompression)
	if err != nil {
		return "", err
	}
	whole := sha256.New()
	out := &summed{to: io.MultiWriter(to, whole), sum: sha256.New()}
	w := &writer{zip: zip.NewWriter(out), names: spellings{}}
	w.zip.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		deflate.Reset(to) // one for all, which are written one after the other
		return deflate, nil
	})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := cmp.Or(ctx.Err(), w.add(name, files[name])); err != nil {
			return "", err
		}
	}
	list.Format, list.Files = Format, w.files
	var text bytes.Buffer
	if err := result.WriteJSON(&text, list); err != nil {
		return "", err
	}
	if err := cmp.Or(w.add(listName, textOf(text.Bytes())), w.zip.Close(), out.finish()); err != nil {
		return "", err
	}
	return hex.EncodeToString(whole.Sum(nil)), nil
}

// add appends a file.
func (w *writer) add(name string, open opener) error {
	if err := cmp.Or(checkName(name), w.names.add(name)); err != nil {
		return err
	}
	file, err := open()
	if err != nil {
		return err
	}
	defer file.Close()
	head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: date}
	head.SetMode(0o644)
	if isProgram(name) {
		head.SetMode(0o755)
	}
	entry, err := w.zip.CreateHeader(head)
	if err != nil {
		return err
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(entry, sum), io.LimitReader(file, mostBytes+1-w.total))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if w.total += size; w.total > mostBytes {
		return fmt.Errorf("with %s the files have more than the %d MB that a pack may have", name, mostBytes>>20)
	}
	w.files = append(w.files, result.FileSum{Name: name, SHA256: hex.EncodeToString(sum.Sum(nil))})
	return nil
}
