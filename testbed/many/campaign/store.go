package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rocelab/rocelab/emulator/result"
)

// Store is the folder of a sweep, as far as results are concerned. Any number of processes,
// on any number of machines, may share one.
//
//	runs/ab/abcd.../  the result of a run, under its name: there means done
//	part/HOST-PID.1/  what a process is writing
//	damaged/abcd...-1 what was under a run's name and is no result
type Store struct {
	dir string
	// own is the folder of this process below part, lock its open lock; own is "" until it
	// writes.
	own  string
	lock *os.File
	// disk serializes syncs; refused is the first sync error.
	disk    sync.Mutex
	refused error
	// log has the tries of this process, nil before the first; logging serializes its writes.
	log     *os.File
	logging sync.Mutex
}

// NewStore returns the store in a folder.
func NewStore(dir string) *Store { return &Store{dir: filepath.Clean(dir)} }

// Dir is the store's folder.
func (s *Store) Dir() string { return s.dir }

// RunDir is the folder of a run's result.
func (s *Store) RunDir(id ID) string { return filepath.Join(s.dir, "runs", string(id[:2]), string(id)) }

// DamagedError is a run's folder that is not a valid result.
type DamagedError struct {
	Dir string
	Err error
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s is damaged: %v", e.Dir, e.Err) }
func (e *DamagedError) Unwrap() error { return e.Err }

// Row returns the row of a run, nil for one that is not done. Its error is a *DamagedError
// for a folder without a right row.
func (s *Store) Row(id ID) (*Row, error) {
	text, err := os.ReadFile(filepath.Join(s.RunDir(id), RowName))
	if errors.Is(err, fs.ErrNotExist) {
		if _, none := os.Lstat(s.RunDir(id)); errors.Is(none, fs.ErrNotExist) {
			return nil, nil
		}
	}
	var row *Row
	if err == nil {
		row, err = readRow(text, id)
	}
	if err != nil {
		return nil, &DamagedError{s.RunDir(id), err}
	}
	return row, nil
}

// Done lists the runs that are there, without looking into them: a few hundred folders are
// read, however many runs there are.
func (s *Store) Done() (map[ID]bool, error) {
	done := map[ID]bool{}
	groups, err := os.ReadDir(filepath.Join(s.dir, "runs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, group := range groups {
		runs, err := os.ReadDir(filepath.Join(s.dir, "runs", group.Name()))
		if err != nil {
			return nil, err
		}
		for _, run := range runs {
			if id := ID(run.Name()); id.Check() == nil {
				done[id] = true
			}
		}
	}
	return done, nil
}

// part is the folder of results being written.
func (s *Store) part() string { return filepath.Join(s.dir, "part") }

// lockName is the file on which a process that writes holds a lock for as long as it lives.
const lockName = "lock"

// Open makes the process's own place below part, locks it, and takes away places of dead processes of this host. Close
// takes its own away. After an error there is no place: a place without a lock would be swept away by the next process.
func (s *Store) Open() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	s.sweepUp(host)
	for range mostOpened {
		if opened, err := s.takePlace(host); opened || err != nil {
			return err
		}
	}
	return fmt.Errorf("no place below %s to write in: each of %d was taken away by another process", s.part(), mostOpened)
}

// takePlace makes a place with a locked file. It reports false, with neither, if another process
// took the place away meanwhile.
func (s *Store) takePlace(host string) (opened bool, err error) {
	// The process that closes last takes part away. MkdirAll reports that it exists if it went in between.
	if err := os.MkdirAll(s.part(), 0o777); err != nil {
		return false, unless(err, fs.ErrExist)
	}
	own := filepath.Join(s.part(), fmt.Sprintf("%s-%d.%d", host, os.Getpid(), places.Add(1)))
	if err := os.Mkdir(own, 0o777); err != nil {
		return false, unless(err, fs.ErrExist, fs.ErrNotExist)
	}
	lock, err := createLock(filepath.Join(own, lockName))
	if err != nil {
		return false, errors.Join(unless(err, fs.ErrNotExist), os.RemoveAll(own))
	}
	// Another process may have taken the place for a dead one's before it was locked: it holds
	// the lock while it removes the place, or has removed it.
	err = tryLock(lock)
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil // no process here can take a place away
	}
	if err == nil {
		_, err = os.Lstat(lock.Name())
	}
	if err == nil {
		s.own, s.lock = own, lock
		return true, nil
	}
	lock.Close()
	if err := unless(err, result.ErrLocked, fs.ErrNotExist); err != nil {
		return false, errors.Join(fmt.Errorf("lock %s: %w", lock.Name(), err), os.RemoveAll(own))
	}
	return false, nil
}

// unless returns err, nil if it is one of others.
func unless(err error, others ...error) error {
	if slices.ContainsFunc(others, func(other error) bool { return errors.Is(err, other) }) {
		return nil
	}
	return err
}

// createLock and tryLock are variables so that tests can let them fail.
var (
	createLock = os.Create
	tryLock    = result.TryLock
)

// places counts this process's places: a name is never used again, so that a new place is never removed for an old one.
var places atomic.Int64

// mostOpened bounds how often a place is looked for.
const mostOpened = 100

// sweepUp removes the remains of killed processes of a host. Whether processes of another host are alive is unknown.
func (s *Store) sweepUp(host string) {
	for _, left := range s.Left() {
		name := filepath.Base(left)
		if at := strings.LastIndexByte(name, '-'); at < 0 || name[:at] != host {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(left, lockName), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if tryLock(lock) == nil {
			os.RemoveAll(left)
		}
		lock.Close()
	}
}

// Left are the places of processes that write, or were killed.
func (s *Store) Left() (dirs []string) {
	entries, _ := os.ReadDir(s.part()) // none where there is no such folder
	for _, e := range entries {
		dirs = append(dirs, filepath.Join(s.part(), e.Name()))
	}
	return dirs
}

// Close takes the process's place away, and ends its log.
func (s *Store) Close() error {
	if s.own == "" {
		return nil
	}
	err := errors.Join(s.lock.Close(), os.RemoveAll(s.own))
	os.Remove(s.part()) // fails while others write
	s.own = ""
	if s.log != nil {
		err = errors.Join(err, s.log.Close())
		s.log = nil
	}
	return err
}

// Stage returns a new place for the folder of a run. Publish or remove the content made there. The store is open.
func (s *Store) Stage(id ID) (string, error) {
	staged := filepath.Join(s.own, string(id))
	for _, left := range []string{staged, staged + ".part"} {
		if err := os.RemoveAll(left); err != nil {
			return "", err
		}
	}
	return staged, nil
}

// Elsewhere reports whether another process seems to be making a run now. It saves work and
// no more: two that make the same run write the same result.
func (s *Store) Elsewhere(id ID) bool {
	for _, place := range s.Left() {
		if place == s.own {
			continue
		}
		for _, name := range []string{string(id), string(id) + ".part"} {
			if _, err := os.Lstat(filepath.Join(place, name)); err == nil {
				return true
			}
		}
	}
	return false
}

// Publish writes the row of a run into the folder at a place of Stage, which is made if it is missing, and gives it the
// run's name once all of it is on the disk: a result is whole even if the machine goes down. It reports whether the
// result is this one: another process may have made the same run meanwhile, and then this one is removed. An invalid
// result under the name is set aside.
func (s *Store) Publish(staged string, row *Row) (won bool, err error) {
	if err := row.ID.Check(); err != nil {
		return false, err
	}
	if err := os.MkdirAll(staged, 0o777); err != nil {
		return false, err
	}
	text, err := json.MarshalIndent(row, "", "  ")
	if err != nil {
		return false, err
	}
	if err := os.WriteFile(filepath.Join(staged, RowName), append(text, '\n'), 0o666); err != nil {
		return false, err
	}
	if err := s.reachDisk(staged); err != nil {
		return false, err
	}
	name := s.RunDir(row.ID)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return false, err
	}
	for range 3 {
		if err = os.Rename(staged, name); err == nil {
			return true, nil
		}
		there, damaged := s.Row(row.ID)
		switch {
		case there != nil:
			return false, os.RemoveAll(staged)
		case damaged == nil:
			return false, err // the host refuses
		}
		if err := s.SetAside(row.ID); err != nil {
			return false, err
		}
	}
	return false, err
}

// SetAside gives another name to an invalid result under a run's name.
func (s *Store) SetAside(id ID) error {
	if err := os.MkdirAll(filepath.Join(s.dir, "damaged"), 0o777); err != nil {
		return err
	}
	for n := 1; ; n++ {
		to := filepath.Join(s.dir, "damaged", string(id)+"-"+strconv.Itoa(n))
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		err := os.Rename(s.RunDir(id), to)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process did so
		}
		return err
	}
}

// reachDisk returns when a staged folder is on the disk. The system reports once that it could not write something, and
// not what: after that this process does not publish anything.
func (s *Store) reachDisk(staged string) error {
	s.disk.Lock()
	defer s.disk.Unlock()
	if s.refused == nil {
		s.refused = toDisk(s.lock, staged)
	}
	return s.refused
}

// syncFiles writes each file of a folder to the disk.
func syncFiles(folder string) error {
	return filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return errors.Join(file.Sync(), file.Close())
	})
}

// RemoveStaged takes away what is left at a place of a store, which is nothing once it was
// published.
func RemoveStaged(staged string) error {
	return errors.Join(os.RemoveAll(staged), os.RemoveAll(staged+".part"))
}
