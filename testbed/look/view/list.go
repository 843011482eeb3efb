package view

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
)

const (
	// deepest is the maximum depth of the search for runs below the folder: runs of a sweep are four down.
	deepest = 8
	// mostFolders is the maximum number of folders searched.
	mostFolders = 50_000
)

// list finds runs in a folder, and remembers unchanged ones. It may be used by several goroutines.
type list struct {
	// dir is the folder's path, and only the name of the one run in it that is shown, "" for all.
	dir, only string
	root      *os.Root

	mu    sync.Mutex
	known map[string]*kept
	byID  map[string]*run
}

// kept is the cached content of a folder, with the state of its files.
type kept struct {
	of  stamps
	run *run
}

// stamps show whether a file was written since.
type stamps struct {
	manifest, host         time.Time
	manifestSize, hostSize int64
}

// openList opens a folder of runs, or a run folder, which may be unfinished.
func openList(dir string) (*list, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if _, unfinished := os.Stat(dir + part); unfinished == nil {
			info, err = os.Stat(dir + part)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s", dir)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file: give the folder of runs, or the run folder, that it is in", dir)
	}
	l := &list{dir: dir, known: map[string]*kept{}}
	if isRun(dir) {
		l.dir, l.only = filepath.Dir(dir), strings.TrimSuffix(filepath.Base(dir), part)
	}
	l.root, err = os.OpenRoot(l.dir)
	return l, err
}

// isRun reports whether a path is a run folder, and no folder of them.
func isRun(dir string) bool {
	if strings.HasSuffix(dir, part) {
		return true
	}
	for _, sign := range []string{dir + part, filepath.Join(dir, "manifest.json")} {
		if _, err := os.Lstat(sign); err == nil {
			return true
		}
	}
	return false
}

// runs returns the runs that are there now, the newest first.
func (l *list) runs() ([]*run, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	names, trouble, err := l.walk()
	if err != nil {
		return nil, err
	}
	found := l.read(names)
	found = append(found, trouble...)
	l.byID = map[string]*run{}
	present := map[string]bool{}
	for _, r := range found {
		present[r.Name] = true
	}
	for _, r := range found {
		name := strings.TrimSuffix(r.Name, part)
		if name != r.Name && present[name] {
			name = r.Name // the other has closed, and this was left of a third
		}
		r.ID = idOf(name)
		l.byID[r.ID] = r
	}
	slices.SortFunc(found, func(a, b *run) int {
		return cmp.Or(b.Date.Compare(a.Date), cmp.Compare(a.Name, b.Name))
	})
	return found, nil
}

// find returns the run with an identifier, as it is now; nil for none.
func (l *list) find(id string) (*run, error) {
	if r := l.unchanged(id); r != nil {
		return r, nil
	}
	if _, err := l.runs(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byID[id], nil
}

// unchanged returns a run that is whole and as it was when it was listed, nil for any other.
func (l *list) unchanged(id string) *run {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.byID[id]
	if r == nil || !r.Finished() || l.known[r.Name].of != stampsOf(l.files(r)) {
		return nil
	}
	return r
}

// files are the files of a run.
func (l *list) files(r *run) inside { return inside{l.root, r.Name} }

// walk finds the names of run folders, and of what cannot be looked into.
func (l *list) walk() (names []string, trouble []*run, err error) {
	all := inside{l.root, "."}
	if l.only != "" {
		for _, name := range []string{l.only, l.only + part} {
			if _, err := all.Stat(name); err == nil {
				names = append(names, name)
			}
		}
		return names, nil, nil
	}
	looked := 0
	var look func(name string, depth int) error
	look = func(name string, depth int) error {
		if looked++; looked > mostFolders {
			return nil
		}
		entries, err := all.ReadDir(name)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			below := path.Join(name, entry.Name())
			switch {
			case strings.HasPrefix(entry.Name(), "."):
			case entry.Type()&fs.ModeSymlink != 0:
				if _, err := all.Stat(below); err != nil {
					trouble = append(trouble, &run{Name: below, State: damaged, Trouble: strings.TrimPrefix(err.Error(), below+": ")})
				}
			case !entry.IsDir():
			case all.isRun(below):
				names = append(names, below)
			case depth < deepest:
				if err := look(below, depth+1); err != nil {
					trouble = append(trouble, &run{Name: below, State: damaged, Trouble: err.Error()})
				}
			}
		}
		return nil
	}
	err = look(".", 1)
	if looked > mostFolders {
		trouble = append(trouble, &run{Name: ".", State: damaged,
			Trouble: fmt.Sprintf("more than %d folders: not all were looked into", mostFolders)})
	}
	return names, trouble, err
}

// isRun reports whether a folder is one of a run.
func (i inside) isRun(name string) bool {
	signs := []string{"manifest.json"}
	if strings.HasSuffix(name, part) {
		signs = append(signs, "UNFINISHED.md", progressfile.File)
	}
	for _, sign := range signs {
		if _, err := i.root.Lstat(name + "/" + sign); err == nil {
			return true
		}
	}
	return false
}

// read reads the folders of some names that have changed, several at a time.
func (l *list) read(names []string) []*run {
	found := make([]*run, len(names))
	before := l.known
	next := make(chan int, len(names))
	for i := range names {
		next <- i
	}
	close(next)
	all := make([]*kept, len(names))
	var readers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		readers.Go(func() {
			defer crash.Guard()()
			for i := range next {
				all[i] = l.look(names[i], before[names[i]])
			}
		})
	}
	readers.Wait()
	l.known = map[string]*kept{}
	for i, k := range all {
		l.known[names[i]] = k
		copied := *k.run
		found[i] = &copied
	}
	return found
}

// look returns the entry of a folder, read again if it has changed.
func (l *list) look(name string, before *kept) *kept {
	files := inside{l.root, name}
	if strings.HasSuffix(name, part) {
		return &kept{run: unfinishedRun(name, files)}
	}
	now := stampsOf(files)
	if before != nil && before.of == now {
		return before
	}
	r, err := readRun(name, files)
	if err != nil {
		r = &run{Name: name, State: damaged, Trouble: err.Error(), Date: now.manifest}
	}
	return &kept{now, r}
}

func stampsOf(files inside) (s stamps) {
	if info, err := files.Stat("manifest.json"); err == nil {
		s.manifest, s.manifestSize = info.ModTime(), info.Size()
	}
	if info, err := files.Stat("host.json"); err == nil {
		s.host, s.hostSize = info.ModTime(), info.Size()
	}
	return s
}
