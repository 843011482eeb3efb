package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// writeTarball writes the files below usr for those who have another system: they unpack it
// below /usr/local or a folder of their own.
func (r *release) writeTarball(entries []entry, path string) error {
	below := belowUsr(entries, strings.TrimSuffix(filepath.Base(path), ".tar.gz"))
	return create(path, func(f io.Writer) error { return writeArchive(f, below, r.date) })
}

// belowUsr returns the entries below usr, in a folder of that name.
func belowUsr(entries []entry, top string) (list []entry) {
	for _, e := range entries {
		e.path = top + strings.TrimPrefix(e.path, "usr")
		list = append(list, e)
	}
	return list
}

// writeZip writes the same for Windows. There are no links in it.
func (r *release) writeZip(entries []entry, path string) error {
	return create(path, func(f io.Writer) error {
		z := zip.NewWriter(f)
		for _, e := range belowUsr(entries, strings.TrimSuffix(filepath.Base(path), ".zip")) {
			if e.mode.IsDir() {
				continue
			}
			h := &zip.FileHeader{Name: e.path, Method: zip.Deflate, Modified: r.date}
			h.SetMode(e.mode.Perm())
			to, err := z.CreateHeader(h)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(e.file)
			if err != nil {
				return err
			}
			if _, err := to.Write(data); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// writeArchive writes entries as a compressed tar archive, all of one date and owned by root.
func writeArchive(to io.Writer, entries []entry, date time.Time) error {
	z, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, e := range entries {
		if err := writeEntry(t, e, date); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func writeEntry(t *tar.Writer, e entry, date time.Time) error {
	h := &tar.Header{
		Typeflag: tar.TypeReg,
		Name:     e.path,
		Mode:     int64(e.mode.Perm()),
		Size:     e.size,
		Linkname: e.target,
		ModTime:  date,
		Uname:    "root",
		Gname:    "root",
	}
	switch e.mode.Type() {
	case fs.ModeDir:
		h.Typeflag = tar.TypeDir
		h.Name += "/"
		if e.mode&fs.ModeSticky != 0 {
			h.Mode |= 0o1000
		}
	case fs.ModeSymlink:
		h.Typeflag = tar.TypeSymlink
	}
	if err := t.WriteHeader(h); err != nil || h.Typeflag != tar.TypeReg {
		return err
	}
	f, err := os.Open(e.file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(t, f)
	return err
}

// create makes a file that write fills.
func create(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return err
	}
	return f.Close()
}
