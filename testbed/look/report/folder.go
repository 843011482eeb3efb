package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/internal/textfile"
)

// Folder is a run folder for a report.
type Folder struct {
	// Name is its name on a page of several folders, path its name in errors.
	Name, path string
	// prefix begins the names of its files on the page: its name, "" on a page of its own.
	prefix string
	// time is the number of its scenario on the page, from 0.
	time     int
	files    fs.FS
	manifest *result.Manifest
	// checked has the files held to their digests; nil while the folder is being written.
	checked *runfolder.Checked
	runs    []*run
	// served is the folder's name on a server, and asks the address at which a page there asks for more of its series;
	// both are "" if the page is a file.
	served, asks string
}

// Open reads a complete run folder; a page shows it by name, errors by path. Files read later are compared with the
// digests of its manifest. Its own page is not: that is made of the rest and not read, so that a changed one is
// replaced. It fails if the folder is not a run folder, if its layout has another version, or if a file is missing or
// was changed.
func Open(name, path string, files fs.FS) (*Folder, error) {
	opened, err := runfolder.OpenFS(files)
	if errors.Is(err, result.ErrNoManifest) {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	opened.Manifest.Host = *opened.Host
	folder := &Folder{Name: name, path: path, files: files, manifest: opened.Manifest}
	if folder.checked, err = opened.Checked(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return folder, folder.load()
}

// Unfinished returns a run folder that is being written: all files except the manifest are there, and manifest is its
// future content.
func Unfinished(files fs.FS, manifest *result.Manifest) (*Folder, error) {
	folder := &Folder{files: files, manifest: manifest}
	return folder, folder.load()
}

// load reads the summaries of the runs.
func (f *Folder) load() error {
	if len(f.manifest.Runs) == 0 {
		return fmt.Errorf("%s: no run of it was carried out", f.title())
	}
	for i, id := range f.manifest.Runs {
		r := &run{folder: f, id: id}
		if i < len(f.manifest.Host.Runs) {
			r.host = f.manifest.Host.Runs[i]
		}
		text, err := f.read(path.Join(id.Folder, "summary.json"))
		if err != nil {
			return err
		}
		if r.summary, err = runfolder.ParseSummary(path.Join(id.Folder, "summary.json"), text); err != nil {
			return fmt.Errorf("%s: %w", f.title(), err)
		}
		f.runs = append(f.runs, r)
	}
	return nil
}

func (f *Folder) title() string {
	if f.path == "" {
		return "the run folder"
	}
	return f.path
}

// has reports whether the run wrote a file.
func (f *Folder) has(name string) bool {
	if f.checked != nil {
		return f.checked.Has(name)
	}
	info, err := fs.Stat(f.files, name)
	return err == nil && info.Mode().IsRegular()
}

// open opens a file; it must be read to its end, as that compares the digests.
func (f *Folder) open(name string) (io.ReadCloser, error) {
	var file io.ReadCloser
	var err error
	if f.checked != nil {
		file, err = f.checked.Open(name)
	} else {
		file, err = textfile.OpenRegular(f.files, name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.title(), err)
	}
	return file, nil
}

func (f *Folder) read(name string) ([]byte, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := textfile.ReadBounded(name, file, runfolder.MaxJSON)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.title(), err)
	}
	return text, err
}
