package progressfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/rocelab/rocelab/internal/crash"
)

// maxBytes is the size at which a file is thinned.
const maxBytes = 4 << 20

// Writer writes the file. A caller that offers a line never waits for the disk: there is a place for one line of each
// run, the newest, and a goroutine that empties them. Trouble with the disk ends the file and nothing else. A Writer
// that is nil writes nothing.
//
// A file of 4 MiB is thinned: every second line of a run is left out, except its last one. So older lines are spaced
// more widely, and the whole run stays in view.
type Writer struct {
	path string
	file io.WriteCloser
	size int64
	most int64

	mu      sync.Mutex
	pending []Line // one of each run
	bell    chan struct{}
	over    chan struct{}
	done    chan struct{}
	trouble error
}

// NewWriter begins the file in a folder. If it cannot be made, Close reports it.
func NewWriter(folder string) *Writer {
	w := &Writer{
		path: filepath.Join(folder, File),
		most: maxBytes,
		bell: make(chan struct{}, 1),
		over: make(chan struct{}),
		done: make(chan struct{}),
	}
	if file, err := os.OpenFile(w.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o666); err == nil {
		w.file = file
	} else {
		w.trouble = err
	}
	go func() {
		defer crash.Guard()()
		w.write()
	}()
	return w
}

// Offer hands a line over and returns at once. One of the same run that was not written yet is
// forgotten. Several runs may offer lines at once.
func (w *Writer) Offer(line Line) {
	if w == nil {
		return
	}
	w.mu.Lock()
	if i := slices.IndexFunc(w.pending, func(l Line) bool { return l.Run == line.Run }); i >= 0 {
		w.pending[i] = line
	} else {
		w.pending = append(w.pending, line)
	}
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// Close writes the offered lines, takes the file away and returns its first error.
func (w *Writer) Close() error {
	if w == nil {
		return nil
	}
	close(w.over)
	<-w.done
	err := w.trouble
	if w.file != nil {
		err = errors.Join(err, w.file.Close())
	}
	for _, path := range []string{w.path, w.fresh()} {
		if left := os.Remove(path); !errors.Is(left, fs.ErrNotExist) {
			err = errors.Join(err, left)
		}
	}
	if err != nil {
		return fmt.Errorf("the run could not be watched to its end: %w", err)
	}
	return nil
}

// write writes lines until the Writer is closed.
func (w *Writer) write() {
	defer close(w.done)
	for over := false; !over; {
		select {
		case <-w.bell:
		case <-w.over:
			over = true
		}
		w.mu.Lock()
		lines := w.pending
		w.pending = nil
		w.mu.Unlock()
		for i := range lines {
			if w.trouble == nil {
				w.trouble = w.append(&lines[i])
			}
		}
	}
}

// append writes a line, whole and at once: who is killed leaves whole lines.
func (w *Writer) append(line *Line) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if w.size+int64(len(text)) > w.most {
		if err := w.thin(); err != nil {
			return err
		}
	}
	n, err := w.file.Write(text)
	if err != nil {
		if file, ok := w.file.(*os.File); ok && n > 0 {
			err = errors.Join(err, file.Truncate(w.size)) // half a line is none
		}
		return err
	}
	w.size += int64(n)
	return nil
}

// fresh is the name of the new file of a rewrite.
func (w *Writer) fresh() string { return w.path + ".new" }

// thin rewrites the file with fewer lines, and puts that in its place. Neither is open then: some systems do not rename
// open files.
func (w *Writer) thin() error {
	lines, err := Read(w.path)
	if err != nil {
		return err
	}
	var text []byte
	for _, line := range thinned(lines) {
		one, err := json.Marshal(line)
		if err != nil {
			return err
		}
		text = append(append(text, one...), '\n')
	}
	if int64(len(text)) > w.most*3/4 { // many runs that are over, of a line or two each
		text = text[len(text)/2:]
		text = text[slices.Index(text, '\n')+1:]
	}
	err = w.file.Close()
	w.file = nil
	if err = errors.Join(err, os.WriteFile(w.fresh(), text, 0o666)); err != nil {
		return err
	}
	if err := os.Rename(w.fresh(), w.path); err != nil {
		return err
	}
	file, err := os.OpenFile(w.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	w.file, w.size = file, int64(len(text))
	return nil
}

// thinned leaves every second line of each run out, except the last one.
func thinned(lines []Line) (kept []Line) {
	last, count := map[string]int{}, map[string]int{}
	for i := range lines {
		last[lines[i].Run] = i
	}
	for i := range lines {
		run := lines[i].Run
		if count[run]%2 == 0 || i == last[run] {
			kept = append(kept, lines[i])
		}
		count[run]++
	}
	return kept
}
