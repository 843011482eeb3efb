package result

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/internal/exit"
)

// Folder is a run folder under construction. It is written under the name
// dir.part and gets its name when Close has written host.json and the page, the last
// files: a folder without ".part" is whole. Its methods are not for concurrent
// use.
type Folder struct {
	dir, part string
	// lock is the open partFile; left is the result of Left.
	lock *os.File
	left []string
	// replaced is the result of Replaced.
	replaced bool
	// complete is set if part is whole and lacks only its name.
	complete bool
	sums     map[string]string
	// handed are the files that others write.
	handed []string
	// last writes the page: see Last. whole is the manifest once all but the page is written.
	last  func()
	whole *Manifest
	// present are the columns of the sheets that were written, by file and name;
	// kinds are the sheets that single kinds of nodes have.
	present map[string]map[string]bool
	kinds   []sheet[kindRow]
	// leftOut are the omissions in the series of runs; noSeries leaves them all out, noColumns the documentation.
	leftOut             []string
	noSeries, noColumns bool
	// unsynced leaves it to the caller that bytes reach the disk.
	unsynced bool
	// create opens a file for writing; tests put a full disk here.
	create func(path string) (file, error)
}

// file has the methods of an os.File that a Folder needs.
type file interface {
	io.WriteCloser
	Sync() error
}

// ErrExists is the error for a run folder whose name is taken.
var ErrExists = errors.New("exists already")

// FolderError is a run folder that cannot be made or written: the name is
// taken, or the host refuses.
type FolderError struct{ Err error }

// ExitCode is that of wrong usage if the name is taken, else of the host.
func (e *FolderError) ExitCode() int {
	if errors.Is(e.Err, ErrExists) {
		return exit.CodeUsage
	}
	return exit.CodeHost
}

func (e *FolderError) Error() string { return "run folder " + e.Err.Error() }
func (e *FolderError) Unwrap() error { return e.Err }

func folderError(format string, args ...any) error { return &FolderError{fmt.Errorf(format, args...)} }

// Create begins a run folder, which must not exist. Missing parents are made. What a run of that name
// left that was killed is taken over, and what it wrote goes: see Replaced.
// All errors here and of the methods of a Folder are *FolderError.
func Create(dir string) (*Folder, error) {
	dir = filepath.Clean(dir)
	if _, err := os.Lstat(dir); err == nil {
		return nil, folderError("%s %w: give another with --out, or remove it", dir, ErrExists)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, folderError("cannot be written: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return nil, folderError("cannot be written: %w", err)
	}
	part := dir + partSuffix
	err := os.Mkdir(part, 0o777)
	var taken *os.File
	if errors.Is(err, fs.ErrExist) {
		if taken = abandoned(part); taken == nil {
			return nil, folderError("%s %w: another run is writing it, or was killed: give another with --out, or remove it",
				part, ErrExists)
		}
		defer taken.Close() // no one else takes it over meanwhile
		if err = os.RemoveAll(part); err == nil {
			err = os.Mkdir(part, 0o777)
		}
	}
	if errors.Is(err, fs.ErrExist) { // and another run took it over, too
		return nil, folderError("%s %w: another run is writing it", part, ErrExists)
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return nil, folderError("cannot be written: %s: %w", dir, failed.Err)
	}
	if err != nil {
		return nil, folderError("cannot be written: %w", err)
	}
	f := &Folder{
		dir:      dir,
		part:     part,
		replaced: taken != nil,
		sums:     map[string]string{},
		present:  map[string]map[string]bool{},
		create: func(path string) (file, error) {
			return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		},
	}
	if err := f.begin(); errors.Is(err, ErrLocked) {
		return nil, folderError("%s %w: another run is writing it", part, ErrExists)
	} else if err != nil {
		f.Discard()
		return nil, folderError("cannot be written: %w", err)
	}
	return f, nil
}

// CreateNext begins the folder parent/name-n with the first n from 1 on that
// is free.
func CreateNext(parent, name string) (*Folder, error) {
	var left []string
	for n := 1; ; n++ {
		dir := filepath.Join(parent, name+"-"+strconv.Itoa(n))
		if exists(dir + partSuffix) {
			if lock := abandoned(dir + partSuffix); lock != nil {
				lock.Close()
				left = append(left, dir+partSuffix)
			}
			continue
		}
		if exists(dir) {
			continue
		}
		f, err := Create(dir)
		if err != nil && (exists(dir) || exists(dir+partSuffix)) {
			continue // another run took it meanwhile
		}
		if err == nil {
			f.left = left
		}
		return f, err
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Dir is the name that the folder gets when it is closed.
func (f *Folder) Dir() string { return f.dir }

// WithoutSeries has the folder lack the time series of its runs, which are most of its bytes.
// All else, summaries that were measured on them too, is as it would be.
func (f *Folder) WithoutSeries() { f.noSeries = true }

// WithoutColumns has the folder lack columns.md, for one of many that have Columns once.
func (f *Folder) WithoutColumns() { f.noColumns = true }

// WithoutSync leaves it to the host when files reach the disk, for a caller that syncs all of them at once.
func (f *Folder) WithoutSync() { f.unsynced = true }

// Entry is a file of the folder that is being written. Close it.
type Entry struct {
	folder *Folder
	name   string
	to     file
	sum    hash.Hash
}

// Open begins a file of the folder; name is relative, with slashes.
func (f *Folder) Open(name string) (*Entry, error) {
	place := filepath.Join(f.part, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
		return nil, folderError("cannot be written: %w", err)
	}
	to, err := f.create(place)
	if err != nil {
		return nil, folderError("cannot be written: %w", err)
	}
	return &Entry{f, name, to, sha256.New()}, nil
}

// Write appends to the file.
func (e *Entry) Write(buffer []byte) (int, error) {
	n, err := e.to.Write(buffer)
	e.sum.Write(buffer[:n])
	if err != nil {
		err = folderError("cannot be written: %s: %w", e.name, err)
	}
	return n, err
}

// Close ends the file: its bytes are on the disk, unless the folder is WithoutSync, or there is an error.
func (e *Entry) Close() error {
	var err error
	if !e.folder.unsynced {
		err = e.to.Sync()
	}
	err = errors.Join(err, e.to.Close())
	if err != nil {
		return folderError("cannot be written: %s: %w", e.name, err)
	}
	e.folder.sums[e.name] = hex.EncodeToString(e.sum.Sum(nil))
	return nil
}

// Write writes a whole file.
func (f *Folder) Write(name string, to func(io.Writer) error) error {
	entry, err := f.Open(name)
	if err != nil {
		return err
	}
	if err := to(entry); err != nil {
		entry.to.Close()
		if refused := (*FolderError)(nil); errors.As(err, &refused) {
			return err
		}
		return folderError("cannot be written: %s: %w", name, err)
	}
	return entry.Close()
}

// HandOver begins a file that another process writes, or that the caller writes without the folder; name is relative,
// with slashes. Closing it is up to the caller: it must be closed, without any further writer, when the folder is
// closed.
func (f *Folder) HandOver(name string) (*os.File, error) {
	place := filepath.Join(f.part, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
		return nil, folderError("cannot be written: %w", err)
	}
	to, err := os.OpenFile(place, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return nil, folderError("cannot be written: %w", err)
	}
	f.handed = append(f.handed, name)
	return to, nil
}

// sumHanded makes the digests of the files that others wrote.
func (f *Folder) sumHanded() error {
	for _, name := range f.handed {
		file, err := os.Open(filepath.Join(f.part, filepath.FromSlash(name)))
		if err != nil {
			return folderError("cannot be read: %w", err)
		}
		sum, err := sumOf(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return folderError("cannot be read: %s: %w", name, err)
		}
		f.sums[name] = sum
	}
	return nil
}

// sumOf is the SHA-256 of what is left to read of a file.
func sumOf(file io.Reader) (string, error) {
	sum := sha256.New()
	_, err := io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// printedFolder is where what programs printed is. It is the host's part of the folder: a
// stack, say, has addresses and the numbers of goroutines.
const printedFolder = "plugins/"

// HostsFolder is where the output of the commands of hosts is, in the folder of a run, and
// EdgesFolder where the journals of its edges are. Both are the host's part: what real
// devices and programs do is new in every run.
const (
	HostsFolder = "hosts"
	EdgesFolder = "edges"
)

// CaptureName is the capture in the folder of a run. It is the host's part: on veth the
// kernel takes it, and frames that were dropped as they left a queue are not in it.
const CaptureName = "capture.pcapng"

// ofHost reports whether a file is the host's part of the folder.
func ofHost(name string) bool {
	parent := path.Base(path.Dir(name))
	return strings.HasPrefix(name, printedFolder) || parent == HostsFolder || parent == EdgesFolder ||
		path.Base(name) == CaptureName || name == ReportName
}

// Files are the files written so far, for callers that derive others from them.
func (f *Folder) Files() fs.FS { return os.DirFS(f.part) }

// WritePrinted writes the output of an algorithm's program into the log of that name, and returns the log's path in the
// folder.
func (f *Folder) WritePrinted(log string, text []byte) (name string, err error) {
	name = printedFolder + log
	return name, f.Write(name, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// Close writes the documentation, the manifest and host.json, and gives the folder its name.
func (f *Folder) Close(manifest *Manifest) error {
	if !f.noColumns {
		if err := f.Write(ColumnsName, f.writeColumns); err != nil {
			return err
		}
	}
	if err := f.sumHanded(); err != nil {
		return err
	}
	manifest.Files, _ = f.lists()
	if err := f.Write(manifestName, manifest.write); err != nil {
		return err
	}
	manifest.Host.Manifest = f.sums[manifestName]
	_, manifest.Host.Files = f.lists()
	if err := f.Write(hostName, manifest.Host.write); err != nil {
		return err
	}
	f.whole = manifest
	if f.last != nil {
		f.last()
	}
	f.complete = true
	if err := f.end(); err != nil {
		return folderError("%w: the results are in %s", err, f.part)
	}
	if err := os.Rename(f.part, f.dir); err != nil {
		return folderError("%w: the results are in %s", err, f.part)
	}
	return nil
}

// lists returns the files that were written, with their digests: the manifest's, and the host's.
func (f *Folder) lists() (manifest, host []FileSum) {
	manifest, host = []FileSum{}, []FileSum{}
	for _, name := range slices.Sorted(maps.Keys(f.sums)) {
		switch {
		case ofHost(name):
			host = append(host, FileSum{name, f.sums[name]})
		case name != manifestName && name != hostName:
			manifest = append(manifest, FileSum{name, f.sums[name]})
		}
	}
	return manifest, host
}

// Discard removes the written files, for a run that failed. It keeps complete results that Close only failed to rename.
func (f *Folder) Discard() error {
	if f.complete {
		return nil
	}
	if f.lock != nil {
		f.lock.Close()
	}
	if err := os.RemoveAll(f.part); err != nil {
		return folderError("cannot be removed: %w", err)
	}
	return nil
}
