package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

const someID = ID("abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789")

func someRow(verdict string) *Row {
	return &Row{ID: someID, Verdict: verdict, Trace: "01", Metrics: map[string]json.Number{"drops": "0"}}
}

func openStore(t *testing.T, dir string) *Store {
	t.Helper()
	s := NewStore(dir)
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func stage(t *testing.T, s *Store) string {
	t.Helper()
	staged, err := s.Stage(someID)
	if err != nil {
		t.Fatal(err)
	}
	return staged
}

// A result is there at once and whole; a second one of the same run goes away.
func TestPublish(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	if row, err := s.Row(someID); row != nil || err != nil {
		t.Fatalf("%v, %v", row, err)
	}
	staged := stage(t, s)
	if err := os.MkdirAll(staged, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(staged, "summary.json"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if won, err := s.Publish(staged, someRow("pass")); !won || err != nil {
		t.Fatal(won, err)
	}
	second := stage(t, s)
	if won, err := s.Publish(second, someRow("fail")); won || err != nil {
		t.Fatal(won, err)
	}
	if _, err := os.Stat(second); err == nil {
		t.Error("what came second is still there")
	}
	row, err := s.Row(someID)
	if err != nil || row.Verdict != "pass" {
		t.Fatalf("%+v, %v", row, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "runs", "ab", string(someID), "summary.json")); err != nil {
		t.Error(err)
	}
	done, err := s.Done()
	if err != nil || len(done) != 1 || !done[someID] {
		t.Errorf("%v, %v", done, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "part")); err == nil {
		t.Error("the parts are still there")
	}
}

// Of many that publish one run at a time one wins, and there is one result.
func TestPublishTogether(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	var group sync.WaitGroup
	var mu sync.Mutex
	winners := 0
	for n := range 8 {
		staged := filepath.Join(s.own, strconv.Itoa(n))
		group.Go(func() {
			won, err := s.Publish(staged, someRow("pass"))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if won {
				winners++
			}
		})
	}
	group.Wait()
	if winners != 1 {
		t.Errorf("%d of them won", winners)
	}
}

// An invalid result under a run's name is named, and set aside by the run that is made again.
func TestDamaged(t *testing.T) {
	for what, damage := range map[string]func(name string) error{
		"no row":        os.Remove,
		"half a row":    func(name string) error { return os.Truncate(name, 40) },
		"another's row": func(name string) error { return os.WriteFile(name, []byte(`{"id":"ab"}`), 0o666) },
		"a row that lies": func(name string) error {
			return os.WriteFile(name, []byte(`{"id":"`+string(someID)+`"}`), 0o666)
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := openStore(t, t.TempDir())
			if _, err := s.Publish(stage(t, s), someRow("pass")); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(s.RunDir(someID), "ports.csv"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := damage(filepath.Join(s.RunDir(someID), RowName)); err != nil {
				t.Fatal(err)
			}
			_, err := s.Row(someID)
			var damaged *DamagedError
			if !errors.As(err, &damaged) || !strings.Contains(err.Error(), string(someID)) {
				t.Errorf("%s: %v", what, err)
			}
			if won, err := s.Publish(stage(t, s), someRow("fail")); !won || err != nil {
				t.Errorf("%s: %v, %v", what, won, err)
			}
			if row, err := s.Row(someID); err != nil || row.Verdict != "fail" {
				t.Errorf("%s: %+v, %v", what, row, err)
			}
			if _, err := os.Stat(filepath.Join(s.Dir(), "damaged", string(someID)+"-1", "ports.csv")); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
}

// What a dead process of this host left goes away; what a living one or another host has
// stays.
func TestSweepUp(t *testing.T) {
	dir := t.TempDir()
	living := openStore(t, dir)
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	leave := func(name string) string {
		left := filepath.Join(dir, "part", name)
		if err := os.MkdirAll(filepath.Join(left, "1.part"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(left, lockName), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		return left
	}
	dead, foreign := leave(host+"-999999999"), leave("elsewhere-1")
	NewStore(dir).sweepUp(host)
	if _, err := os.Stat(dead); err == nil {
		t.Error("what a dead process left is still there")
	}
	for _, kept := range []string{foreign, living.own} {
		t.Run(fmt.Sprintf("%.50q", kept), func(t *testing.T) {
			if _, err := os.Stat(kept); err != nil {
				t.Error(err)
			}
		})
	}
}

// Open gives a place with a lock, or an error and neither folder nor place.
func TestOpenWithoutALock(t *testing.T) {
	broken := errors.New("the disk is broken")
	for _, c := range []struct {
		name   string
		create func(string) (*os.File, error)
		lock   func(*os.File) error
		want   string // of the error; "" for none
	}{
		{name: "another process has each lock", lock: func(*os.File) error { return result.ErrLocked },
			want: "was taken away by another process"},
		{name: "each place goes", create: func(string) (*os.File, error) { return nil, fs.ErrNotExist },
			want: "was taken away by another process"},
		{name: "no file can be made", create: func(string) (*os.File, error) { return nil, broken }, want: broken.Error()},
		{name: "no file can be locked", lock: func(*os.File) error { return broken }, want: broken.Error()},
		{name: "a host without locks", lock: func(*os.File) error { return errors.ErrUnsupported }},
	} {
		t.Run(c.name, func(t *testing.T) {
			realCreate, realLock := createLock, tryLock
			t.Cleanup(func() { createLock, tryLock = realCreate, realLock })
			if c.create != nil {
				createLock = c.create
			}
			if c.lock != nil {
				tryLock = c.lock
			}
			s := NewStore(t.TempDir())
			err := s.Open()
			if c.want == "" {
				if err != nil || s.own == "" || len(s.Left()) != 1 {
					t.Errorf("%v, place %q of %v", err, s.own, s.Left())
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || s.own != "" {
				t.Errorf("%v, place %q; want %q and none", err, s.own, c.want)
			}
			// A place that is locked is left to the process that holds the lock.
			if left := s.Left(); len(left) > 0 && c.name != "another process has each lock" {
				t.Errorf("left behind: %v", left)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A result that cannot get its name, and is not there, is an error.
func TestPublishRefused(t *testing.T) {
	s := openStore(t, t.TempDir())
	if err := os.WriteFile(filepath.Join(s.Dir(), "runs"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if won, err := s.Publish(stage(t, s), someRow("pass")); won || err == nil {
		t.Errorf("%v, %v: a file is in the way", won, err)
	}
	s = openStore(t, t.TempDir())
	elsewhere, err := os.MkdirTemp("/dev/shm", "rocelab-")
	if err != nil {
		t.Skip("no second file system")
	}
	t.Cleanup(func() { os.RemoveAll(elsewhere) })
	if err := os.Symlink(elsewhere, filepath.Join(s.Dir(), "runs")); err != nil {
		t.Fatal(err)
	}
	if won, err := s.Publish(stage(t, s), someRow("pass")); won || err == nil {
		t.Errorf("%v, %v: no rename goes to another file system", won, err)
	}
	if row, err := s.Row(someID); row != nil || err != nil {
		t.Errorf("%+v, %v", row, err)
	}
}

// All of a result reaches the disk once, before it gets its name; after an error of the disk
// nothing does.
func TestPublishReachesTheDisk(t *testing.T) {
	s := openStore(t, t.TempDir())
	real, asked := toDisk, 0
	t.Cleanup(func() { toDisk = real })
	var broken error
	toDisk = func(opened *os.File, folder string) error {
		asked++
		if _, err := os.Stat(filepath.Join(folder, RowName)); err != nil {
			t.Error("the row was written after that", err)
		}
		if _, err := os.Stat(s.RunDir(someID)); err == nil {
			t.Error("it had its name before that")
		}
		return errors.Join(broken, real(opened, folder))
	}
	broken = errors.New("a bad block")
	for range 2 {
		if won, err := s.Publish(stage(t, s), someRow("pass")); won || !errors.Is(err, broken) {
			t.Errorf("%v, %v", won, err)
		}
		broken = nil
		if asked != 1 {
			t.Errorf("the disk was asked %d times", asked)
		}
		broken = s.refused
	}
	if row, err := s.Row(someID); row != nil || err != nil {
		t.Errorf("%+v, %v", row, err)
	}
	broken = nil
	s = openStore(t, t.TempDir())
	if won, err := s.Publish(stage(t, s), someRow("pass")); !won || err != nil || asked != 2 {
		t.Errorf("%v, %v, asked %d times", won, err, asked)
	}
	if err := syncFiles(s.RunDir(someID)); err != nil {
		t.Error(err)
	}
	if err := syncFiles(filepath.Join(s.Dir(), "nowhere")); err == nil {
		t.Error("a folder that is not there was written to the disk")
	}
}

// Lines of several files are read in their order, without truncated ones.
func TestReadLines(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.jsonl": `{"n":3}` + "\n" + `{"n":4`,
		"a.jsonl": `{"n":1}` + "\n\nnonsense\n" + `{"n":2}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	var got []int
	each := func(line struct{ N int }) { got = append(got, line.N) }
	if err := ReadLines(dir, each); err != nil || !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := ReadLines(filepath.Join(dir, "nowhere"), each); err != nil || len(got) != 3 {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c.jsonl"), make([]byte, 1<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := ReadLines(dir, each); err == nil || !strings.Contains(err.Error(), "c.jsonl") {
		t.Errorf("%v: a line without an end", err)
	}
}

// A process never takes the place of another that is just making it for a dead one's.
func TestPlacesAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 60 {
				s := NewStore(dir)
				if err := s.Open(); err != nil {
					t.Error(err)
					return
				}
				runtime.Gosched()
				if _, err := os.Lstat(s.lock.Name()); err != nil {
					t.Error(err)
				}
				s.Close()
			}
		})
	}
	group.Wait()
}
