package pack

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"maps"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
)

// opener opens a file that is to be packed.
type opener func() (io.ReadCloser, error)

// textOf opens a text.
func textOf(text []byte) opener {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
}

// writer writes a pack.
type writer struct {
	to      io.Writer
	sum     hash.Hash // of all that was written so far
	at      int64
	entries []entry
	total   int64
	files   []result.FileSum
	packed  bytes.Buffer
	deflate *flate.Writer
}

// write writes files, in the order of their names, and the list of them, and returns the SHA-256
// of the whole.
func write(ctx context.Context, to io.Writer, files map[string]opener, list *List) (digest string, err error) {
	whole := sha256.New()
	w := &writer{to: io.MultiWriter(to, whole), sum: sha256.New()}
	if w.deflate, err = flate.NewWriter(&w.packed, flate.BestCompression); err != nil {
		return "", err
	}
	if len(files) >= MostFiles {
		return "", fmt.Errorf("%d files are too many for a pack: allowed are %d", len(files), MostFiles-1)
	}
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
	if err := w.add(listName, textOf(text.Bytes())); err != nil {
		return "", err
	}
	if err := w.finish(); err != nil {
		return "", err
	}
	return hex.EncodeToString(whole.Sum(nil)), nil
}

// add appends a file.
func (w *writer) add(name string, open opener) error {
	if err := checkName(name); err != nil {
		return err
	}
	file, err := open()
	if err != nil {
		return err
	}
	defer file.Close()
	w.packed.Reset()
	w.deflate.Reset(&w.packed)
	sum, crc := sha256.New(), crc32.NewIEEE()
	size, err := io.Copy(io.MultiWriter(w.deflate, sum, crc), io.LimitReader(file, MostBytes+1-w.total))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if w.total += size; w.total > MostBytes {
		return fmt.Errorf("with %s the files have more than the %d MB that a pack may have", name, MostBytes>>20)
	}
	if err := w.deflate.Close(); err != nil {
		return err
	}
	e := entry{name: name, crc: crc.Sum32(), packed: uint32(w.packed.Len()), size: uint32(size)}
	w.entries = append(w.entries, e)
	w.files = append(w.files, result.FileSum{Name: name, SHA256: hex.EncodeToString(sum.Sum(nil))})
	if err := w.put(e.head()); err != nil {
		return err
	}
	return w.put(w.packed.Bytes())
}

// put writes bytes.
func (w *writer) put(b []byte) error {
	w.sum.Write(b)
	w.at += int64(len(b))
	_, err := w.to.Write(b)
	return err
}

// finish writes what is behind the entries.
func (w *writer) finish() error {
	at, list := uint32(w.at), directory(w.entries)
	if err := w.put(list); err != nil {
		return err
	}
	return w.put(end(len(w.entries), uint32(len(list)), at, w.sum.Sum(nil)))
}
