package report

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
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
	// sums are the digests of the files, by name; nil while the folder is being written.
	sums map[string]string
	runs []*run
	// served is the folder's name on a server, and asks where a page there asks for more of its
	// series; both are "" where the page is a file.
	served, asks string
}

// Open reads a run folder that is whole, which a page calls name and errors path. What is
// read of it later is held to the digests of its manifest. Its own page is not: that is made
// of the rest and not read, so that one who changed it gets it anew. The error says what is
// wrong: it is no run folder, its layout has another version, a file is missing or was changed.
func Open(name, path string, files fs.FS) (*Folder, error) {
	manifest, err := result.ReadManifest(files)
	if errors.Is(err, result.ErrNoManifest) {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	host, err := result.ReadHost(files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	manifest.Host = *host
	folder := &Folder{Name: name, path: path, files: files, manifest: manifest}
	folder.sums = map[string]string{}
	for _, file := range append(manifest.Files, host.Files...) {
		folder.sums[file.Name] = file.SHA256
	}
	folder.sums["manifest.json"] = host.Manifest
	if _, err := folder.read("manifest.json"); err != nil {
		return nil, err
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
	if f.sums != nil {
		_, listed := f.sums[name]
		return listed
	}
	info, err := fs.Stat(f.files, name)
	return err == nil && info.Mode().IsRegular()
}

// open opens a file; what is read must be read to its end, as that compares the digests.
func (f *Folder) open(name string) (io.ReadCloser, error) {
	file, err := f.files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %s is missing", f.title(), name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.title(), err)
	}
	if f.sums == nil {
		return file, nil
	}
	return &checked{File: file, folder: f, name: name, sum: sha256.New()}, nil
}

func (f *Folder) read(name string) ([]byte, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return runfolder.ReadJSON(name, file)
}

// checked is a file whose digest is compared when its end is read.
type checked struct {
	fs.File
	folder *Folder
	name   string
	sum    hash.Hash
}

// Read implements io.Reader. The end of a file that is not what its run wrote is an error.
func (c *checked) Read(buffer []byte) (int, error) {
	n, err := c.File.Read(buffer)
	c.sum.Write(buffer[:n])
	if err == io.EOF {
		want, got := c.folder.sums[c.name], hex.EncodeToString(c.sum.Sum(nil))
		if want != got {
			return n, fmt.Errorf("%s: %s was changed: its SHA-256 is %s, and was %s", c.folder.title(), c.name, got, want)
		}
	}
	return n, err
}
