package exposition

import (
	"bytes"
	_ "embed"
	"io/fs"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/rocelab/rocelab/internal/build"
)

// MaxRuns is the maximum number of runs that an Exposition exposes: unfinished ones first, then the others in the order
// in which their folders are handed to it.
const MaxRuns = 200

// Folder is a run folder.
type Folder struct {
	// Name is the label run, the same while the folder is being written and when it is whole.
	Name string
	// Unfinished is set if it is being written, or its run was killed.
	Unfinished bool
	// Files are in it. Through none of them should another place be read.
	Files fs.FS
}

// Exposition exposes the runs of folders. It is an http.Handler, for several callers at once.
type Exposition struct {
	folders func() []Folder

	mu sync.Mutex
	// known are folders that are whole, by their names.
	known map[string]whole
}

// whole is a folder that was read, with the size and time of the last file that a run writes.
type whole struct {
	size int64
	time time.Time
	runs []Run
	err  error
}

// New returns the exposition of the folders that are there whenever it is asked.
func New(folders func() []Folder) *Exposition {
	return &Exposition{folders: folders, known: map[string]whole{}}
}

// ServeHTTP answers a scrape.
func (e *Exposition) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "allowed are GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	text := e.Text()
	w.Header().Set("Content-Type", contentType)
	w.Write(text)
}

// Text returns the answer to a scrape.
func (e *Exposition) Text() []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	runs, counts := e.read(e.folders())
	var text bytes.Buffer
	program := build.Read()
	head(&text, programFamily, Gauge, "1, with the version of the program as a label.")
	sample(&text, programFamily, label("version", program.Version)+","+label("goversion", runtime.Version()), 1)
	head(&text, foldersFamily, Gauge, "Run folders by state: ended, unfinished, unreadable, or left out because "+
		"there are too many.")
	for _, state := range folderStates {
		sample(&text, foldersFamily, label("state", state), float64(counts[state]))
	}
	Write(&text, runs) // a buffer takes all
	return text.Bytes()
}

var folderStates = []string{"ended", "unfinished", "unreadable", "left_out"}

// read reads folders until there are enough runs, and counts them by state.
func (e *Exposition) read(folders []Folder) (runs []Run, counts map[string]int) {
	counts = map[string]int{}
	listed := map[string]bool{}
	for _, unfinished := range []bool{true, false} {
		for _, folder := range folders {
			if folder.Unfinished != unfinished {
				continue
			}
			listed[folder.Name] = listed[folder.Name] || !unfinished
			if len(runs) >= MaxRuns {
				counts["left_out"]++
				continue
			}
			its, state := e.of(folder)
			counts[state]++
			runs = append(runs, its...)
		}
	}
	for name := range e.known {
		if !listed[name] {
			delete(e.known, name)
		}
	}
	return runs[:min(len(runs), MaxRuns)], counts
}

// of reads a folder, unless it is known.
func (e *Exposition) of(folder Folder) (runs []Run, state string) {
	if folder.Unfinished {
		runs, err := Unfinished(folder.Name, folder.Files)
		if err != nil && len(runs) == 0 {
			return nil, "unreadable"
		}
		return runs, "unfinished"
	}
	info, err := fs.Stat(folder.Files, "host.json")
	if err != nil {
		return nil, "unreadable"
	}
	known, there := e.known[folder.Name]
	if !there || known.size != info.Size() || !known.time.Equal(info.ModTime()) {
		known = whole{size: info.Size(), time: info.ModTime()}
		known.runs, known.err = OfEnded(folder.Name, folder.Files)
		e.known[folder.Name] = known
	}
	if known.err != nil {
		return nil, "unreadable"
	}
	return known.runs, "ended"
}

// Dashboard is a dashboard for Grafana, as JSON to import: runs in progress, and results of runs. specs/prometheus
// makes Prometheus evaluate each expression in it.
//
//go:embed dashboard.json
var Dashboard []byte
