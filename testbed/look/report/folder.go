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

// Folder is a run folder, of which a report is made.
type Folder struct {
	// Name is what a page of several folders calls it, and path what errors do.
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
	// served is the folder's name on a server, and asks where a page there asks for more of its
	// series; both are "" where the page is a file.
	served, asks string
}

// Open reads a run folder that is whole, which a page calls name and errors path. What is
// read of it later is held to the digests of its manifest. Its own page is not: that is made
// of the rest and not read, so that one who changed it gets it anew. The error says what is
// wrong: it is no run folder, its layout has another version, a file is missing or was changed.
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

// Unfinished is a run folder that is being written: all files but the manifest are
// there, and manifest is what it will have.
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

// open opens a file; what is read must be read to its end, as that compares the digests.
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
