package result

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReportName is the page that is made of the other files. It is listed with the host's
// part: the manifest is the same with and without it, and of a live run it says how the
// host kept the time.
const ReportName = "report.html"

// Last has Close call write when all of the folder is there but the page, which is what it writes: a disk that
// gets full costs the page and no result.
func (f *Folder) Last(write func()) { f.last = write }

// WritePage writes the page, of which the folder has all or nothing: the rest goes without.
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
