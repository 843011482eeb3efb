package result

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReportName is the page made from the other files. It is listed with the host's part: the manifest is the same with
// and without it, and for a live run the page reports how the host kept the time.
const ReportName = "report.html"

// Last makes Close call write once everything in the folder is there except the page, which write adds: a disk that
// gets full costs the page and never a result.
func (f *Folder) Last(write func()) { f.last = write }

// WritePage writes the page completely or not at all: the rest of the folder does not need it.
func (f *Folder) WritePage(page []byte) error {
	err := f.Write(ReportName, func(w io.Writer) error { _, err := w.Write(page); return err })
	if err == nil && f.whole != nil {
		err = f.listPage()
	}
	if err == nil {
		return nil
	}
	delete(f.sums, ReportName)
	if left := os.Remove(filepath.Join(f.part, ReportName)); !errors.Is(left, fs.ErrNotExist) {
		err = errors.Join(err, left)
	}
	return err
}

// listPage writes host.json again, with the page. If that fails the one that was there stays.
func (f *Folder) listPage() error {
	host := f.whole.Host
	_, host.Files = f.lists()
	const part = hostName + partSuffix
	err := f.Write(part, host.write)
	delete(f.sums, part)
	at := filepath.Join(f.part, part)
	if err == nil {
		err = os.Rename(at, filepath.Join(f.part, hostName))
	}
	if err != nil {
		os.Remove(at)
		return err
	}
	f.whole.Host = host
	return nil
}
