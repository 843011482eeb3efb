package pack

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/rocelab/rocelab/emulator/result"
)

// errNone means that a file is not a pack at all.
var errNone = errors.New("it is not a pack: rocelab run makes a run folder of a scenario, " +
	"and rocelab pack a pack of that")

// errChanged means that a pack is not intact to the last byte.
var errChanged = errors.New("it was changed since it was packed, or not all of it came")

// read reads a pack and has create make its files. What it made is not to be used if there is an
// error. The digest is the SHA-256 of the whole.
func read(ctx context.Context, from io.ReaderAt, size int64, create func(name string) (io.WriteCloser, error)) (
	list *List, digest string, err error) {
	if digest, err = digestOfPack(from, size); err != nil {
		return nil, "", err
	}
	opened, err := zip.NewReader(from, size)
	if err != nil {
		return nil, "", fmt.Errorf("it is not a zip: %w", err)
	}
	if err := checkEntries(opened.File); err != nil {
		return nil, "", err
	}
	last := len(opened.File) - 1
	var files []result.FileSum
	for _, entry := range opened.File[:last] {
		sum, err := takeOut(ctx, entry, create)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", entry.Name, err)
		}
		files = append(files, result.FileSum{Name: entry.Name, SHA256: sum})
	}
	var text keeping
	if _, err := takeOut(ctx, opened.File[last], text.create); err != nil {
		return nil, "", fmt.Errorf("%s: %w", listName, err)
	}
	list, err = readList(text.Bytes(), files)
	return list, digest, err
}

// checkEntries refuses names that packs do not have, and sizes beyond the bounds, before anything is taken out.
func checkEntries(entries []*zip.File) error {
	switch {
	case len(entries) > mostFiles:
		return fmt.Errorf("it has more than %d files", mostFiles)
	case len(entries) == 0 || entries[0].Name != readmeName:
		return errNone
	case entries[len(entries)-1].Name != listName:
		return fmt.Errorf("it has no %s at its end", listName)
	case entries[len(entries)-1].UncompressedSize64 > mostList:
		return fmt.Errorf("%s is too long: allowed are %d bytes", listName, mostList)
	}
	total, names := uint64(0), spellings{}
	for i, entry := range entries {
		if err := checkName(entry.Name); err != nil {
			return err
		}
		if !entry.Mode().IsRegular() {
			return fmt.Errorf("%s is not a plain file", entry.Name)
		}
		if i > 0 && i < len(entries)-1 && entry.Name <= entries[i-1].Name {
			return fmt.Errorf("the name %q is there twice, or out of order", entry.Name)
		}
		if err := names.add(entry.Name); err != nil {
			return err
		}
		if entry.UncompressedSize64 > mostBytes || total+entry.UncompressedSize64 > mostBytes {
			return fmt.Errorf("its files have more than %d MB", mostBytes>>20)
		}
		total += entry.UncompressedSize64
	}
	return nil
}

// takeOut makes the file of an entry and returns its SHA-256.
func takeOut(ctx context.Context, entry *zip.File, create func(name string) (io.WriteCloser, error)) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	packed, err := entry.Open()
	if err != nil {
		return "", fmt.Errorf("%w: %w", errChanged, err)
	}
	defer packed.Close()
	file, err := create(entry.Name)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	// The reader of a zip stops at the declared size, and compares the checksum.
	_, err = io.Copy(io.MultiWriter(file, sum), packed)
	if err = cmp.Or(err, file.Close()); isForged(err) {
		err = fmt.Errorf("%w: %w", errChanged, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

// isForged reports whether a zip has other bytes than it declares.
func isForged(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.As(err, &corrupt) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) ||
		errors.Is(err, io.ErrUnexpectedEOF)
}

// keeping keeps the written bytes.
type keeping struct{ bytes.Buffer }

func (k *keeping) create(string) (io.WriteCloser, error) { return k, nil }

func (*keeping) Close() error { return nil }
