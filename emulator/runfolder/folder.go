package runfolder

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"reflect"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/textfile"
)

// MaxJSON is the largest file of JSON that is read. Unit: bytes.
const MaxJSON = result.MaxJSON

// Folder is a run folder that is whole.
type Folder struct {
	// Manifest is the common record of all the folder's runs, Host the machine's part.
	Manifest *result.Manifest
	Host     *result.Host
	files    fs.FS
}

// Open opens a run folder by its path. It never reads a file outside the folder, even through links. It fails if the
// folder is not a run folder, if its layout has another version, or if a file is missing.
func Open(dir string) (*Folder, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("has no manifest.json: there is no such folder")
	}
	return OpenFS(Dir(dir))
}

// OpenFS opens a run folder in a file system, such as a pack's.
func OpenFS(files fs.FS) (*Folder, error) {
	f := &Folder{files: bounded{files}}
	var err error
	if f.Manifest, err = result.ReadManifest(f.files); err != nil {
		return nil, err
	}
	f.Host, err = result.ReadHost(f.files)
	return f, err
}

// Runs returns the runs in the order of the manifest.
func (f *Folder) Runs() (runs []*Run) {
	for i, id := range f.Manifest.Runs {
		run := &Run{RunID: id, files: f.files}
		if i < len(f.Host.Runs) && f.Host.Runs[i].Folder == id.Folder {
			run.Host = &f.Host.Runs[i]
		}
		runs = append(runs, run)
	}
	return runs
}

// Check holds all files to their digests. The error names each file that is missing or was changed.
func (f *Folder) Check() error { return result.Check(f.files) }

// Run is a run of a folder.
type Run struct {
	result.RunID
	// Host is the machine's part, nil if host.json lacks the run.
	Host  *result.HostRun
	files fs.FS
}

// RunIn is the run whose files are in a folder of a file system, whether or not there is a manifest.
func RunIn(files fs.FS, folder string) *Run {
	return &Run{RunID: result.RunID{Folder: folder}, files: bounded{files}}
}

// Bounded returns a file system that opens only regular files, and no JSON beyond MaxJSON.
func Bounded(files fs.FS) fs.FS { return bounded{files} }

// Summary reads the run's summary.json.
func (r *Run) Summary() (*Summary, error) {
	name := path.Join(r.Folder, "summary.json")
	text, err := fs.ReadFile(r.files, name)
	if err != nil {
		return nil, err
	}
	return ParseSummary(name, text)
}

// Each calls each with every row of a CSV file of the run, such as "flows.csv", until its error. Each required column
// must be there. A file that the run did not write is fs.ErrNotExist.
func (r *Run) Each(file string, required []string, each func(Row) error) error {
	name := path.Join(r.Folder, file)
	from, err := r.files.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	return ReadSheet(name, from, required, each)
}

// errStop ends the reading of rows when no more are wanted.
var errStop = errors.New("no more rows are wanted")

// Rows reads the rows of a CSV file of a run into structs, whose fields have the tag csv:"column" or
// csv:"column,optional". Fields are a string, float64 (NaN if nothing was measured), int64 or uint64 (0), unit.Time or
// unit.Duration (unit.Never). A time may also be a float64 of microseconds: csv:"column,time". A file lacks a column
// without a value in any row, so that an optional one reads as not measured. The last pair has the error, if there is
// one.
func Rows[T any](r *Run, file string) iter.Seq2[T, error] {
	tags := tagsOf(reflect.TypeFor[T]())
	return func(yield func(T, error) bool) {
		err := r.Each(file, required(tags), func(row Row) error {
			var into T
			row.bind(tags, reflect.ValueOf(&into).Elem())
			if row.sheet.wrong == nil && !yield(into, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			var none T
			yield(none, err)
		}
	}
}

// bounded opens only regular files, and does not read JSON beyond its bound.
type bounded struct{ fs.FS }

// Open implements fs.FS.
func (b bounded) Open(name string) (fs.File, error) { return textfile.OpenRegular(b.FS, name) }

// ReadFile implements fs.ReadFileFS, which is used to read JSON.
func (b bounded) ReadFile(name string) ([]byte, error) {
	return textfile.ReadRegular(b.FS, name, MaxJSON)
}

// Dir is the file system below a folder of the disk, given by its path. A link that leads out of the folder is not
// followed. Only open files hold a handle of the host: hundreds of folders may be in use at the same time.
type Dir string

// Open implements fs.FS.
func (d Dir) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close() // the opened file stays open
	return root.FS().Open(name)
}

// Stat implements fs.StatFS.
func (d Dir) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return fs.Stat(root.FS(), name)
}
