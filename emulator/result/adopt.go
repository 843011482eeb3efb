package result

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Written is a run as a folder has it, for another folder that adopts it.
type Written struct {
	// Run and Host are its entries in the manifest and in host.json.
	Run  RunID
	Host HostRun
	// Files are its files, by their names below the run's subfolder, with their SHA-256.
	Files []FileSum
	// Kinds are the files among them that single kinds of nodes have.
	Kinds []string
}

// written is Written as JSON, which manifest and host.json have it as, too: the values of parameters may be null.
type written Written

// GobEncode encodes the run.
func (w *Written) GobEncode() ([]byte, error) { return json.Marshal((*written)(w)) }

// GobDecode decodes the run.
func (w *Written) GobDecode(text []byte) error { return json.Unmarshal(text, (*written)(w)) }

// Written describes the run that was written last, into the subfolder of its entry in the manifest.
func (f *Folder) Written(manifest *Manifest) *Written {
	w := &Written{Run: manifest.Runs[len(manifest.Runs)-1], Host: manifest.Host.Runs[len(manifest.Host.Runs)-1]}
	files, _ := f.lists()
	prefix := w.prefix()
	for _, file := range files {
		if name, inside := strings.CutPrefix(file.Name, prefix); inside {
			w.Files = append(w.Files, FileSum{name, file.SHA256})
		}
	}
	for _, kind := range f.kinds {
		if slices.ContainsFunc(w.Files, func(file FileSum) bool { return file.Name == kind.file }) {
			w.Kinds = append(w.Kinds, kind.file)
		}
	}
	return w
}

// prefix is what the names of the run's files begin with in a folder.
func (w *Written) prefix() string {
	if w.Run.Folder == "" {
		return ""
	}
	return w.Run.Folder + "/"
}

// Save puts the files of a run that was written into a directory, where they have the names of Written: the same files
// under another name if the file system can, else copies.
func (f *Folder) Save(w *Written, dir string) error {
	for _, file := range w.Files {
		if err := sameFile(placeIn(f, w.prefix()+file.Name), filepath.Join(dir, filepath.FromSlash(file.Name))); err != nil {
			return err
		}
	}
	return nil
}

// Adopt puts the files of a directory that Save has filled into the folder, and lists the run in the manifest, as
// if it had been written here. A file that is not what it was, or has a name outside the folder, is an error, which
// leaves the folder as it is. The sheets are those of all kinds of nodes.
func (f *Folder) Adopt(w *Written, dir string, summary *Summary, manifest *Manifest, sheets []KindSheet) error {
	if err := w.check(summary); err != nil {
		return err
	}
	headers := map[string][]string{}
	for _, file := range w.Files {
		header, sum, err := readHeader(filepath.Join(dir, filepath.FromSlash(file.Name)))
		if err == nil && sum != file.SHA256 {
			err = errors.New("it was changed")
		}
		if err != nil {
			return folderError("cannot take %s over: %w", file.Name, err)
		}
		if strings.HasSuffix(file.Name, ".csv") {
			headers[file.Name] = header
		}
	}
	for i, file := range w.Files {
		name := w.prefix() + file.Name
		if err := sameFile(filepath.Join(dir, filepath.FromSlash(file.Name)), placeIn(f, name)); err != nil {
			w.forget(f, w.Files[:i])
			return folderError("cannot be written: %w", err)
		}
		f.sums[name] = file.SHA256
	}
	for name, columns := range headers {
		f.note(name, columns)
	}
	for i := range sheets {
		if s := sheets[i].sheet(); slices.Contains(w.Kinds, s.file) {
			f.documentKind(s)
		}
	}
	if summary.Recorded != nil && !f.noSeries {
		f.noteLeftOut(summary, summary.Recorded)
	}
	manifest.Runs, manifest.Host.Runs = append(manifest.Runs, w.Run), append(manifest.Host.Runs, w.Host)
	return nil
}

// check refuses an incomplete description, and names outside the folder.
func (w *Written) check(summary *Summary) error {
	if w == nil || summary == nil {
		return folderError("cannot take a run over: its description is incomplete")
	}
	names := []string{cmp.Or(w.Run.Folder, ".")}
	for _, file := range w.Files {
		names = append(names, file.Name)
	}
	for _, name := range names {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return folderError("cannot take %q over: it is outside the folder", name)
		}
	}
	return nil
}

// forget takes the files of a run that was taken over in part out of a folder again.
func (w *Written) forget(f *Folder, files []FileSum) {
	for _, file := range files {
		name := w.prefix() + file.Name
		os.Remove(placeIn(f, name))
		delete(f.sums, name)
	}
}

// place is where a file of the folder is as long as the folder is being written.
func placeIn(f *Folder, name string) string { return filepath.Join(f.part, filepath.FromSlash(name)) }

// readHeader reads a file: its first line by commas, and its SHA-256.
func readHeader(name string) (header []string, sum string, err error) {
	if err := regular(name); err != nil {
		return nil, "", err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	line, err := bufio.NewReader(file).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, "", err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, "", err
	}
	sum, err = sumOf(file)
	return strings.Split(strings.TrimSuffix(line, "\n"), ","), sum, err
}

// regular refuses other files than regular ones: a symbolic link leads out of the folder, and a pipe blocks.
func regular(name string) error {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	return err
}

// sameFile gives a regular file another name too, which is free; it is copied if the file system cannot.
func sameFile(from, to string) error {
	if err := regular(from); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	copied, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(copied, source)
	if err = errors.Join(err, copied.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", from, errors.Join(err, os.Remove(to)))
	}
	return nil
}
