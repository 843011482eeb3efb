package progressfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// slowFile is a disk that hangs until it is let go.
type slowFile struct{ begun, let chan struct{} }

func (f *slowFile) Write(b []byte) (int, error) {
	f.begun <- struct{}{}
	<-f.let
	return len(b), nil
}

func (f *slowFile) Close() error { return nil }

func line(run string, wall int64) Line {
	return Line{Run: run, Runner: "mem", Wall: wall, Verdict: "PASS"}
}

// fill offers lines and waits until each is written.
func fill(t *testing.T, w *Writer, lines ...Line) {
	t.Helper()
	for i := range lines {
		if err := w.append(&lines[i]); err != nil {
			t.Fatal(err)
		}
	}
}

// Lines are in the file as long as it is there, and it is gone when it is closed.
func TestFileIsThereWhileItIsWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, File)
	w := NewWriter(dir)
	var group sync.WaitGroup
	for job := range 4 {
		group.Go(func() {
			for i := range 100 {
				w.Offer(line(fmt.Sprint("run", job), int64(i)))
			}
		})
	}
	group.Wait()
	close(w.over)
	<-w.done
	lines, err := Read(path)
	newest := map[string]int64{}
	for _, l := range lines {
		if l.Wall < newest[l.Run] {
			t.Errorf("%s goes back", l.Run)
		}
		newest[l.Run] = l.Wall
	}
	if err != nil || fmt.Sprint(newest) != "map[run0:99 run1:99 run2:99 run3:99]" {
		t.Errorf("%v, %v", newest, err)
	}
	w.over = make(chan struct{})
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	var none *Writer
	none.Offer(Line{})
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

// While the disk hangs, offers return, and of each run the newest waits.
func TestOfferDoesNotWaitForTheDisk(t *testing.T) {
	w := NewWriter(t.TempDir())
	w.mu.Lock()
	w.file.Close()
	slow := &slowFile{make(chan struct{}), make(chan struct{})}
	w.file = slow
	w.mu.Unlock()
	w.Offer(line("a", 0))
	<-slow.begun
	for i := range 1000 {
		w.Offer(line("a", int64(i)))
		w.Offer(line("b", int64(i)))
	}
	w.mu.Lock()
	if got := fmt.Sprint(len(w.pending), w.pending[0].Wall, w.pending[1].Wall); got != "2 999 999" {
		t.Error(got)
	}
	w.mu.Unlock()
	go func() {
		for range slow.begun {
		}
	}()
	close(slow.let)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// A disk that is full ends the file, with whole lines, and nothing else.
func TestFullDiskIsANote(t *testing.T) {
	file, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	w := NewWriter(t.TempDir())
	w.file.Close()
	w.file = file
	w.Offer(line("a", 1))
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "could not be watched to its end") {
		t.Error(err)
	}
	if err := NewWriter(filepath.Join(t.TempDir(), "none")).Close(); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A file that grows long is thinned: it stays below its bound, and has the first line of a run, the
// newest, and fewer the older they are.
func TestLongFileIsThinned(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir)
	w.most = 8 << 10
	fill(t, w, line("short", 1))
	for i := range 2000 {
		fill(t, w, line("long", int64(i)))
		if info, err := os.Stat(w.path); err != nil || info.Size() > w.most || info.Size() != w.size {
			t.Fatalf("%v, %v, of %d", info, err, w.most)
		}
	}
	lines, err := Read(w.path)
	if err != nil {
		t.Fatal(err)
	}
	if lines[0].Run != "short" || lines[1].Wall != 0 || lines[len(lines)-1].Wall != 1999 {
		t.Errorf("%+v to %+v", lines[:2], lines[len(lines)-1])
	}
	if early, late := lines[2].Wall-lines[1].Wall, lines[len(lines)-1].Wall-lines[len(lines)-2].Wall; early < 8*late {
		t.Errorf("%d between the first lines, %d between the last", early, late)
	}
	for i := range 3000 {
		fill(t, w, line(fmt.Sprint("run", i), 1))
	}
	if lines, err = Read(w.path); err != nil || lines[len(lines)-1].Run != "run2999" {
		t.Errorf("%+v, %v", lines[len(lines)-1], err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// Only lines between the first line of a run and its last are thinned.
func TestThinnedKeepsTheLastLineOfEachRun(t *testing.T) {
	var got []string
	for _, l := range thinned([]Line{line("a", 0), line("a", 1), line("b", 0), line("a", 2), line("b", 1), line("c", 0)}) {
		got = append(got, fmt.Sprint(l.Run, l.Wall))
	}
	if text := strings.Join(got, " "); text != "a0 b0 a2 b1 c0" {
		t.Error(text)
	}
}
